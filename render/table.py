"""The map: a table in inches with its units, as a PNG.

Pure and safe in worker threads: what is kept between calls (ground, bases, plates) is never drawn on.
"""

from PIL import Image

from rules.core.scene import TableScene

from .geometry import Box, View
from .grid import area_of
from .ground import ground
from .overlay import Overlay
from .palette import INK_ONLY, STYLES, png, theme
from .photograph import ground as photographed
from .photograph import packed
from .sheet import draw_sheet, paper, plan

__all__ = ["Box", "area_of", "close_up", "draw", "picture"]

LEAST = 12.0
"""Inches that are shown at least, each way."""


def draw(
    scene: TableScene, *, area: Box | None = None, style: str = "campaign", photograph: bytes | None = None
) -> bytes:
    """The scene, or only `area` of it (inches) at a larger scale, as a PNG; over a `photograph` as a JPEG.

    Raises:
        ValueError: on an unknown style or an area off the table, saying what is allowed.
    """
    drawn = picture(scene, area=area, style=style, photograph=photograph)
    if photograph is not None:
        return packed(drawn)
    return png(drawn.convert("L").convert("RGB") if style == INK_ONLY else drawn)


def picture(
    scene: TableScene,
    *,
    area: Box | None = None,
    style: str = "campaign",
    shrink: float = 1.0,
    photograph: bytes | None = None,
) -> Image.Image:
    """The scene as an RGB picture, the map `shrink` of its usual size. Raises ValueError as `draw` does.

    Over a photograph of the whole table, a JPEG that lies flat, no ground is drawn, and units in outline.
    """
    look = theme(style, scene.ground)
    shown = part_shown(scene, area)
    sheet = plan(scene, shown, look, shrink)
    shown = sheet.view.box
    if photograph is None:
        field = ground(scene, shown, sheet.view.scale, style)
    else:
        field = photographed(photograph, Box(0, 0, scene.width, scene.height), shown, sheet.view.scale)
    Overlay(scene, View(shown, sheet.view.scale), look, sheet.words, outlined=photograph is not None).draw(field)
    image = paper(sheet, look.paper)
    image.paste(field, (int(sheet.view.left), int(sheet.view.top)))
    draw_sheet(image, sheet, look)
    return image


def size(scene: TableScene, *, area: Box | None = None, shrink: float = 1.0) -> tuple[int, int]:
    """Width and height of the picture of it, or of `area`, in pixels."""
    sheet = plan(scene, part_shown(scene, area), theme(STYLES[0], scene.ground), shrink)
    return sheet.width, sheet.height


def part_shown(scene: TableScene, area: Box | None) -> Box:
    """`area` within the table and not too small to read, or all of it. Raises ValueError when it is off the table."""
    table = Box(0, 0, scene.width, scene.height)
    if area is None:
        return table
    inside = area.within(table)
    if inside.width <= 0 or inside.height <= 0:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    return inside.at_least(LEAST).within(table)


def close_up(scene: TableScene, area: Box) -> str:
    """A part of the table in words: who stands in it."""
    names = [f"{base.name} {base.strength}".strip() for base in scene.bases if area.holds(base.at)]
    return f"{scene.title}, a part of the table. On it: {', '.join(names) or 'nobody'}."
