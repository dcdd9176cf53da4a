"""Moves without orders: retreat to supports, flight off the table, pursuit (MM-5.7)."""

from fractions import Fraction
from math import inf
from typing import NamedTuple

from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite
from rules.core.report import Modifier
from rules.core.tabletop import table
from rules.core.tabletop.battle import Edge
from rules.core.tabletop.placement import place_of_base
from rules.core.tabletop.table import Base
from rules.core.wording import number_text
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Troop
from rules.magdala.moving import allowance
from rules.magdala.moving.formation import FIELDS_ON_MOVE
from rules.magdala.placement import base, move_with_leader, nearest

from .flight import FLEEING, alarm_friends, find_supports, make_unit_leave_table

BEARINGS = {Edge.NORTH: 0.0, Edge.EAST: 90.0, Edge.SOUTH: 180.0, Edge.WEST: 270.0}


class ForcedPath(NamedTuple):
    """Path of a move without orders: bearing in degrees, length in inches, and whether it leads `off` the table."""

    bearing: float
    inches: float
    off: bool = False


def find_forced_path(state: MagdalaState, unit: MagdalaUnit, *, back: bool = False) -> ForcedPath | None:
    """Return the path of a unit's pursuit, flight or retreat; None without positions.

    With `back`, the path leads straight away from the enemy. Pursuers other than regular cavalry leave the table
    (ruling).
    """
    own_base, enemy = base(unit), nearest(unit, state.enemies(unit.side))
    if own_base is None:
        return None
    if unit.morale is Morale.PURSUING and not back:
        return _path_over_edge(state, own_base, own_base.facing)._replace(off=unit.troop is not Troop.REGULAR_CAVALRY)
    if flees_to_edge(unit) and not back:
        return _path_off_table(state, unit, own_base)
    support = nearest(unit, find_supports(state, unit)) if unit.is_at_half_strength and not back else None
    if support is not None and (support_base := base(support)):
        distance = table.gap(own_base, support_base) - state.options.reaches_supports / 2
        return ForcedPath(table.bearing(own_base.at, support_base.at), max(distance, 0.0))
    before = base(enemy) if enemy else None
    bearing = table.bearing(before.at, own_base.at) if before else _path_off_table(state, unit, own_base).bearing
    return ForcedPath(bearing, inf)


def flees_to_edge(unit: MagdalaUnit) -> bool:
    """Whether the unit flees to the table's edge: in rout, or at half strength without supports."""
    return unit.morale is Morale.ROUTED or unit.leaving


def _path_off_table(state: MagdalaState, unit: MagdalaUnit, start: Base) -> ForcedPath:
    """Return the path off the table: over the home edge, if the unit has one and is not routed (rulings).

    Otherwise the path leads over the nearest edge that no enemy bars, or simply the nearest.
    """
    edge = state.home_edges.get(unit.side)
    if edge is not None and unit.morale is not Morale.ROUTED:
        return _path_over_edge(state, start, BEARINGS[edge])
    enemies = [enemy_base.outline for enemy in state.enemies(unit.side) if (enemy_base := base(enemy))]
    ways = sorted((_path_over_edge(state, start, bearing) for bearing in BEARINGS.values()), key=lambda way: way.inches)
    for way in ways:
        ahead = start.moved_to(table.shift_point(start.at, way.bearing, start.depth))
        ground_ahead = table.swept_ground(ahead, way.bearing, way.inches)
        if not any(ground_ahead.intersects(outline) for outline in enemies):
            return way
    return ways[0]


def _path_over_edge(state: MagdalaState, own_base: Base, bearing: float) -> ForcedPath:
    """Return the path along `bearing` to the table's edge and over it."""
    step, size = table.shift_point((0.0, 0.0), bearing, 1.0), (state.width, state.height)
    across, down = (
        ((far if part > 0 else 0.0) - start) / part if abs(part) > table.CLOSE else inf
        for part, start, far in zip(step, own_base.at, size, strict=True)
    )
    return ForcedPath(bearing, max(min(across, down), 0.0), off=True)


def move_along_path(play: MagdalaPlay, unit_id: str, way: ForcedPath | None, *modifiers: Modifier) -> Fraction:
    """Move the unit a full move along `way`, alarming friends if the unit flees; return the inches of the move.

    Without positions, players move the figures themselves.
    """
    unit, ground = play.state.unit(unit_id), None
    own = allowance.move_rate(unit, play.state.options)
    inches = allowance.throw_allowance(play, unit, own, modifiers, f"{unit.name}: move")
    if way is None:
        play.change(unit_id, **FIELDS_ON_MOVE)
    else:
        play.state, ground = _move_unit(play.state, unit, way.bearing, min(float(inches), way.inches))
    if unit.morale in FLEEING:
        alarm_friends(play, unit_id, ground)
    if way is not None and way.off and float(inches) >= way.inches:
        make_unit_leave_table(play, unit_id)
    return inches


def fall_back(play: MagdalaPlay, unit_id: str, cite: Cite) -> None:
    """Move the unit back by half its move, straight away from the enemy (MM-5.7, MM-5.8)."""
    unit = play.state.unit(unit_id)
    half = Modifier(value=Fraction(1, 2), reason="half a move", cite=cite, times=True)
    inches = move_along_path(play, unit_id, find_forced_path(play.state, unit, back=True), half)
    play.note(f"{unit:fall} back half a move, {number_text(inches)} inches", cite)


def _move_unit(
    state: MagdalaState, unit: MagdalaUnit, bearing: float, inches: float
) -> tuple[MagdalaState, BaseGeometry]:
    """Return the state with the unit moved to free ground on the table, and the ground that the unit crossed."""
    own_base = base(unit)
    assert own_base is not None, f"{unit.id} has no position"
    others = (other for other in state.units.values() if other.on_table and other.general != unit.id)
    bases = [other_base for other in others if other.id not in (unit.id, unit.general) and (other_base := base(other))]
    run = table.run_until_clear(own_base, bearing, inches, bases)
    end = own_base.moved_to(table.shift_point(own_base.at, bearing, run))
    west, north, east, south = end.outline.bounds
    across = max(-west, 0.0) - max(east - state.width, 0.0)
    down = max(-north, 0.0) - max(south - state.height, 0.0)
    end = end.moved_to((end.at[0] + across, end.at[1] + down))
    memory = unit.this_turn.model_copy(update={"moved": unit.this_turn.moved + inches, "advanced": False})
    fields = FIELDS_ON_MOVE if run > 0 else {}
    moved = unit.model_copy(update={**fields, "place": place_of_base(end), "this_turn": memory})
    return move_with_leader(state, moved), table.swept_ground(own_base, bearing, inches)
