"""Whether a general is there to rally a unit (MM-6)."""

from rules.magdala.arms import COMMANDERS
from rules.magdala.model import Debt, Health, MagdalaState, MagdalaUnit

from .morale_trial import GENERAL


def may_be_thrown_again(state: MagdalaState, debt: Debt) -> bool:
    """Whether an unwounded general is with the unit (MM-6)."""
    return GENERAL in debt.circumstances or general_with(state, state.unit(debt.unit)) is not None


def general_with(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """The unwounded general or native commander with a unit."""
    general = state.units.get(unit.general or "")
    fit = general is not None and general.troop in COMMANDERS and general.health is Health.WELL and general.on_table
    return general if fit else None
