"""A lettered grid over a photograph, by which people name places of it: `C7` is column C, row 7."""

import re
from collections.abc import Sequence
from string import ascii_uppercase

from PIL import Image, ImageDraw

from rules.core.scene import Point

from .fonts import Face, font
from .geometry import Box
from .palette import AMBER, INK, WHITE

COLUMNS, ROWS = 24, 16
SHEET = 1400
"""Pixels of the longer side of what is shown."""
LABEL = 0.42
"""Height of a letter, of a square's shorter side."""
AROUND = 0.1
"""Squares that are shown beside the one that is looked at closely."""
WHOLE = Box(0, 0, 1, 1)
"""All of a photograph, in parts of it."""
NAMES = "the four corners as squares, as `C3, V2, X15, A16`: top left, top right, bottom right, bottom left"

Square = tuple[int, int]
"""Column and row, from 0."""


def squares(text: str) -> list[Square]:
    """The four squares that a text names. Raises ValueError with how to write them."""
    pieces = [piece for piece in re.split(r"[\s,;]+", text.strip()) if piece]
    found = [_square(piece) for piece in pieces]
    if len(found) != 4:
        raise ValueError(f"Name {NAMES}. That names {len(found)}.")
    return found


def _square(piece: str) -> Square:
    read = re.fullmatch(r"([A-Za-z])(\d{1,2})", piece)
    column = ascii_uppercase.index(read[1].upper()) if read else COLUMNS
    row = int(read[2]) - 1 if read else ROWS
    if column >= COLUMNS or not 0 <= row < ROWS:
        last = f"{ascii_uppercase[COLUMNS - 1]}{ROWS}"
        raise ValueError(f"“{piece[:20]}” is no square: they go from A1 to {last}. Name {NAMES}.")
    return column, row


def written(wanted: Sequence[Square]) -> str:
    """`C3 V2 X15 A16`."""
    return " ".join(f"{ascii_uppercase[column]}{row + 1}" for column, row in wanted)


def pixels(text: str) -> list[Point] | None:
    """The four corners where a text gives them in pixels, as `120,80 2300,95 2410,1600 40,1580`; None where not."""
    numbers = [int(one) for one in re.findall(r"\d{1,5}", text)]
    if re.search(r"[A-Za-z]", text) or len(numbers) != 8:
        return None
    return [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def box(square: Square, within: Box = WHOLE) -> Box:
    """What a square takes up of the part of a photograph that the grid lies over."""
    wide, high = within.width / COLUMNS, within.height / ROWS
    left, top = within.left + square[0] * wide, within.top + square[1] * high
    return Box(left, top, left + wide, top + high)


def closely(square: Square) -> Box:
    """The square with a little round it, within the photograph, in parts of it."""
    found = box(square)
    wide, high = found.width * AROUND, found.height * AROUND
    left, top = max(found.left - wide, 0.0), max(found.top - high, 0.0)
    return Box(left, top, min(found.right + wide, 1.0), min(found.bottom + high, 1.0))


def middle(square: Square, within: Box) -> Point:
    """The middle of a square, in parts of the photograph."""
    found = box(square, within)
    return (found.left + found.right) / 2, (found.top + found.bottom) / 2


def gridded(image: Image.Image, part: Box = WHOLE) -> Image.Image:
    """That part of the photograph under the grid: each square has its name."""
    edges = part.left * image.width, part.top * image.height, part.right * image.width, part.bottom * image.height
    scale = SHEET / max(edges[2] - edges[0], edges[3] - edges[1])
    size = round((edges[2] - edges[0]) * scale), round((edges[3] - edges[1]) * scale)
    shown = image.resize(size, Image.Resampling.BICUBIC, box=edges)
    draw, wide, high = ImageDraw.Draw(shown, "RGBA"), size[0] / COLUMNS, size[1] / ROWS
    for column in range(1, COLUMNS):
        _line(draw, (column * wide, 0, column * wide, size[1]))
    for row in range(1, ROWS):
        _line(draw, (0, row * high, size[0], row * high))
    face = font(Face.BOLD, max(round(min(wide / 1.6, high) * LABEL), 9))
    for column in range(COLUMNS):
        for row in range(ROWS):
            at = ((column + 0.5) * wide, (row + 0.5) * high)
            name = written([(column, row)])
            draw.text(at, name, fill=(*WHITE, 235), font=face, anchor="mm", stroke_width=2, stroke_fill=(*INK, 200))
    return shown


def _line(draw: ImageDraw.ImageDraw, ends: tuple[float, float, float, float]) -> None:
    draw.line(ends, fill=(*INK, 140), width=3)
    draw.line(ends, fill=(*AMBER, 220), width=1)
