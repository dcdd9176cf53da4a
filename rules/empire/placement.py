"""Sizes of bases, places and distances of units (house). Distances are None for units without a place."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from rules.core.data_files import read_data_file
from rules.core.model import Cite, Mark, Model
from rules.core.scene import Point, Symbol
from rules.core.tabletop import table
from rules.core.tabletop.marches import Marches
from rules.core.tabletop.placement import Placement

from .model import CREWS, PIECES, Arm, Cover, Defence, EmpireState, EmpireUnit, Formation


class StandSize(Model):
    """Frontage and depth in inches of a stand, and its symbol."""

    symbol: Symbol
    frontage: float
    depth: float


class FormationLayout(Model):
    """Layout of a formation. `ranks` is its depth in stands; 0 means a square.

    `spacing` multiplies the frontage of the stands: 1.25 leaves gaps of a quarter of a stand, except in squares.
    """

    ranks: int
    spacing: float


class BaseSizes(Model):
    """Base sizes for arms and formations."""

    stands: Mapping[Arm, StandSize]
    formations: Mapping[Formation, FormationLayout]


@cache
def read_base_sizes() -> BaseSizes:
    """Return the base sizes of the data file."""
    return read_data_file(BaseSizes, "rules.empire", "bases.toml")


def base_size(unit: EmpireUnit) -> tuple[float, float]:
    """Return the frontage and depth of a unit's base in inches; kills remove no stands (BE-2.3, ruling)."""
    return _cached_base_size(unit.arm, unit.formation, 1 if unit.is_piece else unit.stands)


@cache
def _cached_base_size(arm: Arm, formation: Formation, number: int) -> tuple[float, float]:
    stand, drawn_up = read_base_sizes().stands[arm], read_base_sizes().formations[formation]
    if arm in (*PIECES, *CREWS):
        return stand.frontage * number, stand.depth
    if not drawn_up.ranks:
        side = math.ceil(math.sqrt(number)) * max(stand.frontage, stand.depth)
        return side, side
    files_ = math.ceil(number / drawn_up.ranks)
    ranks = math.ceil(number / files_)
    return round(files_ * stand.frontage * drawn_up.spacing, 2), ranks * stand.depth


PLACEMENT: Placement[EmpireUnit] = Placement(base_size)
base, base_at, bases = PLACEMENT.base, PLACEMENT.base_at, PLACEMENT.bases
gap, touching = PLACEMENT.gap, PLACEMENT.are_touching
nearest, nearest_few, within = PLACEMENT.nearest_unit, PLACEMENT.nearest_units, PLACEMENT.units_within
CONTACT = Cite(rule="BE-M.3", mark=Mark.HOUSE)
WAYS: Marches[EmpireUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda unit: not unit.is_piece,
    attacks=lambda unit: unit.arm in (Arm.FOOT, Arm.MOUNTED) and not unit.shaken,
    rule=Cite(rule="BE-M.1", mark=Mark.HOUSE),
    contact=CONTACT,
    attackers="foot and mounted charge units",
)
"""Marches: pieces need no clearance and block nobody (BE-M.1). Steady foot and mounted may charge (BE-M.3)."""
GIVEN_UP: Mapping[str, Any] = {"gone_to_ground": False, "defending": Defence.NOTHING, "cover": Cover.NONE}
"""Values of the fields that a unit resets when it leaves its ground (BE-M.4)."""


def move_with_pieces(state: EmpireState, unit: EmpireUnit) -> EmpireState:
    """Return the state with the changed `unit`, and move the attached pieces to the unit's place (BE-M.6)."""
    attached = (piece.model_copy(update={"place": unit.place}) for piece in state.pieces_with(unit.id))
    return state.with_unit(unit, *attached)


def front_centre(unit: EmpireUnit) -> Point | None:
    """Return the middle of the unit's front, from which fire is measured; None without a place."""
    unit_base = base(unit)
    return None if unit_base is None else table.shift_point(unit_base.at, unit_base.facing, unit_base.depth / 2)


def measure_fire_range(unit: EmpireUnit, target: EmpireUnit) -> float | None:
    """Return the inches from the firer's front centre to the target's nearest point, or None (BE-3, BE-4)."""
    muzzle, target_base = front_centre(unit), base(target)
    if muzzle is None or target_base is None:
        return None
    return 0.0 if touching(unit, target) else table.gap_to_point(target_base, muzzle)
