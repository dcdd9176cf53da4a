"""Clearance for units that leave a marker or overlap: move the unit back until no other unit overlaps it (house)."""

from typing import Any

from . import table
from .battle import S, TableState
from .placement import place_of_base
from .table import Base
from .ways import Ways

STEP, MAX_DISTANCE = 0.25, 24.0
"""Step and maximum distance, in inches, for moving a unit back."""
TURNS_BACK = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0)
"""Directions tried in order, in degrees from the direction straight back."""


def move_back_until_clear(ways: Ways[Any], state: S, unit_id: str, finder: Base | None = None) -> S:
    """Return the state with the unit moved back to the nearest clear place, if there is one.

    The unit moves away from the base `finder` or, without it, opposite to its facing. A unit with clearance stays.
    """
    unit = state.units[unit_id]
    base = ways.placement.base(unit)
    if base is None:
        return state
    back_bearing = base.facing + 180 if finder is None else table.bearing(finder.at, base.at)
    for step in range(int(MAX_DISTANCE / STEP)):
        for turn in TURNS_BACK if step else (0.0,):
            new_base = base.moved_to(table.shift_point(base.at, back_bearing + turn, step * STEP))
            if _has_clearance(ways, state, unit, new_base):
                return state.changed(unit_id, place=place_of_base(new_base)) if step else state
    return state


def _has_clearance(ways: Ways[Any], state: TableState[Any], unit: Any, new_base: Base) -> bool:
    """Whether the unit would have clearance with the base `new_base`.

    The base must be on the table and, if the unit takes ground, overlap no friend and touch no enemy.
    """
    if not table.is_on_table(new_base, state.width, state.height):
        return False
    if not ways.takes_ground(unit):
        return True
    index = ways.placement.index_units(state.all_on_table)
    for other, base in index.units_near(new_base.at, new_base.at, new_base.radius):
        meets = table.are_overlapping if other.side == unit.side else table.are_touching
        if other.id != unit.id and ways.takes_ground(other) and meets(new_base, base):
            return False
    return True
