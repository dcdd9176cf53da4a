"""The one door to pictures of scenes, whatever they are of: a table in inches or a map of hexes.

An area is a box in the map's own units: inches, or hexes from centre to centre.
"""

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.scene import Sight

from . import framing, grid, ground, hexmap, table
from .framing import Acts
from .geometry import Box
from .hexmap import areas as hexes
from .hexmap import ground as hex_ground
from .hexmap import sheet as hex_sheet
from .hexmap.land_shapes import KeyedBoard
from .palette import STYLES
from .sheet import SCALES

USUAL = STYLES[0]
OVER = "Over a photograph of the table:"
OF_TWO_KINDS = "a game does not go from a table to a map of hexes"


def draw(scene: Scene, *, area: Box | None = None, style: str = USUAL, photograph: bytes | None = None) -> bytes:
    """The scene, or only `area` of it at a larger scale, as a PNG; a table over a `photograph` of it as a JPEG.

    Raises:
        ValueError: on an unknown style or an area off the map, saying what is allowed.
    """
    if isinstance(scene, HexScene):
        return hexmap.draw(scene, area=area, style=style)
    return table.draw(scene, area=area, style=style, photograph=photograph)


def picture(
    scene: Scene, *, area: Box | None = None, shrink: float = 1.0, photograph: bytes | None = None
) -> Image.Image:
    """The scene, or only `area` of it, as an RGB picture, the map `shrink` of its usual size."""
    if isinstance(scene, HexScene):
        return hexmap.picture(scene, area=area, shrink=shrink)
    return table.picture(scene, area=area, shrink=shrink, photograph=photograph)


def size(scene: Scene, *, area: Box | None = None, shrink: float = 1.0) -> tuple[int, int]:
    """Width and height of `picture` in pixels, without drawing it."""
    if isinstance(scene, HexScene):
        return hexmap.size(scene, area=area, shrink=shrink)
    return table.size(scene, area=area, shrink=shrink)


def area_of(scene: Scene, text: str) -> Box:
    """The part of the map that `text` names. Raises ValueError with what is allowed."""
    return hexes.area_of(scene, text) if isinstance(scene, HexScene) else grid.area_of(scene, text)


def areas(scene: Scene) -> list[tuple[str, str]]:
    """What `area_of` may be asked for, as it is written and as it is offered."""
    return hexes.areas(scene) if isinstance(scene, HexScene) else grid.areas(scene)


def ground_scales(scene: Scene) -> tuple[float, ...]:
    """Return the scales at which parts of the map are drawn, in pixels a hex or an inch, largest first."""
    return hex_sheet.SCALES if isinstance(scene, HexScene) else SCALES


def draw_ground_ahead(scene: Scene, scale: float) -> None:
    """Draw the ground of the whole map at a scale, and cache it for later pictures."""
    if isinstance(scene, HexScene):
        hex_ground.draw_ahead(KeyedBoard(scene.board.key, scene.board), round(scale), USUAL)
    else:
        ground.draw_ahead(scene, scale, USUAL)


def in_words(scene: Scene, area: Box | None = None, photograph: bytes | None = None) -> str:
    """What the scene shows, or a part of it: who stands in it; and whether it lies over a photograph."""
    said = scene.alt if area is None else _close_up(scene, area)
    return said if photograph is None else f"{OVER} {said}"


def _close_up(scene: Scene, area: Box) -> str:
    return hexes.close_up(scene, area) if isinstance(scene, HexScene) else table.close_up(scene, area)


def after(scene: Scene, before: Scene, acts: Acts) -> tuple[Scene, Box | None]:
    """The scene after actions, each of a kind and about units, with their lines of fire, and the part of it to show.

    The part is None where nothing changed.
    """
    if isinstance(scene, HexScene) and isinstance(before, HexScene):
        return framing.on_hexes(scene, before, acts)
    if isinstance(scene, HexScene) or isinstance(before, HexScene):
        raise TypeError(OF_TWO_KINDS)
    return framing.on_table(scene, before, acts)


def changed(scene: Scene, before: Scene) -> Box | None:
    """The part of the map with all that is not as it was before; None where nothing changed."""
    if isinstance(scene, HexScene) and isinstance(before, HexScene):
        return framing.changed_on_hexes(scene, before)
    if isinstance(scene, HexScene) or isinstance(before, HexScene):
        raise TypeError(OF_TWO_KINDS)
    return framing.changed_on_table(scene, before)


def sighted(scene: Scene, sight: Sight) -> tuple[Scene, Box]:
    """A table with arcs and lines over it, and the part of it where they are. Raises TypeError of a map of hexes."""
    if isinstance(scene, HexScene):
        raise TypeError("lines of sight are drawn on tables")
    return framing.sighted(scene, sight)


def weighed(scene: Scene) -> Box | None:
    """The part of the map with what a decision weighed; None where nothing of it is on the map."""
    return framing.weighed_on_hexes(scene) if isinstance(scene, HexScene) else framing.weighed_on_table(scene)
