"""Draw the area that fire can reach as a pale wedge on the table."""

import math

from PIL import Image

from rules.core.scene import Fan, Point

from .geometry import around
from .palette import RGB
from .pen import fill, ink, stroke

STEPS = 24
"""Number of straight segments in the far edge."""
FILL, EDGE = 56, 170
"""Opacity, out of 255, of the wedge's fill and edge."""


def draw_fan(image: Image.Image, at: Point, fan: Fan, scale: float, colour: RGB) -> None:
    """Draw a wedge from the pixel `at`, at `scale` pixels per inch."""
    reach, turns = fan.reach * scale, [2 * step / STEPS - 1 for step in range(STEPS + 1)]
    directions = (math.radians(fan.facing + fan.degrees * turn) for turn in turns)
    ring = [at, *((at[0] + reach * math.sin(way), at[1] - reach * math.cos(way)) for way in directions)]
    box = around(ring).grown(3)
    ink(image, box, colour, fill(ring), strength=FILL, finer=1)
    ink(image, box, colour, stroke([ring], 1.6, closed=True), strength=EDGE)
