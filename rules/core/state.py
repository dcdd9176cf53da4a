"""Base classes of the states, units and actions of all systems."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar, final

from pydantic import Field

from .agreement import NounForm, inflect_words
from .model import Model
from .naming import words_of
from .options import Options
from .refusal import Refused, require_that

if TYPE_CHECKING:
    from .scene import DieFace

Named = Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""A short name or id on a single line."""
MOST_TURNS = 9999


class Side(Model):
    """A side of the battle. `index` selects its colour and base shape in the palette."""

    id: Named
    name: Named
    index: int

    def __format__(self, article: str) -> str:
        """Return the name with its article: `f"{side:the}"` is `the British`, `f"{side:The}"` begins a sentence.

        `The Legion` and other names with an article get no second one.
        """
        return self.name if not article or self.name.casefold().startswith("the ") else f"{article} {self.name}"


class Verdict(Model):
    """Result of a finished game: the winning side's id, or None for a draw, and the reason."""

    winner: str | None
    why: str


class Unit(Model):
    """Base class of units: the fields common to all systems."""

    refers_to: ClassVar[tuple[str, ...]] = ()
    """Fields that hold another unit's id; people type that unit's name instead."""

    id: Named
    name: Named
    side: Named

    @property
    def noun(self) -> NounForm:
        """Return the grammatical number and gender of the unit's name: by default plural."""
        return NounForm.MANY

    def __format__(self, words: str) -> str:
        """Return `words` with the name as subject: `f"{unit:fire}"` is `Amarar fire` or `Osman Digna fires`."""
        return inflect_words(self.name, self.noun, words) if words else self.name

    def verb(self, words: str) -> str:
        """Return `words` with their first word, a verb, in agreement with the name: `lie down` or `lies down`."""
        return inflect_words("", self.noun, words).lstrip()

    def describe_actions(self, phrases: Iterable[str]) -> str:
        """Return the unit's name with its actions: `Amarar mount, move 12"`, `Osman Digna mounts, moves 12"`."""
        return f"{self.name} {', '.join(map(self.verb, phrases))}"


class State(Model):
    """Base class of states: fields common to all systems. Each system narrows the types of `units` and `options`."""

    turn_word: ClassVar[str] = "Turn"
    """What a turn is called, such as `Day`."""
    reserved: ClassVar[re.Pattern[str] | None] = None
    """Pattern of forbidden unit names."""

    ruleset: str
    scenario: str
    choices: Mapping[str, str] = Field(default_factory=dict)
    sides: tuple[Side, ...]
    turn: int = 1
    active: str
    phase: str = ""
    over: Verdict | None = None
    units: Mapping[str, Any] = Field(default_factory=dict)
    options: Any = None

    @property
    def every_unit(self) -> Mapping[str, Any]:
        """Return all units by id, including hidden units."""
        return self.units

    @classmethod
    def is_reserved(cls, name: str) -> bool:
        """Whether `name` matches the pattern `reserved` and is thus forbidden as a unit's name."""
        return cls.reserved is not None and cls.reserved.fullmatch(" ".join(words_of(name))) is not None

    @property
    def result(self) -> str:
        """Return `The British won` or `Nobody won`; empty while the game runs."""
        if self.over is None:
            return ""
        return f"{self.side(self.over.winner):The} won" if self.over.winner else "Nobody won"

    def heading(self, battle: str, now: str) -> str:
        """Return `battle` and `now`: `Suakin 1885 — turn 1 of 8, British`. After the end, the winner replaces `now`."""
        if self.over is not None:
            winner = f"{self.side(self.over.winner):the} have" if self.over.winner else "nobody has"
            now = f"the game is over, {winner} won"
        return f"{battle} — {now}"

    def side(self, side_id: str) -> Side:
        """Return the side with that id. Raises KeyError."""
        for side in self.sides:
            if side.id == side_id:
                return side
        raise KeyError(side_id)

    def with_unit(self, *changed: Unit) -> Self:
        """Return the state with these units added or replaced by id."""
        return self.model_copy(update={"units": {**self.units, **{unit.id: unit for unit in changed}}})

    def changed(self, unit_id: str, **fields: object) -> Self:
        """Return the state with these fields of the unit `unit_id` changed. Raises KeyError."""
        return self.with_unit(self.units[unit_id].model_copy(update=fields))

    def without_unit(self, unit_id: str) -> Self:
        """Return the state without the unit `unit_id`; other units' references to that unit become None."""
        units = {other.id: _without_reference(other, unit_id) for other in self.units.values() if other.id != unit_id}
        return self.model_copy(update={"units": units})

    @property
    def acting_sides(self) -> tuple[str, ...]:
        """Return the sides that may act now: the active side, or all acting sides of a simultaneous phase."""
        return (self.active,)

    def sides_represented_by(self, side: str) -> frozenset[str]:
        """Return the sides for which a side may act: by default only itself. Some systems add absent sides."""
        return frozenset((side,))

    def allies_of(self, side: str) -> frozenset[str]:
        """Return the sides that win and lose together with a side: itself and any allies."""
        return frozenset((side,))

    def sides_sharing_view(self, side: str) -> frozenset[str]:
        """Return the sides that see all that a side sees: itself, and allies that share its view."""
        return frozenset((side,))

    @property
    def coalitions(self) -> Mapping[str, tuple[str, ...]]:
        """Return the sides that fight together, by the name of their coalition; none by default."""
        return {}

    @property
    def absent_sides(self) -> frozenset[str]:
        """Return the sides for which others may act after too many missed turns; none by default."""
        return frozenset()

    @property
    def can_have_hidden_units(self) -> bool:
        """Whether sides may have units unknown to other sides."""
        return False

    @property
    def can_hidden_units_act(self) -> bool:
        """Whether units unknown to other sides may act now."""
        return self.can_have_hidden_units

    @property
    def keeps_positions(self) -> bool:
        """Whether the game stores the units' places. In a game without places, people measure, and no map is drawn."""
        return True

    @property
    def shown_dice(self) -> "Sequence[DieFace]":
        """Return the picture faces that the last action's dice show; empty for systems without picture dice."""
        return ()

    @property
    def throws_at_once(self) -> bool:
        """Whether the dice of a forced action are thrown at once, together with the action that caused it."""
        return not isinstance(self.options, Options) or self.options.throw_at_once

    @property
    def turn_name(self) -> str:
        """Return the turn's name: `Turn 3`."""
        return f"{self.turn_word} {self.shown_turn}"

    @property
    def turn_name_with_total(self) -> str:
        """Return the turn's name, with the number of turns if known: `Turn 3 of 12`."""
        return self.turn_name if self.last_turn is None else f"{self.turn_word} {self.shown_turn} of {self.last_turn}"

    def title_of(self, turn: str) -> str:
        """Return `turn` followed by the active side and the phase, if any: `Turn 3, British`."""
        side_name = next((side.name for side in self.sides if side.id == self.active), "")
        return ", ".join(word for word in (turn, side_name, self.phase) if word)

    @property
    @final
    def turn_title(self) -> str:
        """Return the turn's title: `Turn 3, British`, and the phase if any."""
        return self.title_of(self.turn_name)

    @property
    def is_being_set_up(self) -> bool:
        """Whether the battle is still being set up."""
        return False

    @property
    def last_turn(self) -> int | None:
        """Return the number of the game's last turn, or None if unknown."""
        return None

    @property
    def shown_turn(self) -> int:
        """Return the turn number to display, at most the last turn."""
        return min(self.turn, self.last_turn or self.turn)

    @property
    @final
    def turn_title_with_total(self) -> str:
        """Return the turn's title, with the number of turns if known: `Turn 3 of 12, British`."""
        return self.title_of(self.turn_name_with_total)


S = TypeVar("S", bound=State)
"""The type of a system's states."""


def require_consistent_state(state: State) -> None:
    """Raise Refused, naming the wrong field, if a state's sides, turn, verdict and units do not fit together."""
    sides = {side.id for side in state.sides}
    if len(sides) < len(state.sides) or state.active not in sides:
        raise Refused(f"sides: each comes once, and “{state.active[:40]}” (active) is one of them.")
    require_that(1 <= state.turn <= MOST_TURNS, "turn", f"it is from 1 to {MOST_TURNS}")
    if state.over is not None and state.over.winner is not None:
        require_that(state.over.winner in sides, "over.winner", f"there is no side “{state.over.winner[:40]}”")
    for key, unit in state.units.items():
        is_consistent = unit.id == key and unit.side in sides
        require_that(is_consistent, f"units.{key[:40]}", "it has another id, or is of a side that there is not")


def _without_reference(unit: Unit, other: str) -> Unit:
    return unit.model_copy(update={field: None for field in unit.refers_to if getattr(unit, field) == other})


class Action(Model):
    """A request by a player or the umpire. Each kind is a subclass, with fields named like the command's options.

    `kind` is the class name unless a class sets it: `turn_next` for `TurnNext`. `circumstances` are facts in words
    (`with: in square, general`). A `secret` action throws hidden dice, and its report has an audience. If an action
    `only_announces` a later action, its unit has not acted yet. `is_unit_action` is False for an action of a whole
    side. A side has a limited number of `rationed` actions.
    """

    kind: ClassVar[str]
    refers_to: ClassVar[tuple[str, ...]] = ("unit", "target")
    """Fields that hold a unit's id; people type that unit's name instead."""
    umpire_only: ClassVar[bool] = False
    only_announces: ClassVar[bool] = False
    is_unit_action: ClassVar[bool] = True
    rationed: ClassVar[bool] = False
    circumstance_names: ClassVar[tuple[str, ...]] = ()
    field_words: ClassVar[Mapping[str, str]] = {}
    """Words that orders use for fields with unclear names: `fall back to` for `back`."""
    place_fields: ClassVar[tuple[str, ...]] = ()
    """Fields, besides `to`, that hold a place."""
    can_be_secret: ClassVar[bool] = False
    stays_for_readers: ClassVar[bool] = False
    """Whether an undo by another side than the actor's leaves the action in place."""

    unit: str | None = None
    circumstances: tuple[str, ...] = Field(default=(), alias="with")
    secret: bool = False

    def __init_subclass__(cls, **config: Any) -> None:
        """Set `kind` from the class name, unless the class sets it."""
        super().__init_subclass__(**config)
        if "kind" not in vars(cls):
            cls.kind = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()


DEPUTY = "by_deputy"
"""Field of actions that records whether a deputy acts for the side."""


def with_deputy(action: Action, *, by_deputy: bool) -> Action:
    """Return the action with the field `by_deputy` set, if the action's kind has that field."""
    return action.model_copy(update={DEPUTY: by_deputy}) if DEPUTY in type(action).model_fields else action


class Circumstance(Model):
    """A fact stated in `with:`. `excludes` are the contradicting words, `makes` the unit fields that it sets."""

    name: str
    meaning: str
    rule: str
    excludes: frozenset[str] = frozenset()
    makes: Mapping[str, Any] = {}


class UnitCard(Model):
    """An entry of a unit list for one viewer.

    `line` is the unit's condition in short, `details` are (label, value) pairs. `short` is the name drawn on crowded
    maps.
    """

    id: str
    name: str
    side: str
    line: str
    short: str = ""
    details: tuple[tuple[str, str], ...] = ()
