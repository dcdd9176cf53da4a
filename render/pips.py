"""Draw a unit's kills as a row of pips on its base, if there is space."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from rules.core.scene import Point

from .geometry import Box, is_inside_ring, rotate
from .palette import BLOOD, INK, WHITE
from .pen import Pen, dot, ink, sprite

RADIUS = 5.5, 10.0
"""Minimum and maximum radius of a pip, in pixels."""
APART = 2.15
"""Distance between two pips' centres, in radii."""
BROAD = 1.5
"""Minimum ratio of a base's width to its depth at which pips fit better at the ends than at the rear."""
STEP = 2
"""Pixels between two tried positions."""
RIM = [rotate((0.0, -1.0), 30 * step) for step in range(12)]


class PipRow(NamedTuple):
    """Centres of the pips and their radius, in pixels."""

    at: tuple[Point, ...]
    radius: float


class BaseSpace(NamedTuple):
    """A base in pixels: its outline before rotation, and half the width and height of its `symbol`."""

    at: Point
    facing: float
    shape: Sequence[Point]
    symbol: tuple[float, float]


def place_pip_row(kills: int, space: BaseSpace, above: Sequence[Sequence[Point]], frame: Box) -> PipRow | None:
    """Return a row of `kills` pips on the base, or None without enough space.

    The row lies inside `frame`, and outside `above`, the outlines of bases that are drawn later.
    """
    for radius, local in _candidate_rows(kills, space):
        middles = [(local[0] + APART * radius * (number - (kills - 1) / 2), local[1]) for number in range(kills)]
        rim = [(x + dx * (radius + 1), y + dy * (radius + 1)) for x, y in middles for dx, dy in RIM]
        if not all(is_inside_ring(point, space.shape) for point in rim):
            continue
        turned = (rotate(point, space.facing) for point in (*middles, *rim))
        points = [(space.at[0] + x, space.at[1] + y) for x, y in turned]
        if all(frame.contains(point) and not any(is_inside_ring(point, ring) for ring in above) for point in points):
            return PipRow(tuple(points[:kills]), radius)
    return None


def _candidate_rows(kills: int, space: BaseSpace) -> Iterator[tuple[float, Point]]:
    """Yield possible rows, best first, as the pips' radius and the row's centre before rotation."""
    x, y = max(x for x, _ in space.shape), max(y for _, y in space.shape)
    beside, behind = space.symbol
    usual = min(max(min(x, y) * 0.4, RADIUS[0]), RADIUS[1])
    for radius in dict.fromkeys((usual, RADIUS[0])):
        half = radius * (1 + APART * (kills - 1) / 2)
        yield from ((radius, (way * out, 0.0)) for way in (1, -1) for out in _steps_inwards(x - half, beside + half))
        yield from (
            (radius, (0.0, way * out)) for way in (1, -1) for out in _steps_inwards(y - radius, behind + radius)
        )
    half = RADIUS[0] * (1 + APART * (kills - 1) / 2)
    at_rear = [(0.0, out) for out in _steps_inwards(y - RADIUS[0], 0.0)]
    at_ends = [(way * out, 0.0) for way in (1, -1) for out in _steps_inwards(x - half, 0.0)]
    yield from ((RADIUS[0], at) for at in ((*at_ends, *at_rear) if x > BROAD * y else (*at_rear, *at_ends)))


def _steps_inwards(start: float, end: float) -> Iterator[float]:
    while start >= end:
        yield start
        start -= STEP


def draw_pip_row(image: Image.Image, pips: PipRow) -> None:
    """Draw the pips on the picture."""
    for at in pips.at:
        box = Box(*at, *at).grow(pips.radius + 2)
        for part, colour in RINGS:
            ink(image, box, colour, dot([at], pips.radius * part))


RINGS = (1.0, INK), (0.82, WHITE), (0.56, BLOOD)
"""Concentric rings of a pip: radius as a fraction, and colour, from the outside in."""


@lru_cache(maxsize=8)
def kill_pip_sprite(size: int) -> Image.Image:
    """Return one kill pip, for the legend and the plates. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        for part, colour in RINGS:
            pen.disc((0, 0), (size / 2 - 0.5) * part, colour)

    return sprite(size, size, paint)
