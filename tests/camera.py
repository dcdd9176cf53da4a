"""A simulated camera: slanted photographs of a table with marks at known points."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

from rules.core.scene import Point

INCH = 20
"""Pixels per inch of the table."""
CLOTH, FLOOR, MARK = (120, 150, 90), (90, 70, 60), (200, 20, 20)
SIZE = 3200, 2200
CORNERS: tuple[Point, ...] = ((620, 500), (2500, 420), (2950, 1900), (150, 1750))
"""The table's corners in the photograph, in pixels: top left, top right, bottom right, bottom left."""


def draw_table(width: float, height: float, marks: Sequence[Point], mark: float = 0.6) -> Image.Image:
    """Draw the table from above, with round marks of radius `mark` inches at these places."""
    image = Image.new("RGB", (round(width * INCH), round(height * INCH)), CLOTH)
    draw = ImageDraw.Draw(image)
    for x, y in marks:
        draw.ellipse([(part - mark) * INCH for part in (x, y)] + [(part + mark) * INCH for part in (x, y)], fill=MARK)
    return image


def take_photograph(
    width: float, height: float, marks: Sequence[Point], corners: Sequence[Point] = CORNERS, smaller: int = 1
) -> Image.Image:
    """Photograph the table by homogeneous coordinates, independently of the bot's method.

    The picture is `smaller` times smaller than `SIZE`.
    """
    flat = draw_table(width, height, marks)
    scaled = [(x / smaller, y / smaller) for x, y in corners]
    onto_table = np.linalg.inv(_base_matrix(scaled) @ np.linalg.inv(_base_matrix(_image_corners(*flat.size))))
    return flat.transform(
        (SIZE[0] // smaller, SIZE[1] // smaller),
        Image.Transform.PERSPECTIVE,
        tuple((onto_table / onto_table[2, 2]).flatten()[:8]),
        Image.Resampling.BICUBIC,
        fillcolor=FLOOR,
    )


def _image_corners(wide: float, high: float) -> Sequence[Point]:
    return (0, 0), (wide, 0), (wide, high), (0, high)


def _base_matrix(ring: Sequence[Point]) -> np.ndarray:
    """Return the matrix that maps the plane's four base points to the corners of `ring`."""
    first = np.array([[x, y, 1.0] for x, y in ring[:3]]).T
    return first * np.linalg.solve(first, np.array([*ring[3], 1.0]))


def create_jpeg(image: Image.Image, **options: object) -> bytes:
    """Return the picture as a JPEG file."""
    return encode_image(image, "JPEG", **options)


def encode_image(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return the picture as a file of this kind."""
    out = BytesIO()
    image.save(out, kind, **options)  # type: ignore[arg-type]
    return out.getvalue()


def find_mark(image: Image.Image, near: Point, within: int) -> Point:
    """Return the centre of the mark near a point, in pixels."""
    left, top = (max(round(part) - within, 0) for part in near)
    part = np.asarray(image.crop((left, top, left + 2 * within, top + 2 * within)).convert("RGB")).astype(int)
    is_mark = (part[:, :, 0] > 150) & (part[:, :, 1] < 90)
    rows, columns = np.nonzero(is_mark)
    assert len(rows), f"no mark near {near}"
    return left + float(columns.mean()) + 0.5, top + float(rows.mean()) + 0.5
