"""A photograph of the real table: read with care, laid flat, and put under the units in place of drawn ground."""

import math
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO

import numpy as np
from PIL import Image

from rules.core.scene import Point

from .geometry import Box

FORMATS = ("JPEG", "PNG", "WEBP")
"""Pillow's names of what is taken."""
MPO = "MPO"
"""That of the JPEG of many telephones, with a second picture that does not move."""
MOST_BYTES = 25_000_000
MOST_PIXELS, MOST_AT_ONCE = 60_000_000, 24_000_000
"""Of a JPEG of the usual kind, which is read piece by piece; of all others, which are unpacked at once."""
MOST_SCANS = 100
"""Of a progressive JPEG: each pass takes as long as all of another."""
MOST_SLIM = 6
"""How many times as long as wide a photograph may be, or as wide as long."""
SCAN, END = b"\xff\xda", b"\xff\xd9"
"""What a JPEG has before each pass, and at its end."""
LEAST_SIDE = 200
"""Pixels; with fewer, nobody finds a corner."""
KEPT_SIDE = 2400
"""Pixels of the longer side while the corners are looked for."""
LEAST_SHOWN, SHOWN_SIDE = 16, 1280
"""Pixels of the shorter and the longer side of a picture that is shown as it is."""
FLAT_SIDE = 1500
"""Pixels of the longer side once it lies flat: as many as a map has."""
MOST_KEPT = 300_000
"""Bytes of a photograph that lies under a table."""
PLAIN = frozenset({"jfif", "jfif_version", "jfif_unit", "jfif_density"})
"""What Pillow tells of a JPEG that has only its pixels."""
QUALITIES = (88, 80, 72, 64, 56, 48, 40)
SMALLER = 0.8
"""Of its size, where no quality makes it small enough."""
LEAST_PART = 0.02
"""Of the photograph that the table must take up."""

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
"""By the number that EXIF has for how the camera was held."""
OUTSIDE = 0.05
"""Of the photograph, by which a corner may lie outside of it."""
NO_PICTURE = "That file is no picture that can be read. Send it as JPEG, PNG or WebP."
MOVES = "That picture moves. Send one that stands still, as JPEG, PNG or WebP."
CORNERS = (
    "These are not the four corners of a table that the photograph shows. Name them in this order: top left, top "
    "right, bottom right, bottom left, as the map shows the table."
)


class Unfit(ValueError):
    """A picture, but not one that can lie under a table."""


def read(data: bytes, least: int = LEAST_SIDE) -> tuple[tuple[int, int], Image.Image]:
    """The photograph upright, in RGB, without its metadata, `KEPT_SIDE` pixels long at most; and its own size, upright.

    Raises Unfit with what is wrong, before anything large is unpacked.
    """
    if len(data) > MOST_BYTES:
        raise Unfit(f"That file has {len(data):,} bytes; {MOST_BYTES:,} is the most.")
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
            upright = _on_white(_upright(found))
            turned = (size[0] > size[1]) is not (upright.width > upright.height)
            return (size[::-1] if turned else size), upright
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unfit(TOO_LARGE.format(most=MOST_PIXELS)) from None
    except Unfit:
        raise
    except Exception as error:  # Pillow's readers raise whatever a broken file leads them to
        raise Unfit(NO_PICTURE) from error


def _require_size(found: Image.Image, least: int) -> None:
    wide, high = found.size
    if min(wide, high) < least:
        raise Unfit(f"That picture is {wide} by {high} pixels; it needs {least} each way at least.")
    usual = found.format in ("JPEG", MPO) and not found.info.get("progressive")
    if wide * high > (most := MOST_PIXELS if usual else MOST_AT_ONCE):
        raise Unfit(TOO_LARGE.format(most=most))
    if max(wide, high) > MOST_SLIM * min(wide, high):
        raise Unfit(TOO_SLIM)


def _upright(found: Image.Image) -> Image.Image:
    """The picture as it was seen, by what its file says of how the camera was held, if that can be read."""
    try:
        turned = UPRIGHT.get(found.getexif().get(ORIENTATION, 1))
    except Exception:  # whatever a broken file leads Pillow to: it is shown as it is
        turned = None
    return found if turned is None else found.transpose(turned)


def _on_white(image: Image.Image) -> Image.Image:
    """A new picture of the same pixels, which has nothing else of the file."""
    if image.mode.startswith("I"):  # 16 bits of grey
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if "A" in image.getbands() or "transparency" in image.info:
        plain = Image.new("RGBA", image.size, "white")
        plain.alpha_composite(image.convert("RGBA"))
        image = plain
    made = Image.new("RGB", image.size)
    made.paste(image.convert("RGB"))
    return made


def is_jpeg(data: bytes) -> bool:
    """Whether it begins as such a file does."""
    return data.startswith(b"\xff\xd8")


def require_flat(data: bytes) -> None:
    """Raises ValueError where it is not what `flattened` makes: a small JPEG that can be read, and nothing beside."""
    if len(data) > MOST_KEPT or not is_jpeg(data) or data.count(SCAN) != 1 or data.find(END) != len(data) - len(END):
        raise ValueError(f"it is no JPEG of at most {MOST_KEPT:,} bytes, or has more in it")
    try:
        with Image.open(BytesIO(data), formats=("JPEG",)) as found:
            if max(found.size) > FLAT_SIDE:
                raise ValueError(f"it is more than {FLAT_SIDE} pixels long")
            if found.getexif() or not {*found.info} <= PLAIN:
                raise ValueError("it has more in it than a picture")
            found.convert("RGB")
    except OSError as error:
        raise ValueError("it cannot be read") from error


def packed(image: Image.Image, quality: int = QUALITIES[0]) -> bytes:
    """The picture as a JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def flattened(image: Image.Image, corners: Sequence[Point], width: float, height: float) -> bytes:
    """The table seen from above, as a JPEG of at most `MOST_KEPT` bytes.

    `corners` are the table's in parts of the photograph (0-1): top left, top right, bottom right, bottom left as the
    map shows it; the table is `width` by `height` inches. Raises Unfit where they are not round the table.
    """
    _require_round(corners)
    scale = FLAT_SIDE / max(width, height)
    size = max(round(width * scale), 1), max(round(height * scale), 1)
    of_photograph = [(x * image.width, y * image.height) for x, y in corners]
    flat = image.transform(size, Image.Transform.PERSPECTIVE, _seen_from(size, of_photograph), Image.Resampling.BICUBIC)
    return _small(flat)


def illustration(data: bytes) -> bytes:
    """A picture to be shown as it is, as a JPEG of at most `MOST_KEPT` bytes. Raises Unfit with what is wrong."""
    _, image = read(data, LEAST_SHOWN)
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    return _small(image)


def _small(image: Image.Image) -> bytes:
    """The picture as a JPEG of at most `MOST_KEPT` bytes, as good as it can be."""
    while True:
        for quality in QUALITIES:
            if len(made := packed(image, quality)) <= MOST_KEPT:
                return made
        image = image.resize((round(image.width * SMALLER), round(image.height * SMALLER)))


def _require_round(corners: Sequence[Point]) -> None:
    """Raises Unfit where the corners do not go round a table clockwise, or it is hardly to be seen."""
    turns = []
    for number in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(number + step) % 4] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)) / 2
    is_outside = any(not -OUTSIDE <= part <= 1 + OUTSIDE for corner in corners for part in corner)
    if min(turns) <= 0 or area < LEAST_PART or is_outside:
        raise Unfit(CORNERS)


def _seen_from(size: tuple[int, int], corners: Sequence[Point]) -> tuple[float, ...]:
    """The eight numbers by which Pillow finds each pixel of the flat picture in the photograph.

    They solve x = (a X + b Y + c) / (g X + h Y + 1) and y = (d X + e Y + f) / (g X + h Y + 1) at the four corners.
    """
    wide, high = size
    rows, wanted = [], []
    for (left, top), (x, y) in zip(((0, 0), (wide, 0), (wide, high), (0, high)), corners, strict=True):
        rows += [[left, top, 1, 0, 0, 0, -x * left, -x * top], [0, 0, 0, left, top, 1, -y * left, -y * top]]
        wanted += [x, y]
    found = np.linalg.solve(np.array(rows, dtype=float), np.array(wanted, dtype=float))
    return tuple(float(number) for number in found)


def ground(jpeg: bytes, table: Box, shown: Box, scale: float) -> Image.Image:
    """The part of the flat photograph that lies under `shown` (inches), at `scale` pixels an inch."""
    whole = _unpacked(jpeg)
    across, down = whole.width / table.width, whole.height / table.height
    right, bottom = min(shown.right * across, whole.width), min(shown.bottom * down, whole.height)
    part = (max(shown.left * across, 0), max(shown.top * down, 0), right, bottom)  # `shown` is of whole pixels
    size = math.floor(shown.width * scale + 0.5), math.floor(shown.height * scale + 0.5)
    return whole.resize(size, Image.Resampling.BICUBIC, box=part)


@lru_cache(maxsize=4)
def _unpacked(jpeg: bytes) -> Image.Image:
    """Kept: never draw on it."""
    with Image.open(BytesIO(jpeg), formats=("JPEG",)) as found:
        return found.convert("RGB")
