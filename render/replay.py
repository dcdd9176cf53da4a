"""Draw a game as an animated GIF, one frame per turn."""

from collections.abc import Sequence
from io import BytesIO
from itertools import islice

from PIL import Image

from rules.core.hexboard.hex_scene import HexScene, Scene

from .fixed_palette import palette_entries, to_fixed_palette
from .foreign_names import Numbers, number_foreign_words_in_scenes, replace_foreign_words_in_scene
from .framing import frame_units
from .geometry import Box
from .palette import CAMPAIGN, PALETTES, PAPER
from .scenes import draw_image, image_size

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
    """Return an animated GIF with one frame per scene, all of the same part of the map.

    A frame over a photograph keeps the photograph's colours instead of `palette`. `scenes` is read four times. Every
    frame takes one byte of memory per pixel.

    Raises:
        ValueError: If `scenes` is empty or longer than `MOST_FRAMES`.
    """
    if not scenes:
        raise ValueError("There is nothing to show yet: play a turn first.")
    if len(scenes) > MOST_FRAMES:
        raise ValueError(f"{len(scenes)} scenes are too many for one replay: show {MOST_FRAMES} of them.")
    area, numbers = frame_units(scenes), number_foreign_words_in_scenes(scenes)
    photographs = photographs or [None] * len(scenes)
    frame_scenes = (simplify_for_replay(scene, numbers) for scene in scenes)
    sizes = [
        image_size(scene, area=area, shrink=SHRINK, over_photograph=photograph is not None)
        for scene, photograph in zip(frame_scenes, photographs, strict=True)
    ]
    size = max(wide for wide, _ in sizes), max(high for _, high in sizes)
    frames = (
        _draw_frame(simplify_for_replay(scene, numbers), photograph, area, size, palette)
        for scene, photograph in zip(scenes, photographs, strict=True)
    )
    out = BytesIO()
    next(frames).save(
        out,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[frame_duration(len(sizes))] * (len(sizes) - 1) + [LAST],
        loop=0,
        optimize=False,
    )
    return out.getvalue()


def frame_duration(frames: int) -> int:
    """Return the milliseconds per frame except the last, in whole hundredths of a second as GIF requires."""
    return min(PAUSE, (LONGEST - LAST) // max(frames - 1, 1) // 10 * 10)


def _draw_frame(
    scene: Scene, photograph: bytes | None, area: Box | None, size: tuple[int, int], palette: str
) -> Image.Image:
    """Return a frame of `size` that shows the scene; only a frame without a photograph uses `palette`."""
    picture = Image.new("RGB", size, PAPER)
    picture.paste(draw_image(scene, area=area, shrink=SHRINK, photograph=photograph), (0, 0))
    if photograph is not None:
        return picture.quantize(dither=Image.Dither.NONE)
    frame = to_fixed_palette(picture)
    if palette in PALETTES:
        frame.putpalette(palette_entries(palette))
    return frame


def simplify_for_replay(scene: Scene, numbers: Numbers | None = None) -> Scene:
    """Return the scene without dice; on a crowded table, only units that acted keep their names.

    Only some scenes have dice, so the map would move between frames. `numbers` replace words that cannot be drawn.
    """
    scene = replace_foreign_words_in_scene(scene, numbers or {})
    if isinstance(scene, HexScene):
        return scene.model_copy(update={"dice": ()})
    if len(scene.bases) <= MOST_PLATES:
        return scene
    ends = {point for arrow in scene.arrows for point in (arrow.start, arrow.end)}
    named_units = {base.unit for base in islice((base for base in scene.bases if base.at in ends), MOST_PLATES)}
    bases = (base.model_copy(update={"has_plate": base.unit in named_units}) for base in scene.bases)
    return scene.model_copy(update={"bases": tuple(bases)})
