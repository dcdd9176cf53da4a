"""Counters in their hexes: side by side where there is room to read them, fanned with a count where there is none."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from render.fonts import Face, font
from render.geometry import View
from render.palette import INK, WHITE, SideLook
from render.pen import Pen, sprite
from rules.core.hexboard.hex_scene import HexStack

from .counters import counter_sprite, printed
from .plane import centre

ALONE, FANNED = 0.72, 0.66
"""Edge of a counter, of a hex: alone, and on top of a fan."""
READABLE = 30
"""Pixels of a counter from which it may stand beside others."""
STEP, REACH = 0.075, 0.2
"""From one counter of a fan to the next, and how far a fan may reach."""
LOW, LOW_ROWS = 0.045, 0.06
"""How far counters are below the middle, for the hex's number; and rows of them."""
HALF, THIRD = 0.42, 0.3
"""Edge of a counter of which two, or three, stand side by side."""
COUNT = 0.27
"""Size of a fan's count, of a hex."""


class CounterPosition(NamedTuple):
    """Where a counter of a stack lies, off the hex's middle, and its edge. Hexes."""

    x: float
    y: float
    edge: float


def places(count: int, scale: float) -> tuple[CounterPosition, ...]:
    """The places of a stack's counters, the top one first; fewer than `count` where the rest are only counted."""
    if count == 1:
        return (CounterPosition(0, LOW, ALONE),)
    spread = _spread(count)
    if spread and spread[0].edge * scale >= READABLE:
        return spread
    step = min(STEP, REACH / (count - 1))
    low = -step * (count - 1) / 2
    return tuple(CounterPosition(low + step * number, LOW - low - step * number, FANNED) for number in range(count))


def _spread(count: int) -> tuple[CounterPosition, ...]:
    """Side by side in two or three rows; nothing where there are too many for that."""
    rows = SPREAD.get(count)
    if rows is None:
        return ()
    edge = HALF if max(rows) <= 2 else THIRD
    pitch = edge + 0.015
    found = []
    for row, across in enumerate(rows):
        y = LOW_ROWS + (row - (len(rows) - 1) / 2) * pitch
        found += [CounterPosition((column - (across - 1) / 2) * pitch, y, edge) for column in range(across)]
    return tuple(found)


SPREAD: Mapping[int, tuple[int, ...]] = {
    2: (2,),
    3: (2, 1),
    4: (2, 2),
    5: (3, 2),
    6: (3, 3),
    7: (2, 3, 2),
    8: (3, 2, 3),
    9: (3, 3, 3),
}


def draw_stack(image: Image.Image, stack: HexStack, view: View, looks: Mapping[str, SideLook]) -> None:
    """A stack, its lowest counter first; a fan has its count."""
    x, y = centre(stack.hex)
    positions = places(len(stack.counters), view.scale)
    fanned = len(positions) > 1 and positions[0].edge == FANNED
    for number in reversed(range(len(positions))):
        counter, place = stack.counters[number], positions[number]
        shown = printed(counter)
        if fanned and number:
            shown = shown._replace(markers=())
        drawn = counter_sprite(shown, looks[counter.side], round(place.edge * view.scale))
        left, top = view.px((x + place.x, y + place.y))
        image.paste(drawn, (round(left - drawn.width / 2), round(top - drawn.height / 2)), drawn)
    if fanned:
        size = max(round(COUNT * view.scale), 14)
        disc = count_sprite(len(positions), size)
        left, top = view.px((x + positions[0].x - FANNED / 2, y + positions[0].y))
        image.paste(disc, (round(left - size * 0.6), round(top - size * 0.75)), disc)


@lru_cache(maxsize=64)
def count_sprite(count: int, size: int) -> Image.Image:
    """A number in a disc. Kept: never draw on it."""

    def paint(pen: Pen) -> None:
        pen.disc((0, 0), size / 2 - 0.5, WHITE)
        pen.disc((0, 0), size / 2 - 1.7, INK)

    image = sprite(size, size, paint)
    face = font(Face.BOLD, round(size * 0.66))
    ImageDraw.Draw(image).text((size / 2, size / 2), str(count), fill=WHITE, font=face, anchor="mm")
    return image
