"""Read photographs safely, and use rectified ones as ground under the units."""

import math
from functools import lru_cache
from io import BytesIO

import numpy as np
from PIL import Image

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
TOO_LARGE = "That picture has more than {most:,} pixels. Send a smaller one, or a JPEG that is not progressive."
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
NO_PICTURE = "That file is no picture that can be read. Send it as JPEG, PNG or WebP."


class UnfitPicture(ValueError):
    """The picture cannot be used as ground or illustration. The message tells the user why."""


def read_photograph(data: bytes, least: int = LEAST_SIDE) -> tuple[tuple[int, int], Image.Image]:
    """Return a photograph's full size, and a reduced, upright RGB picture of it without metadata.

    Raises UnfitPicture, before decoding if possible, for a broken or huge picture, or a side shorter than `least`
    pixels.
    """
    if len(data) > MOST_BYTES:
        raise UnfitPicture(f"That file has {len(data):,} bytes; the limit is {MOST_BYTES:,}.")
    if is_jpeg(data) and data.count(SCAN) > MOST_SCANS:
        raise UnfitPicture(NO_PICTURE)
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            _require_size(image, least)
            if image.format != MPO and getattr(image, "is_animated", False):
                raise UnfitPicture("That picture moves. Send one that stands still, as JPEG, PNG or WebP.")
            size = image.size
            image.draft("RGB", (KEPT_SIDE, KEPT_SIDE))
            image.thumbnail((KEPT_SIDE, KEPT_SIDE))
            upright = _copy_onto_white(_turn_upright(image))
            turned = (size[0] > size[1]) is not (upright.width > upright.height)
            return (size[::-1] if turned else size), upright
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise UnfitPicture(TOO_LARGE.format(most=MOST_PIXELS)) from None
    except UnfitPicture:
        raise
    except Exception as error:  # Pillow's readers raise any exception on a broken file
        raise UnfitPicture(NO_PICTURE) from error


def _require_size(image: Image.Image, least: int) -> None:
    """Raise UnfitPicture if the picture is too small, too large or too slim."""
    wide, high = image.size
    if min(wide, high) < least:
        raise UnfitPicture(f"That picture is {wide} by {high} pixels; it needs {least} each way at least.")
    usual = image.format in ("JPEG", MPO) and not image.info.get("progressive")
    if wide * high > (most := MOST_PIXELS if usual else MOST_AT_ONCE):
        raise UnfitPicture(TOO_LARGE.format(most=most))
    if max(wide, high) > MOST_SLIM * min(wide, high):
        raise UnfitPicture(f"That picture is more than {MOST_SLIM} times as long as wide. Send a part of it.")


def _turn_upright(image: Image.Image) -> Image.Image:
    """Return the picture turned upright by its EXIF orientation, if that can be read."""
    try:
        turned = UPRIGHT.get(image.getexif().get(ORIENTATION, 1))
    except Exception:  # a broken file may raise any exception; the picture stays as stored
        turned = None
    return image if turned is None else image.transpose(turned)


def _copy_onto_white(image: Image.Image) -> Image.Image:
    """Return the pixels on a white RGB picture, without any metadata."""
    if image.mode.startswith("I"):  # 16-bit greyscale
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if "A" in image.getbands() or "transparency" in image.info:
        plain = Image.new("RGBA", image.size, "white")
        plain.alpha_composite(image.convert("RGBA"))
        image = plain
    picture = Image.new("RGB", image.size)
    picture.paste(image.convert("RGB"))
    return picture


def is_jpeg(data: bytes) -> bool:
    """Whether `data` starts with the JPEG signature."""
    return data.startswith(b"\xff\xd8")


def require_rectified_jpeg(data: bytes) -> None:
    """Raise ValueError unless `data` is a small JPEG without metadata, as the module `rectification` makes."""
    if len(data) > MOST_KEPT or not is_jpeg(data) or data.count(SCAN) != 1 or data.find(END) != len(data) - len(END):
        raise ValueError(f"it is no JPEG of at most {MOST_KEPT:,} bytes, or has more in it")
    try:
        with Image.open(BytesIO(data), formats=("JPEG",)) as image:
            if max(image.size) > FLAT_SIDE:
                raise ValueError(f"it is more than {FLAT_SIDE} pixels long")
            if image.getexif() or not {*image.info} <= PLAIN_INFO:
                raise ValueError("it has more in it than a picture")
            image.convert("RGB")
    except OSError as error:
        raise ValueError("it cannot be read") from error


def encode_jpeg(image: Image.Image, quality: int = QUALITIES[0]) -> bytes:
    """Return the picture as a JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def convert_illustration(data: bytes) -> bytes:
    """Return an uploaded illustration as a small JPEG. Raises UnfitPicture with the reason."""
    _, image = read_photograph(data, LEAST_SHOWN)
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    return encode_within_limit(image)


def encode_within_limit(image: Image.Image) -> bytes:
    """Return the picture as a JPEG of at most `MOST_KEPT` bytes, in the best quality that fits."""
    while True:
        for quality in QUALITIES:
            if len(jpeg := encode_jpeg(image, quality)) <= MOST_KEPT:
                return jpeg
        image = image.resize((round(image.width * SMALLER), round(image.height * SMALLER)))


def cut_photograph(jpeg: bytes, table: Box, area: Box, scale: float) -> Image.Image:
    """Return the part `area` of a rectified photograph of a whole map, at `scale` pixels per unit."""
    picture = _decode_jpeg(jpeg)
    across, down = picture.width / table.width, picture.height / table.height
    left, top, right, bottom = (
        (edge - start) * scaled
        for edge, start, scaled in zip(area, (table.left, table.top) * 2, (across, down) * 2, strict=True)
    )
    # `area` is aligned to whole pixels, so it may reach a little over the edge
    part = (max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height))
    size = math.floor(area.width * scale + 0.5), math.floor(area.height * scale + 0.5)
    return picture.resize(size, Image.Resampling.BICUBIC, box=part)


@lru_cache(maxsize=4)
def _decode_jpeg(jpeg: bytes) -> Image.Image:
    """Return the decoded JPEG. The image is cached: never draw on it."""
    with Image.open(BytesIO(jpeg), formats=("JPEG",)) as image:
        return image.convert("RGB")
