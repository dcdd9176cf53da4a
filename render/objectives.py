"""Draw objectives (areas that a side must hold at the end) as a dashed ring and a name."""

import math
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from rules.core.scene import Goal, Point

from .geometry import Box, View
from .palette import RGB, SideLook, Theme, mix
from .pen import Pen, ink, sprite
from .places import PlaceName
from .plates import place_name_sprite

DASHES = 36
"""Number of dashes in a ring."""
THICK = 3.0
"""Thickness of a ring's line, in pixels."""
SIGN = 26
"""Size in pixels of a ring in the legend."""


def draw_objective_ring(image: Image.Image, goal: Goal, view: View, colour: RGB) -> None:
    """Draw an objective's dashed ring."""
    x, y = view.pixel(goal.at)
    radius = goal.within * view.scale
    box = Box(x, y, x, y).grow(radius + THICK)
    if box.overlaps(view.frame):
        ink(image, box, colour, lambda pen: _draw_dashed_ring(pen, (x, y), radius, DASHES), strength=200)


def visible_objective_names(
    goals: Sequence[Goal], view: View, look: Theme, looks: dict[str, SideLook], size: int
) -> list[PlaceName]:
    """Return the names of visible objectives, to draw below, above or inside their rings."""
    names = []
    for goal in goals:
        x, y = view.pixel(goal.at)
        if not view.frame.contains((x, y)):
            continue
        radius = goal.within * view.scale
        colour = mix(looks[goal.side].colour, look.ink, 0.3) if goal.side in looks else look.ink
        label = place_name_sprite(goal.name, colour, look.wash[0], size)
        off = radius + label.height / 2
        names.append(PlaceName(label, tuple((x, y + down) for down in (off, -off, 0.0, radius / 2, -radius / 2))))
    return names


@lru_cache(maxsize=16)
def legend_ring(colour: RGB) -> Image.Image:
    """Return a small dashed ring for the legend. The image is cached: never draw on it."""
    return sprite(SIGN, SIGN, lambda pen: _draw_dashed_ring(pen, (0, 0), SIGN / 2 - THICK, 8, colour))


def _draw_dashed_ring(pen: Pen, at: Point, radius: float, count: int, colour: RGB | int = 255) -> None:
    step = 2 * math.pi / count
    for number in range(count):
        ends = (number * step + step * part for part in (0.0, 0.3, 0.6))
        line = [(at[0] + math.sin(turn) * radius, at[1] - math.cos(turn) * radius) for turn in ends]
        pen.line(line, colour, THICK)
