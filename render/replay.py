"""A game turn by turn, as an animated picture."""

from collections.abc import Iterator, Sequence
from io import BytesIO

from PIL import Image

from rules.core.hexboard.hex_scene import Scene

from .palette import PAPER, settle
from .scenes import picture, size

SHRINK = 0.8
"""Of the usual size of the map: enough to read, and small enough to post."""
PAUSE, LAST = 1800, 5000
"""Milliseconds a frame stands, and the last one."""


def draw_replay(scenes: Sequence[Scene]) -> bytes:
    """The scenes one after the other, as an animated GIF that begins again.

    Each is looked at twice, first for its size, and none is kept: a sequence that works them out as it is asked has
    one in memory at a time, beside a byte a pixel of every frame.

    Raises:
        ValueError: when there is no scene.
    """
    if not scenes:
        raise ValueError("There is nothing to show yet: play a turn first.")
    sizes = [size(scene, shrink=SHRINK) for scene in scenes]
    sheet = max(wide for wide, _ in sizes), max(high for _, high in sizes)
    frames = _frames(scenes, sheet)
    out = BytesIO()
    next(frames).save(
        out,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[PAUSE] * (len(sizes) - 1) + [LAST],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _frames(scenes: Sequence[Scene], sheet: tuple[int, int]) -> Iterator[Image.Image]:
    """Frame after frame, each drawn when it is asked for."""
    return (_on_sheet(picture(scene, shrink=SHRINK), sheet) for scene in scenes)


def _on_sheet(drawn: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture on a sheet of the common size, in the fixed palette."""
    sheet = Image.new("RGB", size, PAPER)
    sheet.paste(drawn, (0, 0))
    return settle(sheet)
