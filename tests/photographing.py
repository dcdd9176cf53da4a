"""A camera: a table with marks, seen slantwise, as a photograph of which every point is known."""

from collections.abc import Sequence
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw

from rules.core.scene import Point

INCH = 20
"""Pixels of the table that is photographed."""
CLOTH, FLOOR, MARK = (120, 150, 90), (90, 70, 60), (200, 20, 20)
SIZE = 3200, 2200
CORNERS: tuple[Point, ...] = ((620, 500), (2500, 420), (2950, 1900), (150, 1750))
"""Where the table's corners are in the photograph, in pixels: top left, top right, bottom right, bottom left."""


def table(width: float, height: float, marks: Sequence[Point], mark: float = 0.6) -> Image.Image:
    """The table from above, with a round mark of so many inches at each of these places."""
    image = Image.new("RGB", (round(width * INCH), round(height * INCH)), CLOTH)
    draw = ImageDraw.Draw(image)
    for x, y in marks:
        draw.ellipse([(part - mark) * INCH for part in (x, y)] + [(part + mark) * INCH for part in (x, y)], fill=MARK)
    return image


def photograph(
    width: float, height: float, marks: Sequence[Point], corners: Sequence[Point] = CORNERS, smaller: int = 1
) -> Image.Image:
    """The table as the camera sees it, worked out by homogeneous coordinates: another way than the bot's.

    The picture is `smaller` times smaller than `SIZE`.
    """
    flat = table(width, height, marks)
    seen = [(x / smaller, y / smaller) for x, y in corners]
    onto_table = np.linalg.inv(_onto(seen) @ np.linalg.inv(_onto(_ring(*flat.size))))
    return flat.transform(
        (SIZE[0] // smaller, SIZE[1] // smaller),
        Image.Transform.PERSPECTIVE,
        tuple((onto_table / onto_table[2, 2]).flatten()[:8]),
        Image.Resampling.BICUBIC,
        fillcolor=FLOOR,
    )


def _ring(wide: float, high: float) -> Sequence[Point]:
    return (0, 0), (wide, 0), (wide, high), (0, high)


def _onto(ring: Sequence[Point]) -> np.ndarray:
    """The matrix that takes the four base points of the plane to these."""
    first = np.array([[x, y, 1.0] for x, y in ring[:3]]).T
    return first * np.linalg.solve(first, np.array([*ring[3], 1.0]))


def jpeg(image: Image.Image, **how: object) -> bytes:
    """The picture as a file."""
    return written(image, "JPEG", **how)


def written(image: Image.Image, kind: str, **how: object) -> bytes:
    """The picture as a file of that kind."""
    out = BytesIO()
    image.save(out, kind, **how)  # type: ignore[arg-type]
    return out.getvalue()


def found(image: Image.Image, near: Point, within: int) -> Point:
    """The middle of the mark that lies near there, in pixels."""
    left, top = (max(round(part) - within, 0) for part in near)
    part = np.asarray(image.crop((left, top, left + 2 * within, top + 2 * within)).convert("RGB")).astype(int)
    is_mark = (part[:, :, 0] > 150) & (part[:, :, 1] < 90)
    rows, columns = np.nonzero(is_mark)
    assert len(rows), f"no mark near {near}"
    return left + float(columns.mean()) + 0.5, top + float(rows.mean()) + 0.5
