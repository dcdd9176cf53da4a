"""What happened in a turn: losses, units' conditions, ground and points won, found by comparing a viewer's views.

A system declares facts about its units (`UnitFacts`) and phrases for its actions (`Deed`, in `data/deeds.toml`).
"""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from .data_files import data_files_ending
from .model import Model
from .state import State, Unit

U = TypeVar("U", bound=Unit)


class Deed(Model):
    """Phrases for a kind of action in the headline of a turn, in the past tense: `moved {units}`.

    A deed that `is_minor` is mentioned only if the side did nothing else. `in_place` replaces `told` if the unit's
    place did not change. `losses` describes losses inflicted on enemies: `shot down {count} of {whom}`.
    """

    told: str
    is_minor: bool = False
    in_place: str = ""
    losses: str = ""


@dataclass(frozen=True)
class UnitFacts(Generic[U]):
    """What a turn's headline can state about a system's units. The defaults suit units that lose figures.

    `strength` returns how much a unit can still lose. `fates` maps adjectives, such as `routed`, to tests of the unit's
    condition, the worst first.
    """

    strength: Callable[[Any, U], int]
    fates: Mapping[str, Callable[[U], bool]]
    place: Callable[[U], object]
    """Return the unit's place, or None if unknown. A deed may have another phrase for a unit that stays there."""
    is_beaten: Callable[[U], bool] = lambda _unit: False
    """Whether the unit has lost a round of melee this turn."""
    lost: str = "lost {count}"
    """Phrase for a side's own losses."""
    label: str = "Lost"
    """Heading of the list of losses."""
    noun: str = ""
    """Singular noun of a loss, such as `kill`; empty if losses are given as bare numbers."""

    def worst_condition(self, unit: U) -> str:
        """Return the adjective for the unit's worst condition, or an empty string."""
        return next((words for words, holds in self.fates.items() if holds(unit)), "")


class Holding(NamedTuple):
    """What a side holds: named ground such as `the wells`, or a `number` of medals, with their `plural`.

    `gained` and `given_up` are the verbs for a change. `holder` names several sides that hold it together: `the
    British`.
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
    """Losses of a unit: `number` lost of `strength`.

    `told` is the phrase for the action that inflicted the losses, `by` the side that acted; both may be empty.
    """

    unit: Unit
    number: int
    strength: int
    by: str = ""
    told: str = ""


class UnitFate(NamedTuple):
    """A unit's new condition, an adjective of `UnitFacts.fates` such as `routed`."""

    unit: Unit
    condition: str


class HoldingChange(NamedTuple):
    """A change of a side's ground or points. `number` is positive for a gain, negative for a loss."""

    holding: Holding
    number: int


@dataclass(frozen=True)
class TurnEvents:
    """The changes between the first and the last action of a turn, in one viewer's view."""

    losses: Sequence[Loss] = ()
    fates: Sequence[UnitFate] = ()
    changes: Sequence[HoldingChange] = ()
    beaten: Sequence[Unit] = ()
    """Units that have lost a round of melee."""
    held: Sequence[Holding] = ()
    """Ground and points that the sides hold after the turn."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened that deserves a headline."""
        return not (self.losses or self.fates or self.changes or self.beaten)


def load_deeds(package: str) -> Mapping[str, Deed]:
    """Return the deeds in a package's data, by kind of action. Raises ValidationError for an unknown key."""
    tables = (tomllib.loads(file.read_text(encoding="utf-8")) for file in data_files_ending(package, "deeds.toml"))
    return {kind: Deed.model_validate(deed) for deeds in tables for kind, deed in deeds.items()}


def describe_deed(facts: UnitFacts[Any] | None, deed: Deed, action: DoneAction) -> str:
    """Return the deed's phrase for an action: `in_place` if the action's unit stayed in its place, else `told`."""
    if facts is None or not deed.in_place or action.unit is None or action.unit not in action.before.units:
        return deed.told
    place = facts.place(action.before.units[action.unit])
    stayed = place is not None and place == facts.place(action.after.units[action.unit])
    return deed.in_place if stayed else deed.told


def find_events(
    facts: UnitFacts[Any],
    deeds: Mapping[str, Deed],
    holdings: Callable[[Any], Iterable[Holding]] | None,
    actions: Sequence[DoneAction],
) -> TurnEvents:
    """Return the events during `actions`. Ignore changes between two actions, and units that appear or disappear."""
    losses: dict[tuple[str, str, str], Loss] = {}
    fates: dict[str, UnitFate] = {}
    beaten_units: dict[str, Unit] = {}
    changes: dict[tuple[str, str], HoldingChange] = {}
    current_holdings: Sequence[Holding] = ()
    for action in actions:
        for loss in _find_losses(facts, deeds, action):
            key = (loss.unit.id, loss.by, loss.told)
            earlier_loss = losses.get(key, loss._replace(number=0))
            losses[key] = loss._replace(number=earlier_loss.number + loss.number, strength=earlier_loss.strength)
        for old, unit in _changed_units(action.before, action.after):
            if facts.worst_condition(unit) != facts.worst_condition(old):
                fates[unit.id] = UnitFate(unit, facts.worst_condition(unit))
            if facts.is_beaten(unit) and not facts.is_beaten(old):
                beaten_units[unit.id] = unit
        before, current_holdings = (
            tuple(holdings(state)) if holdings else () for state in (action.before, action.after)
        )
        for change in _find_holding_changes(before, current_holdings):
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


def _find_losses(facts: UnitFacts[Any], deeds: Mapping[str, Deed], action: DoneAction) -> Iterator[Loss]:
    """Yield the losses of units by an action. Losses of the acting side's enemies get the deed's phrase `losses`."""
    phrase = deeds[action.kind].losses if action.kind in deeds else ""
    for old, unit in _changed_units(action.before, action.after):
        strength = facts.strength(action.before, old)
        lost = strength - facts.strength(action.after, unit)
        if lost > 0:
            by_enemy = phrase and unit.side != action.side
            yield Loss(unit, lost, strength, *((action.side, phrase) if by_enemy else ()))


def _find_holding_changes(before: Sequence[Holding], after: Sequence[Holding]) -> Iterator[HoldingChange]:
    """Yield each side's gains and losses of ground or points."""
    old = {(holding.side, holding.name): holding for holding in before}
    now = {(holding.side, holding.name): holding for holding in after}
    for key in {**old, **now}:
        count = (now[key].number if key in now else 0) - (old[key].number if key in old else 0)
        if count:
            yield HoldingChange(now[key] if key in now else old[key], count)
