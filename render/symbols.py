"""Arms of service as map symbols, drawn about the origin in a box 3 wide and 2 high, front up."""

import math
from collections.abc import Callable, Mapping

from rules.core.scene import Point, Symbol

from .palette import RGB
from .pen import Pen
from .tanks import a7v, female_tank, male_tank

Drawer = Callable[[Pen, RGB, RGB], None]
THIN = 0.24
BOX: tuple[Point, ...] = ((-1.5, -1), (1.5, -1), (1.5, 1), (-1.5, 1))


def _box(pen: Pen, ink: RGB) -> None:
    pen.line(BOX, ink, THIN, closed=True)


def infantry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A crossed box."""
    _box(pen, ink)
    pen.line([(-1.5, -1), (1.5, 1)], ink, THIN)
    pen.line([(-1.5, 1), (1.5, -1)], ink, THIN)


def cavalry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A box with a slash, half filled."""
    _box(pen, ink)
    pen.area([(-1.5, 1), (1.5, -1), (1.5, 1)], ink)


def mounted_infantry(pen: Pen, ink: RGB, ground: RGB) -> None:
    """A crossed box standing on a filled bar."""
    infantry(pen, ink, ground)
    pen.area([(-1.5, 1), (0, 0), (1.5, 1)], ink)


def camelry(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A slashed box with a hump."""
    _box(pen, ink)
    pen.line([(-1.5, 1), (1.5, -1)], ink, THIN)
    hump = [(0.55 + 0.62 * math.cos(a), 0.92 - 0.85 * math.sin(a)) for a in (math.pi * i / 10 for i in range(11))]
    pen.area(hump, ink)


def artillery(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A box with a round shot."""
    _box(pen, ink)
    pen.disc((0, 0), 0.58, ink)


def machine_gun(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A barrel that points to the front, on its trail."""
    _box(pen, ink)
    pen.line([(0, 0.7), (0, -0.4)], ink, 0.3)
    pen.area([(-0.48, -0.2), (0, -0.85), (0.48, -0.2)], ink)
    pen.line([(-0.7, 0.62), (0.7, 0.62)], ink, 0.26)


def rocket(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Two arrow heads, one behind the other."""
    _box(pen, ink)
    for y in (-0.12, 0.62):
        pen.line([(-0.6, y), (0, y - 0.56), (0.6, y)], ink, 0.3)


def wagon(pen: Pen, ink: RGB, ground: RGB) -> None:
    """A tilt on two wheels."""
    tilt = [(-1.1, 0.3), (-1.1, -0.55), (-0.8, -0.9), (0.8, -0.9), (1.1, -0.55), (1.1, 0.3)]
    pen.area(tilt, ink)
    for x in (-0.68, 0.68):
        pen.disc((x, 0.5), 0.5, ink)
        pen.disc((x, 0.5), 0.2, ground)


def pack(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """Two loads hung over a saddle."""
    arch = [(0.75 * math.cos(a), 0.1 - 0.85 * math.sin(a)) for a in (math.pi * i / 10 for i in range(11))]
    pen.line(arch, ink, 0.26)
    for x in (-0.85, 0.85):
        pen.area([(x - 0.48, -0.1), (x + 0.48, -0.1), (x + 0.36, 0.9), (x - 0.36, 0.9)], ink)


def boat(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A hull with a funnel."""
    pen.area([(-1.5, 0.1), (1.5, 0.1), (1.05, 0.9), (-1.05, 0.9)], ink)
    pen.area([(-0.75, 0.0), (-0.75, -0.45), (0.75, -0.45), (0.75, 0.0)], ink)
    pen.area([(-0.22, -0.4), (-0.22, -1), (0.22, -1), (0.22, -0.4)], ink)


def general(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A star."""
    pen.area(star(1.12), ink)


def leader(pen: Pen, ink: RGB, ground: RGB) -> None:
    """A ring with a point in it."""
    pen.disc((0, 0), 0.95, ink)
    pen.disc((0, 0), 0.6, ground)
    pen.disc((0, 0), 0.3, ink)


def star(radius: float) -> list[Point]:
    """Ten corners of a five-pointed star about the origin."""
    reach = (radius, radius * 0.42)
    return [
        (reach[i % 2] * math.sin(math.pi * i / 5), 0.06 - reach[i % 2] * math.cos(math.pi * i / 5)) for i in range(10)
    ]


def imam(pen: Pen, ink: RGB, ground: RGB) -> None:
    """A crescent."""
    pen.disc((0, 0), 1.0, ink)
    pen.disc((0.36, -0.16), 0.78, ground)


def tank(pen: Pen, ink: RGB, ground: RGB) -> None:
    """A rhomboid with its sponson."""
    pen.area([(-1.5, 0.2), (-0.7, -0.85), (1.1, -0.85), (1.5, -0.3), (0.7, 0.85), (-1.0, 0.85)], ink)
    pen.disc((0.05, 0), 0.36, ground)


def mortar(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A short tube on its plate, with a bomb over its muzzle."""
    _box(pen, ink)
    pen.line([(-0.7, 0.62), (0.7, 0.62)], ink, 0.24)
    pen.line([(-0.35, 0.5), (0.15, -0.2)], ink, 0.42)
    pen.line([(0.1, -0.1), (0.45, 0.55)], ink, 0.18)
    pen.disc((0.52, -0.56), 0.2, ink)


def marker(pen: Pen, ink: RGB, _ground: RGB) -> None:
    """A round counter, of which nobody knows what lies under it."""
    pen.disc((0, 0), 0.9, ink)


SILHOUETTES = frozenset({Symbol.MALE_TANK, Symbol.FEMALE_TANK, Symbol.A7V})
"""Symbols that are pictures, and are drawn as large as there is room."""
DRAWN: Mapping[Symbol, Drawer] = {
    Symbol.INFANTRY: infantry,
    Symbol.CAVALRY: cavalry,
    Symbol.MOUNTED_INFANTRY: mounted_infantry,
    Symbol.CAMELRY: camelry,
    Symbol.ARTILLERY: artillery,
    Symbol.MACHINE_GUN: machine_gun,
    Symbol.ROCKET: rocket,
    Symbol.WAGON: wagon,
    Symbol.PACK: pack,
    Symbol.BOAT: boat,
    Symbol.GENERAL: general,
    Symbol.LEADER: leader,
    Symbol.IMAM: imam,
    Symbol.TANK: tank,
    Symbol.MALE_TANK: male_tank,
    Symbol.FEMALE_TANK: female_tank,
    Symbol.A7V: a7v,
    Symbol.MARKER: marker,
    Symbol.MORTAR: mortar,
}
