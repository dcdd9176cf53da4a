"""Draw markers of hidden troops, dummies included: round counters in the side's colour, with a letter and a “?”."""

from functools import lru_cache

from PIL import Image, ImageDraw

from .bases import EDGE
from .fonts import Face, font, width
from .palette import INK, WHITE, SideLook
from .pen import Pen, sprite

LARGER = 2.4
"""Minimum size of a marker, in multiples of the text size."""
SIGN = "?"
ROOM = 0.78
"""Maximum width of the text, as a fraction of the marker's size."""
TALLEST = 0.66
"""Maximum height of the text, as a fraction of the marker's size."""


@lru_cache(maxsize=256)
def marker_sprite(look: SideLook, letter: str, across: int) -> Image.Image:
    """Return a marker `across` pixels wide, always upright to hide the troops' facing. Cached: never draw on it."""

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
