"""Numbers on a table, of what is told beside the picture: the first stands out."""

from collections.abc import Sequence

from PIL import Image

from rules.core.scene import Number

from .geometry import View
from .hexmap.note_canvas import about, label
from .palette import AMBER, GREEN, INK, WHITE, mix

FIRST, OTHER = mix(GREEN, INK, 0.2), mix(AMBER, INK, 0.6)
LARGER = 1.25
"""How much larger a number is than other writing."""


def draw_numbers(field: Image.Image, numbers: Sequence[Number], view: View, words: int) -> None:
    """Each on a small plate where it belongs, the first over all others; those out of sight are left out."""
    for number in sorted(numbers, key=lambda one: one.first):
        if not view.box.holds(number.at):
            continue
        fill, writing = (FIRST, WHITE) if number.first else (WHITE, OTHER)
        drawn = label(number.text, round(words * LARGER), fill, writing, writing, round_=True)
        box = about(view.px(number.at), drawn, field)
        field.paste(drawn, (int(box.left), int(box.top)), drawn)
