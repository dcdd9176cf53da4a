"""Markers under which troops may lie, or nothing: a round counter in the side's colour with its letter and a “?”."""

from functools import lru_cache

from PIL import Image, ImageDraw

from .bases import EDGE
from .fonts import Face, font, width
from .palette import INK, WHITE, SideLook
from .pen import Pen, sprite

LARGER = 2.4
"""How many times as large as writing a marker is drawn at least."""
SIGN = "?"
ROOM = 0.78
"""The part of a marker's width that its writing takes."""
TALLEST = 0.66
"""The part of its height that its writing takes at most."""


@lru_cache(maxsize=256)
def marker_sprite(look: SideLook, letter: str, across: int) -> Image.Image:
    """A marker of so many pixels, never turned: that it has a front is nobody's business. Never draw on it."""

    def paint(pen: Pen) -> None:
        pen.disc((0, 0), across / 2, WHITE)
        pen.disc((0, 0), across / 2 - EDGE / 2, INK if look.solid else look.colour)
        pen.disc((0, 0), across / 2 - EDGE * 1.5, look.fill)

    image = sprite(across + 2, across + 2, paint)
    written = f"{letter}{SIGN}"
    size = round(across * TALLEST)
    while size > 1 and width(written, Face.BOLD, size) > across * ROOM:
        size -= 1
    middle = (image.width / 2, image.height / 2)
    ImageDraw.Draw(image).text(middle, written, font=font(Face.BOLD, size), fill=look.drawn, anchor="mm")
    return image
