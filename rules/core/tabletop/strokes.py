"""Turn a stroke drawn by hand into the outline or line of a piece of terrain."""

from collections.abc import Sequence

from shapely import LineString, Polygon, box, get_parts, make_valid

from rules.core.refusal import Refused
from rules.core.scene import Point

from .terrain import SEPARATOR

MOST_POINTS = 40
"""Maximum number of points of a piece made of a stroke, limited by the length of `TerrainAdd.at`."""
FINEST = 0.1
"""First tolerance in inches for the simplification of a stroke."""
DECIMALS = 1
LEAST_AREA, LEAST_LENGTH = 1.0, 2.0
"""Minimum square inches of an outline, and inches of a line."""
NEAR_EDGE = 1.5
"""Distance in inches from the table's edge within which the end of a line is extended to the edge."""
TOO_SMALL = "That is too small to be a piece of terrain. Draw it larger."


def trace_outline(stroke: Sequence[Point], width: float, height: float) -> tuple[Point, ...]:
    """Return the outline of the ground that a closed stroke encloses on the table. Raises Refused.

    Of several pieces of ground, the largest is taken.
    """
    points = _simplify_line(LineString(stroke)) if len(set(stroke)) > 2 else ()
    geometry = make_valid(Polygon(points), method="structure", keep_collapsed=False) if len(points) > 2 else Polygon()
    areas = [part for part in get_parts(geometry.intersection(box(0, 0, width, height))) if isinstance(part, Polygon)]
    largest = max(areas, key=lambda area: area.area, default=Polygon())
    if largest.area < LEAST_AREA:
        raise Refused(TOO_SMALL)
    return _round_points(_simplify_line(largest.exterior)[:-1], width, height)


def trace_line(stroke: Sequence[Point], width: float, height: float) -> tuple[Point, ...]:
    """Return the longest part of the stroke that lies on the table. Raises Refused.

    An end near an edge of the table is extended to that edge.
    """
    geometry = LineString(_simplify_line(LineString(stroke))) if len(set(stroke)) > 1 else LineString()
    lines = [
        part for part in get_parts(geometry.intersection(box(0, 0, width, height))) if isinstance(part, LineString)
    ]
    longest = max(lines, key=lambda line: line.length, default=LineString())
    if longest.length < LEAST_LENGTH:
        raise Refused(TOO_SMALL)
    first, *between, last = _simplify_line(longest)
    ends = (_snap_to_edge(first, width, height), _snap_to_edge(last, width, height))
    return _round_points((ends[0], *between, ends[1]), width, height)


def write_points(points: Sequence[Point]) -> str:
    """Return the points as text for `TerrainAdd.at`: `12,8;14.5,9`."""
    return SEPARATOR.join(f"{x:g},{y:g}" for x, y in points)


def _simplify_line(line: LineString) -> Sequence[Point]:
    """Reduce the line to at most MOST_POINTS points, because a long scribble would take minutes to process."""
    tolerance, result = FINEST, line.simplify(FINEST, preserve_topology=False)
    while len(result.coords) > MOST_POINTS:
        tolerance *= 1.5
        result = line.simplify(tolerance, preserve_topology=False)
    return [(x, y) for x, y in result.coords]


def _snap_to_edge(point: Point, width: float, height: float) -> Point:
    """Move a point within NEAR_EDGE of the table's edge onto the edge. Return any other point unchanged."""
    x, y = point
    away, edge = min((x, (0.0, y)), (width - x, (width, y)), (y, (x, 0.0)), (height - y, (x, height)))
    return edge if away <= NEAR_EDGE else point


def _round_points(points: Sequence[Point], width: float, height: float) -> tuple[Point, ...]:
    """Return the points rounded and without repeats. Raises Refused if fewer than two are left."""
    rounded = ((min(round(x, DECIMALS), width), min(round(y, DECIMALS), height)) for x, y in points)
    distinct_points = tuple(dict.fromkeys(rounded))
    if len(distinct_points) < 2:
        raise Refused(TOO_SMALL)
    return distinct_points
