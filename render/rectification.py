"""Rectify photographs of a table by its four corners, and of a printed map by three hexes."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import shapely
from PIL import Image

from rules.core.scene import Point

from . import photograph
from .geometry import Box, signed_area
from .photograph import UnfitPicture, encode_within_limit

LEAST_PART = 0.02
"""Minimum share of the photograph that the table must cover."""
OUTSIDE = 0.05
"""Maximum distance of a corner outside the photograph, as a fraction of the photograph."""
CORNERS = (
    "These are not the four corners of a table that the photograph shows. Name them in this order: top left, top "
    "right, bottom right, bottom left, as the map shows the table."
)

LEAST_RELATIVE_HEIGHT = 0.08
"""Minimum height of the triangle of three named hexes, as a share of its longest side."""
LEAST_TRIANGLE = 0.005
"""Minimum share of the picture covered by the triangle of the three hexes."""
LEAST_COVERED = 0.25
"""Minimum share of a hex map that a picture must cover."""
BLANK = (236, 228, 208)
"""Colour of hexes outside the picture of a map."""
HEXES_ON_LINE = "Those three hexes lie on one line. Name three that lie far apart, as the corners of a triangle."
MIRRORED = "So the picture would be mirrored: two of the three hexes are exchanged. Name each with its own place."
BESIDE_MAP = "So the picture would cover only {part}% of the map: one of the three hexes is named at a wrong place."


def _rectified_size(width: float, height: float) -> tuple[float, tuple[int, int]]:
    """Return the pixels per unit of a rectified photograph, and its size in pixels."""
    scale = photograph.FLAT_SIDE / max(width, height)
    return scale, (max(round(width * scale), 1), max(round(height * scale), 1))


def rectify(image: Image.Image, corners: Sequence[Point], width: float, height: float) -> bytes:
    """Return the photographed table as seen from above, as a JPEG.

    `corners` are the table's corners as fractions of the photograph (0-1), clockwise from the map's top left corner.
    `width` and `height` are in inches. Raises UnfitPicture if the corners are unusable.
    """
    turns = [_double_signed_area([corners[(number + step) % 4] for step in range(3)]) for number in range(4)]
    if min(turns) <= 0 or signed_area(corners) < LEAST_PART or _has_corner_outside(corners):
        raise UnfitPicture(CORNERS)
    _, size = _rectified_size(width, height)
    of_photograph = [(x * image.width, y * image.height) for x, y in corners]
    coefficients = _perspective_coefficients(size, of_photograph)
    flat = image.transform(size, Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC)
    return encode_within_limit(flat)


def fit_to_hex_map(image: Image.Image, on_map: Sequence[Point], corners: Sequence[Point], box: Box) -> bytes:
    """Return a JPEG of a printed map, transformed to fit the part `box` of a hex map.

    `corners` are three points as fractions of the picture (0-1); `on_map` are the same points on the hex map. Raises
    UnfitPicture if the points are unusable.
    """
    _require_usable_triangle(on_map, corners, image.size)
    scale, size = _rectified_size(box.width, box.height)
    rows = np.array([[(x - box.left) * scale, (y - box.top) * scale, 1.0] for x, y in on_map])
    targets = np.array([[x * image.width, y * image.height] for x, y in corners])
    across, down = np.linalg.solve(rows, targets).T
    coefficients = tuple(float(part) for part in (*across, *down))
    flat_corners = np.array([[0, 0, 1], [size[0], 0, 1], [size[0], size[1], 1], [0, size[1], 1]])
    whole = shapely.Polygon(flat_corners @ np.array([across, down]).T)
    covered = whole.intersection(shapely.box(0, 0, *image.size)).area / whole.area
    if covered < LEAST_COVERED:
        raise UnfitPicture(BESIDE_MAP.format(part=round(100 * covered)))
    flat = image.transform(size, Image.Transform.AFFINE, coefficients, Image.Resampling.BICUBIC, fillcolor=BLANK)
    return encode_within_limit(flat)


def _require_usable_triangle(on_map: Sequence[Point], corners: Sequence[Point], size: tuple[int, int]) -> None:
    """Raise UnfitPicture if the three points lie on a line, close together, mirrored or off the picture."""
    if _relative_height(on_map) < LEAST_RELATIVE_HEIGHT:
        raise UnfitPicture(HEXES_ON_LINE)
    in_pixels = [(x * size[0], y * size[1]) for x, y in corners]
    if _relative_height(in_pixels) < LEAST_RELATIVE_HEIGHT:
        raise UnfitPicture("Those three places in the picture lie on one line. Name three that lie far apart in it.")
    if _has_corner_outside(corners):
        raise UnfitPicture("One of those places lies outside the picture.")
    if abs(_double_signed_area(corners)) / 2 < LEAST_TRIANGLE:
        raise UnfitPicture("Those three places lie close together. Name three hexes that lie far apart in the picture.")
    if _double_signed_area(on_map) * _double_signed_area(in_pixels) < 0:
        raise UnfitPicture(MIRRORED)


def _double_signed_area(corners: Sequence[Point]) -> float:
    """Return twice the area of a triangle; negative if its corners run counterclockwise."""
    (ax, ay), (bx, by), (cx, cy) = corners
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def _relative_height(corners: Sequence[Point]) -> float:
    """Return a triangle's height divided by its longest side."""
    longest = max(math.dist(start, end) for start, end in combinations(corners, 2))
    return abs(_double_signed_area(corners)) / longest**2 if longest else 0.0


def _has_corner_outside(corners: Sequence[Point]) -> bool:
    """Whether a corner lies too far outside the photograph."""
    return any(not -OUTSIDE <= part <= 1 + OUTSIDE for corner in corners for part in corner)


def _perspective_coefficients(size: tuple[int, int], corners: Sequence[Point]) -> tuple[float, ...]:
    """Return the coefficients (a to h) of Pillow's perspective transform to a picture of `size`.

    At the four corners, x = (a X + b Y + c) / (g X + h Y + 1) and y = (d X + e Y + f) / (g X + h Y + 1).
    """
    wide, high = size
    rows, targets = [], []
    for (left, top), (x, y) in zip(((0, 0), (wide, 0), (wide, high), (0, high)), corners, strict=True):
        rows += [[left, top, 1, 0, 0, 0, -x * left, -x * top], [0, 0, 0, left, top, 1, -y * left, -y * top]]
        targets += [x, y]
    coefficients = np.linalg.solve(np.array(rows, dtype=float), np.array(targets, dtype=float))
    return tuple(float(number) for number in coefficients)
