"""Draw units as bases seen from above: outline and fill show the side, a symbol the arm.

Markers, which may conceal units, are round counters in the side's colour, with a letter and a “?”.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, hypot

from PIL import Image, ImageDraw

from rules.core.scene import Point, Symbol, UnitBase

from .fonts import Face, font, text_width
from .geometry import Box, base_corners, is_inside_ring, rotate
from .palette import INK, RGB, WHITE, SideLook
from .pen import Pen, rounded_box, sprite
from .symbols import DRAWERS

EDGE = 2.2
"""Width in pixels of a base's edge."""
EDGE_OF_SIGHT = 1.0
"""Distance in inches beyond the shown area within which a base still gets a plate."""
HALO = 2.4
"""Width in pixels of the white halo around drawings on a photograph."""
NOSE = 7.0
"""Height in pixels of the front mark."""
MARKER_SIZE = 2.4
"""Minimum size of a marker, in multiples of the text size."""
MARKER_ROOM = 0.78
"""Maximum width of a marker's text, as a fraction of the marker's size."""
MARKER_TEXT = 0.66
"""Maximum height of a marker's text, as a fraction of the marker's size."""


def base_outline(shape: str, width: float, height: float) -> Sequence[Point]:
    """Return a base's outline about the origin, with the front at the top."""
    x, y = width / 2, height / 2
    if shape == "round":
        return rounded_box(width, height, y * 0.95)
    if shape == "cut":
        cut = min(x, y) * 0.6
        return [
            (-x + cut, -y),
            (x - cut, -y),
            (x, -y + cut),
            (x, y - cut),
            (x - cut, y),
            (-x + cut, y),
            (-x, y - cut),
            (-x, -y + cut),
        ]
    if shape == "pointed":
        cut = min(x * 0.6, y)
        return [(-x + cut, -y), (x - cut, -y), (x, 0), (x - cut, y), (-x + cut, y), (-x, 0)]
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


@lru_cache(maxsize=512)
def base_sprite(symbol: Symbol, look: SideLook, width: int, height: int, facing: int) -> Image.Image:
    """Return a unit's base of `width` x `height` pixels, turned `facing` degrees from north.

    The image is cached: never draw on it.
    """

    def paint(pen: Pen) -> None:
        shape = base_outline(look.shape, width, height)
        pen.area(_front_mark(width, height), INK)
        pen.area(shape, look.fill)
        if look.solid:
            pen.line(shape, INK, 1.4, closed=True)
        else:
            pen.line(shape, look.colour, EDGE * 1.4, closed=True)
        upright = pen.rotate(180) if 90 < facing % 360 < 270 and symbol not in POINTING else pen
        DRAWERS[symbol](upright.zoom(symbol_scale(look, width, height)), look.foreground, look.fill)

    size = ceil(hypot(width, height) + 2 * NOSE + 4)
    return sprite(size, size, paint, facing)


def _front_mark(width: int, height: int) -> list[Point]:
    """Return the corners of the triangle that marks the front of a base."""
    nose = min(NOSE, width * 0.3)
    return [(-nose, -height / 2 + 0.5), (0, -height / 2 - nose), (nose, -height / 2 + 0.5)]


@lru_cache(maxsize=512)
def base_outline_sprite(look: SideLook, width: int, height: int, facing: int) -> Image.Image:
    """Return a base without its fill, for use over a photograph. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        shape = base_outline(look.shape, width, height)
        front = _front_mark(width, height)
        pen.line([*front, front[0]], WHITE, HALO)
        pen.line(shape, WHITE, EDGE * 1.4 + HALO, closed=True)
        pen.area(front, look.colour)
        pen.line(shape, look.colour, EDGE * 1.4, closed=True)

    size = ceil(hypot(width, height) + 2 * (NOSE + HALO) + 4)
    return sprite(size, size, paint, facing)


@lru_cache(maxsize=256)
def marker_sprite(look: SideLook, letter: str, across: int) -> Image.Image:
    """Return a marker, which never shows the unit's facing. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        pen.disc((0, 0), across / 2, WHITE)
        pen.disc((0, 0), across / 2 - EDGE / 2, INK if look.solid else look.colour)
        pen.disc((0, 0), across / 2 - EDGE * 1.5, look.fill)

    image = sprite(across + 2, across + 2, paint)
    text = f"{letter}?"
    size = round(across * MARKER_TEXT)
    while size > 1 and text_width(text, Face.BOLD, size) > across * MARKER_ROOM:
        size -= 1
    middle = (image.width / 2, image.height / 2)
    ImageDraw.Draw(image).text(middle, text, font=font(Face.BOLD, size), fill=look.foreground, anchor="mm")
    return image


def bases_in_area(bases: Sequence[UnitBase], area: Box) -> list[UnitBase]:
    """Return the bases whose centre lies in `area` (inches), or just outside its edge."""
    reach = area.grow(EDGE_OF_SIGHT)
    return [base for base in bases if reach.contains(base.at)]


def separate_single_figures(bases: Sequence[UnitBase]) -> tuple[UnitBase, ...]:
    """Return the bases in drawing order, so that single figures stay visible.

    Single figures come last. A figure in the middle of a wide base moves to that base's left end.
    """
    figures = [base for base in bases if base.symbol in SINGLE]
    others = [base for base in bases if base.symbol not in SINGLE]
    return (*others, *(_move_to_base_end(figure, others) for figure in figures))


def _move_to_base_end(figure: UnitBase, bases: Sequence[UnitBase]) -> UnitBase:
    """Return the figure, moved to the left end of a wide base if it stands on one."""
    for base in bases:
        if base.frontage >= 2.5 * figure.frontage and is_inside_ring(figure.at, base_corners(base)):
            dx, dy = rotate((figure.frontage / 2 - base.frontage / 2, 0), base.facing)
            return figure.model_copy(update={"at": (base.at[0] + dx, base.at[1] + dy), "facing": base.facing})
    return figure


SINGLE = frozenset({Symbol.GENERAL, Symbol.LEADER, Symbol.IMAM})
"""Symbols of single figures, such as leaders, who accompany units."""


def symbol_scale(look: SideLook, width: float, height: float) -> float:
    """Return the pixels per drawing unit of a base's symbol, which is 3 by 2 units."""
    share = 0.94 if look.solid else 0.8
    return max(min(height * 0.5 * share - 2, width * share / 3 - 1), 3.0)


POINTING = frozenset({Symbol.MACHINE_GUN, Symbol.ROCKET})
"""Symbols that point to the unit's front, and may therefore stand upside down."""


@lru_cache(maxsize=16)
def legend_swatch(look: SideLook, width: int, height: int, paper: RGB) -> Image.Image:
    """Return a side's base without a symbol, for the legend. The image is cached: never draw on it."""

    def paint(pen: Pen) -> None:
        shape = base_outline(look.shape, width - 4, height - 4)
        pen.area(shape, look.fill)
        pen.line(shape, INK if look.solid else look.colour, 1.4 if look.solid else EDGE * 1.4, closed=True)

    image = Image.new("RGB", (width, height), paper)
    layer = sprite(width, height, paint)
    image.paste(layer, (0, 0), layer)
    return image
