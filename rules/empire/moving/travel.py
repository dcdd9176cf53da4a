"""The way of a move across the table, as the units of Battles for Empire go it (BE-M.1, BE-M.3)."""

from rules.core.model import Cite, Mark
from rules.core.tabletop.table import Base
from rules.empire.model import Arm, EmpireState, EmpireUnit
from rules.empire.placement import WAYS

WAY = Cite(rule="BE-M.1", mark=Mark.HOUSE)
CONTACT = Cite(rule="BE-M.3", mark=Mark.HOUSE)
CHARGERS = (Arm.FOOT, Arm.MOUNTED)
"""Those that move into contact."""


def takes_ground(unit: EmpireUnit) -> bool:
    """Pieces find room anywhere, and stop nobody (BE-M.1)."""
    return not unit.is_piece


def charges(unit: EmpireUnit) -> bool:
    """Foot and horse that are steady (BE-M.3)."""
    return unit.arm in CHARGERS and not unit.shaken


def in_flank(state: EmpireState, defender: EmpireUnit, attacker_from: Base) -> bool:
    """Whether a charge that set out there is in flank or rear; a square has neither (BE-M.3, option flank_beyond)."""
    return not defender.in_square and WAYS.in_flank(defender, attacker_from, state.options.flank_beyond)
