"""The umpire's tools, for any system: corrections, options, secrets, and units added or removed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import Field

from . import fields, naming
from .action_type import ActionType
from .model import Cite, Mark
from .play import Play
from .refused import NoPlace, Refused
from .report import Report, Step
from .state import Action, State

S = TypeVar("S", bound=State)

PLACE = "place"
LONGEST_NAME = 60
"""Characters of a unit's name."""
BY_UMPIRE = Cite(rule="the umpire", mark=Mark.HOUSE)
"""Stands under what the umpire does by hand."""


class SetField(Action):
    """Corrects one open field of a unit."""

    kind: ClassVar[str] = "set"
    umpire_only: ClassVar[bool] = True

    unit: str
    field: str
    value: str


class SetOption(Action):
    """Changes one option of the game."""

    kind: ClassVar[str] = "option"
    umpire_only: ClassVar[bool] = True

    name: str
    value: str


class SetSecret(Action):
    """Sets a hidden field of a unit; only the umpire can read about it."""

    kind: ClassVar[str] = "secret"
    umpire_only: ClassVar[bool] = True

    unit: str
    field: str
    value: str


class Reveal(Action):
    """Shows everyone the hidden fields of a unit."""

    kind: ClassVar[str] = "reveal"
    umpire_only: ClassVar[bool] = True

    unit: str


class AddUnit(Action):
    """Adds a unit of named troops, at a place in inches or at none."""

    kind: ClassVar[str] = "add_unit"
    umpire_only: ClassVar[bool] = True

    troop: str
    side: str
    name: str
    figures: int | None = None
    x: float | None = Field(default=None, allow_inf_nan=False)
    y: float | None = Field(default=None, allow_inf_nan=False)
    facing: float = Field(default=0.0, allow_inf_nan=False)


class RemoveUnit(Action):
    """Removes a unit from the game, as if it had never been there."""

    kind: ClassVar[str] = "remove_unit"
    umpire_only: ClassVar[bool] = True

    unit: str


class ByHand(ActionType[S, Any, tuple[S, Report]]):
    """What the umpire does by hand. It throws nothing, so its plan is already how the game stands after it."""

    def __init__(self, action: type[Action], change: Callable[[S, Any], tuple[S, Report]]) -> None:
        """`change` makes the state and the report of it. Raises Refused."""
        self.action = action
        self._change = change

    def plan(self, state: S, action: Action, *, supposing: bool = False) -> tuple[S, Report]:  # noqa: ARG002
        """The state after it, and what is told. Raises Refused."""
        return self._change(state, action)

    def label(self, state: S, plan: tuple[S, Report]) -> str:  # noqa: ARG002
        """Its headline."""
        return plan[1].headline

    def resolve(self, play: Play[S], plan: tuple[S, Report]) -> None:
        """As planned."""
        play.state, play.report = plan


@dataclass(frozen=True)
class UmpireTools(Generic[S]):
    """What a system provides: how units are made, revealed and removed, and what follows from a change."""

    make: Callable[[S, AddUnit, str], S]
    reveal: Callable[[S, str], S]
    remove: Callable[[S, str], S]
    settle: Callable[[S, S, str], S]
    """(before, after, unit id): adjusts whatever depends on the change. Raises Refused where it cannot be made."""
    line: Callable[[S, str], str] = lambda _state, _unit: ""
    """(state, unit id): the state of a corrected unit, in short."""
    set_down: Callable[[S, str, str], Any] | None = None
    """(state, unit id, words): where these words put a unit, as `/move` understands them. Raises NoPlace, Refused."""
    place_field: str = PLACE
    """The field of a unit that says where it is; people may also call it “place”."""
    references: tuple[str, ...] = ()
    """Fields of a unit that hold another's id; people write that unit's name."""

    @property
    def action_types(self) -> "tuple[ByHand[S], ...]":
        """Everything the umpire may do."""
        return (
            ByHand(SetField, self._set),
            ByHand(SetOption, self._option),
            ByHand(SetSecret, self._secret),
            ByHand(Reveal, self._reveal),
            ByHand(AddUnit, self._add),
            ByHand(RemoveUnit, self._remove),
        )

    def _set(self, state: S, action: SetField) -> tuple[S, Report]:
        unit = unit_of(state, action.unit)
        name = _named(fields.editable(type(unit)), action.field, "field", {self.place_field: (PLACE,)})
        after, old, new = self._changed(state, action.unit, name, action.value)
        report = Report(
            headline=f"The umpire corrects {unit.name}: {spoken(name)}.",
            steps=(Step(text=f"{spoken(name).capitalize()}: {old} → {new}.", cite=BY_UMPIRE),),
            outcome=self.line(after, unit.id),
            units=(unit.id,),
        )
        return after, report

    def _secret(self, state: S, action: SetSecret) -> tuple[S, Report]:
        unit = unit_of(state, action.unit)
        name = _named(fields.secrets(type(unit)), action.field, "hidden field")
        after, old, new = self._changed(state, action.unit, name, action.value)
        report = Report(
            headline=f"The umpire sets a secret of {unit.name}.",
            steps=(Step(text=f"{spoken(name).capitalize()}: {old} → {new}. Only you know this.", cite=BY_UMPIRE),),
            units=(unit.id,),
            audience=frozenset(),
        )
        return after, report

    def _changed(self, state: S, unit_id: str, name: str, value: str) -> tuple[S, str, str]:
        unit = unit_of(state, unit_id)
        changed = self._with(state, unit, name, self._meant(state, unit_id, name, value))
        after = self.settle(state, state.model_copy(update={"units": {**state.units, unit_id: changed}}), unit_id)
        return after, self._in_words(state, unit, name), self._in_words(state, changed, name)

    def _meant(self, state: S, unit_id: str, name: str, value: str) -> str:
        """The words as the field stores them: a side or another unit by its id. Raises Refused."""
        if name == "name":
            return proper_name(state, value, unit_id)
        if name == "side":
            return naming.one(value, {side.id: side.name for side in state.sides}, "There is no side {}.")
        return _other_unit(state, unit_id, value) if name in self.references else value

    def _in_words(self, state: S, unit: Any, name: str) -> str:
        """The value of a field as it is shown: a side or another unit by its name."""
        value = getattr(unit, name)
        if name == "side":
            return next((side.name for side in state.sides if side.id == value), value)
        other = state.units.get(value) if name in self.references and value is not None else None
        return other.name if other is not None else fields.in_words(value)

    def _with(self, state: S, unit: Any, name: str, value: str) -> Any:
        """The unit with a field changed. A place may be written as for a move, or as it is shown."""
        no_place: NoPlace | None = None
        try:
            if name == self.place_field and self.set_down is not None:
                try:
                    return fields.with_value(unit, name, self.set_down(state, unit.id, value))
                except NoPlace as refused:
                    no_place = refused
            return fields.with_field(unit, name, value)
        except ValueError as error:
            raise no_place or Refused(f"{spoken(name).capitalize()}: {error}") from None

    def _option(self, state: S, action: SetOption) -> tuple[S, Report]:
        options = type(state.options)
        name = _named(fields.settable(options), action.name, "option")
        field = options.model_fields[name]
        try:
            changed = fields.with_field(state.options, name, action.value)
        except ValueError as error:
            raise Refused(f"{spoken(name).capitalize()}: {error} {field.description}") from None
        old, new = (fields.in_words(getattr(model, name)) for model in (state.options, changed))
        report = Report(
            headline=f"The umpire rules: {spoken(name)} is {new}.",
            steps=(Step(text=f"{field.description} {old} → {new}.", cite=fields.cite_of(field, BY_UMPIRE)),),
        )
        return state.model_copy(update={"options": changed}), report

    def _reveal(self, state: S, action: Reveal) -> tuple[S, Report]:
        unit = unit_of(state, action.unit)
        known = [
            f"{spoken(name)} {fields.in_words(getattr(unit, name))}"
            for name, field in fields.secrets(type(unit)).items()
            if getattr(unit, name) != field.get_default()
        ]
        if not known:
            raise Refused(f"{unit.name} has no secret to reveal. Give it one with /umpire secret.")
        report = Report(
            headline=f"The umpire reveals {unit.name}.",
            steps=(Step(text=f"{', '.join(known).capitalize()}.", cite=BY_UMPIRE),),
            units=(unit.id,),
            showed_hidden=True,
        )
        return self.reveal(state, unit.id), report

    def _add(self, state: S, action: AddUnit) -> tuple[S, Report]:
        sides = {side.id: side.name for side in state.sides}
        if action.side not in sides:
            raise Refused(f"There is no side “{action.side[:40]}”. The sides: {', '.join(sides)}.")
        if (action.x is None) != (action.y is None):
            raise Refused("A place needs both x and y, in inches from the north-west corner. Give both or neither.")
        name = proper_name(state, action.name)
        unit_id = fresh_id(state, name)
        after = self.make(state, action.model_copy(update={"name": name}), unit_id)
        report = Report(
            headline=f"The umpire adds {name}.",
            steps=(Step(text=f"{name} joins the {sides[action.side]}.", cite=BY_UMPIRE),),
            units=(unit_id,),
        )
        return after, report

    def _remove(self, state: S, action: RemoveUnit) -> tuple[S, Report]:
        unit = unit_of(state, action.unit)
        report = Report(
            headline=f"The umpire removes {unit.name} from the game.",
            steps=(Step(text=f"{unit.name} is removed, as if it had never been there.", cite=BY_UMPIRE),),
        )
        return self.remove(state, unit.id), report


def spoken(name: str) -> str:
    """A field's name as words."""
    return name.replace("_", " ")


def unit_of(state: State, unit_id: str) -> Any:
    """The unit of that id. Raises Refused with the nearest names."""
    if unit_id not in state.units:
        near = ", ".join(naming.nearest(unit_id, {unit.id: unit.name for unit in state.units.values()}))
        hint = f" The nearest: {near}." if near else ""
        raise Refused(f"There is no unit “{unit_id[:40]}”.{hint}")
    return state.units[unit_id]


def proper_name(state: State, name: str, unit_id: str | None = None) -> str:
    """A name for a unit (`unit_id`, or a new one), stripped. Raises Refused where it is no name or is taken."""
    stripped = name.strip()
    if not stripped or len(stripped) > LONGEST_NAME or not stripped.isprintable():
        raise Refused(f"A unit's name has 1 to {LONGEST_NAME} characters, on one line. Choose another.")
    for other in state.units.values():
        if other.id != unit_id and stripped.casefold() in (other.name.casefold(), other.id.casefold()):
            raise Refused(f"Another unit is already called “{stripped}”. Choose another name.")
    return stripped


def fresh_id(state: State, name: str) -> str:
    """An unused id: the name in small letters, with a number where that is needed."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.casefold()).split()
    stem = "-".join(words) or "unit"
    number = 1
    while (unit_id := stem if number == 1 else f"{stem}-{number}") in state.units:
        number += 1
    return unit_id


def _other_unit(state: State, unit_id: str, words: str) -> str:
    """The id of another unit by its name, or “none”. Raises Refused."""
    if words.strip().casefold() in ("", fields.NONE):
        return fields.NONE
    others = {other.id: other.name for other in state.units.values() if other.id != unit_id}
    return naming.one(words, others, "No other unit here is called {}.")


def _named(known: Mapping[str, Any], given: str, noun: str, known_by: naming.Words | None = None) -> str:
    return naming.one(given, {name: spoken(name) for name in known}, f"There is no {noun} {{}}.", known_by)
