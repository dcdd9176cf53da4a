"""Room for a unit that is put down where it lay under a marker: clear of whoever stands there (house)."""

from typing import Any, TypeVar

from . import table
from .battle import TableState
from .placement import to_place
from .table import Base
from .ways import Ways

S = TypeVar("S", bound=TableState[Any])

STEP, FURTHEST = 0.25, 24.0
"""Step and maximum distance of setting back, in inches."""
WAYS_BACK = (0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0, 150.0, -150.0, 180.0)
"""Degrees off the way straight back, the first that is tried first."""


def put_down(ways: Ways[Any], state: S, unit_id: str, finder: Base | None = None) -> S:
    """Return the state with the unit in place, or moved back from its finder until clear."""
    unit = state.units[unit_id]
    here = ways.placement.base(unit)
    if here is None:
        return state
    back = here.facing + 180 if finder is None else table.bearing(finder.at, here.at)
    for step in range(int(FURTHEST / STEP)):
        for off in WAYS_BACK if step else (0.0,):
            there = here.moved(table.shifted(here.at, back + off, step * STEP))
            if _has_room(ways, state, unit, there):
                return state.changed(unit_id, place=to_place(there)) if step else state
    return state


def _has_room(ways: Ways[Any], state: TableState[Any], unit: Any, there: Base) -> bool:
    """Whether the unit fits on the table there, without overlapping units or touching enemies."""
    if not table.on_table(there, state.width, state.height):
        return False
    if not ways.takes_ground(unit):
        return True
    for other, base in ways.placement.index_units(state.all_on_table).near(there.at, there.at, there.radius):
        meets = table.overlapping if other.side == unit.side else table.touching
        if other.id != unit.id and ways.takes_ground(other) and meets(there, base):
            return False
    return True
