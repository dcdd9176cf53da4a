"""Draw the blotches of colour washes, fixed to the map so that neighbouring pictures match."""

import random
from functools import cache

from PIL import Image

from .geometry import Box

BLOTCHES = 128
"""Number of blotches across and down; the first lies `OUTSIDE` blotches north-west of the map's origin."""
OUTSIDE = 4
TONES = [0 if value < 96 else 1 if value < 160 else 2 for value in range(256)]
"""Wash tone (0 to 2) for each noise value."""


def draw_blotches(box: Box, measure: float, size: tuple[int, int]) -> Image.Image:
    """Return a picture of the blotches in `box`, in mode L with the tones 0 to 2.

    A blotch is about `measure` wide, in the units of `box`.
    """
    left, top, right, bottom = (min(max(edge / measure + OUTSIDE, 0), BLOTCHES) for edge in box)
    return _draw_noise().resize(size, Image.Resampling.BICUBIC, (left, top, right, bottom)).point(TONES)


@cache
def _draw_noise() -> Image.Image:
    """Return random noise for the whole map, one pixel per blotch. The image is cached: never draw on it."""
    return Image.frombytes("L", (BLOTCHES, BLOTCHES), random.Random(1914).randbytes(BLOTCHES * BLOTCHES))
