"""The umpire's tools for every system: corrections, options, secrets, and adding or removing units."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from pydantic import Field
from typing_extensions import override

from . import fields, naming
from .action_type import ActionType, Caption
from .model import Cite, Mark, Viewers
from .play import Play
from .question import QuestionType
from .refusal import NoPlace, Refused
from .report import Report, Step
from .state import Action, S, State
from .typed_text import clean_name, has_only_visible_signs, normalize_text
from .unit_lookup import check_unit_name, find_side, find_unit, new_unit_id
from .wording import as_words

PLACE = "place"
LONGEST_EVENT = 300
"""Maximum number of characters of an event's text."""
BY_UMPIRE = Cite(rule="the umpire", mark=Mark.HOUSE)
"""Citation of everything that the umpire does by hand."""


class _UmpireAction(Action):
    umpire_only = True


class SetField(_UmpireAction):
    """A correction of a public field of a unit."""

    kind = "set"

    unit: str
    field: str
    value: str


class SetOption(_UmpireAction):
    """Change of a game option."""

    kind = "option"

    name: str
    value: str


class SetSecret(SetField):
    """A change of a hidden field of a unit, reported only to the umpire."""

    kind = "secret"


class Reveal(_UmpireAction):
    """The disclosure of a unit's hidden fields to everyone."""

    unit: str


class AddUnit(_UmpireAction):
    """The addition of a unit, at `x`, `y` (inches) and `facing` (degrees) or without a place."""

    troop: str
    side: str
    name: str
    figures: int | None = None
    x: float | None = Field(default=None, allow_inf_nan=False)
    y: float | None = Field(default=None, allow_inf_nan=False)
    facing: float = Field(default=0.0, allow_inf_nan=False)


class RemoveUnit(_UmpireAction):
    """The removal of a unit, as if it had never been in the game."""

    unit: str


class Event(_UmpireAction):
    """An event that the umpire announces as a line of the log. The state stays unchanged."""

    is_unit_action = False

    text: str = Field(min_length=1, max_length=LONGEST_EVENT)
    picture: bool = False
    """Whether a picture accompanies the event."""


class UmpireActionType(ActionType[S, Any, tuple[S, Report]]):
    """Type of the umpire's manual actions. The plan is the resulting state and report, because no dice are thrown."""

    def __init__(self, action: type[Action], change: Callable[[S, Any], tuple[S, Report]]) -> None:
        """Create the type. `change` returns the new state and the report of an action, or raises Refused."""
        self.action = action
        self._change = change

    def plan(self, state: S, action: Action) -> tuple[S, Report]:
        """Return the state after the action, and the report. Raises Refused."""
        return self._change(state, action)

    @override
    def caption(self, state: S, plan: tuple[S, Report]) -> Caption:
        """Return the report's headline as the button's text."""
        return Caption(plan[1].headline)

    def resolve(self, play: Play[S], plan: tuple[S, Report]) -> None:
        """Set the planned state and report on `play`."""
        play.state, play.report = plan


@dataclass(frozen=True)
class UmpireTools(Generic[S]):
    """The umpire's actions in one system. The fields are the system's functions to add, reveal and remove units."""

    add_unit: Callable[[S, AddUnit, str], S]
    settle: Callable[[S, S, str], S] = lambda _before, after, _unit: after
    """Take the states before and after a change, and the unit's id; return the state with all consequences.

    Raises Refused if the change is impossible.
    """
    reveal: Callable[[S, str], S] = lambda state, _unit: state
    remove_unit: Callable[[S, str], S] = lambda state, unit: state.without_unit(unit)
    line: Callable[[S, str], str] = lambda _state, _unit: ""
    """Take the state and a corrected unit's id; return the unit's condition in short."""
    set_down: Callable[[S, str, str], Any] | None = None
    """Take the state, a unit's id and a place in the words of `/move`; return the place. Raises NoPlace or Refused."""
    place_field: str = PLACE
    """Name of the unit field that holds the position; the umpire may also call the field “place”."""
    place_in_words: Callable[[S, Any], str] = lambda _state, place: fields.value_in_words(place)
    """Take the state and a place; return the place in words that `set_down` can read."""
    readers: Callable[[S, str], Viewers | None] = lambda _state, _unit: None
    """Take a state and a unit's id; return the sides that may read corrections of the unit, or None for everyone."""

    @property
    def action_types(self) -> "tuple[ActionType[S, Any, Any], ...]":
        """Return an action type for each kind of umpire action."""
        return (
            UmpireActionType(SetField, self._set_field),
            UmpireActionType(SetOption, self._set_option),
            UmpireActionType(SetSecret, self._set_secret),
            UmpireActionType(Reveal, self._reveal),
            UmpireActionType(AddUnit, self._add_unit),
            UmpireActionType(RemoveUnit, self._remove_unit),
            UmpireActionType(Event, _announce_event),
            QuestionType(),
        )

    def put_unit(self, state: S, unit: str, words: str) -> tuple[S, str]:
        """Return the state with a unit (by id) moved to the described place, and the change in words."""
        return self._change_field(state, find_unit(state, unit), self.place_field, words)

    def _set_field(self, state: S, action: SetField) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        name = _find_field_name(fields.editable_fields(type(unit)), action.field, "field", {self.place_field: (PLACE,)})
        after, change = self._change_field(state, unit, name, action.value)
        headline = f"The umpire corrects {unit.name}: {as_words(name)}."
        outcome, audience = self.line(after, unit.id), self._sides_that_may_read(unit.id, state, after)
        return after, _make_report(headline, change, unit.id, outcome=outcome, audience=audience)

    def _sides_that_may_read(self, unit: str, *states: S) -> Viewers | None:
        """Return the sides that may read about a unit in any of the states; None if everyone may."""
        all_readers = [self.readers(state, unit) for state in states if unit in state.units]
        sides = [readers for readers in all_readers if readers is not None]
        return frozenset[str]().union(*sides) if len(sides) == len(all_readers) else None

    def _set_secret(self, state: S, action: SetSecret) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        name = _find_field_name(fields.secret_fields(type(unit)), action.field, "hidden field")
        after, change = self._change_field(state, unit, name, action.value)
        headline = f"The umpire sets a secret of {unit.name}."
        return after, _make_report(headline, f"{change} Only you know this.", unit.id, audience=frozenset())

    def _change_field(self, state: S, unit: Any, name: str, value: str) -> tuple[S, str]:
        """Return the state after the change of a unit's field, with all consequences, and the change in words."""
        changed = self._with_corrected_field(state, unit, name, _value_to_store(state, unit, name, value))
        after = self.settle(state, state.with_unit(changed), unit.id)
        old, new = (self._value_in_words(state, version, name) for version in (unit, changed))
        return after, f"{as_words(name).capitalize()}: {old} → {new}."

    def _value_in_words(self, state: S, unit: Any, name: str) -> str:
        """Return the value of a unit's field as displayed: sides and units by name."""
        value = getattr(unit, name)
        if name == self.place_field and value is not None:
            return self.place_in_words(state, value)
        if name == "side":
            return next((side.name for side in state.sides if side.id == value), value)
        other = state.units.get(value) if name in unit.refers_to and value is not None else None
        return other.name if other is not None else fields.value_in_words(value)

    def _with_corrected_field(self, state: S, unit: Any, name: str, value: str) -> Any:
        """Return the unit with one field changed. A place may be in the words of `/move`. Raises Refused."""
        no_place: NoPlace | None = None
        try:
            if name == self.place_field and self.set_down is not None:
                try:
                    return fields.with_field_value(unit, name, self.set_down(state, unit.id, value))
                except NoPlace as refused:
                    no_place = refused
            return fields.with_field_from_words(unit, name, value)
        except Refused as refused:
            raise no_place or refused from None
        except ValueError as error:
            raise no_place or Refused(f"{as_words(name).capitalize()}: {error}") from None

    def _set_option(self, state: S, action: SetOption) -> tuple[S, Report]:
        options = type(state.options)
        name = _find_field_name(fields.settable_fields(options), action.name, "option")
        field = options.model_fields[name]
        try:
            changed = fields.with_field_from_words(state.options, name, action.value)
        except ValueError as error:
            raise Refused(f"{as_words(name).capitalize()}: {error} {field.description}") from None
        old, new = (fields.value_in_words(getattr(model, name)) for model in (state.options, changed))
        step = Step(text=f"{field.description} {old} → {new}.", cite=fields.cite_of(field, BY_UMPIRE))
        report = Report(headline=f"Option changed: {as_words(name)} = {new}.", steps=(step,))
        return state.model_copy(update={"options": changed}), report

    def _reveal(self, state: S, action: Reveal) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        secrets = ", ".join(
            f"{as_words(name)} {fields.value_in_words(getattr(unit, name))}"
            for name, field in fields.secret_fields(type(unit)).items()
            if getattr(unit, name) != field.get_default()
        )
        if not secrets:
            raise Refused(f"{unit:have} no secret. Give {unit:them} one with /umpire secret.")
        report = _make_report(
            f"The umpire reveals {unit.name}.", f"{secrets.capitalize()}.", unit.id, showed_hidden=True
        )
        return self.reveal(state, unit.id), report

    def _add_unit(self, state: S, action: AddUnit) -> tuple[S, Report]:
        side = find_side(state, action.side)
        if (action.x is None) != (action.y is None):
            raise Refused("A place needs both x and y, in inches from the north-west corner. Give both or neither.")
        name = check_unit_name(state, action.name)
        # without the side, the id could reveal a hidden unit of that name
        words = f"{action.side} {name}" if state.can_have_hidden_units else name
        unit_id = new_unit_id(state, words)
        after = self.add_unit(state, action.model_copy(update={"name": name}), unit_id)
        joins = f"{after.units[unit_id]:join} {side:the}."
        readers = self._sides_that_may_read(unit_id, after)
        return after, _make_report(f"The umpire adds {name}.", joins, unit_id, audience=readers)

    def _remove_unit(self, state: S, action: RemoveUnit) -> tuple[S, Report]:
        unit = find_unit(state, action.unit)
        text = f"{unit:are} removed, as if {unit:they had} never been there."
        headline, readers = f"The umpire removes {unit.name} from the game.", self._sides_that_may_read(unit.id, state)
        return self.remove_unit(state, action.unit), _make_report(headline, text, audience=readers)


def umpire_step(text: str, *, in_headline: bool = False) -> Step:
    """Return a step for a change by the umpire; with `in_headline`, the report's headline already states the text."""
    return Step(text=text, cite=BY_UMPIRE, verdict=text, text_in_headline=in_headline, verdict_in_headline=in_headline)


def _announce_event(state: S, action: Event) -> tuple[S, Report]:
    text = clean_name(" ".join(action.text.split()))
    if not text or not has_only_visible_signs(text):
        raise Refused("Say what happens, in a line of words.")
    step = "So the umpire says, with a picture" if action.picture else "So the umpire says"
    return state, Report(headline=text, steps=(Step(text=step, cite=BY_UMPIRE),))


def _make_report(headline: str, step: str, *units: str, **report_fields: Any) -> Report:
    return Report(headline=headline, steps=(umpire_step(step),), units=units, **report_fields)


def _value_to_store(state: State, unit: Any, name: str, value: str) -> str:
    """Return `value` as the unit's field stores it. Sides and units are stored by id. Raises Refused."""
    if name == "name":
        return check_unit_name(state, value, unit.id)
    if name == "side":
        return naming.resolve_name(value, {side.id: side.name for side in state.sides}, "There is no side {}.")
    if name not in unit.refers_to:
        return value
    if normalize_text(value) in ("", fields.NONE):
        return fields.NONE
    others = {other.id: other.name for other in state.units.values() if other.id != unit.id}
    return naming.resolve_name(value, others, "No other unit here is called {}.")


def _find_field_name(names: Mapping[str, Any], text: str, noun: str, known_by: naming.Words | None = None) -> str:
    return naming.resolve_name(text, {name: as_words(name) for name in names}, f"There is no {noun} {{}}.", known_by)
