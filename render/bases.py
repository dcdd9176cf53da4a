"""Units as bases seen from above: outline and filling tell the side, the symbol the arm, a point the front."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, hypot

from PIL import Image

from rules.core.scene import Point, Symbol, UnitBase

from .geometry import Box, corners, inside, turned
from .palette import BLOOD, INK, RGB, WHITE, SideLook
from .pen import Pen, rounded, sprite
from .symbols import DRAWN

EDGE = 2.2
"""Pixels of a base's edge."""
EDGE_OF_SIGHT = 1.0
"""Inches off the part shown where a base still shows and has its plate."""
NOSE = 7.0
"""Pixels the front mark stands out."""
PIPS = 5.5, 10.0
"""Radius of a kill's pip in pixels: the least, and the most on a large base."""
MOST_AT_ENDS = 4
"""More kills than these stand along the base's rear."""


def outline(shape: str, width: float, height: float) -> Sequence[Point]:
    """A base's outline about the origin, its front at the top."""
    x, y = width / 2, height / 2
    if shape == "round":
        return rounded(width, height, y * 0.95)
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
def base_sprite(symbol: Symbol, look: SideLook, width: int, height: int, facing: int, kills: int = 0) -> Image.Image:
    """A base of `width` x `height` pixels, facing that many degrees from north; its centre is the picture's.

    Kills are pips on it. Kept: never draw on it.
    """

    def paint(pen: Pen) -> None:
        shape = outline(look.shape, width, height)
        nose = min(NOSE, width * 0.3)
        front = [(-nose, -height / 2 + 0.5), (0, -height / 2 - nose), (nose, -height / 2 + 0.5)]
        pen.area(front, INK)
        pen.area(shape, look.fill)
        if look.solid:
            pen.line(shape, INK, 1.4, closed=True)
        else:
            pen.line(shape, look.colour, EDGE * 1.4, closed=True)
        _symbol(pen, symbol, look, width, height, facing)
        pip = min(max(min(width, height) * 0.2, PIPS[0]), PIPS[1])
        for at in pip_places(kills, width, height, pip):
            _pip(pen, at, pip)

    size = ceil(hypot(width, height) + 2 * NOSE + 4)
    return sprite(size, size, paint, facing)


def pip_places(kills: int, width: float, height: float, pip: float) -> Sequence[Point]:
    """Where pips of that radius go on a base: from its ends inwards, in its corners where it is not broad."""
    if kills > MOST_AT_ENDS:
        apart = (width - 2 * pip) / (kills - 1)
        return [(pip - width / 2 + apart * number, height / 2 - pip) for number in range(kills)]
    outer, inner = width / 2 - 1.4 * pip, width / 2 - 3.7 * pip
    if inner > height / 2 + pip:
        return ((-outer, 0.0), (-inner, 0.0), (inner, 0.0), (outer, 0.0))[:kills]
    x, y = width / 2 - pip, height / 2 - pip
    return ((-x, y), (x, y), (-x, -y), (x, -y))[:kills]


def _pip(pen: Pen, at: Point, radius: float) -> None:
    pen.disc(at, radius, INK)
    pen.disc(at, radius * 0.82, WHITE)
    pen.disc(at, radius * 0.56, BLOOD)


@lru_cache(maxsize=4)
def kill_sign(size: int) -> Image.Image:
    """A kill's pip, for the legend. Kept: never draw on it."""
    return sprite(size, size, lambda pen: _pip(pen, (0, 0), size / 2 - 0.5))


def in_sight(bases: Sequence[UnitBase], area: Box) -> list[UnitBase]:
    """The bases whose middle lies in `area` (inches) or not far off its edge."""
    seen = area.grown(EDGE_OF_SIGHT)
    return [base for base in bases if seen.left <= base.at[0] <= seen.right and seen.top <= base.at[1] <= seen.bottom]


def beside_hosts(bases: Sequence[UnitBase]) -> tuple[UnitBase, ...]:
    """The bases in the order to draw them, single figures last.

    One that stands within another's base is moved to that one's left end, so that both their symbols are seen.
    """
    single = [base for base in bases if base.symbol in SINGLE]
    hosts = [base for base in bases if base.symbol not in SINGLE]
    return (*hosts, *(_beside_host(figure, hosts) for figure in single))


def _beside_host(figure: UnitBase, hosts: Sequence[UnitBase]) -> UnitBase:
    for host in hosts:
        ring = corners(host.at, host.facing, host.frontage, host.depth)
        if host.frontage >= 2.5 * figure.frontage and inside(figure.at, ring):
            dx, dy = turned((figure.frontage / 2 - host.frontage / 2, 0), host.facing)
            return figure.model_copy(update={"at": (host.at[0] + dx, host.at[1] + dy), "facing": host.facing})
    return figure


SINGLE = frozenset({Symbol.GENERAL, Symbol.LEADER, Symbol.IMAM})
"""Symbols of single figures, who go with units."""


def _symbol(pen: Pen, symbol: Symbol, look: SideLook, width: float, height: float, facing: int) -> None:
    """The arm's symbol, never head down."""
    room = 0.94 if look.solid else 0.8
    unit = min(height * 0.5 * room - 2, width * room / 3 - 1)
    upright = pen.turned(180) if 90 < facing % 360 < 270 and symbol not in POINTING else pen
    DRAWN[symbol](upright.zoomed(max(unit, 3.0)), look.drawn, look.fill)


POINTING = frozenset({Symbol.MACHINE_GUN, Symbol.ROCKET})
"""Symbols that point to the unit's front."""


@lru_cache(maxsize=16)
def swatch(look: SideLook, width: int, height: int, paper: RGB) -> Image.Image:
    """A side's base without a symbol, for the legend. Kept: never draw on it."""

    def paint(pen: Pen) -> None:
        shape = outline(look.shape, width - 4, height - 4)
        pen.area(shape, look.fill)
        pen.line(shape, INK if look.solid else look.colour, 1.4 if look.solid else EDGE * 1.4, closed=True)

    image = Image.new("RGB", (width, height), paper)
    layer = sprite(width, height, paint)
    image.paste(layer, (0, 0), layer)
    return image
