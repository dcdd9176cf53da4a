"""Strewing over the land what grows and stands on it, clear of ways and of the hexes' numbers."""

import math
from functools import lru_cache

import numpy as np
import shapely
from PIL import Image
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, View
from render.palette import WHITE, mix
from render.pen import Pen, sprite
from rules.core.hex_scene import HexBoard, HexGround

from .grid import NUMBER_ROOM
from .growth import KINDS, STREWN, Strewn, grown, roof
from .lie import BOTTOM_UP, Kept, lie_of
from .lines import kept_clear
from .looks import HexLook
from .plane import Floats, centre, from_centre

LAYERS = (HexGround.OPEN, *BOTTOM_UP)
BESIDE = 0.46
"""Of its size: how far the middle of what grows keeps from ways, yards and numbers."""
YARD = 0.32
"""Around a key building."""
BUILDING = 0.56
"""Width of a key building."""


def strew(image: Image.Image, kept: Kept, view: View, style: str) -> None:
    """All that grows in sight, from the north down, on a picture of that view."""
    spots = []
    for ground in STREWN:
        points, kinds = strewn(kept, ground)
        seen = view.box.grown(STREWN[ground].size)
        inside = (points >= (seen.left, seen.top)).all(axis=1) & (points <= (seen.right, seen.bottom)).all(axis=1)
        spots += [
            (y, x, ground, kind) for (x, y), kind in zip(points[inside].tolist(), kinds[inside].tolist(), strict=True)
        ]
    for y, x, ground, kind in sorted(spots):
        drawn = grown(ground, kind, view.scale, style)
        left, top = view.px((x, y))
        image.paste(drawn, (round(left - drawn.width / 2), round(top - drawn.height / 2)), drawn)


@lru_cache(maxsize=96)
def strewn(kept: Kept, ground: HexGround) -> tuple[Floats, Floats]:
    """Where on a board what of a ground stands (rows of x, y), and which of its kinds each is."""
    what, lie = STREWN[ground], lie_of(kept)
    points, chances = _lattice(lie.box.grown(0.5), what)
    off = from_centre(points)
    over = LAYERS.index(ground) + 1
    shape = (
        lie.covers.get(ground, lie.land).buffer(-what.size * 0.42).difference(built_on(kept).buffer(what.size * BESIDE))
    )
    if over < len(LAYERS):
        shape = shape.difference(lie.covers[LAYERS[over]])
    shapely.prepare(shape)
    numbered = (abs(off[:, 0]) < NUMBER_ROOM.right + what.size * BESIDE) & (
        off[:, 1] < NUMBER_ROOM.bottom + what.size * BESIDE
    )
    stands = shapely.contains_xy(shape, points) & (chances < what.often) & ~numbered
    return points[stands], (chances[stands] * 9973).astype(int) % KINDS


@lru_cache(maxsize=16)
def built_on(kept: Kept) -> BaseGeometry:
    """Where nothing grows: on ways and works, and in the yards of key buildings."""
    cells = kept.board.cells
    yards = [shapely.Point(centre(cell.hex)).buffer(YARD) for cell in cells if cell.ground is HexGround.KEY_BUILDING]
    return shapely.union_all([kept_clear(kept), *yards])


def _lattice(box: Box, what: Strewn) -> tuple[Floats, Floats]:
    """Points in rows all over the box, moved a little, each with its own chance (0-1); the same wherever seen from."""
    columns = np.arange(math.floor(box.left / what.step), math.ceil(box.right / what.step))
    rows = np.arange(math.floor(box.top / what.step), math.ceil(box.bottom / what.step))
    across, down = (grid.ravel().astype(float) for grid in np.meshgrid(columns, rows))
    east, south, chance = (np.abs(np.sin(across * a + down * b + c) * 43758.5453) % 1 for a, b, c in _SEEDS)
    points = np.stack([across + (east - 0.5) * what.off, down + (south - 0.5) * what.off], axis=1) * what.step
    return points, chance


_SEEDS = (12.9898, 78.233, 0.0), (39.346, 11.135, 1.0), (73.156, 52.235, 2.0)


def draw_buildings(image: Image.Image, board: HexBoard, view: View, look: HexLook) -> None:
    """The key buildings in their yards."""
    drawn = building(view.scale, look)
    for cell in board.cells:
        if cell.ground is HexGround.KEY_BUILDING:
            x, y = view.px(centre(cell.hex))
            image.paste(drawn, (round(x - drawn.width / 2), round(y - drawn.height / 2)), drawn)


def building(scale: float, look: HexLook) -> Image.Image:
    """A key building: two wings under a dark red roof on a pale ground."""
    pixels = math.ceil(scale * 0.8)

    def paint(pen: Pen) -> None:
        yard = [(-1.25, -0.95), (1.25, -0.95), (1.25, 0.95), (-1.25, 0.95)]
        pen.area(yard, mix(look.theme.paper, WHITE, 0.3))
        pen.line(yard, look.ink, 0.06, closed=True)
        colours = look.key_building, look.theme.paper, look.ink
        for side in (-1, 1):
            roof(pen.moved((side * 0.68, 0.28)).turned(90), 0.42, 0.32, *colours)
        roof(pen.moved((0, -0.24)), 1.02, 0.44, *colours)

    return sprite(pixels, pixels, lambda pen: paint(pen.zoomed(scale * BUILDING / 2.5)))
