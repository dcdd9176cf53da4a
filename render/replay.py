"""Draw a game as an animated GIF, one frame per turn."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene

from .fixed_palette import entries_of, fixed_palette, to_fixed_palette
from .foreign_names import Numbers, numbers_of, without_foreign_words
from .framing import frame_units
from .geometry import Box
from .palette import CAMPAIGN, PALETTES, PAPER
from .scenes import picture, size

SHRINK = 0.8
"""Factor applied to the usual map size: still legible, and small enough to post."""
PAUSE, QUICKEST, LAST = 1800, 1200, 4000
"""Milliseconds of a frame: usual, minimum in a long replay, and of the last frame."""
LONGEST = 60_000
"""Maximum milliseconds of a replay."""
MOST_PLATES = 80
"""Maximum number of unit names in a frame."""
MOST_FRAMES = (LONGEST - LAST) // QUICKEST + 1
"""Maximum number of frames that fit into `LONGEST`."""


def draw_replay(scenes: Sequence[Scene], photographs: Sequence[bytes | None] = (), palette: str = CAMPAIGN) -> bytes:
    """Return the scenes as an animated GIF that loops, at most a minute long.

    A scene with a photograph is drawn over that photograph; all others in the colours of `palette`.

    All frames show the same part of the map: the area where units stand in any scene. `scenes` is read four times: for
    the area, the names, the size, and for drawing. Memory holds one byte per pixel of every frame.

    Raises:
        ValueError: For no scenes, or for more than `MOST_FRAMES` scenes.
    """
    if not scenes:
        raise ValueError("There is nothing to show yet: play a turn first.")
    if len(scenes) > MOST_FRAMES:
        raise ValueError(f"{len(scenes)} scenes are too many for one replay: show {MOST_FRAMES} of them.")
    area, numbers = frame_units(scenes), numbers_of(scenes)
    photographs = photographs or [None] * len(scenes)
    sizes = [
        size(frame_of(scene, numbers), area=area, shrink=SHRINK, over_photograph=photograph is not None)
        for scene, photograph in zip(scenes, photographs, strict=True)
    ]
    sheet = max(wide for wide, _ in sizes), max(high for _, high in sizes)
    images = _frames(scenes, photographs, area, sheet, numbers)
    frames = (_in_palette(frame, palette) for frame in images)
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
    scenes: Sequence[Scene],
    photographs: Sequence[bytes | None],
    area: Box | None,
    sheet: tuple[int, int],
    numbers: Numbers,
) -> Iterator[Image.Image]:
    """Draw and yield the frames in order."""
    for scene, photograph in zip(scenes, photographs, strict=True):
        image = picture(frame_of(scene, numbers), area=area, shrink=SHRINK, photograph=photograph)
        yield _place_on_sheet(image, sheet, own_colours=photograph is not None)


def frame_of(scene: Scene, numbers: Numbers | None = None) -> Scene:
    """Return a copy of the scene without the parts that a replay omits.

    Frames omit the strip of dice: only some scenes have one, and the map would move between frames. On a crowded table,
    only units that acted show their names. `numbers` replace words that cannot be drawn.
    """
    scene = without_foreign_words(scene, numbers or {})
    if isinstance(scene, HexScene):
        return scene.model_copy(update={"dice": ()})
    if len(scene.bases) <= MOST_PLATES:
        return scene
    ends = {point for arrow in scene.arrows for point in (arrow.start, arrow.end)}
    named_units = {base.unit for base in islice((base for base in scene.bases if base.at in ends), MOST_PLATES)}
    bases = (base.model_copy(update={"has_plate": base.unit in named_units}) for base in scene.bases)
    return scene.model_copy(update={"bases": tuple(bases)})


def _place_on_sheet(image: Image.Image, size: tuple[int, int], *, own_colours: bool) -> Image.Image:
    """Return the picture on a sheet of `size`, in the fixed palette; with `own_colours`, in a palette of its own."""
    sheet = Image.new("RGB", size, PAPER)
    sheet.paste(image, (0, 0))
    return sheet.quantize(dither=Image.Dither.NONE) if own_colours else to_fixed_palette(sheet)


def _in_palette(frame: Image.Image, name: str) -> Image.Image:
    """Recolour a frame from the fixed palette; a frame with own colours stays unchanged."""
    if name not in PALETTES or frame.getpalette() != fixed_palette().getpalette():
        return frame
    frame.putpalette(entries_of(name))
    return frame
