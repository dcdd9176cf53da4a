"""Draw blotches like colour on wet paper. The blotches are fixed to the plane, so neighbouring pictures match."""

import random
from functools import cache

from PIL import Image

from .geometry import Box

BLOTCHES = 128
"""Number of blotches across and down, from a little north-west of the plane's origin."""
OUTSIDE = 4
TONES = [0 if value < 96 else 1 if value < 160 else 2 for value in range(256)]
"""Wash tone (0 to 2) for each noise value."""


def blotches(box: Box, measure: float, size: tuple[int, int]) -> Image.Image:
    """Return the tones 0, 1 and 2 for a box of the plane, as a picture of `size` pixels in mode L.

    A blotch is about `measure` wide, in units of the box.
    """
    left, top, right, bottom = (min(max(edge / measure + OUTSIDE, 0), BLOTCHES) for edge in box)
    return _noise().resize(size, Image.Resampling.BICUBIC, (left, top, right, bottom)).point(TONES)


@cache
def _noise() -> Image.Image:
    """Return noise for the whole plane. The image is cached: never draw on it."""
    return Image.frombytes("L", (BLOTCHES, BLOTCHES), random.Random(1914).randbytes(BLOTCHES * BLOTCHES))
