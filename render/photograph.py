"""Read a photograph of the table safely, rectify its perspective, and use the result as ground under the units."""

import math
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import combinations

import numpy as np
import shapely
from PIL import Image

from rules.core.scene import Point

from .geometry import Box

FORMATS = ("JPEG", "PNG", "WEBP")
"""Accepted file formats, named as in Pillow."""
MPO = "MPO"
"""Pillow's name for a JPEG that contains a second still picture, as many phones make."""
MOST_BYTES = 25_000_000
MOST_PIXELS, MOST_AT_ONCE = 60_000_000, 24_000_000
"""Maximum pixels: of a baseline JPEG (decoded in pieces), and of any other picture (decoded at once)."""
MOST_SCANS = 100
"""Maximum scans of a progressive JPEG; each scan takes as long as decoding a whole picture."""
MOST_SLIM = 6
"""Maximum ratio of a photograph's sides."""
SCAN, END = b"\xff\xda", b"\xff\xd9"
"""JPEG markers: start of a scan, and end of the image."""
LEAST_SIDE = 200
"""Minimum pixels per side; corners are hard to find in a smaller picture."""
KEPT_SIDE = 2400
"""Maximum pixels of the longer side of the picture on which the user names the corners."""
LEAST_SHOWN, SHOWN_SIDE = 16, 1280
"""Pixels of an illustration: minimum of the shorter side, maximum of the longer side."""
FLAT_SIDE = 1500
"""Pixels of a rectified photograph's longer side, about the size of a map."""
MOST_KEPT = 300_000
"""Maximum bytes of a photograph used as ground."""
PLAIN_INFO = frozenset({"jfif", "jfif_version", "jfif_unit", "jfif_density"})
"""Keys in Pillow's `info` of a JPEG without metadata."""
QUALITIES = (88, 80, 72, 64, 56, 48, 40)
"""JPEG qualities to try, best first."""
SMALLER = 0.8
"""Factor that reduces the picture when the lowest JPEG quality is still too large."""
LEAST_PART = 0.02
"""Minimum share of the photograph that the table must cover."""

TOO_LARGE = "That picture has more than {most:,} pixels. Send a smaller one, or a JPEG that is not progressive."
TOO_SLIM = f"That picture is more than {MOST_SLIM} times as long as wide. Send a part of it."
ORIENTATION = 0x0112
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transposition that turns a picture upright, by EXIF orientation value."""
OUTSIDE = 0.05
"""Maximum distance of a corner outside the photograph, as a fraction of the photograph."""
NO_PICTURE = "That file is no picture that can be read. Send it as JPEG, PNG or WebP."
MOVES = "That picture moves. Send one that stands still, as JPEG, PNG or WebP."
CORNERS = (
    "These are not the four corners of a table that the photograph shows. Name them in this order: top left, top "
    "right, bottom right, bottom left, as the map shows the table."
)

LEAST_SLIMNESS = 0.08
"""Minimum height of the triangle of three named hexes, as a share of its longest side."""
LEAST_TRIANGLE = 0.005
"""Minimum share of the picture that lies between the places of three hexes."""
LEAST_COVERED = 0.25
"""Minimum share of a map of hexes that a picture must cover."""
BLANK = (236, 228, 208)
"""Colour of hexes outside the picture of a map."""
HEXES_ON_LINE = "Those three hexes lie on one line. Name three that lie far apart, as the corners of a triangle."
PLACES_ON_LINE = "Those three places in the picture lie on one line. Name three that lie far apart in it."
PLACES_NEAR = "Those three places lie close together. Name three hexes that lie far apart in the picture."
OUTSIDE_PICTURE = "One of those places lies outside the picture."
MIRRORED = "So the picture would be mirrored: two of the three hexes are exchanged. Name each with its own place."
BESIDE_MAP = "So the picture would cover only {part}% of the map: one of the three hexes is named at a wrong place."


class Unfit(ValueError):
    """A picture that cannot be used as ground or illustration; the message explains the reason to the user."""


def read(data: bytes, least: int = LEAST_SIDE) -> tuple[tuple[int, int], Image.Image]:
    """Return a photograph's full size, and its upright RGB picture without metadata, reduced to `KEPT_SIDE`.

    Raises:
        Unfit: If the picture cannot be used; the message says why. Sizes are checked before decoding.
    """
    if len(data) > MOST_BYTES:
        raise Unfit(f"That file has {len(data):,} bytes; the limit is {MOST_BYTES:,}.")
    if is_jpeg(data) and data.count(SCAN) > MOST_SCANS:
        raise Unfit(NO_PICTURE)
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as found:
            _require_size(found, least)
            if found.format != MPO and getattr(found, "is_animated", False):
                raise Unfit(MOVES)
            size = found.size
            found.draft("RGB", (KEPT_SIDE, KEPT_SIDE))
            found.thumbnail((KEPT_SIDE, KEPT_SIDE))
            upright = _copy_onto_white(_turn_upright(found))
            turned = (size[0] > size[1]) is not (upright.width > upright.height)
            return (size[::-1] if turned else size), upright
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unfit(TOO_LARGE.format(most=MOST_PIXELS)) from None
    except Unfit:
        raise
    except Exception as error:  # Pillow's readers raise any exception on a broken file
        raise Unfit(NO_PICTURE) from error


def _require_size(found: Image.Image, least: int) -> None:
    """Raise Unfit if a side is shorter than `least` pixels, or the picture is too large or too slim."""
    wide, high = found.size
    if min(wide, high) < least:
        raise Unfit(f"That picture is {wide} by {high} pixels; it needs {least} each way at least.")
    usual = found.format in ("JPEG", MPO) and not found.info.get("progressive")
    if wide * high > (most := MOST_PIXELS if usual else MOST_AT_ONCE):
        raise Unfit(TOO_LARGE.format(most=most))
    if max(wide, high) > MOST_SLIM * min(wide, high):
        raise Unfit(TOO_SLIM)


def _turn_upright(found: Image.Image) -> Image.Image:
    """Return the picture turned upright by its EXIF orientation; unchanged if the orientation is unreadable."""
    try:
        turned = UPRIGHT.get(found.getexif().get(ORIENTATION, 1))
    except Exception:  # a broken file may raise any exception; the picture stays as stored
        turned = None
    return found if turned is None else found.transpose(turned)


def _copy_onto_white(image: Image.Image) -> Image.Image:
    """Return the pixels on a white RGB picture, without any metadata."""
    if image.mode.startswith("I"):  # 16-bit greyscale
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if "A" in image.getbands() or "transparency" in image.info:
        plain = Image.new("RGBA", image.size, "white")
        plain.alpha_composite(image.convert("RGBA"))
        image = plain
    made = Image.new("RGB", image.size)
    made.paste(image.convert("RGB"))
    return made


def is_jpeg(data: bytes) -> bool:
    """Whether `data` starts with the JPEG signature."""
    return data.startswith(b"\xff\xd8")


def require_flat(data: bytes) -> None:
    """Raise ValueError unless `data` is a small JPEG without metadata, as made by `rectify`."""
    if len(data) > MOST_KEPT or not is_jpeg(data) or data.count(SCAN) != 1 or data.find(END) != len(data) - len(END):
        raise ValueError(f"it is no JPEG of at most {MOST_KEPT:,} bytes, or has more in it")
    try:
        with Image.open(BytesIO(data), formats=("JPEG",)) as found:
            if max(found.size) > FLAT_SIDE:
                raise ValueError(f"it is more than {FLAT_SIDE} pixels long")
            if found.getexif() or not {*found.info} <= PLAIN_INFO:
                raise ValueError("it has more in it than a picture")
            found.convert("RGB")
    except OSError as error:
        raise ValueError("it cannot be read") from error


def encode_jpeg(image: Image.Image, quality: int = QUALITIES[0]) -> bytes:
    """Return the picture as a JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def rectify(image: Image.Image, corners: Sequence[Point], width: float, height: float) -> bytes:
    """Return the photographed table as seen from above, as a JPEG of at most `MOST_KEPT` bytes.

    `corners` are the table's corners in fractions of the photograph (0-1): top left, top right, bottom right, bottom
    left on the map. The table is `width` by `height` inches. Raises Unfit if the corners do not surround the table.
    """
    _require_table_corners(corners)
    scale = FLAT_SIDE / max(width, height)
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    of_photograph = [(x * image.width, y * image.height) for x, y in corners]
    flat = image.transform(
        size, Image.Transform.PERSPECTIVE, _perspective_coefficients(size, of_photograph), Image.Resampling.BICUBIC
    )
    return _encode_small(flat)


def lay_on_map(image: Image.Image, on_map: Sequence[Point], corners: Sequence[Point], whole: Box) -> bytes:
    """Return the picture of a map as it lies on the plane of a map of hexes, as a JPEG of at most `MOST_KEPT` bytes.

    `on_map` are three points of the plane, and `corners` the same points in fractions of the picture (0-1). The result
    shows the box `whole` of the plane; where the picture does not reach, it is blank. Raises Unfit with the reason.
    """
    _require_triangle(on_map, corners, image.size)
    scale = FLAT_SIDE / max(whole.width, whole.height)
    size = max(round(whole.width * scale), 1), max(round(whole.height * scale), 1)
    rows = np.array([[(x - whole.left) * scale, (y - whole.top) * scale, 1.0] for x, y in on_map])
    wanted = np.array([[x * image.width, y * image.height] for x, y in corners])
    across, down = np.linalg.solve(rows, wanted).T
    found = tuple(float(part) for part in (*across, *down))
    edges = [[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]]
    lies = [(found[0] * x + found[1] * y + found[2], found[3] * x + found[4] * y + found[5]) for x, y in edges]
    covered = shapely.Polygon(lies).intersection(shapely.box(0, 0, *image.size)).area / shapely.Polygon(lies).area
    if covered < LEAST_COVERED:
        raise Unfit(BESIDE_MAP.format(part=round(100 * covered)))
    flat = image.transform(size, Image.Transform.AFFINE, found, Image.Resampling.BICUBIC, fillcolor=BLANK)
    return _encode_small(flat)


def _require_triangle(on_map: Sequence[Point], corners: Sequence[Point], size: tuple[int, int]) -> None:
    """Raise Unfit if three hexes, or their places in a picture of that size, lie on one line or are mirrored."""
    if _slimness(on_map) < LEAST_SLIMNESS:
        raise Unfit(HEXES_ON_LINE)
    in_pixels = [(x * size[0], y * size[1]) for x, y in corners]
    if _slimness(in_pixels) < LEAST_SLIMNESS:
        raise Unfit(PLACES_ON_LINE)
    if any(not -OUTSIDE <= part <= 1 + OUTSIDE for corner in corners for part in corner):
        raise Unfit(OUTSIDE_PICTURE)
    if abs(_turn(corners)) / 2 < LEAST_TRIANGLE:
        raise Unfit(PLACES_NEAR)
    if _turn(on_map) * _turn(in_pixels) < 0:
        raise Unfit(MIRRORED)


def _turn(corners: Sequence[Point]) -> float:
    """Return twice the area of a triangle; negative if its corners run counterclockwise."""
    (ax, ay), (bx, by), (cx, cy) = corners
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def _slimness(corners: Sequence[Point]) -> float:
    """Return the height of a triangle over its longest side, as a share of that side; 0 for a line."""
    longest = max(math.dist(one, other) for one, other in combinations(corners, 2))
    return abs(_turn(corners)) / longest**2 if longest else 0.0


def convert_illustration(data: bytes) -> bytes:
    """Return an uploaded illustration as a JPEG of at most `MOST_KEPT` bytes. Raises Unfit with the reason."""
    _, image = read(data, LEAST_SHOWN)
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    return _encode_small(image)


def _encode_small(image: Image.Image) -> bytes:
    """Return the picture as a JPEG of at most `MOST_KEPT` bytes, in the best quality that fits."""
    while True:
        for quality in QUALITIES:
            if len(made := encode_jpeg(image, quality)) <= MOST_KEPT:
                return made
        image = image.resize((round(image.width * SMALLER), round(image.height * SMALLER)))


def _require_table_corners(corners: Sequence[Point]) -> None:
    """Raise Unfit if the four corners are not clockwise, lie outside the photograph, or span a tiny area."""
    turns = []
    for number in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(number + step) % 4] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)) / 2
    is_outside = any(not -OUTSIDE <= part <= 1 + OUTSIDE for corner in corners for part in corner)
    if min(turns) <= 0 or area < LEAST_PART or is_outside:
        raise Unfit(CORNERS)


def _perspective_coefficients(size: tuple[int, int], corners: Sequence[Point]) -> tuple[float, ...]:
    """Return Pillow's eight perspective coefficients, which map pixels of the flat picture to the photograph.

    The coefficients solve x = (a X + b Y + c) / (g X + h Y + 1) and y = (d X + e Y + f) / (g X + h Y + 1) at the
    corners.
    """
    wide, high = size
    rows, wanted = [], []
    for (left, top), (x, y) in zip(((0, 0), (wide, 0), (wide, high), (0, high)), corners, strict=True):
        rows += [[left, top, 1, 0, 0, 0, -x * left, -x * top], [0, 0, 0, left, top, 1, -y * left, -y * top]]
        wanted += [x, y]
    found = np.linalg.solve(np.array(rows, dtype=float), np.array(wanted, dtype=float))
    return tuple(float(number) for number in found)


def ground(jpeg: bytes, table: Box, shown: Box, scale: float) -> Image.Image:
    """Return the part `shown` of a rectified photograph of `table`, at `scale` pixels per inch or hex."""
    whole = _decode_jpeg(jpeg)
    across, down = whole.width / table.width, whole.height / table.height
    left, top, right, bottom = (
        (edge - start) * scaled
        for edge, start, scaled in zip(shown, (table.left, table.top) * 2, (across, down) * 2, strict=True)
    )
    # `shown` is aligned to whole pixels, so it may reach a little over the edge
    part = (max(left, 0), max(top, 0), min(right, whole.width), min(bottom, whole.height))
    size = math.floor(shown.width * scale + 0.5), math.floor(shown.height * scale + 0.5)
    return whole.resize(size, Image.Resampling.BICUBIC, box=part)


@lru_cache(maxsize=4)
def _decode_jpeg(jpeg: bytes) -> Image.Image:
    """Return the decoded JPEG. The image is cached: never draw on it."""
    with Image.open(BytesIO(jpeg), formats=("JPEG",)) as found:
        return found.convert("RGB")
