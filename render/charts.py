"""Draw a chart (a table of the rules) as a picture, legible on a phone.

A chart that is too wide is divided into bands of columns, one below the other.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.core.chart import Chart
from rules.core.model import Cite

from .fixed_palette import encode_png
from .fonts import Face, font, text_width, wrap_text
from .palette import INK, PAPER, mix
from .text_size import maximum_picture_width

MARGIN, PAD = 28, 12
TITLE, TEXT = 32, 24
LINE, HEAD_LINE, TITLE_LINE = 30, 28, 38
BETWEEN = 22
"""Pixels between two bands."""
MOST_COLUMN = 330
"""Maximum text width of a column, in pixels; longer text wraps."""
LEAST_PICTURE, MOST_PICTURE = 560, maximum_picture_width(TEXT)
SHADE = mix(PAPER, INK, 0.06)
RULE = mix(PAPER, INK, 0.55)
QUIET = mix(PAPER, INK, 0.68)

Words = tuple[str, ...]
"""A cell's text in lines."""


class _Column(NamedTuple):
    """A column of a chart; the text of a `quiet` column is pale."""

    head: str
    cells: tuple[str, ...]
    quiet: bool = False

    @property
    def unwrapped_width(self) -> int:
        """Return the width in pixels at which every cell fits on one line, padding included."""
        return max((text_width(text, Face.BOLD, TEXT) for text in self.cells), default=0) + 2 * PAD + 2

    @property
    def preferred_width(self) -> int:
        """Return the preferred width in pixels, padding included."""
        preferred_width = max(self.unwrapped_width, min(text_width(self.head, Face.BOLD, TEXT), 150) + 2 * PAD + 2)
        return max(min(preferred_width, MOST_COLUMN), self.minimum_width)

    @property
    def minimum_width(self) -> int:
        """Return the width in pixels of the longest word, padding included."""
        words = (word for text in (self.head, *self.cells) for word in text.split())
        return max((text_width(word, Face.BOLD, TEXT) for word in words), default=0) + 2 * PAD + 2


class _Band(NamedTuple):
    """Columns side by side, with their widths in pixels, and the wrapped texts of heads and cells."""

    columns: tuple[_Column, ...]
    widths: tuple[int, ...]
    head: tuple[Words, ...]
    rows: tuple[tuple[Words, ...], ...]

    @property
    def head_height(self) -> int:
        """Return the height in pixels of the row of heads, or 0 if all heads are empty."""
        return max(len(words) for words in self.head) * HEAD_LINE + PAD if any(self.head) else 0

    @property
    def row_heights(self) -> tuple[int, ...]:
        """Return the height of each row in pixels."""
        return tuple(max(1, *map(len, cells)) * LINE + PAD for cells in self.rows)

    @property
    def height(self) -> int:
        """Return the height of the band in pixels."""
        return self.head_height + sum(self.row_heights)


def draw_chart(chart: Chart) -> bytes:
    """Return the chart as a PNG."""
    cite = str(Cite(rule=chart.rule, mark=chart.mark))
    first, *others = _chart_columns(chart)
    preferred_width = sum(column.preferred_width for column in (first, *others))
    title_width = text_width(chart.title, Face.TITLE, TITLE) + text_width(cite, Face.PLAIN, TEXT) + 40
    inner = min(max(preferred_width, title_width, LEAST_PICTURE - 2 * MARGIN), MOST_PICTURE - 2 * MARGIN)
    if preferred_width <= inner:
        bands = [_lay_out_band((first, *others), inner)]
    else:
        layouts = ([_lay_out_band((first, *part), inner) for part in parts] for parts in _divide_columns(others))
        bands = min(layouts, key=lambda layout: sum(band.height + BETWEEN for band in layout))
    return encode_png(_draw_picture(chart, cite, bands, inner))


def _chart_columns(chart: Chart) -> list[_Column]:
    """Return the chart's columns; a last column shows rule numbers that differ from the chart's own."""
    columns = [_Column(chart.head, tuple(row.label for row in chart.rows))]
    for number, name in enumerate(chart.columns):
        columns.append(_Column(name, tuple(row.cells[number].text for row in chart.rows)))
    cites = tuple("" if (row.rule, row.mark) == (chart.rule, chart.mark) else str(row.cite) for row in chart.rows)
    return [*columns, _Column("", cites, quiet=True)] if any(cites) else columns


def _divide_columns(columns: Sequence[_Column]) -> Iterator[list[Sequence[_Column]]]:
    """Yield every way to divide the columns into consecutive groups, starting with one group."""
    for count in range(len(columns)):
        for cuts in combinations(range(1, len(columns)), count):
            yield [columns[start:end] for start, end in pairwise((0, *cuts, len(columns)))]


def _lay_out_band(columns: tuple[_Column, ...], inner: int) -> _Band:
    """Return a band of the columns, `inner` pixels wide; columns are narrowed to fit."""
    widths, least = [column.preferred_width for column in columns], [column.minimum_width for column in columns]
    if sum(widths) > inner:
        over = [max(column.unwrapped_width - low, 0) for column, low in zip(columns, least, strict=True)]
        share = max(inner - sum(least), 0) / max(sum(over), 1)
        widths = [low + int(extra * share) for low, extra in zip(least, over, strict=True)]
        if sum(widths) > inner:
            widths = [wide * inner // sum(widths) for wide in widths]
    widths[0] += inner - sum(widths)
    cells = [
        [wrap_text(text, Face.BOLD, TEXT, wide - 2 * PAD) for text in (column.head, *column.cells)]
        for column, wide in zip(columns, widths, strict=True)
    ]
    head, *rows = zip(*cells, strict=True)
    return _Band(columns, tuple(widths), head, tuple(rows))


def _draw_picture(chart: Chart, cite: str, bands: Sequence[_Band], inner: int) -> Image.Image:
    """Return the picture of the chart, `inner` pixels wide between the margins."""
    title = wrap_text(chart.title, Face.TITLE, TITLE, inner - text_width(cite, Face.PLAIN, TEXT) - 30)
    note = wrap_text(chart.note, Face.PLAIN, TEXT, inner)
    top = MARGIN + len(title) * TITLE_LINE + 8
    table = sum(band.height for band in bands) + BETWEEN * (len(bands) - 1)
    height = top + table + (len(note) * HEAD_LINE + 14 if note else 0) + MARGIN
    image = Image.new("RGB", (inner + 2 * MARGIN, height), PAPER)
    draw = ImageDraw.Draw(image)
    for number, words in enumerate(title):
        draw.text((MARGIN, MARGIN + number * TITLE_LINE), words, fill=INK, font=font(Face.TITLE, TITLE))
    draw.text((MARGIN + inner, MARGIN + TITLE - 2), cite, fill=QUIET, font=font(Face.PLAIN, TEXT), anchor="rs")
    for band in bands:
        _draw_band(image, band, top)
        top += band.height + BETWEEN
    for number, words in enumerate(note):
        draw.text((MARGIN, top - BETWEEN + 14 + number * HEAD_LINE), words, fill=QUIET, font=font(Face.PLAIN, TEXT))
    return image


def _draw_band(image: Image.Image, band: _Band, top: int) -> None:
    """Draw one band from the pixel row `top`."""
    draw, right = ImageDraw.Draw(image), MARGIN + sum(band.widths)
    draw.line((MARGIN, top, right, top), fill=INK, width=3)
    _draw_cells(draw, band, band.head, top, band.head_height, Face.BOLD, HEAD_LINE)
    y = top + band.head_height
    if band.head_height:
        draw.line((MARGIN, y, right, y), fill=INK, width=2)
    for number, (cells, height) in enumerate(zip(band.rows, band.row_heights, strict=True)):
        if number % 2:
            draw.rectangle((MARGIN, y, right, y + height), fill=SHADE)
        draw.line((MARGIN, y + height, right, y + height), fill=mix(PAPER, INK, 0.2))
        _draw_cells(draw, band, cells, y, height, Face.PLAIN, LINE)
        y += height
    draw.line((MARGIN, y, right, y), fill=INK, width=3)


def _draw_cells(
    draw: ImageDraw.ImageDraw, band: _Band, cells: Sequence[Words], top: int, height: int, face: Face, step: int
) -> None:
    """Draw the cells of one row: labels left-aligned, rule numbers right-aligned, other cells centred."""
    x = MARGIN
    for number, (words, column, wide) in enumerate(zip(cells, band.columns, band.widths, strict=True)):
        first = top + height / 2 - (len(words) - 1) * step / 2
        at, anchor = (x + wide - PAD, "rm") if column.quiet else (x + wide / 2, "mm")
        if number == 0:
            at, anchor = x + PAD, "lm"
        for count, text in enumerate(words):
            colour, letters = (QUIET, Face.PLAIN) if column.quiet else (INK, face)
            draw.text((at, first + count * step), text, fill=colour, font=font(letters, TEXT), anchor=anchor)
        x += wide
