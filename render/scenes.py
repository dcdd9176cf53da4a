"""Draw any scene, on a table in inches or on a hex map.

An area is a box in the map's units: inches, or distances between hex centres.
"""

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene

from . import grid, ground, hexmap, table
from .geometry import Box
from .hexmap import areas as hexes
from .hexmap import ground as hex_ground
from .hexmap import sheet as hex_sheet
from .hexmap.land_shapes import KeyedBoard
from .palette import PALETTES, STYLES, recolour
from .sheet import SCALES

USUAL = STYLES[0]
OVER_PHOTOGRAPH, OVER_PICTURE = "Over a photograph of the table:", "Over a picture of the map:"


def draw(scene: Scene, *, area: Box | None = None, style: str = USUAL, photograph: bytes | None = None) -> bytes:
    """Draw the scene, or `area` at a larger scale, as a PNG; over a `photograph` as a JPEG.

    Raises:
        ValueError: For an unknown style, or an area off the map; the message lists the allowed values.
    """
    if style in PALETTES and style != USUAL:
        return recolour(draw(scene, area=area, photograph=photograph), style)
    if isinstance(scene, HexScene):
        return hexmap.draw(scene, area=area, style=style, photograph=photograph)
    return table.draw(scene, area=area, style=style, photograph=photograph)


def picture(
    scene: Scene, *, area: Box | None = None, shrink: float = 1.0, photograph: bytes | None = None
) -> Image.Image:
    """Draw the scene, or `area` of it, as an RGB picture, with the map scaled by `shrink`."""
    if isinstance(scene, HexScene):
        return hexmap.picture(scene, area=area, shrink=shrink, photograph=photograph)
    return table.picture(scene, area=area, shrink=shrink, photograph=photograph)


def size(
    scene: Scene, *, area: Box | None = None, shrink: float = 1.0, over_photograph: bool = False
) -> tuple[int, int]:
    """Return width and height of `picture` in pixels, without drawing."""
    if isinstance(scene, HexScene):
        return hexmap.size(scene, area=area, shrink=shrink, over_photograph=over_photograph)
    return table.size(scene, area=area, shrink=shrink)


def area_of(scene: Scene, text: str) -> Box:
    """Return the part of the map named by `text`. Raises ValueError, with the allowed names, for other text."""
    return hexes.area_of(scene, text) if isinstance(scene, HexScene) else grid.area_of(scene, text)


def areas(scene: Scene) -> list[tuple[str, str]]:
    """Return the names that `area_of` accepts, with labels for completion."""
    return hexes.areas(scene) if isinstance(scene, HexScene) else grid.areas(scene)


def ground_scales(scene: Scene) -> tuple[float, ...]:
    """Return the scales at which parts of the map are drawn, in pixels per hex or inch, largest first."""
    return hex_sheet.SCALES if isinstance(scene, HexScene) else SCALES


def draw_ground_ahead(scene: Scene, scale: float) -> None:
    """Draw the ground of the whole map at `scale` pixels per hex or inch, and cache the tiles for later pictures."""
    if isinstance(scene, HexScene):
        hex_ground.draw_ahead(KeyedBoard(scene.board.key, scene.board), round(scale), USUAL)
    else:
        ground.draw_ahead(scene, scale, USUAL)


def describe(scene: Scene, area: Box | None = None, photograph: bytes | None = None) -> str:
    """Return a description of the scene, or of `area`, that lists the units and mentions a photograph."""
    text = scene.alt if area is None else _close_up(scene, area)
    if photograph is None:
        return text
    return f"{OVER_PICTURE if isinstance(scene, HexScene) else OVER_PHOTOGRAPH} {text}"


def _close_up(scene: Scene, area: Box) -> str:
    return hexes.close_up(scene, area) if isinstance(scene, HexScene) else table.close_up(scene, area)
