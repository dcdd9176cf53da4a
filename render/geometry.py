"""Convert points of a map to pixels, and compute with boxes, lines and rings (closed lines)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rules.core.scene import Point, UnitBase


class Box(NamedTuple):
    """A rectangle in units of a map (inches or hexes) or in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Return the size from west to east."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Return the size from north to south."""
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        """Return the centre of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def ring(self) -> tuple[Point, ...]:
        """Return the four corners, clockwise from the north-west."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)

    def grow(self, by: float) -> "Box":
        """Return the box with `by` added on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def enlarge_to(self, size: float) -> "Box":
        """Return the box, enlarged about its centre to a width and height of at least `size`."""
        wider, higher = (max(size - length, 0) / 2 for length in (self.width, self.height))
        return Box(self.left - wider, self.top - higher, self.right + wider, self.bottom + higher)

    def clip_to(self, other: "Box") -> "Box":
        """Return the part of this box that lies inside `other`."""
        return Box(
            min(max(self.left, other.left), other.right),
            min(max(self.top, other.top), other.bottom),
            max(min(self.right, other.right), other.left),
            max(min(self.bottom, other.bottom), other.top),
        )

    def contains(self, point: Point) -> bool:
        """Whether the box contains the point, edges included."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def shared_area(self, boxes: Iterable["Box"]) -> float:
        """Return the total of the areas that this box shares with each of `boxes`."""
        shared = (self.clip_to(box) for box in boxes if self.overlaps(box))
        return sum(box.width * box.height for box in shared)

    def overlaps(self, other: "Box") -> bool:
        """Whether the two boxes overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


class View(NamedTuple):
    """Part `box` of a map at `scale` pixels per unit; its north-west corner is pixel (`left`, `top`)."""

    box: Box
    scale: float
    left: float = 0.0
    top: float = 0.0

    def pixel(self, point: Point) -> Point:
        """Return the pixel of the picture that shows a point of the map."""
        return (
            self.left + (point[0] - self.box.left) * self.scale,
            self.top + (point[1] - self.box.top) * self.scale,
        )

    @property
    def frame(self) -> Box:
        """Return the box of the map in the picture, in pixels."""
        return Box(
            self.left,
            self.top,
            self.left + round(self.box.width * self.scale),
            self.top + round(self.box.height * self.scale),
        )


def bounding_box(points: Sequence[Point]) -> Box:
    """Return the smallest box that contains all points."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def rotate(point: Point, degrees: float) -> Point:
    """Return `point` turned clockwise about the origin by `degrees` (y points down)."""
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def rotated_corners(at: Point, facing: float, frontage: float, depth: float) -> tuple[Point, ...]:
    """Return the corners of a base: front left, front right, rear right, rear left."""
    half, deep = frontage / 2, depth / 2
    local = ((-half, -deep), (half, -deep), (half, deep), (-half, deep))
    return tuple((at[0] + x, at[1] + y) for x, y in (rotate(point, facing) for point in local))


def base_corners(base: UnitBase) -> tuple[Point, ...]:
    """Return the corners of a unit's base, in inches."""
    return rotated_corners(base.at, base.facing, base.frontage, base.depth)


def smooth_corners(points: Sequence[Point], *, closed: bool, most: float = math.inf) -> tuple[Point, ...]:
    """Return the line with every corner cut off three times; an open line keeps both ends.

    The first cut takes at most `most` off each side, and every later cut half as much.
    """
    if len(points) < 3:
        return tuple(points)
    line = list(points)
    for time in range(3):
        pairs = pairwise([*line, line[0]] if closed else line)
        cut = [point for a, b in pairs for point in _points_near_ends(a, b, most / 2**time)]
        line = cut if closed else [line[0], *cut[1:-1], line[-1]]
    return tuple(line)


def _points_near_ends(a: Point, b: Point, most: float) -> tuple[Point, Point]:
    """Return a point near each end of a line, inwards by a quarter of its length or `most`."""
    length = math.dist(a, b)
    part = 0.25 if most >= length / 4 else most / length
    x, y = (b[0] - a[0]) * part, (b[1] - a[1]) * part
    return (a[0] + x, a[1] + y), (b[0] - x, b[1] - y)


Station = tuple[Point, Point]
"""A point of a line, and the line's direction there as a unit vector."""


def points_at_intervals(points: Sequence[Point], step: float, *, closed: bool) -> Iterator[Station]:
    """Yield points at every `step` along a line, each with the line's direction."""
    ring = [*points, points[0]] if closed else list(points)
    left_over = step / 2
    for (ax, ay), (bx, by) in pairwise(ring):
        length = math.hypot(bx - ax, by - ay)
        if not length:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        at = left_over
        while at < length:
            yield (ax + ux * at, ay + uy * at), (ux, uy)
            at += step
        left_over = at - length


def dashes(points: Sequence[Point], step: float, half: float, *, closed: bool = False) -> list[tuple[Point, Point]]:
    """Return dashes along a line, one at every `step`, each twice `half` long."""
    return [(point_ahead(at, -half), point_ahead(at, half)) for at in points_at_intervals(points, step, closed=closed)]


def point_ahead(station: Station, by: float) -> Point:
    """Return the point at the distance `by` from a point of a line, in the line's direction."""
    (x, y), (ux, uy) = station
    return x + ux * by, y + uy * by


def point_beside(station: Station, by: float) -> Point:
    """Return the point at the distance `by` to the right of a point of a line."""
    (x, y), (ux, uy) = station
    return x - uy * by, y + ux * by


def star_corners(corners: int, outer: float, inner: float) -> list[Point]:
    """Return a star's corners, alternately `outer` and `inner` from the origin, the first in the north."""
    turns = [math.tau * corner / corners for corner in range(corners)]
    reach = (outer, inner)
    return [(reach[i % 2] * math.sin(turn), -reach[i % 2] * math.cos(turn)) for i, turn in enumerate(turns)]


def signed_area(points: Sequence[Point]) -> float:
    """Return the area of a ring, positive if the ring runs clockwise on the picture."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in ring_edges(points)) / 2


def is_inside_ring(point: Point, ring: Sequence[Point]) -> bool:
    """Whether `point` lies inside the ring."""
    return is_inside_edges(point, ring_edges(ring))


def ring_edges(ring: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the ring's edges as pairs of end points."""
    return list(pairwise([*ring, ring[0]]))


def is_inside_edges(point: Point, edges: Iterable[tuple[Point, Point]]) -> bool:
    """Whether `point` lies inside the ring with these edges. Edges wholly above or below `point` may be missing."""
    x, y = point
    crossings = sum((ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay) for (ax, ay), (bx, by) in edges)
    return crossings % 2 == 1
