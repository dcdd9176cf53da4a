"""Geometry of a table in inches: bases, distances, movement of bases, and ground.

Points are inches from the north-west corner, x to the east and y to the south. Facings and bearings are degrees
clockwise from north.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
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
"""Maximum distance in inches between bases that touch."""
MAX_PIECES = 512
"""Maximum number of terrain pieces with a cached shape."""
WELL_INSIDE = 0.25
"""Depth in inches at which a corner certainly lies inside another base."""
STRIDE = 0.25
"""Step in inches by which a unit halts earlier until it has clearance."""


@dataclass(frozen=True, kw_only=True)
class Base:
    """A unit's base: centre, facing, frontage and depth in inches."""

    at: Point
    facing: float = 0.0
    frontage: float
    depth: float

    @cached_property
    def outline(self) -> Polygon:
        """The base as a polygon: front left corner first, then clockwise."""
        return _outline(self.at, self.facing, self.frontage, self.depth)

    @property
    def corners(self) -> tuple[Point, ...]:
        """The four corners: front left corner first, then clockwise."""
        return _corners(self.at, self.facing, self.frontage, self.depth)

    @cached_property
    def radius(self) -> float:
        """The distance from the centre to a corner, in inches."""
        return math.hypot(self.frontage, self.depth) / 2

    def moved_to(self, at: Point, facing: float | None = None) -> "Base":
        """Return the base with its centre at the point `at` and, if given, another facing."""
        turned = self.facing if facing is None else facing % 360
        return Base(at=at, facing=turned, frontage=self.frontage, depth=self.depth)


@lru_cache(maxsize=4096)
def _outline(at: Point, facing: float, frontage: float, depth: float) -> Polygon:
    """Return the cached polygon of a base with these measurements."""
    return shapely.polygons(_corners(at, facing, frontage, depth))


@lru_cache(maxsize=4096)
def _corners(at: Point, facing: float, frontage: float, depth: float) -> tuple[Point, ...]:
    """Return the cached corners of a base with these measurements: front left first, then clockwise."""
    front, right_side = depth / 2, frontage / 2
    corners = ((front, -right_side), (front, right_side), (-front, right_side), (-front, -right_side))
    return tuple(shift_point(shift_point(at, facing, forward), facing + 90, right) for forward, right in corners)


def shift_point(point: Point, bearing: float, inches: float) -> Point:
    """Return the point `inches` away from `point` along `bearing`."""
    angle = math.radians(bearing)
    return (point[0] + math.sin(angle) * inches, point[1] - math.cos(angle) * inches)


def bearing(start: Point, end: Point) -> float:
    """Return the bearing from `start` to `end`, in degrees clockwise from north."""
    return math.degrees(math.atan2(end[0] - start[0], start[1] - end[1])) % 360


def distance(start: Point, end: Point) -> float:
    """Return the inches between two points."""
    return math.dist(start, end)


def gap(base: Base, other: Base) -> float:
    """Return the inches between the nearest points of two bases; 0 if they overlap."""
    return float(base.outline.distance(other.outline))


def gap_to_point(base: Base, point: Point) -> float:
    """Return the inches from a base to a point; 0 inside the base."""
    return float(base.outline.distance(GeoPoint(point)))


def gap_lower_bound(base: Base, other: Base) -> float:
    """Return a quick lower bound of the inches between two bases, which may be negative."""
    return math.dist(base.at, other.at) - base.radius - other.radius


def are_touching(base: Base, other: Base) -> bool:
    """Whether two bases are in contact."""
    return gap_lower_bound(base, other) <= CONTACT and gap(base, other) <= CONTACT


def is_within(base: Base, other: Base, inches: float) -> bool:
    """Whether the nearest points of two bases are at most `inches` apart."""
    return gap_lower_bound(base, other) <= inches and gap(base, other) <= inches + CLOSE


def are_overlapping(base: Base, other: Base) -> bool:
    """Whether two bases overlap, not only touch."""
    if gap_lower_bound(base, other) > 0:
        return False
    for first, second in ((base, other), (other, base)):
        quick_answer = _overlap_by_corners(first, second)
        if quick_answer is not None:
            return quick_answer
    return float(_shrink_outline(base.outline).intersection(_shrink_outline(other.outline)).area) > CLOSE


def _overlap_by_corners(base: Base, other: Base) -> bool | None:
    """Whether two bases overlap, if the corners of `base` decide this quickly; otherwise None."""
    angle, (x, y) = math.radians(other.facing), other.at
    east, north = math.sin(angle), math.cos(angle)
    from_middle = [(px - x, y - py) for px, py in base.corners]
    ahead = [dx * east + dy * north for dx, dy in from_middle]
    sideways = [dx * north - dy * east for dx, dy in from_middle]
    deep, broad = other.depth / 2, other.frontage / 2
    if min(ahead) >= deep or max(ahead) <= -deep or min(sideways) >= broad or max(sideways) <= -broad:
        return False
    inside = min(base.depth, base.frontage) > WELL_INSIDE and any(
        abs(run) < deep - WELL_INSIDE and abs(off) < broad - WELL_INSIDE
        for run, off in zip(ahead, sideways, strict=True)
    )
    return True if inside else None


@lru_cache(maxsize=4096)
def _shrink_outline(outline: Polygon) -> BaseGeometry:
    """Return the cached outline, smaller by CONTACT inches on every side."""
    return outline.buffer(-CONTACT)


def extent_along_bearing(base: Base, bearing: float) -> tuple[float, float]:
    """Return the base's least and greatest distance along a bearing, in inches from the table's north-west corner."""
    x_step, y_step = shift_point((0.0, 0.0), bearing, 1.0)
    along = [x * x_step + y * y_step for x, y in base.outline.exterior.coords]
    return min(along), max(along)


def is_across_line(base: Base, start: Point, end: Point) -> bool:
    """Whether a base crosses the straight line between two points, not only touches it."""
    if _distance_from_line(base.at, start, end) > base.radius:
        return False
    return bool(_shrink_outline(base.outline).intersects(LineString((start, end))))


def _distance_from_line(point: Point, start: Point, end: Point) -> float:
    """Return the inches from a point to the straight line between `start` and `end`."""
    length = distance(start, end)
    if not length:
        return distance(point, start)
    ahead = ((point[0] - start[0]) * (end[0] - start[0]) + (point[1] - start[1]) * (end[1] - start[1])) / length
    run = min(max(ahead, 0.0), length)
    return distance(point, shift_point(start, bearing(start, end), run))


def angle_off_front(base: Base, point: Point) -> float:
    """Return the angle between the base's facing and the bearing to a point, from 0 to 180 degrees."""
    turn = abs(bearing(base.at, point) - base.facing) % 360
    return min(turn, 360 - turn)


def shift_onto_table(base: Base, width: float, height: float) -> Base:
    """Return the base moved just far enough to lie wholly on the table, which must be large enough for it."""
    west, north, east, south = base.outline.bounds
    x, y = (
        inches + max(-low, min(0.0, size - high))
        for inches, low, high, size in ((base.at[0], west, east, width), (base.at[1], north, south, height))
    )
    return base.moved_to((x, y))


def is_on_table(base: Base, width: float, height: float) -> bool:
    """Whether the whole base lies on a table of this size in inches."""
    if all(base.radius <= inches <= size - base.radius for inches, size in zip(base.at, (width, height), strict=True)):
        return True
    west, north, east, south = base.outline.bounds
    return west >= -CONTACT and north >= -CONTACT and east <= width + CONTACT and south <= height + CONTACT


@lru_cache(maxsize=512)
def swept_ground(base: Base, course: float, inches: float) -> BaseGeometry:
    """Return the ground that `base` covers as it moves `inches` along the bearing `course` without turning."""
    ahead = base.moved_to(shift_point(base.at, course, inches)).corners
    return shapely.linestrings((*base.corners, *ahead)).convex_hull


def run_until_contact(base: Base, course: float, inches: float, other: Base) -> float:
    """Return how far `base` can move along the bearing `course`, at most `inches`, before it touches `other`."""
    outline = other.outline
    if gap_lower_bound(base, other) > inches + CONTACT or swept_ground(base, course, inches).distance(outline) > CLOSE:
        return inches
    free, met = 0.0, inches
    while met - free > CONTACT / 4:
        middle = (free + met) / 2
        if swept_ground(base, course, middle).distance(outline) > CLOSE:
            free = middle
        else:
            met = middle
    return free


def run_until_clear(base: Base, course: float, inches: float, others: Iterable[Base]) -> float:
    """Return how far `base` can move and halt clear of the `others`, at most `inches`.

    It moves along the bearing `course`, and may pass through the others. Return 0 if there is no clearance on the
    way.
    """
    ground = swept_ground(base, course, inches)
    near = [other for other in others if gap_lower_bound(base, other) <= inches and ground.intersects(other.outline)]
    stop = inches
    while near and stop > 0:
        end = base.moved_to(shift_point(base.at, course, stop))
        if not any(are_overlapping(end, other) for other in near):
            break
        stop -= STRIDE
    return max(stop, 0.0)


def _piece_shape(piece: TerrainPiece) -> BaseGeometry:
    """Return the ground that a terrain piece covers."""
    if piece.closed and len(piece.points) >= 3:
        return Polygon(piece.points).buffer(0)
    if len(piece.points) == 1:
        return GeoPoint(piece.points[0]).buffer(piece.width / 2)
    return LineString(piece.points).buffer(piece.width / 2)


piece_shape = cache_by_identity(_piece_shape, MAX_PIECES)
"""Return the cached ground that a terrain piece covers."""


def pieces_crossed_by_line(pieces: Iterable[TerrainPiece], start: Point, end: Point) -> tuple[TerrainPiece, ...]:
    """Return the terrain pieces that the straight line from `start` to `end` crosses."""
    line: BaseGeometry = GeoPoint(start) if start == end else LineString((start, end))
    return tuple(piece for piece in pieces if piece_shape(piece).intersects(line))


def gap_to_piece(piece: TerrainPiece, base: Base) -> float:
    """Return the inches from a base to the nearest point of a terrain piece."""
    return float(piece_shape(piece).distance(base.outline))
