"""What the ground does: it slows and bars a march (CH-1.2), hides a target (CH-2.1) and covers it (CH-3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import shapely
from shapely import LineString
from shapely import Point as GeoPoint
from shapely.geometry.base import BaseGeometry

from rules.core.memo import remembered
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.tabletop import table
from rules.core.tabletop.placement import piece_under
from rules.core.tabletop.table import bearing, extent, piece_shape, swept_ground
from rules.core.tabletop.ways import Way

from .figures import PLACEMENT, degrees_off, front
from .model import Arm, ChargeState, ChargeUnit, Formation
from .options import Passage

WALLS = (Feature.EARTHWORKS, Feature.SANDBAGS, Feature.ZAREBA, Feature.SANGAR)
HIDING = (Feature.HILL, Feature.BUILDING)
OBSTACLES = (*WALLS, Feature.RIVER, Feature.ROUGH)
TWICE = 2
"""What every inch in hindered ground counts (CH-1.2)."""
HALF = 0.5
CALLED = {Feature.ROUGH: "broken ground", Feature.ZAREBA: "a hedge", Feature.SANGAR: "a wall"}


def name_of(piece: TerrainPiece) -> str:
    """`Round Hill`, `a wood`."""
    return piece.name or CALLED.get(piece.feature, f"a {piece.feature.value}")


@dataclass(frozen=True)
class Stretch:
    """A path's section within a terrain piece, in inches run, and its effect.

    It is `barred` there, or crosses an `obstacle` for half of its move, or every inch counts two.
    """

    start: float
    end: float
    piece: TerrainPiece
    barred: str = ""
    obstacle: bool = False


@dataclass(frozen=True)
class Going:
    """Possible distance along a path, and hindrances up to there. `barred` names the obstacle ending it."""

    inches: float
    hindered: tuple[Stretch, ...]
    barred: str = ""


def going(state: ChargeState, unit: ChargeUnit, way: Way | None, move: float, full: float) -> Going:
    """Return how far a unit may go on a way with so many inches left of its full move (CH-1.2).

    Every inch counts two in hindered ground, whatever number of hindrances lies there (ruling); an obstacle takes
    half of the full move once (ruling).
    """
    if way is None:
        return Going(move, ())
    found = sorted(_stretches(state, unit, way, move), key=lambda one: one.start)
    bar = next((one for one in found if one.barred), None)
    ends = [end for one in found for end in (one.start, one.end)]
    run, left, crossed = 0.0, move, False
    for stop in sorted({*(end for end in ends if 0 < end < move), move}):
        here = [one for one in found if one.start < stop and one.end > run and not one.barred]
        if any(one.obstacle for one in here) and not crossed:
            left, crossed = left - full * HALF, True
            if left < table.CLOSE:
                break
        costs = TWICE if any(not one.obstacle for one in here) else 1
        far = min((stop - run) * costs, left)
        run, left = run + far / costs, left - far
        if left < table.CLOSE or (bar is not None and run >= bar.start):
            break
    if bar is not None and run >= bar.start - table.CLOSE:
        run = max(bar.start - table.CONTACT, 0.0)
    hindered = tuple(one for one in found if one.start < run + table.CLOSE and not one.barred)
    barred = bar.barred if bar is not None and run >= bar.start - 2 * table.CONTACT else ""
    return Going(run, hindered, barred)


def clear_of_bars(state: ChargeState, unit: ChargeUnit, way: Way) -> float:
    """Return how far a unit is driven on a way: slowed by nothing, and up to ground that bars it (CH-4.5, ruling)."""
    bars = (one.start - table.CONTACT for one in _stretches(state, unit, way, way.wanted) if one.barred)
    return max(min(bars, default=way.wanted), 0.0)


def barred_at(state: ChargeState, unit: ChargeUnit) -> str:
    """Return what bars the ground on which a unit stands (CH-1.2); nothing where none does, or its place is unknown."""
    if (here := PLACEMENT.base(unit)) is None:
        return ""
    for piece in state.terrain:
        bars, _ = _hindrance(state, unit, piece, Way(here.facing, 0.0, here)) or ("", False)
        if bars and _hinders(state.terrain, piece).intersection(here.outline).area > table.CLOSE:
            return bars
    return ""


def _stretches(state: ChargeState, unit: ChargeUnit, way: Way, furthest: float) -> Iterator[Stretch]:
    """Yield what a unit passes through on a way: exact where its base goes straight on or to the side."""
    if furthest <= 0:
        return
    covered = swept_ground(way.base, way.bearing, furthest)
    back, ahead = extent(way.base, way.bearing)
    for piece in state.terrain:
        rule = _hindrance(state, unit, piece, way)
        if rule is None:
            continue
        ground = _hinders(state.terrain, piece).intersection(covered)
        for part in shapely.get_parts(ground):
            if part.is_empty or part.length < table.CLOSE:
                continue
            low, high = _along(part, way.bearing)
            start, end = max(low - ahead, 0.0), high - back
            if start < furthest - table.CLOSE and end > table.CLOSE:
                yield Stretch(start, end, piece, *rule)


def _hindrance(state: ChargeState, unit: ChargeUnit, piece: TerrainPiece, way: Way) -> tuple[str, bool] | None:
    """Return what a piece of ground does to a unit on a way (CH-1.2): why it bars it, and whether it is an obstacle."""
    foot, name = unit.arm is Arm.INFANTRY, name_of(piece)
    if piece.feature is Feature.HILL:
        return None if _is_top(state, piece) or _downhill(state, piece, way) else ("", False)
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


def _is_top(state: ChargeState, piece: TerrainPiece) -> bool:
    """Whether the hill lies within another hill as its flat top."""
    hills = (each for each in state.terrain if each.feature is Feature.HILL and each is not piece)
    return any(piece_shape(each).contains(piece_shape(piece)) for each in hills)


@remembered
def _flat_top(terrain: tuple[TerrainPiece, ...], hill: TerrainPiece) -> BaseGeometry:
    """Return the ground of all hills that lie within a hill."""
    others = (piece_shape(each) for each in terrain if each.feature is Feature.HILL and each is not hill)
    return shapely.union_all([each for each in others if piece_shape(hill).contains(each)])


@remembered
def _hinders(terrain: tuple[TerrainPiece, ...], piece: TerrainPiece) -> BaseGeometry:
    """Return where a piece hinders: a hill on its slopes, a river but where a road crosses it."""
    if piece.feature is Feature.HILL:
        return piece_shape(piece).difference(_flat_top(terrain, piece))
    if piece.feature is Feature.RIVER:
        roads = [piece_shape(each) for each in terrain if each.feature is Feature.ROAD]
        return piece_shape(piece).difference(shapely.union_all(roads))
    return piece_shape(piece)


def _downhill(state: ChargeState, hill: TerrainPiece, way: Way) -> bool:
    """Whether a way leads straight down a hill: it begins on it, and outwards from its top (ruling).

    From the top itself every way is downhill that leaves it straight.
    """
    here, flat = GeoPoint(way.base.at), _flat_top(state.terrain, hill)
    summit = piece_shape(hill).centroid.buffer(table.CONTACT) if flat.is_empty else flat
    out = way.at(way.wanted).at if summit.intersects(here) else way.base.at
    outward = bearing((summit.centroid.x, summit.centroid.y), out)
    is_on_slope = piece_shape(hill).intersects(here)
    return is_on_slope and abs(degrees_off(way.bearing, outward)) <= state.options.downhill_within


def _along(part: BaseGeometry, way: float) -> tuple[float, float]:
    """From where to where some ground reaches along a bearing, in inches from the table's corner."""
    x, y = table.shifted((0.0, 0.0), way, 1.0)
    along = [px * x + py * y for px, py in shapely.get_coordinates(part)]
    return min(along), max(along)


def hidden_by(state: ChargeState, start: Point, end: Point) -> str:
    """Return what hides one point from another, or `""` (CH-2.1, house): a hill, a building, or too much wood.

    Nobody is hidden by the hill or the building that either stands on.
    """
    wood = 0.0
    for piece in table.pieces_crossed(state.terrain, start, end):
        ground = piece_shape(piece)
        if piece.feature is Feature.WOOD:
            wood += ground.intersection(LineString((start, end))).length
            if wood > state.options.sight_through_wood + table.CLOSE:
                return name_of(piece)
        stood_on = any(ground.intersects(GeoPoint(each)) for each in (start, end))
        if piece.feature in HIDING and not stood_on:
            return name_of(piece)
    return ""


def cover(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> str:
    """Return what covers a target from a unit's fire (CH-3.2): in words, nothing where nothing does.

    A wall or a bank close before it, on the way of the fire (house); or the wood that it stands in (house).
    """
    if target.behind_cover:
        return "behind cover"
    start, base = front(unit), PLACEMENT.base(target)
    if start is None or base is None:
        return ""
    wood = piece_under(state, target, (Feature.WOOD,))
    if wood is not None and state.options.woods_cover:
        return f"in {name_of(wood)}"
    crossed = (each for each in table.pieces_crossed(state.terrain, start, base.at) if each.feature in WALLS)
    near = (each for each in crossed if table.gap_to_piece(each, base) <= state.options.cover_within)
    return next((f"behind {name_of(each)}" for each in near), "")
