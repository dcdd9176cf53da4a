"""Draw a table in inches with its units, on a sheet with a scale bar.

The functions are pure and safe in worker threads: cached images (ground, bases, plates) are never modified.
"""

from collections.abc import Callable

from PIL import Image, ImageDraw

from rules.core.scene import TableScene
from rules.core.tabletop.squares import GRID

from . import photograph as photographs
from .fonts import Face, font, width
from .geometry import Box, View
from .grid import column_letter
from .ground import table_ground
from .legend import legend_rows
from .overlay import Overlay
from .palette import Theme, theme
from .sheet import APART, SIDE_MARGIN, MapEdge, SheetLayout, bar_sections, frame_map, lay_out_sheet

MOST_WIDE, MOST_HIGH = 1296, 1010
"""Maximum width and height of the map itself, in pixels."""
SCALES = (54.0, 47.0, 41.0, 36.0, 31.0, 27.0, 24.0, 21.0, 18.0)
"""Scales in pixels per inch for parts of a table. Parts with equal scales share their cached ground."""
LEAST_SHEET = 760
LEAST = 12.0
"""Minimum size of the shown area in each direction, in inches."""


def draw_table(scene: TableScene, area: Box | None, style: str, shrink: float, photograph: bytes | None) -> Image.Image:
    """Draw the scene, or `area` of it, as RGB (see `scenes.draw_image`); over a `photograph`, bases as outlines."""
    look, sheet = theme(style, scene.ground), plan_sheet(scene, area, style, shrink)
    view = sheet.map_view
    if photograph is None:
        field = table_ground(scene, view.scale, style).picture(view.box)
    else:
        field = photographs.cut_ground(photograph, Box(0, 0, scene.width, scene.height), view.box, view.scale)
    Overlay(scene, view, look, sheet.words, outlined=photograph is not None).draw(field)
    image = frame_map(field, sheet, look)
    _draw_scale_bar(ImageDraw.Draw(image), sheet, look)
    return image


def plan_sheet(scene: TableScene, area: Box | None, style: str, shrink: float = 1.0) -> SheetLayout:
    """Return the layout of a sheet that shows `area` of the table, scaled by `shrink`. None means the whole table."""
    look, area = theme(style, scene.ground), shown_area(scene, area)
    scale = min(MOST_WIDE / area.width, MOST_HIGH / area.height, SCALES[0])
    if area != Box(0, 0, scene.width, scene.height):
        scale = next((step for step in SCALES if step <= scale), scale)
    scale *= shrink
    area = Box(*(round(edge * scale) / scale for edge in area))
    view = View(area, scale)
    across = _table_edge(area.left, area.right, column_letter)
    down = _table_edge(area.top, area.bottom, lambda number: str(number + 1))
    return lay_out_sheet(
        (scene.title, scene.subtitle),
        view,
        (across, down),
        lambda inner, words: legend_rows(scene, view, look, inner, _scale_bar_width(scale, area, words), words),
        round(LEAST_SHEET * shrink),
    )


def _table_edge(start: float, end: float, label: Callable[[int], str]) -> MapEdge:
    """Return a table's edge with two bar sections and one label per square."""
    squares = bar_sections(start, end, GRID)
    labels = (((square.start + square.end) / 2, label(int(square.start // GRID))) for square in squares)
    return MapEdge(bar_sections(start, end, GRID / 2), tuple(labels))


def shown_area(scene: TableScene, area: Box | None) -> Box:
    """Return the part of `area` on the table, enlarged to at least `LEAST`. None means the whole table.

    Raises ValueError if `area` lies outside the table.
    """
    table = Box(0, 0, scene.width, scene.height)
    if area is None:
        return table
    inside = area.within(table)
    if inside.width <= 0 or inside.height <= 0:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    return inside.enlarge_to(LEAST).within(table)


def _scale_bar_inches(area: Box) -> int:
    """Return the scale bar's length in inches: at most a third of the map's width, but at least 1."""
    return next((inches for inches in (24, 12, 6, 3) if inches <= area.width / 3), 1)


def _scale_bar_width(scale: float, area: Box, words: int) -> int:
    inches = _scale_bar_inches(area)
    return round(inches * scale) + width(_scale_bar_label(inches), Face.PLAIN, words)


def _scale_bar_label(inches: int) -> str:
    return f"{inches} inches"


def _draw_scale_bar(draw: ImageDraw.ImageDraw, sheet: SheetLayout, look: Theme) -> None:
    """Draw a scale bar in inches at the right of the legend."""
    inches = _scale_bar_inches(sheet.view.box)
    long = round(inches * sheet.view.scale)
    face = font(Face.PLAIN, sheet.words)
    label = _scale_bar_label(inches)
    right = sheet.width - SIDE_MARGIN - width(label, Face.PLAIN, sheet.words) // 2
    left, y = right - long, sheet.legend_top + sheet.words + 4
    for part in range(4):
        x0, x1 = left + long * part // 4, left + long * (part + 1) // 4
        draw.rectangle((x0, y, x1, y + 6), fill=look.ink if part % 2 == 0 else look.paper, outline=look.ink)
    half = str(inches // 2) if inches % 2 == 0 else ""
    ends = width(label, Face.PLAIN, sheet.words) / 2 + width(half, Face.PLAIN, sheet.words) / 2 + sheet.words * APART
    for part, text in ((0, "0"), (2, half if ends <= long / 2 else ""), (4, label)):
        draw.text((left + long * part // 4, y - 4), text, fill=look.ink, font=face, anchor="ms")


def describe_area(scene: TableScene, area: Box) -> str:
    """Return a text that describes `area` of the table, and lists the units in it."""
    names = [f"{base.name} {base.strength}".strip() for base in scene.bases if area.holds(base.at)]
    return f"{scene.title}, a part of the table. On it: {', '.join(names) or 'nobody'}."
