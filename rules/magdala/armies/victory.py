"""Who has won (house): an army is broken when so many of its units are gone or flying, else the ground decides."""

from rules.core.state import Verdict
from rules.core.tabletop.victory import Reckoning
from rules.magdala.arms import is_fighter
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import base

LOST = (Morale.ROUTED, Morale.OFF_TABLE)


def verdict(state: MagdalaState) -> Verdict | None:
    """How the game has ended; None while it goes on, or where a question was asked without one."""
    return RECKONING.verdict(state, state.options.broken_at) if state.scenario else None


def is_of_the_army(unit: MagdalaUnit) -> bool:
    """A unit whose loss counts; detachments do not."""
    return is_fighter(unit) and not unit.is_detachment


def is_lost(unit: MagdalaUnit) -> bool:
    """Destroyed, off the table, in rout or on its way off the field."""
    return not unit.on_table or unit.morale in LOST or unit.leaving


def is_holding(unit: MagdalaUnit) -> bool:
    """A unit not in flight."""
    return is_fighter(unit) and not is_lost(unit) and unit.morale is not Morale.RETREATING


RECKONING = Reckoning(counts=is_of_the_army, lost=is_lost, holding=is_holding, base=base, fate="gone or flying")
