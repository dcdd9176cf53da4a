"""Draw a lettered grid over a photograph, so that users can name places: `C7` is column C, row 7."""

import math
import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from rules.core.scene import Point
from rules.core.typed_text import simplify_signs

from .fonts import Face, font
from .geometry import Box
from .palette import AMBER, INK, PAPER, WHITE
from .text_size import LEAST, TELEPHONE, minimum_text_size


class Grid(NamedTuple):
    """A grid's number of columns and rows."""

    columns: int
    rows: int

    @property
    def last_square(self) -> str:
        """Return the name of the last square."""
        return square_names([(self.columns - 1, self.rows - 1)])


COARSE, FINE = Grid(16, 14), Grid(24, 30)
"""Grids over a photograph, and over an enlarged square. The fine grid has more rows than columns: in a slanting view,
small vertical errors are large on the table."""
NAMED = 2.0
"""Minimum width of a square for names on squares, in multiples of the text size."""
BOLD = 4
"""Number of grid lines from one bold line to the next."""
LONGER_SIDE = 1400
"""Pixels of the longer side of the photograph on the picture."""
HIGH = 1.3
"""Minimum height of a square, in multiples of the text size; a photograph too low for its rows is stretched."""
AROUND_LETTERS = 1.4
"""Margin for column and row names, in multiples of their text size."""
AROUND = 0.02
"""Margin around an enlarged square, as a fraction of the square."""
WHOLE = Box(0, 0, 1, 1)
"""The whole photograph, in fractions of the photograph."""
FOUR = 4
NAMES = {
    FOUR: "the four corners as squares, such as C3, N2, P11, A12: top left, top right, bottom right, bottom left",
    3: "the three places as squares, such as C3, N2, P11, in the order of the hexes",
}
"""Expected form of the squares' names in error messages, by the number of squares."""

Square = tuple[int, int]
"""Column and row, counted from 0."""


def parse_squares(text: str, grid: Grid = COARSE, count: int = FOUR) -> list[Square]:
    """Return the `count` squares that `text` names. Raises ValueError with the expected form."""
    pieces = [piece for piece in re.split(r"[\s,;]+", simplify_signs(text)) if piece]
    squares = [_parse_square(piece, grid, NAMES[count]) for piece in pieces]
    if len(squares) != count:
        raise ValueError(f"Name {NAMES[count]}. You named {len(squares)}.")
    return squares


def _parse_square(piece: str, grid: Grid, expected: str) -> Square:
    """Return the square that `piece` names, such as `C7`. Raises ValueError with the expected form."""
    match = re.fullmatch(r"([A-Za-z])(\d{1,2})", piece)
    column = ascii_uppercase.index(match[1].upper()) if match else grid.columns
    row = int(match[2]) - 1 if match else grid.rows
    if column >= grid.columns or not 0 <= row < grid.rows:
        raise ValueError(f"“{piece[:20]}” is no square: they go from A1 to {grid.last_square}. Name {expected}.")
    return column, row


def square_names(squares: Sequence[Square]) -> str:
    """Return the names of the squares, as in `C3 V2 X15 A16`."""
    return " ".join(f"{ascii_uppercase[column]}{row + 1}" for column, row in squares)


def parse_pixel_corners(text: str) -> list[Point] | None:
    """Return four corners from a text such as `120,80 2300,95 2410,1600 40,1580` (pixels), or None."""
    pair = r"(\d{1,5}(?:\.\d+)?)\s*,\s*(\d{1,5}(?:\.\d+)?)"
    match = re.fullmatch(r"[\s;]+".join([pair] * 4), text.strip(), re.ASCII)
    numbers = [float(number) for number in match.groups()] if match else []
    return list(zip(numbers[::2], numbers[1::2], strict=True)) or None


def square_box(square: Square, within: Box = WHOLE, grid: Grid = COARSE) -> Box:
    """Return the box of a square of `grid`, which covers the part `within` of a photograph."""
    wide, high = within.width / grid.columns, within.height / grid.rows
    left, top = within.left + square[0] * wide, within.top + square[1] * high
    return Box(left, top, left + wide, top + high)


def box_around_square(square: Square) -> Box:
    """Return the box of a square and a small margin, in fractions of the photograph."""
    shape = square_box(square)
    wide, high = shape.width * AROUND, shape.height * AROUND
    return Box(shape.left - wide, shape.top - high, shape.right + wide, shape.bottom + high).clip_to(WHOLE)


def fine_square_centre(square: Square, within: Box) -> Point:
    """Return the centre of a square of the fine grid over `within`, in fractions of the photograph."""
    return square_box(square, within, FINE).centre


def draw_photograph_grid(image: Image.Image, part: Box = WHOLE, grid: Grid = COARSE) -> Image.Image:
    """Return `part` of the photograph under a grid with named columns and rows, legible on a phone.

    Wide squares also have names. A part too low for the rows is stretched.
    """
    edges = part.left * image.width, part.top * image.height, part.right * image.width, part.bottom * image.height
    scale = LONGER_SIDE / max(edges[2] - edges[0], edges[3] - edges[1])
    across = round((edges[2] - edges[0]) * scale)
    letters = minimum_text_size(round(across / (1 - 2 * AROUND_LETTERS * LEAST / TELEPHONE)))
    size = across, max(round((edges[3] - edges[1]) * scale), math.ceil(grid.rows * letters * HIGH))
    picture = image.resize(size, Image.Resampling.BICUBIC, box=edges)
    wide, high = size[0] / grid.columns, size[1] / grid.rows
    face = font(Face.BOLD, letters)
    _draw_grid(ImageDraw.Draw(picture, "RGBA"), size, grid, face)
    margin = round(letters * AROUND_LETTERS)
    framed = Image.new("RGB", (size[0] + 2 * margin, size[1] + 2 * margin), PAPER)
    framed.paste(picture, (margin, margin))
    draw = ImageDraw.Draw(framed)
    for column in range(grid.columns):
        for y in (margin / 2, framed.height - margin / 2):
            draw.text((margin + (column + 0.5) * wide, y), ascii_uppercase[column], fill=INK, font=face, anchor="mm")
    for row in range(grid.rows):
        for x in (margin / 2, framed.width - margin / 2):
            draw.text((x, margin + (row + 0.5) * high), str(row + 1), fill=INK, font=face, anchor="mm")
    return framed


def _draw_grid(draw: ImageDraw.ImageDraw, size: tuple[int, int], grid: Grid, face: ImageFont.FreeTypeFont) -> None:
    """Draw the grid's lines; in wide squares, also the name of every second square."""
    wide, high = size[0] / grid.columns, size[1] / grid.rows
    lines = [(column, (column * wide, 0.0, column * wide, float(size[1]))) for column in range(grid.columns + 1)]
    lines += [(row, (0.0, row * high, float(size[0]), row * high)) for row in range(grid.rows + 1)]
    for colour, extra in (((*INK, 140), 3), ((*AMBER, 220), 0)):
        for number, line in lines:
            draw.line(line, fill=colour, width=(2 if number % BOLD else 4) + extra)
    if wide < face.size * NAMED:
        return
    for row in range(grid.rows):
        for column in range(row % 2, grid.columns, 2):
            at, name = ((column + 0.5) * wide, (row + 0.5) * high), square_names([(column, row)])
            draw.text(at, name, fill=(*WHITE, 235), font=face, anchor="mm", stroke_width=2, stroke_fill=(*INK, 200))
