"""Write text on pictures, from cached masks, because most words recur in every picture."""

import math
from functools import lru_cache

from PIL import Image, ImageDraw

from rules.core.scene import Point

from .fonts import Face, font
from .palette import RGB
from .stamp import Stamp


def write_text(
    image: Image.Image,
    at: Point,
    text: str,
    colour: RGB,
    face: Face,
    size: int,
    anchor: str = "la",
    *,
    rim: int = 0,
    rim_colour: RGB | None = None,
) -> None:
    """Write `text` at the whole pixel nearest to `at`; `anchor` is a code of Pillow.

    `rim_colour` adds a rim around the letters, `rim` pixels wide.
    """
    if rim and rim_colour is not None:
        _paste_mask(image, at, rim_colour, text_mask(text, face, size, anchor, rim))
    _paste_mask(image, at, colour, text_mask(text, face, size, anchor, 0))


def _paste_mask(image: Image.Image, at: Point, colour: RGB, mask: Stamp) -> None:
    if mask.image.width and mask.image.height:
        image.paste(colour, (round(at[0]) + mask.left, round(at[1]) + mask.top), mask.image)


@lru_cache(maxsize=1024)
def text_mask(text: str, face: Face, size: int, anchor: str, rim: int) -> Stamp:
    """Return the mask of a text and its rim. The mask is cached: never draw on it."""
    letters = font(face, size)
    left, top, right, bottom = letters.getbbox(text, anchor=anchor, stroke_width=rim)
    west, north = math.floor(left), math.floor(top)
    image = Image.new("L", (math.ceil(right) - west, math.ceil(bottom) - north))
    ImageDraw.Draw(image).text(
        (-west, -north), text, fill=255, font=letters, anchor=anchor, stroke_width=rim, stroke_fill=255
    )
    return Stamp(image, west, north)


@lru_cache(maxsize=2048)
def haloed_text(text: str, face: Face, size: int, colour: RGB, halo: RGB, rim: int) -> Stamp:
    """Return a text with a halo, anchored in its middle. The image is cached: never draw on it."""
    behind, letters = (text_mask(text, face, size, "mm", thickness) for thickness in (rim, 0))
    image = Image.new("RGBA", behind.image.size, halo)
    image.paste(colour, (letters.left - behind.left, letters.top - behind.top), letters.image)
    image.putalpha(behind.image)
    return Stamp(image, behind.left, behind.top)
