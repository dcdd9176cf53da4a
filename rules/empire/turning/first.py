"""Who moves first: said by the winner of the initiative, and the turn goes on to the movement (BE-1, house)."""

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.empire.model import EmpireState
from rules.empire.phases import Phase, title

from . import walk
from .initiative import INITIATIVE, First, legal, winner


def choose(state: EmpireState, action: First, dice: Dice) -> tuple[EmpireState, Report]:
    """Sets who moves first, and begins to move. Raises Refused where there is nothing to choose."""
    chooser = winner(state)
    if chooser is None:
        when = f"Who moves first is said in {title(Phase.INITIATIVE)}, by whoever has won it"
        raise Refused(f"{when}. Now: {title(state.now)}.", INITIATIVE)
    sides = {side.id: side.name for side in state.sides}
    if action.side not in sides:
        raise Refused(f"There is no side “{action.side[:40]}”. The sides: {', '.join(sides)}.")
    said = Step(text=f"The {sides[chooser]} have the initiative and say so", cite=INITIATIVE)
    chosen = state.model_copy(update={"first": action.side, "initiative": {}, "active": action.side})
    after, steps = walk.on(chosen, dice)
    report = Report(
        headline=f"The {sides[action.side]} move first. {after.turn_title}.",
        side=chooser,
        steps=(said, *steps),
        outcome=walk.asks(after),
    )
    return after, report


DEED: Deed[EmpireState] = Deed(First, choose, legal=legal)
