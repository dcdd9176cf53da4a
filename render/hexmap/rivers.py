"""Draw rivers along hexsides, with their fords and bridges."""

import math

from render.geometry import smooth_corners
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

from .looks import HexLook
from .network import merge_lines
from .plane import hex_outline

WIDE, BANK = 0.09, 0.035
"""Width of a river, and width of each bank, in hexes."""
LONG, STONE = 0.19, 0.03
"""Half the length of a bridge or ford across the river, and radius of a ford's stones, in hexes."""
SAME = 1e-6
"""Maximum distance between two corners that count as the same corner."""


def hexside_ends(first: Hex, second: Hex) -> tuple[Point, Point]:
    """Return the ends of the hexside between two neighbouring hexes."""
    ends = hex_outline(second)
    shared = [corner for corner in hex_outline(first) if any(math.dist(corner, end) < SAME for end in ends)]
    return shared[0], shared[1]


def river_lines(board: HexBoard) -> list[tuple[Point, ...]]:
    """Return the lines along which a board's rivers run, joined where hexsides meet."""
    sides = {frozenset(side): side for river in board.rivers for side in river.sides}
    ends = [hexside_ends(*side) for _, side in sorted(sides.items(), key=lambda item: sorted(item[0]))]
    return merge_lines([tuple((round(x, 6), round(y, 6)) for x, y in pair) for pair in ends])


def draw_rivers(pen: Pen, board: HexBoard, look: HexLook) -> None:
    """Draw all banks, then all water, then bridges and fords."""
    lines = [smooth_corners(course, closed=False) for course in river_lines(board)]
    bank, water = mix(look.theme.bank, look.ink, 0.25), mix(look.tints[HexGround.WATERWAY], look.theme.bank, 0.25)
    for width, colour in ((WIDE + 2 * BANK, bank), (WIDE, water)):
        for line in lines:
            pen.line(line, colour, width)
    for crossing in board.crossings:
        (x1, y1), (x2, y2) = hexside_ends(*crossing.side)
        middle, long = ((x1 + x2) / 2, (y1 + y2) / 2), math.dist((x1, y1), (x2, y2))
        across = (-(y2 - y1) / long, (x2 - x1) / long)
        (_draw_bridge if crossing.is_bridge else _draw_ford)(pen, middle, across, look)


def _draw_bridge(pen: Pen, middle: Point, across: Point, look: HexLook) -> None:
    """Draw two rails across the river, with the roadway between them."""
    (x, y), (dx, dy) = middle, across
    ends = [(x + dx * way * LONG, y + dy * way * LONG) for way in (-1, 1)]
    pen.line(ends, mix(look.theme.paper, look.ink, 0.15), 0.15)
    for side in (-1, 1):
        rail = [(px - dy * side * 0.075, py + dx * side * 0.075) for px, py in ends]
        pen.line(rail, look.ink, 0.035)


def _draw_ford(pen: Pen, middle: Point, across: Point, look: HexLook) -> None:
    """Draw stones across the river."""
    (x, y), (dx, dy) = middle, across
    for place in (-1, -0.5, 0, 0.5, 1):
        pen.disc((x + dx * place * LONG * 0.8, y + dy * place * LONG * 0.8), STONE * 1.4, look.ink)
        pen.disc((x + dx * place * LONG * 0.8, y + dy * place * LONG * 0.8), STONE, look.theme.paper)
