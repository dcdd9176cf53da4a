"""Draw telegraph lines from hex centre to hex centre: a thin wire beside the road, with its poles."""

from render.geometry import smooth, stations
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexBoard

from .looks import HexLook
from .plane import centre

BESIDE = 0.14
"""Distance in hexes between the wire and the line of hex centres, where a road may be."""
BETWEEN, ARM, FOOT = 0.34, 0.05, 0.09
"""Distance between two poles, half the length of a pole's arms, and length of the pole, in hexes."""
WIRE, POLE = 0.016, 0.026
"""Widths of the wire and of the poles, in hexes."""


def draw_telegraphs(pen: Pen, board: HexBoard, look: HexLook) -> None:
    """Draw all telegraph lines of a board; the poles stand upright on the page."""
    wire, pole = mix(look.ink, look.theme.road, 0.25), look.ink
    for line in board.telegraphs:
        course = smooth([centre(at) for at in line], closed=False)
        tops = [(x, y - BESIDE) for (x, y), _ in stations(course, BETWEEN, closed=False)]
        pen.line(tops, wire, WIRE)
        for x, y in tops:
            pen.line([(x, y - FOOT / 4), (x, y + FOOT)], pole, POLE)
            pen.line([(x - ARM, y), (x + ARM, y)], pole, POLE)
