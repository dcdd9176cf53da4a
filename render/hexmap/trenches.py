"""Draw trenches as zigzag lines through adjacent trench hexes."""

from collections.abc import Sequence

from render.geometry import Box, Station, View, bounding_box, point_beside, points_at_intervals, smooth_corners
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Point

from .land_shapes import KeyedBoard
from .looks import HexLook
from .network import link_hexes

TRENCHES = frozenset({HexGround.TRENCH})
BAY, DEEP = 0.19, 0.05
"""Length of a bay, and its offset from the centre line, in hexes."""
SPOIL, EDGE, FLOOR = 0.32, 0.125, 0.075
"""Widths in hexes of the thrown-up earth, the trench with its walls, and the floor."""
BAG, BAGS = 0.02, 0.088
"""Radius of a sandbag, and distance of the bags from the centre line, in hexes."""
MARGIN = 0.2
"""Margin in hexes beyond the view within which trenches are drawn."""


def draw_trenches(pen: Pen, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    """Draw all visible trenches: earth on both sides, sandbags, dark walls, duckboards on the floor."""
    area = view.box.grow(MARGIN)
    lines = (line for line in link_hexes(keyed, TRENCHES) if bounding_box(line).grow(MARGIN).overlaps(area))
    courses = [_zigzag_line(line) for line in lines]
    tint, earth = look.tints[HexGround.TRENCH], look.drawn[HexGround.TRENCH]
    spoil, bag, plank = mix(tint, earth, 0.3), mix(tint, look.theme.paper, 0.45), mix(tint, earth, 0.75)
    shade = mix(earth, look.ink, 0.2)
    for course in courses:
        pen.line(course, spoil, SPOIL)
    for course in courses:
        for station in _visible_stations(course, BAG * 2.1, area):
            for side in (-1, 1):
                at = point_beside(station, side * BAGS)
                pen.disc((at[0] + 0.006, at[1] + 0.009), BAG * 1.1, shade)
                pen.disc(at, BAG, bag)
    for course in courses:
        pen.line(course, mix(earth, look.ink, 0.75), EDGE)
    for course in courses:
        pen.line(course, mix(earth, look.ink, 0.3), FLOOR)
        for station in _visible_stations(course, 0.05, area):
            pen.line([point_beside(station, 0.024), point_beside(station, -0.024)], plank, 0.014)


def _visible_stations(course: Sequence[Point], step: float, area: Box) -> list[Station]:
    return [station for station in points_at_intervals(course, step, closed=False) if area.contains(station[0])]


def _zigzag_line(line: Sequence[Point]) -> list[Point]:
    """Return the zigzag line of a trench, whose bays lie alternately on both sides of `line`."""
    soft = smooth_corners(line, closed=False)
    dug = list[Point]()
    for number, station in enumerate(points_at_intervals(soft, BAY, closed=False)):
        dug += [point_beside(station, deep) for deep in ((DEEP, -DEEP) if number % 2 else (-DEEP, DEEP))]
    return [soft[0], *dug, soft[-1]]
