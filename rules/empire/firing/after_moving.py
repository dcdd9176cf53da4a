"""Guns that move more than a pivot do not fire that turn: refused then, and told before they move (BE-3, house)."""

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.empire.model import GUNS, EmpireState, EmpireUnit

from .cover import has_moved

MOVED_GUNS = Cite(rule="BE-3", mark=Mark.HOUSE)
NO_FIRE = "guns that move more than a pivot do not fire that turn"


def a_move_costs_its_fire(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the unit does not fire in a turn in which it moves (option guns_fire_after_moving)."""
    return unit.weapon in GUNS and not state.options.guns_fire_after_moving


def has_not_moved(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether the unit has kept its fire by standing. Raises Refused."""
    if a_move_costs_its_fire(state, unit) and has_moved(unit):
        raise Refused(f"{unit.name} moved this turn: {NO_FIRE}.", MOVED_GUNS)


def warning(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """What is said to who moves guns."""
    if not a_move_costs_its_fire(state, unit):
        return ()
    return (f"{unit.name} does not fire this turn: {NO_FIRE} ({MOVED_GUNS}). /game undo takes the move back.",)
