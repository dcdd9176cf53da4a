"""Changes of facing: what a turn costs a formed unit, and that a gun has pivoted (BE-3, BE-M.2)."""

from rules.core.model import Cite
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.tabletop import table
from rules.core.wording import inches, tenths
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import remembering

from . import allowance
from .allowance import CHANGING
from .readiness import MOVING

PIVOT = Cite(rule="BE-3")
ABOUT = 180.0
"""Degrees that a turn counts for where nobody knows how the unit stood."""


def turned(state: EmpireState, unit: EmpireUnit, facing: float | None) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """The unit once it has turned to that facing (None where it is not known), and what that cost. Raises Refused."""
    by = ABOUT if facing is None or unit.place is None else _between(unit.place.facing, facing)
    if by <= table.CLOSE:
        return unit, ()
    if unit.is_crew:
        return remembering(unit, pivoted=True), (Step(text=f"{unit.name} pivots", cite=PIVOT),)
    if not allowance.costs_to_turn(unit):
        return unit, ()
    return _formed(state, unit, unit.this_turn.turned + by)


def _between(one: float, other: float) -> float:
    turn = abs(one - other) % 360
    return min(turn, 360 - turn)


def _formed(state: EmpireState, unit: EmpireUnit, so_far: float) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Free up to so many degrees in all (option free_turn); beyond them it is a change of facing."""
    if so_far <= state.options.free_turn + table.CLOSE:
        return remembering(unit, turned=round(so_far, 1)), ()
    if allowance.allowance(state, unit).inches <= 0:
        why = unit.this_turn.result or "it has no inches"
        raise Refused(f"{unit.name} may not move this turn, nor turn so far: {why}.", MOVING)
    text = f"{unit.name} changes facing"
    if unit.this_turn.free_change:
        step = Step(text=text, cite=allowance.WITHOUT_PENALTY, verdict="no penalty")
        return remembering(unit, turned=0.0), (step,)
    cost, left = allowance.change_cost(state, unit), allowance.left(state, unit)
    if cost > left + table.CLOSE:
        raise Refused(
            f"To turn more than {tenths(state.options.free_turn)}° costs {unit.name} {inches(cost)} of its move; "
            f"it has {inches(left)} left. “back” and “left” keep its facing.",
            CHANGING,
        )
    spent = round(unit.this_turn.spent + cost, 3)
    return remembering(unit, turned=0.0, spent=spent), (
        Step(text=text, cite=CHANGING, verdict=f"costs {inches(cost)}"),
    )
