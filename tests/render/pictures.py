"""Pictures looked at: each is unpacked once, however often it is compared."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageChops


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@lru_cache(maxsize=32)
def pixels(png: bytes) -> Image.Image:
    return opened(png).convert("RGB")


def differing(one: bytes, other: bytes) -> int:
    """Pixels that are not the same."""
    first, second = pixels(one), pixels(other)
    assert first.size == second.size
    return sum(ImageChops.difference(first, second).convert("L").histogram()[1:])
