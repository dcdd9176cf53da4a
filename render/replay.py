"""A game turn by turn, as an animated picture."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from rules.core.hex_scene import Scene

from .palette import PAPER, settle
from .scenes import picture

SHRINK = 0.8
"""Of the usual size of the map: enough to read, and small enough to post."""
PAUSE, LAST = 1800, 5000
"""Milliseconds a frame stands, and the last one."""


def draw_replay(scenes: Sequence[Scene]) -> bytes:
    """The scenes one after the other, as an animated GIF that begins again.

    Raises:
        ValueError: when there is no scene.
    """
    if not scenes:
        raise ValueError("There is nothing to show yet: play a turn first.")
    pictures = [picture(scene, shrink=SHRINK) for scene in scenes]
    size = max(drawn.width for drawn in pictures), max(drawn.height for drawn in pictures)
    frames = [_on_sheet(drawn, size) for drawn in pictures]
    out = BytesIO()
    frames[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[PAUSE] * (len(frames) - 1) + [LAST],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def _on_sheet(drawn: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture on a sheet of the common size, in the fixed palette."""
    sheet = Image.new("RGB", size, PAPER)
    sheet.paste(drawn, (0, 0))
    return settle(sheet)
