"""Where units stand, and what lies between them in inches (BE-3, BE-4, BE-6); None where places are unknown."""

from collections.abc import Mapping
from typing import Any

from rules.core.model import Cite, Mark
from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.tabletop.marching import Marches
from rules.core.tabletop.placement import Placement

from .bases import size
from .model import Arm, Cover, Defence, EmpireState, EmpireUnit

PLACEMENT: Placement[EmpireUnit] = Placement(size)
base, base_at, bases = PLACEMENT.base, PLACEMENT.base_at, PLACEMENT.bases
gap, touching = PLACEMENT.gap, PLACEMENT.touching
nearest, within = PLACEMENT.nearest, PLACEMENT.within
CONTACT = Cite(rule="BE-M.3", mark=Mark.HOUSE)
WAYS: Marches[EmpireUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda unit: not unit.is_piece,
    attacks=lambda unit: unit.arm in (Arm.FOOT, Arm.MOUNTED) and not unit.shaken,
    rule=Cite(rule="BE-M.1", mark=Mark.HOUSE),
    contact=CONTACT,
    attackers="foot and mounted charge units",
)
"""Pieces find room anywhere, and stop nobody (BE-M.1); foot and horse that are steady charge (BE-M.3)."""
GIVEN_UP: Mapping[str, Any] = {"gone_to_ground": False, "defending": Defence.NOTHING, "cover": Cover.NONE}
"""What a unit that moves off no longer has (BE-M.4)."""


def with_pieces(state: EmpireState, unit: EmpireUnit) -> EmpireState:
    """The state with `unit` changed, and the pieces attached to it where it stands: they go where it goes (BE-M.6)."""
    along = (piece.model_copy(update={"place": unit.place}) for piece in state.pieces_with(unit.id))
    return state.with_unit(unit, *along)


def front_centre(unit: EmpireUnit) -> Point | None:
    """The middle of the unit's front, from which fire is measured."""
    here = base(unit)
    return None if here is None else table.shifted(here.at, here.facing, here.depth / 2)


def fire_range(unit: EmpireUnit, target: EmpireUnit) -> float | None:
    """Inches from the front centre of the firer to the nearest point of the target (BE-3, BE-4)."""
    muzzle, there = front_centre(unit), base(target)
    if muzzle is None or there is None:
        return None
    return 0.0 if touching(unit, target) else table.away(there, muzzle)
