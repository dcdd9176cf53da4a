"""Units of named troops and tables for tests."""

from collections.abc import Callable
from typing import Any

from rules.core.dice import Dice
from rules.core.play import Play
from rules.core.report import Report, Step
from rules.core.state import Side
from rules.core.tabletop.battle import Place
from rules.core.tests.scripted import ScriptedDice
from rules.magdala.model import MagdalaState, MagdalaUnit, UnitTurn
from rules.magdala.options import MagdalaOptions
from rules.magdala.scenarios import TROOPS

RED, BLUE = "red", "blue"


def unit(
    troops: str, unit_id: str = "a", side: str = RED, at: tuple[float, ...] | None = None, **fields: Any
) -> MagdalaUnit:
    """Return a unit of `troops`. `at` is x and y in inches, and optionally the facing in degrees."""
    place = None if at is None else Place(x=at[0], y=at[1], facing=at[2] if len(at) > 2 else 0.0)
    new_unit = TROOPS.find(troops).make_unit(unit_id, fields.pop("name", unit_id.title()), side, place=place, **fields)
    return (
        new_unit
        if "this_turn" in fields
        else new_unit.model_copy(update={"this_turn": UnitTurn(figures_at_start=new_unit.figures)})
    )


def field(*units: MagdalaUnit, active: str = RED, at_once: bool = False, **fields: Any) -> MagdalaState:
    """Return a table of 72 by 48 inches with red to move. Unless `at_once`, each test waits for a button."""
    options = fields.pop("options", MagdalaOptions()).model_copy(update={"throw_at_once": at_once})
    sides = (Side(id=RED, name="Red", index=0), Side(id=BLUE, name="Blue", index=1))
    return MagdalaState(
        scenario="test", sides=sides, active=active, units={u.id: u for u in units}, options=options, **fields
    )


def dice(*faces: int) -> ScriptedDice:
    """Return dice that show these faces."""
    return ScriptedDice(faces)


def text_of(report: Report) -> str:
    """Return the complete text of a report, for searching."""
    steps = (
        f"{s.text}|{'|'.join(m.reason for m in s.modifiers)}|{s.verdict or s.needed}|{s.cite}" for s in report.steps
    )
    return "\n".join((report.headline, *steps, report.outcome, *report.warnings))


def with_memory(unit_: MagdalaUnit, **turn: Any) -> MagdalaUnit:
    """Return the unit with these values in its `this_turn` memory."""
    return unit_.model_copy(update={"this_turn": unit_.this_turn.model_copy(update=turn)})


def play_part(
    part: Callable[..., None], state: MagdalaState, *args: Any, using: Dice | None = None, **kwargs: Any
) -> tuple[MagdalaState, tuple[Step, ...]]:
    """Call a function with a `Play`; return state and steps. Without `using` any throw fails."""
    play = Play(state, using or dice())
    part(play, *args, **kwargs)
    return play.state, play.report.steps
