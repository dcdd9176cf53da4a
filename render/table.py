"""Draw a table in inches with its units, and a scale bar below the map.

All functions are safe in worker threads, because cached images are never changed.
"""

from collections.abc import Callable

from PIL import Image, ImageDraw

from rules.core.scene import TableScene
from rules.core.tabletop.squares import GRID

from . import photograph as photographs
from .fonts import Face, font, text_width
from .geometry import Box, View
from .grid import column_letter
from .ground import table_ground
from .legend import legend_rows
from .map_frame import APART, SIDE_MARGIN, MapEdge, PictureLayout, bar_sections, frame_map, lay_out_picture
from .overlay import Overlay
from .palette import Theme, theme

MOST_WIDE, MOST_HIGH = 1296, 1010
"""Maximum width and height of the map itself, in pixels."""
SCALES = (54.0, 47.0, 41.0, 36.0, 31.0, 27.0, 24.0, 21.0, 18.0)
"""Scales in pixels per inch for parts of a table. Parts with equal scales share their cached ground."""
LEAST_PICTURE = 760
LEAST = 12.0
"""Minimum size of the shown area in each direction, in inches."""


def draw_table(scene: TableScene, area: Box | None, style: str, shrink: float, photograph: bytes | None) -> Image.Image:
    """Return an RGB picture of the scene or of `area`; over a `photograph`, bases are outlines only."""
    look, layout = theme(style, scene.ground), plan_picture(scene, area, style, shrink)
    view = layout.map_view
    if photograph is None:
        field = table_ground(scene, view.scale, style).picture(view.box)
    else:
        field = photographs.cut_photograph(photograph, Box(0, 0, scene.width, scene.height), view.box, view.scale)
    Overlay(scene, view, look, layout.text_size, outlined=photograph is not None).draw(field)
    image = frame_map(field, layout, look)
    _draw_scale_bar(ImageDraw.Draw(image), layout, look)
    return image


def plan_picture(scene: TableScene, area: Box | None, style: str, shrink: float = 1.0) -> PictureLayout:
    """Return the layout of a picture of `area` or the whole table, scaled by `shrink`."""
    look, area = theme(style, scene.ground), visible_part(scene, area)
    scale = min(MOST_WIDE / area.width, MOST_HIGH / area.height, SCALES[0])
    if area != Box(0, 0, scene.width, scene.height):
        scale = next((step for step in SCALES if step <= scale), scale)
    scale *= shrink
    area = Box(*(round(edge * scale) / scale for edge in area))
    view = View(area, scale)
    across = _table_edge(area.left, area.right, column_letter)
    down = _table_edge(area.top, area.bottom, lambda number: str(number + 1))
    return lay_out_picture(
        (scene.title, scene.subtitle),
        view,
        (across, down),
        lambda limit, size: legend_rows(scene, view, look, limit, _scale_bar_width(scale, area, size), size),
        round(LEAST_PICTURE * shrink),
    )


def _table_edge(start: float, end: float, label: Callable[[int], str]) -> MapEdge:
    """Return a table's edge with two bar sections and one label per square."""
    squares = bar_sections(start, end, GRID)
    labels = (((square.start + square.end) / 2, label(int(square.start // GRID))) for square in squares)
    return MapEdge(bar_sections(start, end, GRID / 2), tuple(labels))


def visible_part(scene: TableScene, area: Box | None) -> Box:
    """Clip `area` to the table, and enlarge it to at least `LEAST`; None means the whole table.

    Raises ValueError if `area` is off the table.
    """
    table = Box(0, 0, scene.width, scene.height)
    if area is None:
        return table
    inside = area.clip_to(table)
    if inside.width <= 0 or inside.height <= 0:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    return inside.enlarge_to(LEAST).clip_to(table)


def _scale_bar_inches(area: Box) -> int:
    """Return the scale bar's length in inches: at most a third of the map's width, or 1."""
    return next((inches for inches in (24, 12, 6, 3) if inches <= area.width / 3), 1)


def _scale_bar_width(scale: float, area: Box, text_size: int) -> int:
    inches = _scale_bar_inches(area)
    return round(inches * scale) + text_width(_scale_bar_label(inches), Face.PLAIN, text_size)


def _scale_bar_label(inches: int) -> str:
    return f"{inches} inches"


def _draw_scale_bar(draw: ImageDraw.ImageDraw, layout: PictureLayout, look: Theme) -> None:
    """Draw a scale bar in inches at the right of the legend."""
    inches = _scale_bar_inches(layout.view.box)
    long = round(inches * layout.view.scale)
    face = font(Face.PLAIN, layout.text_size)
    label = _scale_bar_label(inches)
    half = str(inches // 2) if inches % 2 == 0 else ""
    widths = [text_width(text, Face.PLAIN, layout.text_size) for text in (label, half)]
    right = layout.width - SIDE_MARGIN - widths[0] // 2
    left, y = right - long, layout.legend_top + layout.text_size + 4
    for part in range(4):
        x0, x1 = left + long * part // 4, left + long * (part + 1) // 4
        draw.rectangle((x0, y, x1, y + 6), fill=look.ink if part % 2 == 0 else look.paper, outline=look.ink)
    ends = sum(widths) / 2 + layout.text_size * APART
    for part, text in ((0, "0"), (2, half if ends <= long / 2 else ""), (4, label)):
        draw.text((left + long * part // 4, y - 4), text, fill=look.ink, font=face, anchor="ms")


def describe_area(scene: TableScene, area: Box) -> str:
    """Return the alternative text of a picture of `area`, which lists the units there."""
    names = [f"{base.name} {base.strength}".strip() for base in scene.bases if area.contains(base.at)]
    return f"{scene.title}, a part of the table. On it: {', '.join(names) or 'nobody'}."
