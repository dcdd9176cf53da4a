"""Draw waterways through neighbouring hexes, off the map's edge, and their fords."""

import math
from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import point_ahead, point_beside, points_at_intervals, smooth_corners
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexGround
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .land_shapes import WATERS, KeyedBoard
from .looks import HexLook
from .network import link_hexes
from .plane import hex_centre
from .washes import Washes

WIDE, BANK = 0.21, 0.07
"""Half the width of a waterway, and width of its bank, in hexes."""
CLOSED = 0.25
"""Half the width in hexes below which gaps between waters are filled with water."""
CROSSING, ACROSS = 0.15, 0.32
"""Half the width of a ford, and half its length across the water, in hexes."""
STONE = 0.026
FLOW = 0.05
"""Distance in hexes before and after a ford over which the flow direction is measured."""


@lru_cache(maxsize=8)
def water_area(keyed: KeyedBoard) -> BaseGeometry:
    """Return the area that a board's waterways cover."""
    wet = shapely.union_all([line.buffer(WIDE, quad_segs=6) for line in _water_lines(keyed)])
    return wet.buffer(CLOSED, quad_segs=4).buffer(-CLOSED, quad_segs=4)


def paint_water(washes: Washes, keyed: KeyedBoard, look: HexLook) -> None:
    """Paint the banks and the water, deeper towards the middle."""
    wet = water_area(keyed)
    if wet.is_empty:
        return
    blue, bank = look.tints[HexGround.WATERWAY], look.theme.bank
    mud = mix(look.tints[HexGround.TRENCH], look.drawn[HexGround.TRENCH], 0.25)
    washes.fill(wet.buffer(BANK, quad_segs=4), (mud, mud, mix(mud, look.ink, 0.06)))
    washes.fill(wet, (mix(blue, look.theme.paper, 0.3),) * 3)
    washes.stroke(wet, mix(bank, look.ink, 0.25), 0.03)
    washes.fill(wet.buffer(-0.05), (blue, blue, mix(blue, bank, 0.1)))


def draw_fords(pen: Pen, keyed: KeyedBoard, look: HexLook) -> None:
    """Draw ripples along the water, and at each ford a shingle causeway between rows of stones."""
    ripple = mix(look.tints[HexGround.WATERWAY], look.theme.bank, 0.55)
    for line in link_hexes(keyed, WATERS):
        for number, station in enumerate(points_at_intervals(smooth_corners(line, closed=False), 0.17, closed=False)):
            start = point_beside(station, (-0.09, 0.08, 0.0)[number % 3])
            pen.line([start, point_ahead((start, station[1]), 0.1)], ripple, 0.014)
    for cell in keyed.board.cells:
        if cell.ground is HexGround.FORD:
            at, flow = _flow_in_hex(keyed, cell.hex)
            _draw_ford(pen.move(at).rotate(flow), look)


def _flow_in_hex(keyed: KeyedBoard, at: Hex) -> tuple[Point, float]:
    """Return the middle of the water in a hex, and the flow direction in degrees clockwise from due east."""
    middle = shapely.Point(hex_centre(at))
    line = min(_water_lines(keyed), key=lambda line: line.distance(middle))
    along = line.project(middle)
    position, (ax, ay), (bx, by) = (line.interpolate(along + step).coords[0] for step in (0, -FLOW, FLOW))
    return (position[0], position[1]), math.degrees(math.atan2(by - ay, bx - ax))


def _water_lines(keyed: KeyedBoard) -> list[shapely.LineString]:
    return [shapely.LineString(smooth_corners(line, closed=False)) for line in link_hexes(keyed, WATERS)]


def _draw_ford(pen: Pen, look: HexLook) -> None:
    """Draw a ford about the origin, with water flowing from west to east."""
    sand, dark = mix(look.tints[HexGround.BEACH], look.drawn[HexGround.TRENCH], 0.18), look.drawn[HexGround.TRENCH]
    rut, ends = mix(look.tints[HexGround.WATERWAY], sand, 0.35), ACROSS + 0.08
    half = [(CROSSING, -ACROSS), (CROSSING, ACROSS), (0.0, ends)]
    pen.area([*half, *((-x, -y) for x, y in half)], sand)
    for row in (-0.17, -0.06, 0.06, 0.17):
        pen.line([(-CROSSING * 0.75, row), (CROSSING * 0.7, row + 0.02)], rut, 0.03)
    for side in (-1, 1):
        for number in range(9):
            at = side * CROSSING, (number - 4) * 0.075
            pen.disc(at, STONE * 1.3, mix(dark, look.ink, 0.3))
            pen.disc((at[0] - 0.004, at[1] - 0.005), STONE, mix(look.theme.stone, look.theme.paper, 0.35))
