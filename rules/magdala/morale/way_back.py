"""Moves without orders: back, off and on: from the enemy, to the supports, over the edge, after the beaten (MM-5.7)."""

from fractions import Fraction
from math import inf
from typing import NamedTuple

from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite
from rules.core.report import Modifier
from rules.core.tabletop import table
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.placement import placed
from rules.core.wording import number
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Troop
from rules.magdala.moving import allowance
from rules.magdala.moving.formation import UNDER_WAY
from rules.magdala.placement import base, nearest, with_leader
from rules.magdala.tables import SIDES

from .flight import alarm, leave
from .standing import FLEEING, supports

BEARINGS = {Edge.NORTH: 0.0, Edge.EAST: 90.0, Edge.SOUTH: 180.0, Edge.WEST: 270.0}
HALF = Fraction(1, 2)


class Way(NamedTuple):
    """A bearing, the inches to what it leads to, and whether that is `off` the table."""

    bearing: float
    inches: float
    off: bool = False


def way_of(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """After the enemy, off the field, to its supports, or straight from the enemy; None without positions."""
    if unit.morale is Morale.PURSUING:
        return way_on(state, unit)
    if makes_for_the_edge(unit):
        return way_off(state, unit)
    support = support_of(state, unit) if unit.half_strength else None
    here, there = base(unit), base(support) if support else None
    if here is not None and there is not None:
        apart = table.gap(here, there) - state.options.reaches_supports / 2
        return Way(table.bearing(here.at, there.at), max(apart, 0.0))
    return way_back(state, unit)


def makes_for_the_edge(unit: MagdalaUnit) -> bool:
    """In rout, or at half strength without supports."""
    return unit.morale is Morale.ROUTED or unit.leaving


def support_of(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    """The nearest of its supports."""
    return nearest(unit, supports(state, unit))


def way_off(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """The way off the table, None without a position (rulings).

    In rout, or without an edge of its side's own, it leads over the nearest edge that no enemy bars, or where all are
    barred over the nearest; otherwise over its side's own.
    """
    here = base(unit)
    if here is None:
        return None
    ways = {edge: _over(state, here.at, bearing) for edge, bearing in BEARINGS.items()}
    edge = state.home_edges.get(unit.side)
    if edge is not None and unit.morale is not Morale.ROUTED:
        return ways[edge]
    enemies = [there.outline for enemy in state.enemies(unit.side) if (there := base(enemy))]
    nearest_first = sorted(ways.values(), key=lambda way: way.inches)
    for way in nearest_first:
        ahead = table.swept(here.moved(table.shifted(here.at, way.bearing, here.depth)), way.bearing, way.inches)
        if not any(ahead.intersects(outline) for outline in enemies):
            return way
    return nearest_first[0]


def way_back(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Straight away from the nearest enemy, and no further than the edge of the table; None without positions."""
    here, off = base(unit), way_off(state, unit)
    if here is None or off is None:
        return None
    enemy = nearest(unit, state.enemies(unit.side))
    there = base(enemy) if enemy else None
    return Way(off.bearing if there is None else table.bearing(there.at, here.at), inf)


def way_on(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Straight ahead: how pursuers chase (ruling), off the table but for regular cavalry; None without positions."""
    if unit.place is None:
        return None
    ahead = _over(state, unit.place.point, unit.place.facing)
    return ahead._replace(off=unit.troop is not Troop.REGULAR_CAVALRY)


def _over(state: MagdalaState, at: tuple[float, float], bearing: float) -> Way:
    """The way over the edge of the table that lies in a bearing."""
    goes, size = table.shifted((0.0, 0.0), bearing, 1.0), (state.width, state.height)
    across, down = (
        ((far if part > 0 else 0.0) - start) / part if abs(part) > table.CLOSE else inf
        for part, start, far in zip(goes, at, size, strict=True)
    )
    return Way(bearing, max(min(across, down), 0.0), off=True)


def go(play: MagdalaPlay, unit_id: str, way: Way | None, *modifiers: Modifier) -> Fraction:
    """The unit makes its whole move along a way, seen by friends if it flees, and over the edge if so far: its inches.

    Without a position nothing moves: the players do it on their table, and are reminded of the friends who see it.
    """
    unit, ground = play.state.unit(unit_id), None
    own = allowance.rate(unit, play.state.options)
    throw = play.throw(own.dice, SIDES, f"{unit.name}: move", side=unit.side) if own.dice else None
    step = allowance.allowed(own, throw, modifiers)
    inches = step.score or Fraction(0)
    play.say(step)
    if way is None:
        play.change(unit_id, **UNDER_WAY)
    else:
        play.state, ground = _gone(play.state, unit, way.bearing, min(float(inches), way.inches))
    if unit.morale in FLEEING:
        alarm(play, unit_id, ground)
    if way is not None and way.off and float(inches) >= way.inches:
        leave(play, unit_id)
    return inches


def fall_back(play: MagdalaPlay, unit_id: str, cite: Cite) -> None:
    """Back half a move, straight from the enemy (MM-5.7, MM-5.8)."""
    unit = play.state.unit(unit_id)
    half = Modifier(value=HALF, reason="half a move", cite=cite, times=True)
    inches = go(play, unit_id, way_back(play.state, unit), half)
    play.note(unit.name, cite, f"falls back half a move, {number(inches)} inches")


def _gone(state: MagdalaState, unit: MagdalaUnit, bearing: float, inches: float) -> tuple[MagdalaState, BaseGeometry]:
    """The state with a unit so far away, ending clear of others and on the table; the ground it covered."""
    here = base(unit)
    assert here is not None, f"{unit.id} has no position"
    others = (other for other in state.units.values() if other.on_table and other.general != unit.id)
    bases = [there for other in others if other.id not in (unit.id, unit.general) and (there := base(other))]
    free = table.room(here, bearing, inches, bases)
    there = here.moved(table.shifted(here.at, bearing, free))
    west, north, east, south = there.outline.bounds
    across = max(-west, 0.0) - max(east - state.width, 0.0)
    down = max(-north, 0.0) - max(south - state.height, 0.0)
    there = there.moved((there.at[0] + across, there.at[1] + down))
    memory = unit.this_turn.model_copy(update={"moved": unit.this_turn.moved + inches, "advanced": False})
    left = UNDER_WAY if free > 0 else {}
    moved = unit.model_copy(update={**left, "place": placed(there), "this_turn": memory})
    return with_leader(state, moved), table.swept(here, bearing, inches)
