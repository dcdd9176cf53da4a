"""Draw a table in inches with its units, as a PNG.

The functions are pure and safe in worker threads: cached images (ground, bases, plates) are never modified.
"""

from PIL import Image

from rules.core.scene import TableScene

from .geometry import Box, View
from .grid import area_of
from .ground import ground
from .overlay import Overlay
from .palette import INK_ONLY, STYLES, png, theme
from .photograph import encode_jpeg
from .photograph import ground as photograph_ground
from .sheet import blank_sheet, draw_sheet, plan

__all__ = ["Box", "area_of", "close_up", "draw", "picture"]

LEAST = 12.0
"""Minimum size of the shown area in each direction, in inches."""


def draw(
    scene: TableScene, *, area: Box | None = None, style: str = "campaign", photograph: bytes | None = None
) -> bytes:
    """Draw the scene, or `area` of it (inches) at a larger scale, as a PNG; over a `photograph` as a JPEG.

    Raises:
        ValueError: For an unknown style, or an area off the table; the message lists the allowed values.
    """
    drawn = picture(scene, area=area, style=style, photograph=photograph)
    if photograph is not None:
        return encode_jpeg(drawn)
    return png(drawn.convert("L").convert("RGB") if style == INK_ONLY else drawn)


def picture(
    scene: TableScene,
    *,
    area: Box | None = None,
    style: str = "campaign",
    shrink: float = 1.0,
    photograph: bytes | None = None,
) -> Image.Image:
    """Draw the scene as an RGB picture, with the map scaled by `shrink`. Raises ValueError like `draw`.

    A `photograph` (rectified JPEG of the whole table) replaces the drawn ground, and units become outlines.
    """
    look = theme(style, scene.ground)
    shown = part_shown(scene, area)
    sheet = plan(scene, shown, look, shrink)
    shown = sheet.view.box
    if photograph is None:
        field = ground(scene, shown, sheet.view.scale, style)
    else:
        field = photograph_ground(photograph, Box(0, 0, scene.width, scene.height), shown, sheet.view.scale)
    Overlay(scene, View(shown, sheet.view.scale), look, sheet.words, outlined=photograph is not None).draw(field)
    image = blank_sheet(sheet, look.paper)
    image.paste(field, (int(sheet.view.left), int(sheet.view.top)))
    draw_sheet(image, sheet, look)
    return image


def size(scene: TableScene, *, area: Box | None = None, shrink: float = 1.0) -> tuple[int, int]:
    """Return the picture's width and height in pixels, for the whole scene or for `area`."""
    sheet = plan(scene, part_shown(scene, area), theme(STYLES[0], scene.ground), shrink)
    return sheet.width, sheet.height


def part_shown(scene: TableScene, area: Box | None) -> Box:
    """Return `area` within the table, enlarged to `LEAST`; the whole table for None. Raises ValueError if outside."""
    table = Box(0, 0, scene.width, scene.height)
    if area is None:
        return table
    inside = area.within(table)
    if inside.width <= 0 or inside.height <= 0:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    return inside.at_least(LEAST).within(table)


def close_up(scene: TableScene, area: Box) -> str:
    """Return a description of `area` of the table that lists the units in it."""
    names = [f"{base.name} {base.strength}".strip() for base in scene.bases if area.holds(base.at)]
    return f"{scene.title}, a part of the table. On it: {', '.join(names) or 'nobody'}."
