"""Pictures looked at: each is unpacked once, however often it is compared."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from render import lettering, plates
from render.hexmap import counters, names, note_canvas, stacks


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@lru_cache(maxsize=32)
def pixels(png: bytes) -> Image.Image:
    return opened(png).convert("RGB")


def differing(one: bytes, other: bytes) -> int:
    """Pixels that are not the same."""
    return unlike(pixels(one), pixels(other))


def unlike(first: Image.Image, second: Image.Image) -> int:
    """Pixels of two pictures that are not the same."""
    assert first.size == second.size
    return sum(ImageChops.difference(first, second).convert("L").histogram()[1:])


@contextmanager
def writing() -> Iterator[list[tuple[str, int]]]:
    """What is written on pictures within, each text with its pixels; nothing is taken from what was drawn before."""
    written: list[tuple[str, int]] = []
    plain = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, xy: Any, words: str, **how: Any) -> None:
        written.append((words, how["font"].size))
        plain(self, xy, words, **how)

    for kept in (
        *(plates.plate, plates.place_name, names.name_sprite, names.number_sprite, counters.counter_sprite),
        *(stacks.count_sprite, lettering.text_mask, note_canvas.label),
    ):
        kept.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ImageDraw.ImageDraw, "text", text)
        yield written
