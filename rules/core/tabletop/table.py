"""A table in inches: bases, distances, ways across it, and the words that name a place on it.

Points are inches from the north-west corner, x to the east and y to the south; facings are degrees clockwise
from north.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import shapely
from shapely import Point as GeoPoint
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from rules.core.memo import cache_by_identity
from rules.core.scene import Point, TerrainPiece

CLOSE = 1e-6
"""Tolerance in inches for rounding errors."""
CONTACT = 0.05
"""Inches between bases that touch."""
PIECES = 512
"""Of terrain whose ground is remembered."""
WELL = 0.25
"""Inches within a base where there is no doubt that the ground is shared."""
STRIDE = 0.25
"""Inches by which a unit that finds no room stops shorter."""


@dataclass(frozen=True, kw_only=True)
class Base:
    """A unit's base: centre, facing, frontage and depth in inches."""

    at: Point
    facing: float = 0.0
    frontage: float
    depth: float

    @cached_property
    def outline(self) -> Polygon:
        """The base as a polygon, front left corner first, clockwise."""
        return _outline(self.at, self.facing, self.frontage, self.depth)

    @property
    def corners(self) -> tuple[Point, ...]:
        """Return the base's corners in order."""
        return _corners(self.at, self.facing, self.frontage, self.depth)

    @cached_property
    def radius(self) -> float:
        """Inches from the centre to a corner."""
        return math.hypot(self.frontage, self.depth) / 2

    def moved(self, at: Point, facing: float | None = None) -> "Base":
        """Return the same base elsewhere."""
        return replace(self, at=at, facing=self.facing if facing is None else facing % 360)


@lru_cache(maxsize=4096)
def _outline(at: Point, facing: float, frontage: float, depth: float) -> Polygon:
    return shapely.polygons(_corners(at, facing, frontage, depth))


@lru_cache(maxsize=4096)
def _corners(at: Point, facing: float, frontage: float, depth: float) -> tuple[Point, ...]:
    ahead, aside = depth / 2, frontage / 2
    corners = ((ahead, -aside), (ahead, aside), (-ahead, aside), (-ahead, -aside))
    return tuple(shifted(shifted(at, facing, forward), facing + 90, right) for forward, right in corners)


def shifted(point: Point, bearing: float, inches: float) -> Point:
    """Return the point `inches` away from `point` along `bearing`."""
    angle = math.radians(bearing)
    return (point[0] + math.sin(angle) * inches, point[1] - math.cos(angle) * inches)


def bearing(start: Point, end: Point) -> float:
    """Degrees clockwise from north of the way from `start` to `end`."""
    return math.degrees(math.atan2(end[0] - start[0], start[1] - end[1])) % 360


def distance(start: Point, end: Point) -> float:
    """Inches between two points."""
    return math.dist(start, end)


def gap(one: Base, other: Base) -> float:
    """Inches between the nearest points of two bases; 0 where they touch or overlap."""
    return float(one.outline.distance(other.outline))


def away(base: Base, point: Point) -> float:
    """Inches from a base to a point; 0 within it."""
    return float(base.outline.distance(GeoPoint(point)))


def apart(one: Base, other: Base) -> float:
    """Inches two bases are apart at the least, reckoned quickly from their centres."""
    return math.dist(one.at, other.at) - one.radius - other.radius


def touching(one: Base, other: Base) -> bool:
    """Base contact."""
    return apart(one, other) <= CONTACT and gap(one, other) <= CONTACT


def is_within(one: Base, other: Base, inches: float) -> bool:
    """Whether the nearest points of two bases are at most `inches` apart."""
    return apart(one, other) <= inches and gap(one, other) <= inches + CLOSE


def overlapping(one: Base, other: Base) -> bool:
    """Whether two bases share ground, more than touching."""
    if apart(one, other) > 0:
        return False
    for here, there in ((one, other), (other, one)):
        clearly = _reaches_into(here, there)
        if clearly is not None:
            return clearly
    return float(_shrunk(one.outline).intersection(_shrunk(other.outline)).area) > CLOSE


def _reaches_into(one: Base, other: Base) -> bool | None:
    """Whether two bases overlap, judged quickly by corners; None if undecided.

    It does not where all of them lie beyond one edge of the other; it does where one of them lies well within it.
    """
    angle, (x, y) = math.radians(other.facing), other.at
    east, north = math.sin(angle), math.cos(angle)
    from_middle = [(px - x, y - py) for px, py in one.corners]
    ahead = [dx * east + dy * north for dx, dy in from_middle]
    aside = [dx * north - dy * east for dx, dy in from_middle]
    deep, broad = other.depth / 2, other.frontage / 2
    if min(ahead) >= deep or max(ahead) <= -deep or min(aside) >= broad or max(aside) <= -broad:
        return False
    inside = min(one.depth, one.frontage) > WELL and any(
        abs(run) < deep - WELL and abs(off) < broad - WELL for run, off in zip(ahead, aside, strict=True)
    )
    return True if inside else None


@lru_cache(maxsize=4096)
def _shrunk(outline: Polygon) -> BaseGeometry:
    """Return the ground of a base but for a rim as broad as counts for touching."""
    return outline.buffer(-CONTACT)


def extent(base: Base, bearing: float) -> tuple[float, float]:
    """From where to where a base reaches along a bearing, in inches from the table's north-west corner."""
    x_step, y_step = shifted((0.0, 0.0), bearing, 1.0)
    along = [x * x_step + y * y_step for x, y in base.outline.exterior.coords]
    return min(along), max(along)


def across(base: Base, start: Point, end: Point) -> bool:
    """Whether a base lies across the straight line between two points; a line along its rim only touches it."""
    if _from_line(base.at, start, end) > base.radius:
        return False
    return bool(_shrunk(base.outline).intersects(LineString((start, end))))


def _from_line(point: Point, start: Point, end: Point) -> float:
    """Inches from a point to the straight line between two others, reckoned quickly."""
    length = distance(start, end)
    if not length:
        return distance(point, start)
    ahead = ((point[0] - start[0]) * (end[0] - start[0]) + (point[1] - start[1]) * (end[1] - start[1])) / length
    run = min(max(ahead, 0.0), length)
    return distance(point, shifted(start, bearing(start, end), run))


def off_bow(base: Base, point: Point) -> float:
    """Degrees (0 to 180) between where `base` faces and where `point` lies from its centre."""
    turn = abs(bearing(base.at, point) - base.facing) % 360
    return min(turn, 360 - turn)


def brought_on(base: Base, width: float, height: float) -> Base:
    """Return the base, shifted minimally onto the table if it fits."""
    west, north, east, south = base.outline.bounds
    x, y = (
        inches + max(-low, min(0.0, size - high))
        for inches, low, high, size in ((base.at[0], west, east, width), (base.at[1], north, south, height))
    )
    return base.moved((x, y))


def on_table(base: Base, width: float, height: float) -> bool:
    """Whether the whole base lies on a table of that size."""
    if all(base.radius <= inches <= size - base.radius for inches, size in zip(base.at, (width, height), strict=True)):
        return True
    west, north, east, south = base.outline.bounds
    return west >= -CONTACT and north >= -CONTACT and east <= width + CONTACT and south <= height + CONTACT


@lru_cache(maxsize=512)
def swept(base: Base, way: float, inches: float) -> BaseGeometry:
    """Return the ground that `base` covers going `inches` along the bearing `way` without turning."""
    ahead = base.moved(shifted(base.at, way, inches)).corners
    return shapely.linestrings((*base.corners, *ahead)).convex_hull


def free_run(base: Base, way: float, inches: float, other: Base) -> float:
    """Inches, `inches` at most, that `base` can go along the bearing `way` before it touches `other`."""
    outline = other.outline
    if apart(base, other) > inches + CONTACT or swept(base, way, inches).distance(outline) > CLOSE:
        return inches
    free, met = 0.0, inches
    while met - free > CONTACT / 4:
        middle = (free + met) / 2
        if swept(base, way, middle).distance(outline) > CLOSE:
            free = middle
        else:
            met = middle
    return free


def clear_run(base: Base, way: float, inches: float, others: Iterable[Base]) -> float:
    """Inches, `inches` at most, after which `base` can halt on the bearing `way` without standing on another base.

    It may pass through them. 0 where there is room nowhere on the way.
    """
    ground = swept(base, way, inches)
    near = [other for other in others if apart(base, other) <= inches and ground.intersects(other.outline)]
    stop = inches
    while near and stop > 0:
        there = base.moved(shifted(base.at, way, stop))
        if not any(overlapping(there, other) for other in near):
            break
        stop -= STRIDE
    return max(stop, 0.0)


def _shape(piece: TerrainPiece) -> BaseGeometry:
    """Return the ground a terrain piece covers."""
    if piece.closed and len(piece.points) >= 3:
        return Polygon(piece.points).buffer(0)
    if len(piece.points) == 1:
        return GeoPoint(piece.points[0]).buffer(piece.width / 2)
    return LineString(piece.points).buffer(piece.width / 2)


shape = cache_by_identity(_shape, PIECES)


def crossed(pieces: Iterable[TerrainPiece], start: Point, end: Point) -> tuple[TerrainPiece, ...]:
    """Return the pieces that the way from `start` to `end` leads through."""
    way: BaseGeometry = GeoPoint(start) if start == end else LineString((start, end))
    return tuple(piece for piece in pieces if shape(piece).intersects(way))


def reach(piece: TerrainPiece, base: Base) -> float:
    """Inches from a base to the nearest point of a terrain piece."""
    return float(shape(piece).distance(base.outline))
