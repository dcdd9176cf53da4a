"""Draw a chart (a table of the rules) as a picture."""

from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.core.chart import Chart, Row
from rules.core.model import Cite

from .fonts import Face, font, width, wrap
from .geometry import around
from .palette import AMBER, INK, PAPER, WHITE, mix, png
from .pen import ink

MARGIN, PAD = 28, 12
TITLE, HEAD, TEXT, SMALL = 32, 22, 24, 18
LINE = 30
MOST_COLUMN = 330
"""Maximum text width of a column, in pixels; longer text wraps."""
LEAST_SHEET = 560
SHADE = mix(PAPER, INK, 0.06)
RULE = mix(PAPER, INK, 0.55)
QUIET = mix(PAPER, INK, 0.62)


class _TypesetRow(NamedTuple):
    """One typeset row: each cell as lines of text, the cited rule number, and whether the row is highlighted."""

    cells: tuple[tuple[str, ...], ...]
    cite: str
    lit: bool

    @property
    def height(self) -> int:
        """Return the row's height in pixels."""
        return max((len(lines) for lines in self.cells), default=1) * LINE + PAD


def draw_chart(chart: Chart, *, highlight: str | None = None) -> bytes:
    """Return the chart as a PNG, with the row labelled `highlight` highlighted.

    Raises:
        KeyError: If no row has the label `highlight`.
    """
    if highlight is not None:
        chart.row(highlight)
    heads = (chart.head, *chart.columns)
    own = str(Cite(rule=chart.rule, mark=chart.mark))
    columns = [_column_width(chart, number) for number in range(len(heads))]
    cites = [_row_cite(row, chart) for row in chart.rows]
    cite_width = max((width(cite, Face.PLAIN, SMALL) + 2 * PAD for cite in cites if cite), default=0)
    title_width = width(chart.title, Face.TITLE, TITLE) + width(own, Face.PLAIN, SMALL) + 40
    inner = max(sum(columns) + cite_width, min(title_width, 900), LEAST_SHEET)
    columns[0] += inner - sum(columns) - cite_width
    lines = [
        _typeset_row(row, columns, cite, lit=row.label == highlight)
        for row, cite in zip(chart.rows, cites, strict=True)
    ]
    head = tuple(wrap(text, Face.BOLD, HEAD, room - 2 * PAD) for text, room in zip(heads, columns, strict=True))
    return png(_draw_picture(chart, own, columns, head, lines, inner))


def _row_cite(row: Row, chart: Chart) -> str:
    """Return the row's rule number and mark; an empty string if both equal the chart's."""
    return "" if (row.rule, row.mark) == (chart.rule, chart.mark) else str(row.cite)


def _column_width(chart: Chart, number: int) -> int:
    """Return the width in pixels of column `number`, padding included; column 0 holds the row labels."""
    head = chart.head if number == 0 else chart.columns[number - 1]
    texts = [row.label if number == 0 else row.cells[number - 1].text for row in chart.rows]
    longest = max((width(text, Face.BOLD, TEXT) for text in texts), default=0)
    word = max((width(word, Face.BOLD, TEXT) for text in texts for word in text.split()), default=0)
    head_word = max((width(word, Face.BOLD, HEAD) for word in head.split()), default=0)
    wanted = max(longest, min(width(head, Face.BOLD, HEAD), 150), head_word)
    return max(min(wanted, MOST_COLUMN), word, head_word) + 2 * PAD + 2


def _typeset_row(row: Row, columns: list[int], cite: str, *, lit: bool) -> _TypesetRow:
    """Return the row with its cells wrapped to the widths of `columns` (pixels)."""
    face = Face.BOLD if lit else Face.PLAIN
    texts = (row.label, *(cell.text for cell in row.cells))
    cells = tuple(wrap(text, face, TEXT, room - 2 * PAD) for text, room in zip(texts, columns, strict=True))
    return _TypesetRow(cells, cite, lit)


def _draw_picture(
    chart: Chart, own: str, columns: list[int], head: tuple[tuple[str, ...], ...], lines: list[_TypesetRow], inner: int
) -> Image.Image:
    """Return the picture of the chart: title, column heads, rows and note, `inner` pixels wide inside the margins."""
    title = wrap(chart.title, Face.TITLE, TITLE, inner - width(own, Face.PLAIN, SMALL) - 30)
    note = wrap(chart.note, Face.PLAIN, HEAD, inner)
    head_height = max(len(words) for words in head) * 26 + PAD if any(head) else 0
    top = MARGIN + len(title) * (TITLE + 6) + 8
    height = top + head_height + sum(line.height for line in lines) + (len(note) * 28 + 14 if note else 0) + MARGIN
    image = Image.new("RGB", (inner + 2 * MARGIN, height), PAPER)
    draw = ImageDraw.Draw(image)
    for number, words in enumerate(title):
        draw.text((MARGIN, MARGIN + number * (TITLE + 6)), words, fill=INK, font=font(Face.TITLE, TITLE))
    draw.text((MARGIN + inner, MARGIN + TITLE - 2), own, fill=QUIET, font=font(Face.PLAIN, SMALL), anchor="rs")
    right = MARGIN + inner
    draw.line((MARGIN, top, right, top), fill=INK, width=3)
    y = _draw_cells(draw, columns, head, top, head_height, Face.BOLD, HEAD, 26)
    if head_height:
        draw.line((MARGIN, y, right, y), fill=INK, width=2)
    for number, line in enumerate(lines):
        y = _draw_row(image, columns, line, y, right, shaded=number % 2 == 1)
    draw.line((MARGIN, y, right, y), fill=INK, width=3)
    for number, words in enumerate(note):
        draw.text((MARGIN, y + 14 + number * 28), words, fill=QUIET, font=font(Face.PLAIN, HEAD))
    return image


def _draw_row(image: Image.Image, columns: list[int], line: _TypesetRow, top: int, right: int, *, shaded: bool) -> int:
    """Draw one row from the pixel row `top`, and return its bottom."""
    draw = ImageDraw.Draw(image)
    bottom = top + line.height
    if line.lit:
        draw.rectangle((MARGIN, top, right, bottom), fill=mix(AMBER, WHITE, 0.6))
        middle = (top + bottom) / 2
        tip = [(MARGIN - 18, middle - 11), (MARGIN - 5, middle), (MARGIN - 18, middle + 11)]
        ink(image, around(tip).grown(2), INK, lambda pen: pen.area(tip, 255))
    elif shaded:
        draw.rectangle((MARGIN, top, right, bottom), fill=SHADE)
    draw.line((MARGIN, bottom, right, bottom), fill=mix(PAPER, INK, 0.2))
    _draw_cells(draw, columns, line.cells, top, line.height, Face.BOLD if line.lit else Face.PLAIN, TEXT, LINE)
    if line.cite:
        middle = (top + bottom) // 2
        draw.text((right - PAD, middle), line.cite, fill=QUIET, font=font(Face.PLAIN, SMALL), anchor="rm")
    return bottom


def _draw_cells(
    draw: ImageDraw.ImageDraw,
    columns: list[int],
    cells: tuple[tuple[str, ...], ...],
    top: int,
    height: int,
    face: Face,
    size: int,
    step: int,
) -> int:
    """Draw the cells of one row, the first column left-aligned, the others centred; return the row's bottom."""
    x = MARGIN
    for number, (words, room) in enumerate(zip(cells, columns, strict=True)):
        first = top + height / 2 - (len(words) - 1) * step / 2
        for count, text in enumerate(words):
            at = (x + PAD, first + count * step) if number == 0 else (x + room / 2, first + count * step)
            draw.text(at, text, fill=INK, font=font(face, size), anchor="lm" if number == 0 else "mm")
        x += room
    return top + height
