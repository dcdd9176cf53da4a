"""Draw a game turn by turn as an animated GIF."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene

from .geometry import Box
from .occupied_frame import occupied_area
from .palette import PAPER, to_fixed_palette
from .scenes import picture, size

SHRINK = 0.8
"""Factor on the usual map size: legible, and small enough to post."""
PAUSE, QUICKEST, LAST = 1800, 1200, 4000
"""Milliseconds per frame, minimum in a long replay, and duration of the last frame."""
LONGEST = 60_000
"""Maximum milliseconds of a replay."""
MOST_PLATES = 80
"""Maximum number of unit names in a frame."""
MOST_FRAMES = (LONGEST - LAST) // QUICKEST + 1
"""Maximum number of frames within the maximum duration."""


def draw_replay(scenes: Sequence[Scene], photographs: Sequence[bytes | None] = ()) -> bytes:
    """Return the scenes as an animated GIF that loops, at most a minute long.

    Each scene lies over its photograph, if it has one.

    All frames show the same part of the map: the area where units stand in any scene. The scenes are read three times,
    first for the area and the size. Memory holds one byte per pixel of every frame, and no pictures.

    Raises:
        ValueError: For no scenes, or for more than `MOST_FRAMES` scenes.
    """
    if not scenes:
        raise ValueError("There is nothing to show yet: play a turn first.")
    if len(scenes) > MOST_FRAMES:
        raise ValueError(f"{len(scenes)} scenes are too many for one replay: show {MOST_FRAMES} of them.")
    area = occupied_area(scenes)
    sizes = [size(frame_of(scene), area=area, shrink=SHRINK) for scene in scenes]
    sheet = max(wide for wide, _ in sizes), max(high for _, high in sizes)
    frames = _frames(scenes, photographs or [None] * len(sizes), area, sheet)
    out = BytesIO()
    next(frames).save(
        out,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[pause(len(sizes))] * (len(sizes) - 1) + [LAST],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def pause(frames: int) -> int:
    """Return the milliseconds per frame except the last, in whole hundredths of a second as GIF requires."""
    return min(PAUSE, (LONGEST - LAST) // max(frames - 1, 1) // 10 * 10)


def _frames(
    scenes: Sequence[Scene], photographs: Sequence[bytes | None], area: Box | None, sheet: tuple[int, int]
) -> Iterator[Image.Image]:
    """Yield the frames, drawing each frame on demand."""
    for scene, photograph in zip(scenes, photographs, strict=True):
        drawn = picture(frame_of(scene), area=area, shrink=SHRINK, photograph=photograph)
        yield _place_on_sheet(drawn, sheet, own_colours=photograph is not None)


def frame_of(scene: Scene) -> Scene:
    """Return the scene as a frame of a replay shows it.

    Frames omit the strip of dice: only some scenes have one, and the map would move between frames. On a crowded table,
    only units that acted show their names.
    """
    if isinstance(scene, HexScene):
        return scene.model_copy(update={"dice": ()})
    if len(scene.bases) <= MOST_PLATES:
        return scene
    ends = {point for arrow in scene.arrows for point in (arrow.start, arrow.end)}
    named = {base.unit for base in islice((base for base in scene.bases if base.at in ends), MOST_PLATES)}
    bases = (base.model_copy(update={"has_plate": base.unit in named}) for base in scene.bases)
    return scene.model_copy(update={"bases": tuple(bases)})


def _place_on_sheet(drawn: Image.Image, size: tuple[int, int], *, own_colours: bool) -> Image.Image:
    """Place the picture on a sheet of common size; reduce colours to the fixed palette, or a photograph's own."""
    sheet = Image.new("RGB", size, PAPER)
    sheet.paste(drawn, (0, 0))
    return sheet.quantize(dither=Image.Dither.NONE) if own_colours else to_fixed_palette(sheet)
