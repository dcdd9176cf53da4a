"""Draw numbered plates on a table; explanations beside the picture refer to the numbers."""

from collections.abc import Sequence

from PIL import Image

from rules.core.scene import Number

from .geometry import View
from .palette import AMBER, GREEN, INK, WHITE, mix
from .plates import label
from .stamp import box_about, paste_into

FIRST, OTHER = mix(GREEN, INK, 0.2), mix(AMBER, INK, 0.6)
LARGER = 1.25
"""Size of a number, in multiples of the text size."""


def draw_numbers(field: Image.Image, numbers: Sequence[Number], view: View, words: int) -> None:
    """Draw each visible number on a small plate; numbers marked `first` are highlighted and lie on top."""
    for number in sorted(numbers, key=lambda one: one.first):
        if not view.box.holds(number.at):
            continue
        fill, writing = (FIRST, WHITE) if number.first else (WHITE, OTHER)
        drawn = label(number.text, round(words * LARGER), fill, writing, writing, round_=True)
        paste_into(field, drawn, box_about(view.px(number.at), drawn, field))
