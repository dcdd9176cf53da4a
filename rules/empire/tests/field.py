"""Units of named troops and tables for tests."""

from collections.abc import Callable
from typing import Any

from rules.core.dice import Dice, NoDice
from rules.core.model import Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.report import Report
from rules.core.state import Action, Side
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice
from rules.empire.model import Contact, EmpireState, EmpireUnit
from rules.empire.options import EmpireOptions
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.shared import change_turn_record
from rules.empire.tables import TROOPS

RED, BLUE = "red", "blue"
TYPES = {action_type.action.kind: action_type for action_type in Empire.action_types}
SIDES = (Side(id=RED, name="Red", index=0), Side(id=BLUE, name="Blue", index=1))


def unit(
    troops: str, unit_id: str = "a", side: str = RED, at: tuple[float, ...] | None = None, **fields: Any
) -> EmpireUnit:
    """Return a unit of `troops`. `at` is x and y in inches, and optionally the facing in degrees."""
    place = None if at is None else Place(x=at[0], y=at[1], facing=at[2] if len(at) > 2 else 0.0)
    return TROOPS.find(troops).make_unit(unit_id, fields.pop("name", unit_id.title()), side, place=place, **fields)


def field(*units: EmpireUnit, phase: Phase = Phase.UNITS, at_once: bool = False, **fields: Any) -> EmpireState:
    """Return a table of 72 by 48 inches in `phase`, with red to move. Automatic actions need `at_once`."""
    if "theatre" in fields:
        fields["options"] = {"theatre": fields.pop("theatre")}
    fields["options"] = _options(fields.get("options", {}), at_once)
    start: dict[str, Any] = {"scenario": "test", "sides": SIDES, "active": RED, "first": RED, "phase": phase.value}
    return EmpireState(units={unit.id: unit for unit in units}, **{**start, **fields})


def _options(values: EmpireOptions | dict[str, Any], at_once: bool) -> EmpireOptions:
    options = values if isinstance(values, EmpireOptions) else EmpireOptions.model_validate(values)
    return options.model_copy(update={"throw_at_once": at_once})


def contact_of(attacker: str, defender: str, *, flank: bool = False, rounds: int = 0) -> Contact:
    """Build the contact of two units."""
    return Contact(attacker=attacker, defender=defender, flank=flank, rounds=rounds)


def dice(*faces: int) -> ScriptedDice:
    """Return dice that show these faces."""
    return ScriptedDice(faces)


def with_memory(unit_: EmpireUnit, **turn: Any) -> EmpireUnit:
    """Return the unit with these values in its `this_turn` memory."""
    return change_turn_record(unit_, **turn)


def text_of(report: Report) -> str:
    """Return the complete text of a report, for searching."""
    steps = (
        f"{s.text}|{'|'.join(m.reason for m in s.modifiers)}|{s.verdict or s.needed}|{s.cite}" for s in report.steps
    )
    return "\n".join((report.headline, *steps, report.outcome, *report.warnings))


def act(state: EmpireState, action: Action, with_dice: Dice) -> tuple[EmpireState, Report]:
    """Execute the action without automatic actions after it."""
    return TYPES[action.kind].execute(state, action, with_dice)


def odds(state: EmpireState, action: Action) -> Odds:
    """Return the action's exact odds."""
    return TYPES[action.kind].odds_of(state, action)


def is_allowed(state: EmpireState, action: Action) -> bool:
    """Whether the rules allow the action."""
    return TYPES[action.kind].plan_if_allowed(state, action) is not None


def legal_actions(state: EmpireState, viewer: Viewer, kind: type[Action]) -> list[Action]:
    """Return the viewer's legal actions of the type `kind`."""
    return list(TYPES[kind.kind].possible_actions(state, viewer))


def set_up_question(kind: str, fields: dict[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Action]:
    """Set up a question without a game. Return its table and action."""
    return TYPES[kind].set_up_question(fields, words)


def play_part(
    part: Callable[..., None], state: EmpireState, *args: Any, with_dice: Dice | None = None, **kwargs: Any
) -> tuple[EmpireState, Any]:
    """Call a function with a `Play`; return state and steps. Without `with_dice` any throw fails."""
    play = Play(state, with_dice or NoDice())
    part(play, *args, **kwargs)
    return play.state, play.report.steps


def two_companies(**fields: Any) -> tuple[Any, Any]:
    return (
        unit("british-regulars", "a", RED, at=(20, 30), **fields),
        unit("british-regulars", "b", BLUE, at=(20, 15, 180), **fields),
    )
