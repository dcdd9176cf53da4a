"""The ground that fire can reach, as a pale wedge on the table."""

import math

from PIL import Image

from rules.core.scene import Fan, Point

from .geometry import around
from .palette import RGB
from .pen import ink

STEPS = 24
"""Straight lines of which the far edge is made."""
FILL, EDGE = 56, 170
"""How strong the wedge and its edge are, of 255."""


def draw_fan(image: Image.Image, at: Point, fan: Fan, scale: float, colour: RGB) -> None:
    """A wedge from a point of the picture (pixels), at so many pixels an inch."""
    reach, turns = fan.reach * scale, [2 * step / STEPS - 1 for step in range(STEPS + 1)]
    ways = (math.radians(fan.facing + fan.degrees * turn) for turn in turns)
    ring = [at, *((at[0] + reach * math.sin(way), at[1] - reach * math.cos(way)) for way in ways)]
    box = around(ring).grown(3)
    ink(image, box, colour, lambda pen: pen.area(ring, 255), strength=FILL, finer=1)
    ink(image, box, colour, lambda pen: pen.line(ring, 255, 1.6, closed=True), strength=EDGE)
