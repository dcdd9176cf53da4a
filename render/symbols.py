"""Draw arms of service as map symbols about the origin, 3 units wide and 2 units high, front up."""

import math
from collections.abc import Callable, Mapping

from rules.core.scene import Point, Symbol

from .geometry import star_corners
from .palette import RGB
from .pen import Pen
from .tanks import draw_a7v, draw_female_tank, draw_male_tank

Drawer = Callable[[Pen, RGB, RGB], None]
THIN = 0.24
BOX: tuple[Point, ...] = ((-1.5, -1), (1.5, -1), (1.5, 1), (-1.5, 1))


def _draw_box(pen: Pen, ink: RGB) -> None:
    pen.line(BOX, ink, THIN, closed=True)


def draw_infantry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a crossed box."""
    _draw_box(pen, ink)
    pen.line([(-1.5, -1), (1.5, 1)], ink, THIN)
    pen.line([(-1.5, 1), (1.5, -1)], ink, THIN)


def draw_cavalry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a box with a slash, half filled."""
    _draw_box(pen, ink)
    pen.area([(-1.5, 1), (1.5, -1), (1.5, 1)], ink)


def draw_mounted_infantry(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a crossed box with a filled triangle at the bottom."""
    draw_infantry(pen, ink, ground)
    pen.area([(-1.5, 1), (0, 0), (1.5, 1)], ink)


def draw_camelry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a slashed box with a hump."""
    _draw_box(pen, ink)
    pen.line([(-1.5, 1), (1.5, -1)], ink, THIN)
    hump = [(0.55 + 0.62 * math.cos(a), 0.92 - 0.85 * math.sin(a)) for a in (math.pi * i / 10 for i in range(11))]
    pen.area(hump, ink)


def draw_artillery(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a box with a round shot."""
    _draw_box(pen, ink)
    pen.disc((0, 0), 0.58, ink)


def draw_machine_gun(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a barrel on its trail, pointing to the front."""
    _draw_box(pen, ink)
    pen.line([(0, 0.7), (0, -0.4)], ink, 0.3)
    pen.area([(-0.48, -0.2), (0, -0.85), (0.48, -0.2)], ink)
    pen.line([(-0.7, 0.62), (0.7, 0.62)], ink, 0.26)


def draw_rocket(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw two arrow heads, one behind the other."""
    _draw_box(pen, ink)
    for y in (-0.12, 0.62):
        pen.line([(-0.6, y), (0, y - 0.56), (0.6, y)], ink, 0.3)


def draw_wagon(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a covered wagon on two wheels."""
    tilt = [(-1.1, 0.3), (-1.1, -0.55), (-0.8, -0.9), (0.8, -0.9), (1.1, -0.55), (1.1, 0.3)]
    pen.area(tilt, ink)
    for x in (-0.68, 0.68):
        pen.disc((x, 0.5), 0.5, ink)
        pen.disc((x, 0.5), 0.2, ground)


def draw_pack_animals(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw two loads hung over a saddle."""
    arch = [(0.75 * math.cos(a), 0.1 - 0.85 * math.sin(a)) for a in (math.pi * i / 10 for i in range(11))]
    pen.line(arch, ink, 0.26)
    for x in (-0.85, 0.85):
        pen.area([(x - 0.48, -0.1), (x + 0.48, -0.1), (x + 0.36, 0.9), (x - 0.36, 0.9)], ink)


def draw_boat(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a hull with a funnel."""
    pen.area([(-1.5, 0.1), (1.5, 0.1), (1.05, 0.9), (-1.05, 0.9)], ink)
    pen.area([(-0.75, 0.0), (-0.75, -0.45), (0.75, -0.45), (0.75, 0.0)], ink)
    pen.area([(-0.22, -0.4), (-0.22, -1), (0.22, -1), (0.22, -0.4)], ink)


def draw_general(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a star."""
    pen.area(general_star(1.12), ink)


def draw_leader(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a ring with a central dot."""
    pen.disc((0, 0), 0.95, ink)
    pen.disc((0, 0), 0.6, ground)
    pen.disc((0, 0), 0.3, ink)


def general_star(radius: float) -> list[Point]:
    """Return the ten corners of a star, shifted down a little so that it looks centred."""
    return [(x, y + 0.06) for x, y in star_corners(10, radius, radius * 0.42)]


def draw_imam(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a crescent."""
    pen.disc((0, 0), 1.0, ink)
    pen.disc((0.36, -0.16), 0.78, ground)


def draw_tank(pen: Pen, ink: RGB, ground: RGB) -> None:
    """Draw a rhomboid tank with its sponson."""
    pen.area([(-1.5, 0.2), (-0.7, -0.85), (1.1, -0.85), (1.5, -0.3), (0.7, 0.85), (-1.0, 0.85)], ink)
    pen.disc((0.05, 0), 0.36, ground)


def draw_mortar(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a short tube on its base plate, with a bomb above the muzzle."""
    _draw_box(pen, ink)
    pen.line([(-0.7, 0.62), (0.7, 0.62)], ink, 0.24)
    pen.line([(-0.35, 0.5), (0.15, -0.2)], ink, 0.42)
    pen.line([(0.1, -0.1), (0.45, 0.55)], ink, 0.18)
    pen.disc((0.52, -0.56), 0.2, ink)


def draw_marker(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Draw a round counter that reveals nothing about the troops."""
    pen.disc((0, 0), 0.9, ink)


SILHOUETTES = frozenset({Symbol.MALE_TANK, Symbol.FEMALE_TANK, Symbol.A7V})
"""Symbols that are silhouettes, drawn as large as space allows."""
DRAWERS: Mapping[Symbol, Drawer] = {
    Symbol.INFANTRY: draw_infantry,
    Symbol.CAVALRY: draw_cavalry,
    Symbol.MOUNTED_INFANTRY: draw_mounted_infantry,
    Symbol.CAMELRY: draw_camelry,
    Symbol.ARTILLERY: draw_artillery,
    Symbol.MACHINE_GUN: draw_machine_gun,
    Symbol.ROCKET: draw_rocket,
    Symbol.WAGON: draw_wagon,
    Symbol.PACK: draw_pack_animals,
    Symbol.BOAT: draw_boat,
    Symbol.GENERAL: draw_general,
    Symbol.LEADER: draw_leader,
    Symbol.IMAM: draw_imam,
    Symbol.TANK: draw_tank,
    Symbol.MALE_TANK: draw_male_tank,
    Symbol.FEMALE_TANK: draw_female_tank,
    Symbol.A7V: draw_a7v,
    Symbol.MARKER: draw_marker,
    Symbol.MORTAR: draw_mortar,
}
