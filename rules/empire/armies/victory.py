"""Who has won (BE-V, house): an army is broken when so many of its units are destroyed, else the ground decides."""

from rules.core.state import Verdict
from rules.core.tabletop.victory import Reckoning
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.placement import base


def verdict(state: EmpireState) -> Verdict | None:
    """How the game has ended; None while it goes on, or where a question was asked without one."""
    return RECKONING.verdict(state, state.options.broken_at) if state.scenario else None


def is_of_the_army(unit: EmpireUnit) -> bool:
    """A unit that fires and fights, arrived or still to come."""
    return not unit.is_piece


def is_lost(unit: EmpireUnit) -> bool:
    """Destroyed; those still to arrive stand."""
    return unit.destroyed


def is_holding(unit: EmpireUnit) -> bool:
    """A unit on the table that is not shaken."""
    return not unit.is_piece and unit.on_table and not unit.shaken


RECKONING = Reckoning(counts=is_of_the_army, lost=is_lost, holding=is_holding, base=base, fate="destroyed")
