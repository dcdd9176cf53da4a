"""Map flat-topped hexes to a plane, whose unit is the distance between adjacent centres."""

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, bounding_box
from rules.core.hexboard.hexes import Hex
from rules.core.scene import Point

COLUMN = math.sqrt(3) / 2
"""Horizontal distance between adjacent columns."""
RADIUS = 1 / math.sqrt(3)
"""Distance from a hex's centre to a corner."""
CORNERS: tuple[Point, ...] = tuple(
    (RADIUS * math.cos(math.pi / 3 * turn), RADIUS * math.sin(math.pi / 3 * turn)) for turn in range(6)
)
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@lru_cache(maxsize=8192)
def hex_centre(at: Hex) -> Point:
    """Return the centre of a hex in the plane."""
    return at.column * COLUMN, at.row + at.column % 2 / 2


def hex_outline(at: Hex, size: float = 1.0) -> list[Point]:
    """Return a hex's six corners, scaled by `size`."""
    x, y = hex_centre(at)
    return [(x + dx * size, y + dy * size) for dx, dy in CORNERS]


def union_of_hexes(hexes: Iterable[Hex]) -> BaseGeometry:
    """Return the union of the hexes as one shape. Shared corners are exactly equal, so no gaps remain."""
    sixths = np.array([(3 * at.column, 2 * at.row + at.column % 2) for at in hexes], dtype=np.int64).reshape(-1, 1, 2)
    corners = np.array([(round(2 * x / RADIUS), round(2 * y)) for x, y in CORNERS])
    return shapely.coverage_union_all(shapely.polygons((sixths + corners) * (RADIUS / 2, 0.5)))


def box_around_hexes(hexes: Iterable[Hex]) -> Box:
    """Return the smallest box that contains the hexes whole. Raises ValueError if `hexes` is empty."""
    middles = bounding_box([hex_centre(at) for at in hexes])
    return Box(*(edge + off for edge, off in zip(middles, bounding_box(CORNERS), strict=True)))


def offsets_from_centres(points: Floats) -> Floats:
    """Return the offset of each point (x, y on the last axis) from the centre of its hex."""
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
