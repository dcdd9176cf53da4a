"""Draw any scene, on a table or on a hex map. An area is a box in inches, or in distances between hex centres."""

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene

from . import grid, table
from .fixed_palette import encode_png, recolour
from .geometry import Box
from .ground import table_ground
from .hexmap import areas as hexes
from .hexmap import picture as hex_picture
from .hexmap.ground import hex_map_ground
from .hexmap.land_shapes import KeyedBoard
from .palette import INK_ONLY, PALETTES, STYLES
from .photograph import encode_jpeg
from .tiles import TiledGround

USUAL = STYLES[0]
OVER_PHOTOGRAPH, OVER_PICTURE = "Over a photograph of the table:", "Over a picture of the map:"


def draw(scene: Scene, *, area: Box | None = None, style: str = USUAL, photograph: bytes | None = None) -> bytes:
    """Return a picture of the scene: a PNG, or over a `photograph` a JPEG.

    An `area` is drawn at a larger scale. Raises ValueError for an unknown style, or an area off the map.
    """
    if style in PALETTES and style != USUAL:
        return recolour(draw(scene, area=area, photograph=photograph), style)
    image = draw_image(scene, area=area, style=style, photograph=photograph)
    if photograph is not None:
        return encode_jpeg(image)
    return encode_png(image.convert("L").convert("RGB") if style == INK_ONLY else image)


def draw_image(
    scene: Scene,
    *,
    area: Box | None = None,
    style: str = USUAL,
    shrink: float = 1.0,
    photograph: bytes | None = None,
) -> Image.Image:
    """Return an RGB picture of the scene, or of an `area`, with the map scaled by `shrink`.

    A `photograph`, a rectified JPEG of the whole map, replaces the drawn ground. Raises ValueError for an unknown
    style, or an area off the map.
    """
    if isinstance(scene, HexScene):
        return hex_picture.draw_map(scene, area, style, shrink, photograph)
    return table.draw_table(scene, area, style, shrink, photograph)


def image_size(
    scene: Scene, *, area: Box | None = None, shrink: float = 1.0, over_photograph: bool = False
) -> tuple[int, int]:
    """Return the width and height in pixels of the picture that `draw_image` would return."""
    layout = (
        hex_picture.plan_picture(scene, area, USUAL, shrink, over_photograph=over_photograph)
        if isinstance(scene, HexScene)
        else table.plan_picture(scene, area, USUAL, shrink)
    )
    return layout.width, layout.height


def find_area(scene: Scene, text: str) -> Box:
    """Return the part of the map that `text` names. Raises ValueError for an unknown name."""
    return hexes.find_area(scene, text) if isinstance(scene, HexScene) else grid.find_area(scene, text)


def list_areas(scene: Scene) -> list[tuple[str, str]]:
    """Return the names that `find_area` accepts, with labels for autocompletion."""
    return hexes.list_areas(scene) if isinstance(scene, HexScene) else grid.list_areas(scene)


def ground_scales(scene: Scene) -> tuple[float, ...]:
    """Return the preferred scales of the map, in pixels per hex or inch, largest first."""
    return hex_picture.SCALES if isinstance(scene, HexScene) else table.SCALES


def tiled_ground(scene: Scene, scale: float) -> TiledGround:
    """Return the ground of the map at `scale` pixels per hex or inch."""
    if isinstance(scene, HexScene):
        return hex_map_ground(KeyedBoard(scene.board.key, scene.board), round(scale), USUAL)
    return table_ground(scene, float(scale), USUAL)


def describe(scene: Scene, area: Box | None = None, photograph: bytes | None = None) -> str:
    """Return the alternative text of a picture of the scene, or of `area`; it mentions a photograph."""
    if area is None:
        text = scene.alt
    else:
        text = hexes.describe_area(scene, area) if isinstance(scene, HexScene) else table.describe_area(scene, area)
    if photograph is None:
        return text
    return f"{OVER_PICTURE if isinstance(scene, HexScene) else OVER_PHOTOGRAPH} {text}"
