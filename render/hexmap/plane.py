"""Hexes in the plane: flat-topped, odd columns half a hex lower. Unit: from one centre to the next."""

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, around
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

COLUMN = math.sqrt(3) / 2
"""From one column to the next."""
RADIUS = 1 / math.sqrt(3)
"""From a centre to a corner."""
CORNERS: tuple[Point, ...] = tuple(
    (RADIUS * math.cos(math.pi / 3 * turn), RADIUS * math.sin(math.pi / 3 * turn)) for turn in range(6)
)
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@lru_cache(maxsize=8192)
def centre(at: Hex) -> Point:
    """Return the centre of a hex."""
    return at.column * COLUMN, at.row + at.column % 2 / 2


def outline(at: Hex, size: float = 1.0) -> list[Point]:
    """The six corners of a hex, drawn at `size` of its own."""
    x, y = centre(at)
    return [(x + dx * size, y + dy * size) for dx, dy in CORNERS]


def joined(hexes: Iterable[Hex]) -> BaseGeometry:
    """The hexes as one shape: corners that hexes share are equal to the last bit, so nothing stays between them."""
    sixths = np.array([(3 * at.column, 2 * at.row + at.column % 2) for at in hexes], dtype=np.int64).reshape(-1, 1, 2)
    corners = np.array([(round(2 * x / RADIUS), round(2 * y)) for x, y in CORNERS])
    return shapely.coverage_union_all(shapely.polygons((sixths + corners) * (RADIUS / 2, 0.5)))


def box_of(hexes: Iterable[Hex]) -> Box:
    """The least box that holds the hexes whole. Raises ValueError when there are none."""
    return Box(*(edge + off for edge, off in zip(around([centre(at) for at in hexes]), around(CORNERS), strict=True)))


def from_centre(points: Floats) -> Floats:
    """How far each point (last axis: x, y) lies off the centre of its hex."""
    q = points[..., 0] / COLUMN
    r = points[..., 1] - q / 2
    rough = np.stack([q, r, -q - r], axis=-1)
    near = np.round(rough)
    off = np.abs(near - rough)
    worst = off.argmax(axis=-1)
    column = np.where(worst == 0, -near[..., 1] - near[..., 2], near[..., 0])
    slant = np.where(worst == 1, -near[..., 0] - near[..., 2], near[..., 1])
    middle: Floats = np.stack([column * COLUMN, slant + column / 2], axis=-1)
    return points - middle
