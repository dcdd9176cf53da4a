"""Draw barbed wire: coils between crossed pickets along a hex's edge, with a gap for the hex's number."""

import math
from collections.abc import Sequence
from itertools import pairwise

from render.geometry import point_ahead, point_beside, points_at_intervals
from render.palette import SideLook, mix
from render.pen import Painter, combine, stroke
from rules.core.hexboard.hex_scene import HexNote
from rules.core.scene import Point

from .map_canvas import MapCanvas
from .plane import hex_outline

RING = 0.84
"""Size of the wire belt relative to the hex: clear of the counter and of neighbouring belts."""
COIL, PITCH = 0.058, 0.078
"""Radius and spacing of the coils, in hexes."""
TURN = 14
"""Number of points per turn of a coil."""
BARB, BARBS = 0.03, 0.117
"""Half the length of a barb, and spacing of barbs, in hexes."""
PICKET = 0.09
"""Half the length of a picket, in hexes."""
NUMBER = 0.62
"""Share of the two edges beside the upper edge that stays free for the hex's number."""
THIN, LEAST = 0.011, 1.0
"""Thickness of the wire, in hexes and as a minimum in pixels."""


def draw_wire(canvas: MapCanvas, note: HexNote, _side: SideLook | None) -> None:
    """Draw coils with barbs around the hex, and pickets at the corners."""
    belt, view = _belt_corners(hex_outline(note.hex, RING)), canvas.view
    coils = [[view.pixel(point) for point in _coil_points(start, end)] for start, end in pairwise(belt)]
    barbs = [
        [view.pixel(point_ahead((point_beside(at, way * BARB), at[1]), -way * BARB)) for way in (1, -1)]
        for line in pairwise(belt)
        for at in points_at_intervals(line, BARBS, closed=False)
    ]
    posts = [
        [view.pixel((x - lean * PICKET * 0.6, y + PICKET)), view.pixel((x + lean * PICKET * 0.6, y - PICKET))]
        for x, y in belt[1:-1]
        for lean in (-1, 1)
    ]

    def paint(extra: float) -> Painter:
        thin = max(view.scale * THIN, LEAST) + extra
        return combine(stroke((*coils, *barbs), thin), stroke(posts, thin * 2))

    canvas.paint_near_hex(note, canvas.look.theme.paper, paint(2), strength=150)
    canvas.paint_near_hex(note, mix(canvas.look.ink, canvas.look.theme.bank, 0.3), paint(0))


def _coil_points(start: Point, end: Point) -> list[Point]:
    """Return the points of a coiled wire from `start` to `end`."""
    (ax, ay), (bx, by) = start, end
    turns = max(round(math.dist(start, end) / PITCH), 1)
    points = []
    for step in range(turns * TURN + 1):
        part, angle = step / (turns * TURN), math.tau * step / TURN
        points.append((ax + (bx - ax) * part + COIL * math.sin(angle), ay + (by - ay) * part + COIL * math.cos(angle)))
    return points


def _belt_corners(corners: Sequence[Point]) -> list[Point]:
    """Return the corners of the wire belt round a hex, with a gap at the hex's number."""
    top = min(y for _, y in corners)
    upper = next(n for n, (_, y) in enumerate(corners) if abs(y - top) < COIL and abs(corners[n - 1][1] - top) < COIL)
    first, *middle, last = (*corners[upper:], *corners[:upper])
    return [_point_past_number(first, middle[0]), *middle, _point_past_number(last, middle[-1])]


def _point_past_number(start: Point, end: Point) -> Point:
    (ax, ay), (bx, by) = start, end
    return ax + (bx - ax) * NUMBER, ay + (by - ay) * NUMBER
