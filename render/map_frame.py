"""Lay out and draw what surrounds a map: title, map frame with grid labels, legend, north arrow."""

import math
from collections.abc import Callable
from typing import NamedTuple

from PIL import Image, ImageDraw

from .fonts import Face, text_width, wrap_text
from .geometry import Box, View
from .legend import LegendRow, draw_legend, row_height
from .lettering import write_text
from .palette import Theme, mix
from .pen import combine, fill, ink, stroke
from .text_size import minimum_text_size

SIDE_MARGIN = 52
"""Pixels beside the map for the grid labels."""
PAD = 16
TITLE = 1.25
"""Maximum title size, in multiples of the minimum text size."""
APART = 0.3
"""Minimum space between two labels of an edge, in multiples of the text size."""
TICKS = 5
"""Thickness in pixels of the frame's chequered bar."""
ARROW_ROOM = 60
"""Pixels beside the title for the north arrow."""


class BarSection(NamedTuple):
    """A dark or light section of the bar along a map's edge, from `start` to `end` in map units."""

    start: float
    end: float
    dark: bool


class MapEdge(NamedTuple):
    """Bar sections and labels (position and text) of two opposite edges of the map."""

    sections: tuple[BarSection, ...]
    labels: tuple[tuple[float, str], ...]


class PictureLayout(NamedTuple):
    """Positions of a picture's parts, in pixels: title, strip of dice, map, legend."""

    width: int
    height: int
    view: View
    title: tuple[str, ...]
    text_size: int
    title_size: int
    subtitle: tuple[str, ...]
    strip_top: int
    legend: tuple[LegendRow, ...]
    legend_top: int
    across: MapEdge
    down: MapEdge

    @property
    def map_view(self) -> View:
        """Return the view of the map alone, without title, map frame and legend."""
        return View(self.view.box, self.view.scale)


def lay_out_picture(
    heading: tuple[str, str],
    view: View,
    sides: tuple[MapEdge, MapEdge],
    legend_for: Callable[[int, int], tuple[LegendRow, ...]],
    narrowest: int,
    strip_for: Callable[[int, int], int] = lambda _limit, _across: 0,
) -> PictureLayout:
    """Return the layout of a picture with the map `view`, at least `narrowest` pixels wide.

    `sides` are the map's horizontal edges, then its vertical edges. `legend_for` builds the legend for a width and a
    text size. `strip_for` returns the height of the dice strip for its own width and the picture's.
    """
    map_width, map_height = round(view.frame.width), round(view.frame.height)
    across = max(map_width + 2 * SIDE_MARGIN, narrowest)
    inner, text_size = across - 2 * SIDE_MARGIN, minimum_text_size(across)
    largest, edge, limit = round(text_size * TITLE), TICKS + text_size + 4, inner - ARROW_ROOM
    sizes = (size for size in range(largest, text_size, -1) if text_width(heading[0], Face.TITLE, size) <= limit)
    title_size = next(sizes, text_size)
    title = wrap_text(heading[0], Face.TITLE, title_size, limit) or ("",)
    subtitle = wrap_text(heading[1], Face.PLAIN, text_size, limit)
    strip_top = PAD + largest + 8 + (len(title) - 1 + len(subtitle)) * (text_size + 6)
    head = strip_top + strip_for(inner, across) + edge + 6
    legend = legend_for(inner, text_size)
    legend_top = head + map_height + edge + 8
    return PictureLayout(
        width=across,
        height=legend_top + row_height(text_size) * max(len(legend), 1) + PAD,
        view=view._replace(left=float((across - map_width) // 2), top=float(head)),
        title=title,
        text_size=text_size,
        title_size=title_size,
        subtitle=subtitle,
        strip_top=strip_top,
        legend=legend,
        legend_top=legend_top,
        across=sides[0],
        down=sides[1],
    )


def frame_map(field: Image.Image, layout: PictureLayout, look: Theme) -> Image.Image:
    """Return the drawn map `field` with title, north arrow, map frame and legend around it."""
    image = Image.new("RGB", (layout.width, layout.height), look.paper)
    image.paste(field, (int(layout.view.left), int(layout.view.top)))
    draw = ImageDraw.Draw(image)
    left = SIDE_MARGIN
    baseline = PAD + round(layout.text_size * TITLE) - 3
    lines = [(line, look.ink, Face.TITLE, layout.title_size) for line in layout.title]
    quiet = mix(look.ink, look.paper, 0.2)
    lines += [(line, quiet, Face.PLAIN, layout.text_size) for line in layout.subtitle]
    for number, (line, colour, face, size) in enumerate(lines):
        write_text(image, (left, baseline + number * (layout.text_size + 6)), line, colour, face, size, "ls")
    _draw_north_arrow(image, (layout.width - SIDE_MARGIN - 14, PAD + 19), look, layout.text_size)
    _draw_map_border(draw, layout, look)
    _write_grid_labels(image, layout, look)
    draw_legend(image, layout.legend, SIDE_MARGIN, layout.legend_top, look, layout.text_size)
    return image


def _draw_map_border(draw: ImageDraw.ImageDraw, layout: PictureLayout, look: Theme) -> None:
    """Draw a chequered bar between two lines around the map."""
    view = layout.view
    frame = view.frame
    draw.rectangle(_rectangle_edges(frame.grow(TICKS + 2)), outline=look.ink)
    for start, end, dark in layout.across.sections:
        x0, x1 = view.pixel((start, 0))[0], view.pixel((end, 0))[0]
        for y in (frame.top - TICKS - 1, frame.bottom + 1):
            draw.rectangle((round(x0), y, round(x1), y + TICKS - 1), fill=look.ink if dark else look.paper)
    for start, end, dark in layout.down.sections:
        y0, y1 = view.pixel((0, start))[1], view.pixel((0, end))[1]
        for x in (frame.left - TICKS - 1, frame.right + 1):
            draw.rectangle((x, round(y0), x + TICKS - 1, round(y1)), fill=look.ink if dark else look.paper)
    draw.rectangle(_rectangle_edges(frame.grow(1)), outline=look.ink)


def _rectangle_edges(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right - 1, box.bottom - 1


def bar_sections(start: float, end: float, step: float) -> tuple[BarSection, ...]:
    """Return the alternating dark and light sections, each `step` long, of a bar from `start` to `end`."""
    numbers = range(int(start // step), int(-(-end // step)))
    return tuple(BarSection(max(n * step, start), min((n + 1) * step, end), n % 2 == 0) for n in numbers)


def _write_grid_labels(image: Image.Image, layout: PictureLayout, look: Theme) -> None:
    """Write column labels above and below the map, and row labels at both sides."""
    off = TICKS + 2 + layout.text_size / 2
    frame = layout.view.frame
    for at, label in _fitting_labels(layout.across, layout.view.scale, layout.text_size):
        x = layout.view.pixel((at, 0))[0]
        for y in (frame.top - off, frame.bottom + off):
            write_text(image, (x, y), label, look.ink, Face.BOLD, layout.text_size, "mm")
    for at, label in layout.down.labels:
        y = layout.view.pixel((0, at))[1]
        for x in (frame.left - off - 3, frame.right + off + 3):
            write_text(image, (x, y), label, look.ink, Face.BOLD, layout.text_size, "mm")


def _fitting_labels(edge: MapEdge, scale: float, text_size: int) -> tuple[tuple[float, str], ...]:
    """Return as many labels of a horizontal edge as fit, at equal intervals."""
    if len(edge.labels) < 2:
        return edge.labels
    widest = max(text_width(label, Face.BOLD, text_size) for _, label in edge.labels) + text_size * APART
    pitch = scale * (edge.labels[-1][0] - edge.labels[0][0]) / (len(edge.labels) - 1)
    return edge.labels[:: math.ceil(widest / pitch)]


def _draw_north_arrow(image: Image.Image, at: tuple[float, float], look: Theme, text_size: int) -> None:
    """Draw a north arrow with an N."""
    x, y = at
    box = Box(x - 16, y - 26, x + 16, y + 26)
    needle = fill([(x, y - 24), (x + 9, y + 6), (x, y)])
    edge = stroke([[(x, y - 24), (x - 9, y + 6), (x, y), (x, y - 24)]], 1.4)
    ink(image, box, look.ink, combine(needle, edge))
    write_text(image, (x, y + 6), "N", look.ink, Face.TITLE, text_size, "mt")
