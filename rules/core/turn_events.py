"""What happened in a turn: losses, fates of units, ground and points won, found by comparing the views of a viewer.

A system declares how its units fare (`UnitFacts`) and how its actions are told (`Deed`, in `data/deeds.toml`).
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from .data_files import files_ending
from .model import Model
from .state import State, Unit

U = TypeVar("U", bound=Unit)


class Deed(Model):
    """How a kind of action is told of a side in the past tense: `moved {units}`.

    A side that did anything else is not told of a deed that `is_minor`. `in_place` tells an action that left the unit's
    place unchanged. `losses` tells the losses that the action causes to enemies at once: `shot down {count} of {whom}`.
    """

    told: str
    is_minor: bool = False
    in_place: str = ""
    losses: str = ""


@dataclass(frozen=True)
class UnitFacts(Generic[U]):
    """How a system's units fare. The defaults suit a system whose units lose figures.

    `strength` is what a unit can lose in a state. `fates` are its conditions worth telling by their adjective, the
    worst first.
    """

    strength: Callable[[Any, U], int]
    fates: Mapping[str, Callable[[U], bool]]
    place: Callable[[U], object]
    """Return the unit's place, or None if it is unknown. An action that leaves it the same may be told otherwise."""
    is_beaten: Callable[[U], bool] = lambda _unit: False
    """Whether the unit has lost a round of melee this turn."""
    lost: str = "lost {count}"
    """How a side's own losses are told."""
    label: str = "Lost"
    """Heading of the list of losses."""
    noun: str = ""
    """Singular noun of a loss, such as `kill`; empty if losses are told as bare numbers."""

    def fate(self, unit: U) -> str:
        """Return the worst fate of the unit, or an empty string."""
        return next((words for words, holds in self.fates.items() if holds(unit)), "")


class Holding(NamedTuple):
    """Ground or points that a side has: `the wells`, or 2 of the kind `medal`, which has a plural.

    `gained` and `given_up` are the verbs of a change. `holder`: who holds it, such as `the British`, where several
    sides hold it together; empty for the side itself.
    """

    side: str
    name: str
    number: int = 1
    plural: str = ""
    gained: str = "took"
    given_up: str = "lost"
    holder: str = ""


class DoneAction(NamedTuple):
    """An action of a turn with the states before and after it, in the viewer's view."""

    kind: str
    side: str
    unit: str | None
    before: State
    after: State


class Loss(NamedTuple):
    """Losses of a unit: `number` of `strength`. `told` says how the side `by` caused them; empty if nobody did."""

    unit: Unit
    number: int
    strength: int
    by: str = ""
    told: str = ""


class Fate(NamedTuple):
    """A unit that has come into a condition worth telling."""

    unit: Unit
    condition: str


class HoldingChange(NamedTuple):
    """A change of what a side holds, by `number`; negative if given up."""

    holding: Holding
    number: int


@dataclass(frozen=True)
class TurnEvents:
    """What happened between the first and the last action of a turn, in one viewer's view."""

    losses: Sequence[Loss] = ()
    fates: Sequence[Fate] = ()
    changes: Sequence[HoldingChange] = ()
    beaten: Sequence[Unit] = ()
    """Units that have lost a melee."""
    held: Sequence[Holding] = ()
    """What the sides hold after the turn."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has happened that is worth a headline."""
        return not (self.losses or self.fates or self.changes or self.beaten)


def load_deeds(package: str) -> Mapping[str, Deed]:
    """Return the deeds of a package's data by kind of action. Raises ValidationError for an unknown key."""
    tables = (tomllib.loads(file.read_text(encoding="utf-8")) for file in files_ending(package, "deeds.toml"))
    return {kind: Deed.model_validate(deed) for deeds in tables for kind, deed in deeds.items()}


def words_for(facts: UnitFacts[Any] | None, deed: Deed, action: DoneAction) -> str:
    """Return how the deed is told of the action's unit: otherwise if the unit stayed in its place."""
    if facts is None or not deed.in_place or action.unit is None or action.unit not in action.before.units:
        return deed.told
    place_before, place_after = (
        facts.place(action.before.units[action.unit]),
        facts.place(action.after.units[action.unit]),
    )
    return deed.in_place if place_before is not None and place_before == place_after else deed.told


def find_events(
    facts: UnitFacts[Any],
    deeds: Mapping[str, Deed],
    holdings: Callable[[Any], Iterable[Holding]] | None,
    actions: Sequence[DoneAction],
) -> TurnEvents:
    """Return the events of `actions`, without what happened between them.

    Units in only one of an action's two views are not compared.
    """
    losses: dict[tuple[str, str, str], Loss] = {}
    fates: dict[str, Fate] = {}
    beaten_units: dict[str, Unit] = {}
    changes: dict[tuple[str, str], HoldingChange] = {}
    current_holdings: Sequence[Holding] = ()
    for action in actions:
        for loss in _losses(facts, deeds, action):
            key = (loss.unit.id, loss.by, loss.told)
            earlier_loss = losses.get(key, loss._replace(number=0))
            losses[key] = loss._replace(number=earlier_loss.number + loss.number, strength=earlier_loss.strength)
        for old, unit in _changed_units(action.before, action.after):
            if facts.fate(unit) != facts.fate(old):
                fates[unit.id] = Fate(unit, facts.fate(unit))
            if facts.is_beaten(unit) and not facts.is_beaten(old):
                beaten_units[unit.id] = unit
        before, current_holdings = (
            tuple(holdings(state)) if holdings else () for state in (action.before, action.after)
        )
        for change in _changes(before, current_holdings):
            name = (change.holding.side, change.holding.name)
            number = changes[name].number if name in changes else 0
            changes[name] = change._replace(number=number + change.number)
    worst = [*facts.fates]
    return TurnEvents(
        sorted(losses.values(), key=lambda loss: -loss.number),
        sorted((fate for fate in fates.values() if fate.condition), key=lambda fate: worst.index(fate.condition)),
        [change for change in changes.values() if change.number],
        [*beaten_units.values()],
        current_holdings,
    )


def _changed_units(before: State, after: State) -> Iterator[tuple[Any, Any]]:
    """Yield the old and the new unit for each changed unit that both states contain."""
    for unit_id, unit in after.units.items():
        old = before.units.get(unit_id)
        if old is not None and old is not unit:
            yield old, unit


def _losses(facts: UnitFacts[Any], deeds: Mapping[str, Deed], action: DoneAction) -> Iterator[Loss]:
    """Yield the losses of an action's units; enemies of the acting side are told by the action's deed."""
    phrase = deeds[action.kind].losses if action.kind in deeds else ""
    for old, unit in _changed_units(action.before, action.after):
        strength = facts.strength(action.before, old)
        lost = strength - facts.strength(action.after, unit)
        if lost > 0:
            by_enemy = phrase and unit.side != action.side
            yield Loss(unit, lost, strength, *((action.side, phrase) if by_enemy else ()))


def _changes(before: Sequence[Holding], after: Sequence[Holding]) -> Iterator[HoldingChange]:
    """Yield the gains and losses of ground or points of each side."""
    old = {(holding.side, holding.name): holding for holding in before}
    now = {(holding.side, holding.name): holding for holding in after}
    for key in {**old, **now}:
        count = (now[key].number if key in now else 0) - (old[key].number if key in old else 0)
        if count:
            yield HoldingChange(now[key] if key in now else old[key], count)
