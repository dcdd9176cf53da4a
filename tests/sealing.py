"""Maps that are not drawn: a seal in their place, of what they would show. Drawing takes long."""

import hashlib
from io import BytesIO

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from render.geometry import Box
from render.palette import STYLES
from rules.core.hexboard.hex_scene import Scene


def seal(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on a map is one pixel, with its seal."""
    monkeypatch.setattr("render.table.draw", sealed)
    monkeypatch.setattr("render.hexmap.draw", sealed)


def sealed(scene: Scene, *, area: Box | None = None, style: str = STYLES[0], photograph: bytes | None = None) -> bytes:
    """A PNG that differs wherever the map would."""
    written, info = BytesIO(), PngInfo()
    info.add_text("seal", hashlib.sha256(repr((scene, area, style, photograph)).encode()).hexdigest())
    Image.new("1", (1, 1)).save(written, "PNG", pnginfo=info)
    return written.getvalue()
