"""Comparison of pictures; each is unpacked once."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from render import lettering, plates
from render.hexmap import counters, names, stacks


def open_picture(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@lru_cache(maxsize=32)
def read_pixels(png: bytes) -> Image.Image:
    return open_picture(png).convert("RGB")


def count_differing_pixels(first: bytes, second: bytes) -> int:
    """Count the differing pixels of two PNG files."""
    return count_unlike_pixels(read_pixels(first), read_pixels(second))


def count_unlike_pixels(first: Image.Image, second: Image.Image) -> int:
    """Count the differing pixels of two pictures."""
    assert first.size == second.size
    return sum(ImageChops.difference(first, second).convert("L").histogram()[1:])


@contextmanager
def record_texts() -> Iterator[list[tuple[str, int]]]:
    """Record texts drawn meanwhile, with their pixel sizes; caches of earlier drawings are not used."""
    texts: list[tuple[str, int]] = []
    plain = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, xy: Any, words: str, **options: Any) -> None:
        texts.append((words, options["font"].size))
        plain(self, xy, words, **options)

    for cache in (
        *(
            plates.plate_sprite,
            plates.place_name_sprite,
            plates.label_sprite,
            names.name_sprite,
            counters.counter_sprite,
        ),
        *(stacks.fan_count_sprite, lettering.text_mask, lettering.haloed_text),
    ):
        cache.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ImageDraw.ImageDraw, "text", text)
        yield texts
