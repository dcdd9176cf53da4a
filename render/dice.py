"""Draw rolled battle dice as a row of dice with pictures on their faces."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from io import BytesIO

from PIL import Image

from rules.core.scene import DieFace, Point

from .geometry import star_corners
from .palette import AMBER, BLOOD, GREEN, INK, PAPER, SIDES, WHITE, mix
from .pen import Pen, rounded_box, sprite
from .text_size import TELEPHONE

LEAST = 23
"""Minimum size of a die, in pixels, on a picture as wide as a phone screen."""
ALONE = 600
"""Width in pixels of a picture that shows only dice."""
GAP = 0.2
"""Gap between two dice, as a fraction of a die."""
IVORY, BLUE = PAPER, SIDES[1].colour
Drawer = Callable[[Pen], None]

# Every face is drawn about the origin, 2 units wide and 2 units high.


def draw_soldier(pen: Pen) -> None:
    """Draw a head under a steel helmet."""
    pen.area([(-0.62, 0.72), (-0.5, 0.36), (-0.2, 0.22), (0.2, 0.22), (0.5, 0.36), (0.62, 0.72)], GREEN)
    pen.disc((0, -0.02), 0.36, mix(GREEN, WHITE, 0.75))
    pen.ring((0, -0.02), 0.36, GREEN, 0.09)
    pen.line([(0.5, 0.66), (0.72, -0.72)], INK, 0.12)
    dome = [
        (0.47 * math.cos(turn), -0.16 - 0.46 * math.sin(turn)) for turn in (math.pi * step / 12 for step in range(13))
    ]
    pen.area(dome, GREEN)
    pen.line([(-0.56, -0.14), (0.56, -0.14)], GREEN, 0.15)


def draw_burst(pen: Pen) -> None:
    """Draw a bursting shell."""
    for reach, colour in ((0.84, BLOOD), (0.52, AMBER)):
        pen.area(star_corners(22, reach, reach * 0.58), colour)
    pen.disc((0, 0), 0.16, WHITE)


def draw_flag(pen: Pen) -> None:
    """Draw a flag on its staff."""
    pen.line([(-0.52, -0.72), (-0.52, 0.76)], INK, 0.14)
    cloth: list[Point] = [
        (-0.44, -0.72),
        (-0.1, -0.62),
        (0.28, -0.74),
        (0.7, -0.62),
        (0.7, 0.08),
        (0.28, -0.04),
        (-0.1, 0.08),
        (-0.44, -0.02),
    ]
    pen.area(cloth, BLUE)


def draw_headquarters(pen: Pen) -> None:
    """Draw the letters HQ on a dark plate."""
    pen.area(rounded_box(1.62, 1.2, 0.2), INK)
    for x in (-0.56, -0.14):
        pen.line([(x, -0.32), (x, 0.32)], WHITE, 0.15)
    pen.line([(-0.56, 0), (-0.14, 0)], WHITE, 0.15)
    pen.ring((0.36, 0.0), 0.37, WHITE, 0.15)
    pen.line([(0.42, 0.14), (0.64, 0.38)], WHITE, 0.15)


def draw_skull(pen: Pen) -> None:
    """Draw a skull."""
    pen.disc((0, -0.16), 0.62, INK)
    pen.area(rounded_box(1.24, 0.5, 0.22), INK)
    pen.move((0, 0.42)).area(rounded_box(0.68, 0.62, 0.12), INK)
    for side in (-1, 1):
        pen.disc((side * 0.27, -0.1), 0.19, IVORY)
    pen.area([(0, 0.1), (-0.11, 0.32), (0.11, 0.32)], IVORY)
    for x in (-0.16, 0, 0.16):
        pen.line([(x, 0.48), (x, 0.7)], IVORY, 0.06)


FACES: Mapping[DieFace, Drawer] = {
    DieFace.SOLDIER: draw_soldier,
    DieFace.BURST: draw_burst,
    DieFace.FLAG: draw_flag,
    DieFace.HQ: draw_headquarters,
    DieFace.DEADLY: draw_skull,
}


@lru_cache(maxsize=64)
def die_sprite(face: DieFace, size: int) -> Image.Image:
    """Return a die that shows `face`, `size` pixels square. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        unit = pen.zoom(size / 2)
        unit.move((0.03, 0.05)).area(rounded_box(1.9, 1.88, 0.44), (*INK, 110))
        unit.area(rounded_box(1.88, 1.86, 0.42), mix(INK, IVORY, 0.25))
        unit.area(rounded_box(1.78, 1.76, 0.38), mix(IVORY, INK, 0.16))
        unit.move((-0.03, -0.04)).area(rounded_box(1.68, 1.66, 0.36), IVORY)
        FACES[face](unit.move((-0.02, -0.02)).zoom(0.86))

    return sprite(size, size, paint)


def draw_dice_strip(dice: Sequence[DieFace]) -> bytes:
    """Return a picture of dice and nothing else, as a PNG with a transparent background."""
    image = Image.new("RGBA", (ALONE, dice_strip_height(dice, ALONE, ALONE)))
    draw_dice(image, dice, 0, 0, ALONE)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def die_size(picture_width: int) -> int:
    """Return the width and height of a die, in pixels, in a picture of this width."""
    return -(-picture_width * LEAST // TELEPHONE)


def dice_strip_height(dice: Sequence[DieFace], limit: int, picture_width: int) -> int:
    """Return the height in pixels of the dice, in rows at most `limit` pixels wide."""
    pitch = _die_pitch(picture_width)
    return -(-len(dice) // max(limit // pitch, 1)) * pitch


def draw_dice(image: Image.Image, dice: Sequence[DieFace], left: int, top: int, limit: int) -> None:
    """Draw the dice in the given order, in rows at most `limit` pixels wide. The first die starts at `left`, `top`."""
    size, pitch = die_size(image.width), _die_pitch(image.width)
    across = max(limit // pitch, 1)
    for number, face in enumerate(dice):
        row, column = divmod(number, across)
        die_image = die_sprite(face, size)
        image.paste(die_image, (left + column * pitch, top + row * pitch), die_image)


def _die_pitch(picture_width: int) -> int:
    """Return the distance in pixels from one die's left edge to the next."""
    return round(die_size(picture_width) * (1 + GAP))
