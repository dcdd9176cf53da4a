"""Ways back and off: from the enemy, to the supports, over the edge, and the ground covered (MM-4.6, MM-5.7)."""

from math import inf
from typing import NamedTuple

from shapely.geometry.base import BaseGeometry

from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.tabletop.battle import Edge, Place
from rules.core.tabletop.placement import placed
from rules.core.tabletop.table import Base
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.moving.formation import UNDER_WAY
from rules.magdala.placement import base, nearest, with_leader

BEARINGS = {Edge.NORTH: 0.0, Edge.EAST: 90.0, Edge.SOUTH: 180.0, Edge.WEST: 270.0}


class Way(NamedTuple):
    """A bearing, and the inches to what it leads to."""

    bearing: float
    inches: float


def way_off(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """The way off the table, None without a position (rulings).

    In rout, or without an edge of its side's own, it leads over the nearest edge that no enemy bars, or where all are
    barred over the nearest; otherwise over its side's own.
    """
    if unit.place is None:
        return None
    x, y = unit.place.x, unit.place.y
    edge = state.home_edges.get(unit.side)
    if edge is None or unit.morale is Morale.ROUTED:
        return _clear_way_off(state, unit) or Way(*table.nearest_edge((x, y), state.width, state.height))
    return _over(state, unit.place, edge)


def _over(state: MagdalaState, place: Place, edge: Edge) -> Way:
    far = {
        Edge.NORTH: place.y,
        Edge.EAST: state.width - place.x,
        Edge.SOUTH: state.height - place.y,
        Edge.WEST: place.x,
    }
    return Way(BEARINGS[edge], max(far[edge], 0.0))


def _clear_way_off(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    here = base(unit)
    assert here is not None, f"{unit.id} has no position"
    assert unit.place is not None, f"{unit.id} has no position"
    enemies = [there.outline for enemy in state.enemies(unit.side) if (there := base(enemy))]
    for way in sorted((_over(state, unit.place, edge) for edge in Edge), key=lambda way: way.inches):
        ahead = table.swept(here.moved(table.shifted(here.at, way.bearing, here.depth)), way.bearing, way.inches)
        if not any(ahead.intersects(outline) for outline in enemies):
            return way
    return None


def way_to(unit: MagdalaUnit, friend: MagdalaUnit, short_of: float) -> Way | None:
    """The way to a friend, so many inches short of it; None without positions."""
    here, there = base(unit), base(friend)
    if here is None or there is None:
        return None
    return Way(table.bearing(here.at, there.at), max(table.gap(here, there) - short_of, 0.0))


def way_back(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Straight away from the nearest enemy, and no further than the edge of the table; None without positions."""
    here, off = base(unit), way_off(state, unit)
    if here is None or off is None:
        return None
    enemy = nearest(unit, state.enemies(unit.side))
    there = base(enemy) if enemy else None
    return Way(off.bearing if there is None else table.bearing(there.at, here.at), inf)


def way_on(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Straight ahead, as far as the edge of the table: how pursuers chase (ruling); None without positions."""
    if unit.place is None:
        return None
    east, south = table.shifted((0.0, 0.0), unit.place.facing, 1.0)
    across = (state.width - unit.place.x if east > 0 else unit.place.x) / max(abs(east), table.CLOSE)
    down = (state.height - unit.place.y if south > 0 else unit.place.y) / max(abs(south), table.CLOSE)
    return Way(unit.place.facing, min(across, down))


def go(state: MagdalaState, unit: MagdalaUnit, way: Way, inches: float) -> tuple[MagdalaState, BaseGeometry]:
    """The state with the unit so far along its way, ending clear of others and on the table; the ground it covered."""
    here = base(unit)
    assert here is not None, f"{unit.id} has no position"
    others = [there for other in state.units.values() if _in_the_way(unit, other) and (there := base(other))]
    free = table.room(here, way.bearing, inches, others)
    there = _inside(state, here.moved(table.shifted(here.at, way.bearing, free)))
    memory = unit.this_turn.model_copy(update={"moved": unit.this_turn.moved + inches, "advanced": False})
    left = UNDER_WAY if free > 0 else {}
    moved = unit.model_copy(update={**left, "place": placed(there), "this_turn": memory})
    return with_leader(state, moved), table.swept(here, way.bearing, inches)


def leads_off(way: Way, inches: float) -> bool:
    """Whether so many inches carry a unit over the edge its way leads to."""
    return inches >= way.inches


def _in_the_way(unit: MagdalaUnit, other: MagdalaUnit) -> bool:
    return other.on_table and other.id not in (unit.id, unit.general) and other.general != unit.id


def _inside(state: MagdalaState, there: Base) -> Base:
    west, north, east, south = there.outline.bounds
    across = max(-west, 0.0) - max(east - state.width, 0.0)
    down = max(-north, 0.0) - max(south - state.height, 0.0)
    point: Point = (there.at[0] + across, there.at[1] + down)
    return there.moved(point)
