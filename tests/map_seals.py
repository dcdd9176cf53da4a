"""Maps replaced by one pixel with a hash of their scene, since drawing takes long."""

import hashlib
from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from render.geometry import Box
from render.palette import STYLES
from rules.core.hexboard.hex_scene import Scene


def replace_maps_with_seals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the drawing of maps by `draw_seal`."""
    monkeypatch.setattr("render.scenes.draw", draw_seal)


def draw_seal(
    scene: Scene, *, area: Box | None = None, style: str = STYLES[0], photograph: bytes | None = None
) -> bytes:
    """Return a PNG of one pixel whose metadata hashes the scene and all options of the map."""
    picture, info = BytesIO(), PngInfo()
    info.add_text("seal", hashlib.sha256(repr((scene, area, style, photograph)).encode()).hexdigest())
    Image.new("1", (1, 1)).save(picture, "PNG", pnginfo=info)
    return picture.getvalue()
