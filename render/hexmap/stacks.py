"""Counters in their hexes: side by side where there is room to read them, fanned with a count where there is none."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from render.fonts import Face, font
from render.geometry import Box, View, around
from render.palette import INK, WHITE, SideLook
from render.pen import Pen, sprite
from rules.core.hexboard.hex_scene import Counter, HexStack

from .counters import counter_sprite
from .plane import centre
from .printing import Printing, printed, printing

ALONE, FANNED = 0.72, 0.66
"""Edge of a counter, of a hex: alone, and on top of a fan."""
READABLE = 30
"""Pixels of a counter from which it may stand beside others."""
OF_WORDS = 1.8
"""And of the smallest writing: then it has its factors."""
STEP, REACH = 0.075, 0.2
"""From one counter of a fan to the next, and how far a fan may reach."""
LOW, LOW_ROWS = 0.045, 0.06
"""How far counters are below the middle, for the hex's number; and rows of them."""
HALF, THIRD = 0.42, 0.3
"""Edge of a counter of which two, or three, stand side by side."""
COUNT, MOST_COUNT, LEAST_COUNT = 0.27, 0.42, 14
"""Size of a fan's count, of a hex: usual, and at most; and pixels. A larger one is left to the plates."""
OUT = 0.8
"""How much of it is out of the counter."""
DISC, DIGITS = 1.3, 0.66
"""A fan's count, of the smallest writing; and its figures, of its own size."""


class CounterPosition(NamedTuple):
    """Where a counter of a stack lies, off the hex's middle, and its edge. Hexes."""

    x: float
    y: float
    edge: float


def places(count: int, scale: float, least: int) -> tuple[CounterPosition, ...]:
    """The places of a stack's counters, the top one first: side by side, or a fan where `least` cannot be read so."""
    if count == 1:
        return (CounterPosition(0, LOW, ALONE),)
    spread = _spread(count)
    if spread and spread[0].edge * scale >= max(READABLE, least * OF_WORDS):
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


def is_fan(positions: Sequence[CounterPosition]) -> bool:
    """Whether only the first of the counters can be read."""
    return len(positions) > 1 and positions[0].edge == FANNED


def read(stack: HexStack, scale: float, least: int) -> Iterator[tuple[Counter, Printing]]:
    """The counters of a stack that can be read, each with what is written on it: of a fan the top one."""
    positions = places(len(stack.counters), scale, least)
    for counter, place in zip(stack.counters, positions[:1] if is_fan(positions) else positions, strict=False):
        yield counter, printing(printed(counter), round(place.edge * scale), least)


def covered(stack: HexStack, view: View, least: int) -> Box:
    """What the counters of a stack cover, with their count, in pixels."""
    x, y = centre(stack.hex)
    count = _count(stack, view, least)
    ends = [(count.left, count.top)] if count else []
    for place in places(len(stack.counters), view.scale, least):
        left, top = view.px((x + place.x, y + place.y))
        half = place.edge * view.scale / 2
        ends += [(left - half, top - half), (left + half, top + half)]
    return around(ends)


def draw_stack(image: Image.Image, stack: HexStack, view: View, looks: Mapping[str, SideLook], least: int) -> None:
    """A stack, its lowest counter first, nothing on it written smaller than `least`."""
    x, y = centre(stack.hex)
    positions = places(len(stack.counters), view.scale, least)
    fanned = is_fan(positions)
    for number in reversed(range(len(positions))):
        counter, place = stack.counters[number], positions[number]
        shown = printed(counter)
        if fanned and number:
            shown = shown._replace(markers=())
        drawn = counter_sprite(shown, looks[counter.side], round(place.edge * view.scale), least)
        left, top = view.px((x + place.x, y + place.y))
        image.paste(drawn, (round(left - drawn.width / 2), round(top - drawn.height / 2)), drawn)


def draw_count(image: Image.Image, stack: HexStack, view: View, least: int) -> None:
    """How many a fan has, beside its top counter."""
    box = _count(stack, view, least)
    if box is not None:
        size = round(box.width)
        disc = count_sprite(len(stack.counters), size, max(round(size * DIGITS), least))
        image.paste(disc, (round(box.left), round(box.top)), disc)


def _count(stack: HexStack, view: View, least: int) -> Box | None:
    """Where a fan's count is, between its neighbours; None where it could not be read, or all are seen."""
    positions = places(len(stack.counters), view.scale, least)
    size = max(round(COUNT * view.scale), round(least * DISC), LEAST_COUNT)
    if not is_fan(positions) or size > MOST_COUNT * view.scale:
        return None
    (x, y), top = centre(stack.hex), positions[0]
    left, middle = view.px((x + top.x - top.edge / 2, y + LOW))
    return Box(left - size * OUT, middle - size / 2, left + size * (1 - OUT), middle + size / 2)


@lru_cache(maxsize=64)
def count_sprite(count: int, size: int, letters: int) -> Image.Image:
    """A number in a disc. Kept: never draw on it."""

    def paint(pen: Pen) -> None:
        pen.disc((0, 0), size / 2 - 0.5, WHITE)
        pen.disc((0, 0), size / 2 - 1.7, INK)

    image = sprite(size, size, paint)
    ImageDraw.Draw(image).text((size / 2, size / 2), str(count), fill=WHITE, font=font(Face.BOLD, letters), anchor="mm")
    return image
