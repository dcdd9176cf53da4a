"""The ground of a map as a picture without units, in two sizes, named by its content."""

import hashlib
import io
from typing import NamedTuple

from PIL import Image

from render import scenes
from render.geometry import Box, View
from render.hexmap.looks import hex_look
from render.hexmap.photograph import draw_over_photograph
from render.hexmap.plane import box_around_hexes
from render.photograph import encode_jpeg
from render.scenes import USUAL
from rules.core.hexboard.hex_scene import HexScene, Scene

MOST_PIXELS = (1100, 2600)
"""Maximum width and height of the small and the large picture."""
NAME_LENGTH = 24


class MapBox(NamedTuple):
    """The rectangle that a map covers, in inches or in distances between hex centres."""

    left: float
    top: float
    width: float
    height: float


def map_box(scene: Scene) -> MapBox:
    """Return the rectangle that the scene's whole map covers."""
    if isinstance(scene, HexScene):
        box = box_around_hexes(cell.hex for cell in scene.board.cells)
        return MapBox(box.left, box.top, box.width, box.height)
    return MapBox(0, 0, scene.width, scene.height)


def ground_name(scene: Scene, photograph: bytes | None = None) -> str:
    """Return the name of the ground's picture: a hash of its content."""
    digest = hashlib.sha256()
    if isinstance(scene, HexScene):
        digest.update(scene.board.model_dump_json().encode())
    else:
        digest.update(f"{scene.width} {scene.height} {scene.ground}".encode())
        for piece in scene.terrain:
            digest.update(piece.model_dump_json().encode())
    digest.update(photograph or b"")
    return digest.hexdigest()[:NAME_LENGTH]


def draw_ground(scene: Scene, *, large: bool, photograph: bytes | None = None) -> tuple[bytes, str]:
    """Return the picture of the ground and its content type. A `photograph` is drawn under a map of hexes."""
    most, box = MOST_PIXELS[large], map_box(scene)
    scale = most / max(box.width, box.height)
    area = Box(box.left, box.top, box.left + box.width, box.top + box.height)
    if isinstance(scene, HexScene) and photograph is not None:
        look, view = hex_look(USUAL), View(area, float(int(scale)))
        return encode_jpeg(draw_over_photograph(photograph, scene, view, look, text_size=int(scale))), "image/jpeg"
    return _encode_png(scenes.tiled_ground(scene, int(scale)).picture(area)), "image/png"


def _encode_png(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE).save(stream, "PNG")
    return stream.getvalue()
