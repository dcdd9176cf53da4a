"""Effects of terrain: it slows or bars a move (CH-1.2), hides a target (CH-2.1) and covers it (CH-3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely import LineString
from shapely import Point as GeoPoint
from shapely.geometry.base import BaseGeometry

from rules.core.memo import cache_by_identity
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.tabletop import table
from rules.core.tabletop.placement import terrain_under
from rules.core.tabletop.table import bearing, extent_along_bearing, piece_shape, swept_ground
from rules.core.tabletop.ways import Way

from .figures import PLACEMENT, angle_from_facing, front_middle
from .model import Arm, ChargeState, ChargeUnit, Formation
from .options import Passage

WALLS = (Feature.EARTHWORKS, Feature.SANDBAGS, Feature.ZAREBA, Feature.SANGAR)
HIDING = (Feature.HILL, Feature.BUILDING)
OBSTACLES = (*WALLS, Feature.RIVER, Feature.ROUGH)
TWICE = 2
"""Inches of the move that each inch of hindering ground takes (CH-1.2)."""
HALF = 0.5
FEATURE_NAMES = {
    Feature.ROUGH: "broken ground",
    Feature.ZAREBA: "a hedge",
    Feature.SANGAR: "a wall",
    Feature.EARTHWORKS: "earthworks",
    Feature.SANDBAGS: "sandbags",
}


def terrain_name(piece: TerrainPiece) -> str:
    """Return the name of a piece of terrain, or else its kind: `Round Hill`, `a wood`."""
    return piece.name or FEATURE_NAMES.get(piece.feature, f"a {piece.feature.value}")


@dataclass(frozen=True)
class TerrainStretch:
    """A section of a path across a piece of terrain, from `start` to `end` in inches along the path.

    `barred` says why the unit cannot enter it, or is empty. An `obstacle` takes half of the move. Other terrain
    takes two inches of the move for each inch.
    """

    start: float
    end: float
    piece: TerrainPiece
    barred: str = ""
    obstacle: bool = False


@dataclass(frozen=True)
class MoveLimit:
    """How far a unit may go along a path, in inches, and the terrain that has hindered it until there.

    `barred` says which terrain stops the unit, or is empty.
    """

    inches: float
    hindered: tuple[TerrainStretch, ...]
    barred: str = ""


def measure_move_limit(state: ChargeState, unit: ChargeUnit, way: Way | None, move: float, full: float) -> MoveLimit:
    """Return how far a unit may go along `way` with the `move` inches that it has left (CH-1.2).

    Hindering ground counts double, even where hindrances overlap. Obstacles take half of the `full` inches of its move,
    but only once (ruling).
    """
    if way is None:
        return MoveLimit(move, ())
    stretches = sorted(_terrain_stretches(state, unit, way, move), key=lambda stretch: stretch.start)
    bar = next((stretch for stretch in stretches if stretch.barred), None)
    passable = [stretch for stretch in stretches if not stretch.barred]
    ends = [end for stretch in stretches for end in (stretch.start, stretch.end)]
    run, inches_left, crossed = 0.0, move, False
    for stop in sorted({*(end for end in ends if 0 < end < move), move}):
        current = [stretch for stretch in passable if stretch.start < stop and stretch.end > run]
        if any(stretch.obstacle for stretch in current) and not crossed:
            inches_left, crossed = inches_left - full * HALF, True
            if inches_left < table.CLOSE:
                break
        costs = TWICE if any(not stretch.obstacle for stretch in current) else 1
        far = min((stop - run) * costs, inches_left)
        run, inches_left = run + far / costs, inches_left - far
        if inches_left < table.CLOSE or (bar is not None and run >= bar.start):
            break
    if bar is not None and run >= bar.start - table.CLOSE:
        run = max(bar.start - table.CONTACT, 0.0)
    hindered = tuple(stretch for stretch in passable if stretch.start < run + table.CLOSE)
    barred = bar.barred if bar is not None and run >= bar.start - 2 * table.CONTACT else ""
    return MoveLimit(run, hindered, barred)


def distance_to_barrier(state: ChargeState, unit: ChargeUnit, way: Way) -> float:
    """Return how many inches a unit can fall back along `way` before terrain bars it (CH-4.5, ruling).

    Other terrain does not slow the unit.
    """
    stretches = _terrain_stretches(state, unit, way, way.wanted)
    bars = (stretch.start - table.CONTACT for stretch in stretches if stretch.barred)
    return max(min(bars, default=way.wanted), 0.0)


def explain_barrier(state: ChargeState, unit: ChargeUnit) -> str:
    """Return why terrain bars the unit from its place (CH-1.2), or an empty string."""
    if (base := PLACEMENT.base(unit)) is None:
        return ""
    for piece in state.terrain:
        bars, _ = _find_hindrance(state, unit, piece, Way(base.facing, 0.0, base)) or ("", False)
        if bars and _hindering_area(state.terrain, piece).intersection(base.outline).area > table.CLOSE:
            return bars
    return ""


def _terrain_stretches(state: ChargeState, unit: ChargeUnit, way: Way, furthest: float) -> Iterator[TerrainStretch]:
    """Yield the stretches of terrain along the first `furthest` inches of `way`.

    Their limits are exact only if the base moves straight ahead or sideways.
    """
    if furthest <= 0:
        return
    swept_area = swept_ground(way.base, way.bearing, furthest)
    back, ahead = extent_along_bearing(way.base, way.bearing)
    x, y = table.shift_point((0.0, 0.0), way.bearing, 1.0)
    for piece in state.terrain:
        rule = _find_hindrance(state, unit, piece, way)
        if rule is None:
            continue
        ground = _hindering_area(state.terrain, piece).intersection(swept_area)
        for part in shapely.get_parts(ground):
            if part.is_empty or part.length < table.CLOSE:
                continue
            along = [px * x + py * y for px, py in shapely.get_coordinates(part)]
            start, end = max(min(along) - ahead, 0.0), max(along) - back
            if start < furthest - table.CLOSE and end > table.CLOSE:
                yield TerrainStretch(start, end, piece, *rule)


def _find_hindrance(state: ChargeState, unit: ChargeUnit, piece: TerrainPiece, way: Way) -> tuple[str, bool] | None:
    """Return why terrain bars a unit that moves along `way`, and whether the terrain is an obstacle (CH-1.2).

    The reason is empty for terrain that only hinders. Return None for terrain without effect.
    """
    foot, name = unit.arm is Arm.INFANTRY, terrain_name(piece)
    if piece.feature is Feature.HILL:
        hills = (other for other in state.terrain if other.feature is Feature.HILL and other is not piece)
        is_flat_top = any(piece_shape(hill).contains(piece_shape(piece)) for hill in hills)
        return None if is_flat_top or _leads_downhill(state, piece, way) else ("", False)
    if piece.feature is Feature.WOOD:
        if unit.arm is Arm.GUN:
            return f"guns cannot pass through {name}", False
        in_file = foot or unit.formation is Formation.SINGLE_FILE
        return "" if in_file else f"cavalry go through {name} only in single file", False
    if piece.feature is Feature.MARSH:
        passes = foot and state.options.marsh_for_infantry is Passage.HALF
        return "" if passes else f"{name} is impassable to {unit.arm.value}", False
    if piece.feature is Feature.RIVER and state.options.river is Passage.IMPASSABLE:
        return f"{name} can only be crossed by a bridge", False
    if piece.feature is Feature.BUILDING:
        return f"{name} is in the way", False
    return ("", True) if piece.feature in OBSTACLES else None


@cache_by_identity
def _hilltop_area(terrain: tuple[TerrainPiece, ...], hill: TerrainPiece) -> BaseGeometry:
    """Return the flat top of a hill: the area of the other hills that lie wholly on it."""
    others = (piece_shape(piece) for piece in terrain if piece.feature is Feature.HILL and piece is not hill)
    return shapely.union_all([shape for shape in others if piece_shape(hill).contains(shape)])


@cache_by_identity
def _hindering_area(terrain: tuple[TerrainPiece, ...], piece: TerrainPiece) -> BaseGeometry:
    """Return the part of `piece` that hinders a move: a hill's slopes, a river except its roads, or everything."""
    if piece.feature is Feature.HILL:
        return piece_shape(piece).difference(_hilltop_area(terrain, piece))
    if piece.feature is Feature.RIVER:
        roads = [piece_shape(other) for other in terrain if other.feature is Feature.ROAD]
        return piece_shape(piece).difference(shapely.union_all(roads))
    return piece_shape(piece)


def _leads_downhill(state: ChargeState, hill: TerrainPiece, way: Way) -> bool:
    """Whether `way` begins on a hill and leads straight down, within `downhill_within` degrees (ruling).

    Straight down is the direction from the middle of the hilltop to the start of `way`. If the start lies on the
    hilltop, it is the direction to the end of `way`.
    """
    start, flat = GeoPoint(way.base.at), _hilltop_area(state.terrain, hill)
    summit = piece_shape(hill).centroid.buffer(table.CONTACT) if flat.is_empty else flat
    way_end = way.base_after(way.wanted).at if summit.intersects(start) else way.base.at
    outward = bearing((summit.centroid.x, summit.centroid.y), way_end)
    is_on_slope = piece_shape(hill).intersects(start)
    return is_on_slope and abs(angle_from_facing(way.bearing, outward)) <= state.options.downhill_within


def find_concealment(state: ChargeState, start: Point, end: Point) -> str:
    """Return the name of the hill, building or wood that hides `end` from `start`, or an empty string (CH-2.1, house).

    A hill or building under either point hides nothing. A wood hides if the line crosses enough of it.
    """
    wood = 0.0
    for piece in table.pieces_crossed_by_line(state.terrain, start, end):
        ground = piece_shape(piece)
        if piece.feature is Feature.WOOD:
            wood += ground.intersection(LineString((start, end))).length
            if wood > state.options.sight_through_wood + table.CLOSE:
                return terrain_name(piece)
        is_stood_on = any(ground.intersects(GeoPoint(point)) for point in (start, end))
        if piece.feature in HIDING and not is_stood_on:
            return terrain_name(piece)
    return ""


def find_cover(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> str:
    """Return the target's cover from the fire of `unit` in words, or an empty string (CH-3.2).

    Cover is a wall or bank close to the target and across the line of fire, or a wood around the target (house).
    """
    if target.behind_cover:
        return "behind cover"
    start, base = front_middle(unit), PLACEMENT.base(target)
    if start is None or base is None:
        return ""
    wood = terrain_under(state, target, (Feature.WOOD,))
    if wood is not None and state.options.woods_cover:
        return f"in {terrain_name(wood)}"
    walls = (piece for piece in table.pieces_crossed_by_line(state.terrain, start, base.at) if piece.feature in WALLS)
    near_walls = (piece for piece in walls if table.gap_to_piece(piece, base) <= state.options.cover_within)
    return next((f"behind {terrain_name(piece)}" for piece in near_walls), "")
