"""Draw stacks of counters side by side or, if too small, in a fan with a number."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from render.fonts import Face, font
from render.geometry import Box, View, bounding_box
from render.palette import INK, WHITE
from render.pen import Pen, sprite
from render.stamp import paste_centred
from rules.core.hexboard.hex_scene import Counter, HexStack

from .counter_layout import CounterLayout, lay_out_counter, visible_face
from .counters import counter_sprite
from .map_canvas import MapCanvas
from .plane import hex_centre

ALONE, FANNED = 0.72, 0.66
"""Edge of a counter, in hexes: of a single counter, and in a fan."""
READABLE = 30
"""Minimum size in pixels of counters drawn side by side."""
OF_WORDS = 1.8
"""Minimum size of counters drawn side by side, in multiples of the minimum text size, so that factors fit."""
STEP, REACH = 0.075, 0.2
"""Offset between counters of a fan, and maximum total offset, in hexes."""
LOW, LOW_ROWS = 0.045, 0.06
"""Distance in hexes below the hex's centre of a single counter, and of rows, to leave space for the hex's number."""
HALF, THIRD = 0.42, 0.3
"""Edge of a counter in hexes, in rows of two, and in rows of three."""
COUNT, MOST_COUNT, LEAST_COUNT = 0.27, 0.42, 14
"""Usual and maximum size of a fan's count in hexes, and minimum in pixels. A count above the maximum is omitted."""
OUT = 0.8
"""Share of the count's width that lies outside the counter."""
DISC, DIGITS = 1.3, 0.66
"""Size of a count's disc in multiples of the text size, and of its digits as a fraction of the disc."""


class CounterPosition(NamedTuple):
    """A counter's offset from the hex's centre and the length of its edge, in hexes."""

    x: float
    y: float
    edge: float


def counter_positions(count: int, scale: float, least: int) -> tuple[CounterPosition, ...]:
    """Return the positions of `count` counters in a hex, top counter first.

    They stand in rows if text of `least` pixels fits on them, otherwise in a fan.
    """
    if count == 1:
        return (CounterPosition(0, LOW, ALONE),)
    side_by_side = _positions_in_rows(count)
    if side_by_side and side_by_side[0].edge * scale >= max(READABLE, least * OF_WORDS):
        return side_by_side
    step = min(STEP, REACH / (count - 1))
    low = -step * (count - 1) / 2
    return tuple(CounterPosition(low + step * number, LOW - low - step * number, FANNED) for number in range(count))


def _positions_in_rows(count: int) -> tuple[CounterPosition, ...]:
    """Return the positions of `count` counters in one to three rows; empty for too many counters."""
    rows = SPREAD.get(count)
    if rows is None:
        return ()
    edge = HALF if max(rows) <= 2 else THIRD
    pitch = edge + 0.015
    positions = []
    for row, across in enumerate(rows):
        y = LOW_ROWS + (row - (len(rows) - 1) / 2) * pitch
        positions += [CounterPosition((column - (across - 1) / 2) * pitch, y, edge) for column in range(across)]
    return tuple(positions)


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
    """Whether the positions form a fan of overlapping counters."""
    return len(positions) > 1 and positions[0].edge == FANNED


def legible_counters(stack: HexStack, scale: float, least: int) -> Iterator[tuple[Counter, CounterLayout]]:
    """Yield each legible counter of a stack with its layout: in a fan, only the top counter."""
    positions = counter_positions(len(stack.counters), scale, least)
    for counter, place in zip(stack.counters, positions[:1] if is_fan(positions) else positions, strict=False):
        yield counter, lay_out_counter(visible_face(counter), round(place.edge * scale), least)


def stack_box(stack: HexStack, view: View, least: int) -> Box:
    """Return the box of a stack's counters and of its number, in pixels."""
    x, y = hex_centre(stack.hex)
    count = _fan_count_box(stack, view, least)
    ends = [(count.left, count.top)] if count else []
    for place in counter_positions(len(stack.counters), view.scale, least):
        left, top = view.pixel((x + place.x, y + place.y))
        half = place.edge * view.scale / 2
        ends += [(left - half, top - half), (left + half, top + half)]
    return bounding_box(ends)


def draw_stack(canvas: MapCanvas, stack: HexStack) -> None:
    """Draw a stack, lowest counter first."""
    (x, y), scale = hex_centre(stack.hex), canvas.view.scale
    positions = counter_positions(len(stack.counters), scale, canvas.text_size)
    fanned = is_fan(positions)
    for number in reversed(range(len(positions))):
        counter, place = stack.counters[number], positions[number]
        face = visible_face(counter)
        if fanned and number:
            face = face._replace(markers=())
        image = counter_sprite(face, canvas.sides[counter.side], round(place.edge * scale), canvas.text_size)
        paste_centred(canvas.image, image, canvas.view.pixel((x + place.x, y + place.y)))


def draw_fan_count(canvas: MapCanvas, stack: HexStack) -> None:
    """Write the number of a fan's counters beside the top counter."""
    box = _fan_count_box(stack, canvas.view, canvas.text_size)
    if box is not None:
        size = round(box.width)
        disc = fan_count_sprite(len(stack.counters), size, max(round(size * DIGITS), canvas.text_size))
        canvas.image.paste(disc, (round(box.left), round(box.top)), disc)


def _fan_count_box(stack: HexStack, view: View, least: int) -> Box | None:
    """Return the box of the number beside a fan; None without a fan, or without space."""
    positions = counter_positions(len(stack.counters), view.scale, least)
    size = max(round(COUNT * view.scale), round(least * DISC), LEAST_COUNT)
    if not is_fan(positions) or size > MOST_COUNT * view.scale:
        return None
    (x, y), top = hex_centre(stack.hex), positions[0]
    left, middle = view.pixel((x + top.x - top.edge / 2, y + LOW))
    return Box(left - size * OUT, middle - size / 2, left + size * (1 - OUT), middle + size / 2)


@lru_cache(maxsize=64)
def fan_count_sprite(count: int, size: int, letters: int) -> Image.Image:
    """Return a disc with the number of a fan's counters. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        pen.disc((0, 0), size / 2 - 0.5, WHITE)
        pen.disc((0, 0), size / 2 - 1.7, INK)

    image = sprite(size, size, paint)
    ImageDraw.Draw(image).text((size / 2, size / 2), str(count), fill=WHITE, font=font(Face.BOLD, letters), anchor="mm")
    return image
