"""Draw a lettered grid over a photograph, so that users can name places: `C7` is column C, row 7."""

import re
from collections.abc import Sequence
from string import ascii_uppercase

from PIL import Image, ImageDraw

from rules.core.scene import Point
from rules.core.typed_text import fold

from .fonts import Face, font
from .geometry import Box
from .palette import AMBER, INK, PAPER, WHITE

COLUMNS, ROWS = 24, 16
FINE_ROWS = 26
"""Rows of the grid over an enlarged square: in a slanting view, small vertical errors are large on the table."""
SHEET = 1400
"""Pixels of the longer side of the picture."""
LABEL = 0.42
"""Text size of a square's name, as a fraction of the square's shorter side."""
LARGE, AROUND_LETTERS = 0.85, 1.5
"""Text size of column and row names, as a fraction of a square; margin, in multiples of that text size."""
AROUND = 0.05
"""Margin around an enlarged square, in squares."""
WHOLE = Box(0, 0, 1, 1)
"""The whole photograph, in fractions of the photograph."""
NAMES = "the four corners as squares, as C3, V2, X15, A16: top left, top right, bottom right, bottom left"

Square = tuple[int, int]
"""Column and row, counted from 0."""


def parse_squares(text: str, rows: int = ROWS) -> list[Square]:
    """Return the four squares named in `text`, in a grid of `rows` rows. Raises ValueError with the expected form."""
    pieces = [piece for piece in re.split(r"[\s,;]+", fold(text)) if piece]
    found = [_parse_square(piece, rows) for piece in pieces]
    if len(found) != 4:
        raise ValueError(f"Name {NAMES}. That names {len(found)}.")
    return found


def _parse_square(piece: str, rows: int) -> Square:
    """Return the square named by `piece`, such as `C7`. Raises ValueError for a name outside the grid."""
    read = re.fullmatch(r"([A-Za-z])(\d{1,2})", piece)
    column = ascii_uppercase.index(read[1].upper()) if read else COLUMNS
    row = int(read[2]) - 1 if read else rows
    if column >= COLUMNS or not 0 <= row < rows:
        last = f"{ascii_uppercase[COLUMNS - 1]}{rows}"
        raise ValueError(f"“{piece[:20]}” is no square: they go from A1 to {last}. Name {NAMES}.")
    return column, row


def square_names(wanted: Sequence[Square]) -> str:
    """Return the names of the squares, as in `C3 V2 X15 A16`."""
    return " ".join(f"{ascii_uppercase[column]}{row + 1}" for column, row in wanted)


def parse_pixels(text: str) -> list[Point] | None:
    """Return four corners in pixels from text such as `120,80 2300,95 2410,1600 40,1580`; None for other text."""
    pair = r"(\d{1,5}(?:\.\d+)?)\s*,\s*(\d{1,5}(?:\.\d+)?)"
    read = re.fullmatch(r"[\s;]+".join([pair] * 4), text.strip(), re.ASCII)
    return (
        [(float(x), float(y)) for x, y in zip(read.groups()[::2], read.groups()[1::2], strict=True)] if read else None
    )


def square_box(square: Square, within: Box = WHOLE, rows: int = ROWS) -> Box:
    """Return a square's box, for a grid of `rows` rows over the part `within` of a photograph."""
    wide, high = within.width / COLUMNS, within.height / rows
    left, top = within.left + square[0] * wide, within.top + square[1] * high
    return Box(left, top, left + wide, top + high)


def enlarged_box(square: Square) -> Box:
    """Return the box of a square and a small margin around it, in fractions of the photograph."""
    shape = square_box(square)
    wide, high = shape.width * AROUND, shape.height * AROUND
    left, top = max(shape.left - wide, 0.0), max(shape.top - high, 0.0)
    return Box(left, top, min(shape.right + wide, 1.0), min(shape.bottom + high, 1.0))


def square_centre(square: Square, within: Box) -> Point:
    """Return the centre of a square of the fine grid over `within`, in fractions of the photograph."""
    shape = square_box(square, within, FINE_ROWS)
    return (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2


def draw_with_grid(image: Image.Image, part: Box = WHOLE, rows: int = ROWS) -> Image.Image:
    """Return `part` of the photograph under a grid of `rows` rows, with names on squares, columns and rows."""
    edges = part.left * image.width, part.top * image.height, part.right * image.width, part.bottom * image.height
    scale = SHEET / max(edges[2] - edges[0], edges[3] - edges[1])
    size = round((edges[2] - edges[0]) * scale), round((edges[3] - edges[1]) * scale)
    shown = image.resize(size, Image.Resampling.BICUBIC, box=edges)
    wide, high = size[0] / COLUMNS, size[1] / rows
    _draw_grid(ImageDraw.Draw(shown, "RGBA"), size, rows)
    letters = round(min(wide, high) * LARGE)
    margin = round(letters * AROUND_LETTERS)
    sheet = Image.new("RGB", (size[0] + 2 * margin, size[1] + 2 * margin), PAPER)
    sheet.paste(shown, (margin, margin))
    draw, face = ImageDraw.Draw(sheet), font(Face.BOLD, letters)
    for column in range(COLUMNS):
        for y in (margin / 2, sheet.height - margin / 2):
            draw.text((margin + (column + 0.5) * wide, y), ascii_uppercase[column], fill=INK, font=face, anchor="mm")
    for row in range(rows):
        for x in (margin / 2, sheet.width - margin / 2):
            draw.text((x, margin + (row + 0.5) * high), str(row + 1), fill=INK, font=face, anchor="mm")
    return sheet


def _draw_grid(draw: ImageDraw.ImageDraw, size: tuple[int, int], rows: int) -> None:
    """Draw the grid's lines and the squares' names."""
    wide, high = size[0] / COLUMNS, size[1] / rows
    lines = [(column * wide, 0.0, column * wide, float(size[1])) for column in range(COLUMNS + 1)]
    lines += [(0.0, row * high, float(size[0]), row * high) for row in range(rows + 1)]
    for colour, thick in (((*INK, 140), 3), ((*AMBER, 220), 1)):
        for line in lines:
            draw.line(line, fill=colour, width=thick)
    face = font(Face.BOLD, max(round(min(wide / 1.6, high) * LABEL), 9))
    for column in range(COLUMNS):
        for row in range(rows):
            at, name = ((column + 0.5) * wide, (row + 0.5) * high), square_names([(column, row)])
            draw.text(at, name, fill=(*WHITE, 235), font=face, anchor="mm", stroke_width=2, stroke_fill=(*INK, 200))
