"""Units as bases seen from above: outline and filling tell the side, the symbol the arm, a point the front."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, hypot

from PIL import Image

from rules.core.scene import Point, Symbol, UnitBase

from .geometry import Box, corners, inside, turned
from .palette import INK, RGB, WHITE, SideLook
from .pen import Pen, rounded, sprite
from .symbols import DRAWN

EDGE = 2.2
"""Pixels of a base's edge."""
EDGE_OF_SIGHT = 1.0
"""Inches off the part shown where a base still shows and has its plate."""
HALO = 2.4
"""Pixels of white round what is drawn on a photograph."""
NOSE = 7.0
"""Pixels the front mark stands out."""


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
def base_sprite(symbol: Symbol, look: SideLook, width: int, height: int, facing: int) -> Image.Image:
    """A base of `width` x `height` pixels, facing that many degrees from north; its centre is the picture's.

    Kept: never draw on it.
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

    size = ceil(hypot(width, height) + 2 * NOSE + 4)
    return sprite(size, size, paint, facing)


@lru_cache(maxsize=512)
def outlined_sprite(look: SideLook, width: int, height: int, facing: int) -> Image.Image:
    """As `base_sprite`, but what lies under it is seen: only the edge and the front are drawn. Never draw on it."""

    def paint(pen: Pen) -> None:
        shape = outline(look.shape, width, height)
        nose = min(NOSE, width * 0.3)
        front = [(-nose, -height / 2 + 0.5), (0, -height / 2 - nose), (nose, -height / 2 + 0.5)]
        pen.line([*front, front[0]], WHITE, HALO)
        pen.line(shape, WHITE, EDGE * 1.4 + HALO, closed=True)
        pen.area(front, look.colour)
        pen.line(shape, look.colour, EDGE * 1.4, closed=True)

    size = ceil(hypot(width, height) + 2 * (NOSE + HALO) + 4)
    return sprite(size, size, paint, facing)


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


def symbol_unit(look: SideLook, width: float, height: float) -> float:
    """Half the height of the symbol on such a base, a third of its width; pixels."""
    room = 0.94 if look.solid else 0.8
    return max(min(height * 0.5 * room - 2, width * room / 3 - 1), 3.0)


def _symbol(pen: Pen, symbol: Symbol, look: SideLook, width: float, height: float, facing: int) -> None:
    """The arm's symbol, never head down."""
    upright = pen.turned(180) if 90 < facing % 360 < 270 and symbol not in POINTING else pen
    DRAWN[symbol](upright.zoomed(symbol_unit(look, width, height)), look.drawn, look.fill)


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
