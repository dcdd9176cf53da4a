"""Draw the small pictures that are scattered over each ground: trees, scrub, roofs."""

import math
import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from render.palette import RGB, mix
from render.pen import Pen, sprite
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Point

from . import battlefield
from .looks import HexLook, hex_look

GrowthPainter = Callable[[Pen, HexLook, random.Random], None]

# Everything is drawn about the origin, about 2 units wide and 2 units high.


def draw_rubber_tree(pen: Pen, look: HexLook, _dice: random.Random) -> None:
    """Draw a round crown with its shadow."""
    _draw_crown(pen, look, HexGround.PLANTATION)


def draw_tree(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw the crown of a tree in a wood, in a random size."""
    _draw_crown(pen.zoom(dice.uniform(0.8, 1.15)), look, HexGround.WOOD)


def _draw_crown(pen: Pen, look: HexLook, ground: HexGround) -> None:
    tint, tree = look.tints[ground], look.drawn[ground]
    pen.disc((0.2, 0.26), 0.7, mix(tint, look.ink, 0.32))
    pen.disc((0, 0), 0.7, mix(tree, look.ink, 0.3))
    pen.disc((-0.04, -0.05), 0.56, tree)
    pen.disc((-0.2, -0.24), 0.28, mix(tree, tint, 0.5))


def draw_palm(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a leaning trunk with star-shaped fronds."""
    tint, frond = look.tints[HexGround.PALMS], look.drawn[HexGround.PALMS]
    lean = dice.uniform(-0.35, 0.35)
    top = (lean, -0.25)
    pen.line([(-0.1, 0.95), (0.85, 0.95)], mix(tint, look.ink, 0.3), 0.16)
    pen.line([(0, 0.95), (lean * 0.3, 0.35), top], mix(look.drawn[HexGround.NATIVE_TOWN], look.ink, 0.3), 0.16)
    turn = dice.uniform(0, 1)
    for leaf in range(7):
        angle = math.tau * (leaf + turn) / 7
        x, y = math.cos(angle), math.sin(angle) * 0.8
        drooping = (top[0] + 0.5 * x, top[1] + 0.5 * y - 0.12), (top[0] + 0.9 * x, top[1] + 0.9 * y + 0.14)
        pen.line([top, *drooping], mix(frond, look.ink, 0.3) if y > 0 else frond, 0.24)


def draw_shrub(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a low clump with its shadow."""
    tint, leaf = look.tints[HexGround.BUSH], look.drawn[HexGround.BUSH]
    clumps = [(dice.uniform(-0.45, 0.45), dice.uniform(-0.3, 0.35), dice.uniform(0.3, 0.5)) for _ in range(3)]
    for x, y, r in clumps:
        pen.disc((x + 0.12, y + 0.16), r, mix(tint, look.ink, 0.26))
    for x, y, r in clumps:
        pen.disc((x, y), r, mix(leaf, look.ink, 0.22))
        pen.disc((x - 0.05, y - 0.07), r * 0.72, leaf)
        pen.disc((x - 0.12, y - 0.16), r * 0.32, mix(leaf, tint, 0.5))


def draw_mangrove(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a flat crown on roots that stand in water."""
    tint, leaf = look.tints[HexGround.MANGROVE], look.drawn[HexGround.MANGROVE]
    for x in (-0.5, 0, 0.5):
        pen.line([(x * 0.5, 0), (x * 1.3, 0.75)], mix(leaf, look.ink, 0.3), 0.14)
    pen.line([(-0.9, 0.85), (0.9, 0.85)], look.theme.bank, 0.14)
    pen.disc((-0.32, -0.1), 0.42, mix(leaf, look.ink, 0.2))
    pen.disc((0.34, -0.14), 0.44, mix(leaf, look.ink, 0.2))
    pen.disc((0, -0.32), 0.46, leaf)
    pen.disc((-0.12, -0.44), dice.uniform(0.18, 0.26), mix(leaf, tint, 0.5))


def draw_reeds(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a tuft of reeds over lines of still water."""
    tint, leaf = look.tints[HexGround.MARSH], look.drawn[HexGround.MARSH]
    for y, long in ((0.6, 0.9), (0.9, 0.55)):
        pen.line([(-long, y), (long, y)], mix(look.theme.bank, tint, 0.3), 0.12)
    for x in (-0.36, -0.12, 0.12, 0.36):
        pen.line([(x * 0.5, 0.5), (x + dice.uniform(-0.08, 0.08), -0.5 + abs(x))], mix(leaf, look.ink, 0.25), 0.12)


def draw_peak(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a peak, lit from the north-west, its far slope in shade."""
    tint, brown = look.tints[HexGround.MOUNTAIN], look.drawn[HexGround.MOUNTAIN]
    top, wide = (dice.uniform(-0.15, 0.15), -dice.uniform(0.6, 0.9)), dice.uniform(0.75, 0.95)
    fold = (top[0] + 0.1, 0.55)
    pen.area([(-wide, 0.6), top, fold], mix(tint, look.theme.paper, 0.35))
    pen.area([top, (wide, 0.6), fold], mix(brown, look.ink, 0.25))
    pen.line([(-wide, 0.6), top, (wide, 0.6)], mix(brown, look.ink, 0.5), 0.1)
    pen.line([top, (top[0] - 0.1, 0.0), fold], mix(brown, look.ink, 0.5), 0.08)


def draw_field(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a small field with furrows."""
    tint, line = look.tints[HexGround.CULTIVATION], look.drawn[HexGround.CULTIVATION]
    tilted = pen.rotate(dice.choice((8, -12, 96, 82)))
    tilted.area([(-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)], mix(tint, line, dice.choice((0.0, 0.2))))
    for row in range(6):
        tilted.line([(-0.8, -0.72 + row * 0.29), (0.8, -0.72 + row * 0.29)], mix(tint, line, 0.75), 0.08)


def draw_grass(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a tuft of grass."""
    for lean in (-0.5, 0.0, 0.5):
        tip = dice.uniform(-0.8, -0.5)
        pen.line([(lean * 0.5, 0.3), (lean, tip + abs(lean) * 0.6)], look.drawn[HexGround.OPEN], 0.2)


def draw_sand_grain(pen: Pen, look: HexLook, _dice: random.Random) -> None:
    """Draw a grain of sand."""
    pen.disc((0, 0), 0.6, look.drawn[HexGround.BEACH])


def draw_hut(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a thatched hut with its ridge and shadow."""
    tint, thatch = look.tints[HexGround.NATIVE_TOWN], look.drawn[HexGround.NATIVE_TOWN]
    draw_roof(pen.rotate(dice.choice((0, 6, -8, 90, 84, 97))), dice.uniform(0.66, 0.82), 0.56, thatch, tint, look.ink)


def draw_house(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a block of stone houses with red tiles; some blocks have a yard."""
    tint, tile = look.tints[HexGround.EUROPEAN_TOWN], look.drawn[HexGround.EUROPEAN_TOWN]
    upright = pen.rotate(dice.choice((0, 0, 90)))
    draw_roof(upright, 0.92, dice.uniform(0.55, 0.7), tile, tint, look.ink)
    if dice.random() < 0.4:
        upright.area([(0.1, 0.2), (0.9, 0.2), (0.9, 0.95), (0.1, 0.95)], mix(tile, look.ink, 0.2))
        upright.line([(0.5, 0.2), (0.5, 0.95)], mix(tile, look.ink, 0.5), 0.08)


def draw_roof(pen: Pen, across: float, deep: float, tile: RGB, ground: RGB, ink: RGB) -> None:
    """Draw a roof seen from above: lit and shaded slopes, ridge, shadow on the ground."""
    ring: list[Point] = [(-across, -deep), (across, -deep), (across, deep), (-across, deep)]
    pen.area([(x + 0.16, y + 0.2) for x, y in ring], mix(ground, ink, 0.42))
    pen.area(ring, tile)
    pen.area([(-across, 0), (across, 0), (across, deep), (-across, deep)], mix(tile, ink, 0.25))
    pen.line([(-across * 0.86, 0), (across * 0.86, 0)], mix(tile, ground, 0.4), 0.1)
    pen.line(ring, mix(tile, ink, 0.6), 0.1, closed=True)


class ScatterPattern(NamedTuple):
    """Pattern of scattered pictures: spacing and size in hexes, random shift in steps, probability."""

    painter: GrowthPainter
    step: float
    off: float
    size: float
    often: float = 1.0


GROWTHS: Mapping[HexGround, ScatterPattern] = {
    HexGround.OPEN: ScatterPattern(draw_grass, 0.34, 0.9, 0.13, 0.3),
    HexGround.CULTIVATION: ScatterPattern(draw_field, 0.32, 0.0, 0.32),
    HexGround.BUSH: ScatterPattern(draw_shrub, 0.19, 0.85, 0.2, 0.85),
    HexGround.PALMS: ScatterPattern(draw_palm, 0.3, 0.6, 0.32, 0.8),
    HexGround.PLANTATION: ScatterPattern(draw_rubber_tree, 0.167, 0.0, 0.15),
    HexGround.MANGROVE: ScatterPattern(draw_mangrove, 0.24, 0.7, 0.24, 0.8),
    HexGround.MARSH: ScatterPattern(draw_reeds, 0.22, 0.8, 0.2, 0.75),
    HexGround.WOOD: ScatterPattern(draw_tree, 0.2, 0.7, 0.24, 0.9),
    HexGround.MOUNTAIN: ScatterPattern(draw_peak, 0.36, 0.5, 0.34, 0.9),
    HexGround.NATIVE_TOWN: ScatterPattern(draw_hut, 0.23, 0.35, 0.19, 0.85),
    HexGround.EUROPEAN_TOWN: ScatterPattern(draw_house, 0.34, 0.06, 0.3, 0.94),
    HexGround.BEACH: ScatterPattern(draw_sand_grain, 0.09, 1.0, 0.05, 0.5),
    HexGround.CRATERS: ScatterPattern(battlefield.draw_crater, 0.235, 0.75, 0.42, 0.9),
    HexGround.TRENCH: ScatterPattern(battlefield.draw_small_crater, 0.18, 0.9, 0.15, 0.45),
    HexGround.HILL: ScatterPattern(draw_grass, 0.3, 0.9, 0.13, 0.4),
    HexGround.FOREST: ScatterPattern(battlefield.draw_shattered_tree, 0.185, 0.7, 0.34, 0.84),
    HexGround.BUILDING: ScatterPattern(battlefield.draw_ruin, 0.34, 0.2, 0.4, 0.95),
}
VARIANTS = 5
"""Number of variants of each small picture."""


@lru_cache(maxsize=256)
def scattered_sprite(ground: HexGround, kind: int, scale: float, style: str) -> Image.Image:
    """Return a plant, building or the like for the ground, in the variant `kind`.

    The image is cached: never draw on it.
    """
    growth = GROWTHS[ground]
    half = growth.size * scale / 2
    pixels = max(math.ceil(growth.size * scale * 1.5), 3)
    dice = random.Random(kind)
    return sprite(pixels, pixels, lambda pen: growth.painter(pen.zoom(half), hex_look(style), dice))
