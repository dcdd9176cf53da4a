"""The sheet round the map: title, neat line with the letters and numbers of the squares, scale, north."""

from typing import NamedTuple

from PIL import Image, ImageDraw

from rules.core.scene import TableScene

from .fonts import Face, clip, font, width, wrap
from .geometry import Box, View
from .grid import SQUARE, column
from .legend import LegendRow, draw_legend, legend_height, legend_rows
from .palette import RGB, Theme, mix
from .pen import Pen, ink

MOST_WIDE, MOST_HIGH = 1296, 1010
"""Most pixels of the map itself."""
MOST_SCALE = 54.0
LEAST_SHEET = 760
SIDE_MARGIN, EDGE = 40, 30
"""Pixels beside the map, and above and below it, for the letters of the squares."""
PAD = 16
TITLE, SUBTITLE = 34, 21
TICKS = 5
"""Pixels of the neat line's chequered bar."""


class Plan(NamedTuple):
    """Where everything on the sheet goes, in pixels."""

    width: int
    height: int
    view: View
    title: str
    subtitle: tuple[str, ...]
    legend: tuple[LegendRow, ...]
    legend_top: int


def plan(scene: TableScene, area: Box, look: Theme, shrink: float = 1.0) -> Plan:
    """Lays the sheet out for that part of the table, the map `shrink` of its usual size."""
    scale = min(MOST_WIDE / area.width, MOST_HIGH / area.height, MOST_SCALE) * shrink
    map_width, map_height = round(area.width * scale), round(area.height * scale)
    across = max(map_width + 2 * SIDE_MARGIN, round(LEAST_SHEET * shrink))
    room = across - 2 * SIDE_MARGIN
    subtitle = wrap(scene.subtitle, Face.PLAIN, SUBTITLE, room - 60)
    head = PAD + TITLE + 8 + len(subtitle) * (SUBTITLE + 6) + EDGE + 6
    view = View(area, scale, float((across - map_width) // 2), float(head))
    legend = legend_rows(scene, area, look, room, _scale_bar_width(scale, area))
    legend_top = head + map_height + EDGE + 8
    return Plan(
        width=across,
        height=legend_top + legend_height(legend) + PAD,
        view=view,
        title=clip(scene.title, Face.TITLE, TITLE, room - 60),
        subtitle=subtitle,
        legend=legend,
        legend_top=legend_top,
    )


def draw_sheet(image: Image.Image, sheet: Plan, look: Theme) -> None:
    """Everything outside the map, and its frame."""
    draw = ImageDraw.Draw(image)
    left = SIDE_MARGIN
    baseline = PAD + TITLE - 3
    draw.text((left, baseline), sheet.title, fill=look.ink, font=font(Face.TITLE, TITLE), anchor="ls")
    for line in sheet.subtitle:
        baseline += SUBTITLE + 6
        draw.text(
            (left, baseline), line, fill=mix(look.ink, look.paper, 0.2), font=font(Face.PLAIN, SUBTITLE), anchor="ls"
        )
    _north(image, (sheet.width - SIDE_MARGIN - 14, PAD + 28), look)
    _neat_line(draw, sheet.view, look)
    _references(draw, sheet.view, look)
    draw_legend(image, sheet.legend, SIDE_MARGIN, sheet.legend_top, look)
    _scale_bar(draw, sheet, look)


def _neat_line(draw: ImageDraw.ImageDraw, view: View, look: Theme) -> None:
    """A chequered bar round the map, a field for every half square, between two lines."""
    frame = view.frame
    outer = frame.grown(TICKS + 2)
    draw.rectangle(_corners(outer), outline=look.ink)
    step = SQUARE / 2
    for start, end, dark in _fields(view.box.left, view.box.right, step):
        x0, x1 = view.px((start, 0))[0], view.px((end, 0))[0]
        for y in (frame.top - TICKS - 1, frame.bottom + 1):
            draw.rectangle((round(x0), y, round(x1), y + TICKS - 1), fill=look.ink if dark else look.paper)
    for start, end, dark in _fields(view.box.top, view.box.bottom, step):
        y0, y1 = view.px((0, start))[1], view.px((0, end))[1]
        for x in (frame.left - TICKS - 1, frame.right + 1):
            draw.rectangle((x, round(y0), x + TICKS - 1, round(y1)), fill=look.ink if dark else look.paper)
    draw.rectangle(_corners(frame.grown(1)), outline=look.ink)


def _corners(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right - 1, box.bottom - 1


def _fields(start: float, end: float, step: float) -> list[tuple[float, float, bool]]:
    """The fields of a chequered bar from `start` to `end`, dark and light by turns from the table's corner."""
    fields = []
    for number in range(int(start // step), int(-(-end // step))):
        fields.append((max(number * step, start), min((number + 1) * step, end), number % 2 == 0))
    return fields


def _references(draw: ImageDraw.ImageDraw, view: View, look: Theme) -> None:
    """Letters from west to east above and below, numbers from north to south at both sides."""
    face = font(Face.BOLD, 21)
    frame = view.frame
    for start, end, _ in _fields(view.box.left, view.box.right, SQUARE):
        x = view.px(((start + end) / 2, 0))[0]
        letter = column(int(start // SQUARE))
        for y in (frame.top - TICKS - 14, frame.bottom + TICKS + 14):
            draw.text((x, y), letter, fill=look.ink, font=face, anchor="mm")
    for start, end, _ in _fields(view.box.top, view.box.bottom, SQUARE):
        y = view.px((0, (start + end) / 2))[1]
        number = str(int(start // SQUARE) + 1)
        for x in (frame.left - TICKS - 17, frame.right + TICKS + 17):
            draw.text((x, y), number, fill=look.ink, font=face, anchor="mm")


def _north(image: Image.Image, at: tuple[float, float], look: Theme) -> None:
    """A needle with its N."""
    x, y = at
    box = Box(x - 16, y - 26, x + 16, y + 26)
    ink(image, box, look.ink, lambda pen: _needle(pen, x, y))
    ImageDraw.Draw(image).text((x, y + 16), "N", fill=look.ink, font=font(Face.TITLE, 17), anchor="mm")


def _needle(pen: Pen, x: float, y: float) -> None:
    pen.area([(x, y - 24), (x + 9, y + 6), (x, y)], 255)
    pen.line([(x, y - 24), (x - 9, y + 6), (x, y), (x, y - 24)], 255, 1.4)


def _bar_inches(area: Box) -> int:
    """Inches of the scale bar: a third of the map or less."""
    return next((inches for inches in (24, 12, 6, 3) if inches <= area.width / 3), 1)


def _scale_bar_width(scale: float, area: Box) -> int:
    return round(_bar_inches(area) * scale) + 70


def _scale_bar(draw: ImageDraw.ImageDraw, sheet: Plan, look: Theme) -> None:
    inches = _bar_inches(sheet.view.box)
    long = round(inches * sheet.view.scale)
    face = font(Face.PLAIN, 17)
    label = f"{inches} inches"
    right = sheet.width - SIDE_MARGIN - width(label, Face.PLAIN, 17) // 2
    left, y = right - long, sheet.legend_top + 21
    for part in range(4):
        x0, x1 = left + long * part // 4, left + long * (part + 1) // 4
        draw.rectangle((x0, y, x1, y + 6), fill=look.ink if part % 2 == 0 else look.paper, outline=look.ink)
    for part, text in ((0, "0"), (2, str(inches // 2) if inches % 2 == 0 else ""), (4, label)):
        draw.text((left + long * part // 4, y - 4), text, fill=look.ink, font=face, anchor="ms")


def paper(sheet: Plan, colour: RGB) -> Image.Image:
    """An empty sheet."""
    return Image.new("RGB", (sheet.width, sheet.height), colour)
