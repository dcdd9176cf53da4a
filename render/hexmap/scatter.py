"""Scatter vegetation and buildings over the land, clear of roads, earthworks and hex numbers."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely
from PIL import Image
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, View
from render.palette import WHITE, mix
from render.pen import Pen, sprite
from render.stamp import paste_centred
from rules.core.hexboard.hex_scene import HexBoard, HexGround

from .growth import GROWTHS, VARIANTS, ScatterPattern, draw_roof, scattered_sprite
from .land_shapes import BOTTOM_UP, KeyedBoard, land_shapes
from .lines import area_along_lines
from .looks import HexLook
from .plane import Floats, Ints, hex_centre, offsets_from_centres

LAYERS = (HexGround.OPEN, *BOTTOM_UP)
NUMBER_ROOM = Box(-0.2, -0.5, 0.2, -0.32)
"""Space for a hex's number, as offsets from the centre; no picture is scattered there."""
BESIDE = 0.46
"""Minimum distance of a picture's middle from roads, yards and numbers, as a fraction of the picture's size."""
WITHIN = 0.42
"""Minimum distance of a picture's middle from its ground's edge, as a fraction of the picture's size."""
MOST = max(growth.size for growth in GROWTHS.values())
"""Size in hexes of the largest scattered picture."""
YARD = 0.32
"""Radius in hexes of the yard around a key building."""
BUILDING = 0.56
"""Width of a key building, in hexes."""


def draw_scattered_pictures(image: Image.Image, keyed: KeyedBoard, view: View, style: str) -> None:
    """Draw all visible vegetation and buildings, from north to south."""
    everything, area = scatter_pictures(keyed), view.box.grow(MOST)
    x, y = everything.points.T
    inside = (x >= area.left) & (x <= area.right) & (y >= area.top) & (y <= area.bottom)
    corners = (everything.points[inside] - (view.box.left, view.box.top)) * view.scale
    looks = everything.grounds[inside].tolist(), everything.kinds[inside].tolist()
    for (left, top), number, kind in zip(corners.tolist(), *looks, strict=True):
        paste_centred(image, scattered_sprite(LAYERS[number], kind, view.scale, style), (left, top))


class ScatteredPictures(NamedTuple):
    """Pictures scattered on a board, from north to south: positions (x, y), layer numbers, variants."""

    points: Floats
    grounds: Ints
    kinds: Ints


@lru_cache(maxsize=8)
def scatter_pictures(keyed: KeyedBoard) -> ScatteredPictures:
    """Return all small pictures that are scattered over a board."""
    groups = [(LAYERS.index(ground), *_scatter_on_ground(keyed, ground)) for ground in GROWTHS]
    points, kinds = (np.concatenate([group[part] for group in groups]) for part in (1, 2))
    grounds = np.repeat([group[0] for group in groups], [len(group[1]) for group in groups])
    order = np.lexsort((points[:, 0], points[:, 1]))
    return ScatteredPictures(points[order], grounds[order], kinds[order])


def _scatter_on_ground(keyed: KeyedBoard, ground: HexGround) -> tuple[Floats, Ints]:
    """Return the positions and variants of the pictures scattered on one ground."""
    growth, shapes = GROWTHS[ground], land_shapes(keyed)
    if ground in BOTTOM_UP and ground not in shapes.grounds.values():
        return np.empty((0, 2)), np.empty(0, dtype=np.int64)
    grows = shapes.shelled_land if ground is HexGround.TRENCH else shapes.covers.get(ground, shapes.land)
    space = grows.buffer(-growth.size * WITHIN, quad_segs=1)
    if space.is_empty:
        return np.empty((0, 2)), np.empty(0, dtype=np.int64)
    points, chances = _lattice_points(Box(*space.bounds), growth)
    off, keep = offsets_from_centres(points), growth.size * BESIDE
    numbered = (abs(off[:, 0]) < NUMBER_ROOM.right + keep) & (off[:, 1] < NUMBER_ROOM.bottom + keep)
    is_free = (chances < growth.often) & ~numbered
    points, chances = points[is_free], chances[is_free]
    shapely.prepare(space)
    is_free = shapely.contains_xy(space, points)
    over = LAYERS.index(ground) + 1
    next_cover = [shapes.covers[cover] for cover in LAYERS[over : over + 1]]  # its shape includes all higher covers
    for obstacle in (area_without_vegetation(keyed).buffer(keep, quad_segs=2), *next_cover):
        shapely.prepare(obstacle)
        is_free[is_free] = ~shapely.contains_xy(obstacle, points[is_free])
    return points[is_free], (chances[is_free] * 9973).astype(np.int64) % VARIANTS


@lru_cache(maxsize=8)
def area_without_vegetation(keyed: KeyedBoard) -> BaseGeometry:
    """Return the area of roads, earthworks and yards, on which nothing is scattered."""
    buildings = (cell.hex for cell in keyed.board.cells if cell.ground is HexGround.KEY_BUILDING)
    yards = [shapely.Point(hex_centre(at)).buffer(YARD) for at in buildings]
    return shapely.union_all([area_along_lines(keyed), *yards])


def _lattice_points(box: Box, growth: ScatterPattern) -> tuple[Floats, Floats]:
    """Return slightly shifted lattice points in the box, each with a fixed random number (0-1)."""
    columns = np.arange(math.floor(box.left / growth.step), math.ceil(box.right / growth.step))
    rows = np.arange(math.floor(box.top / growth.step), math.ceil(box.bottom / growth.step))
    across, down = (grid.ravel().astype(float) for grid in np.meshgrid(columns, rows))
    east, south, chance = (np.abs(np.sin(across * a + down * b + c) * 43758.5453) % 1 for a, b, c in _SEEDS)
    points = np.stack([across + (east - 0.5) * growth.off, down + (south - 0.5) * growth.off], axis=1) * growth.step
    return points, chance


_SEEDS = (12.9898, 78.233, 0.0), (39.346, 11.135, 1.0), (73.156, 52.235, 2.0)


def draw_key_buildings(image: Image.Image, board: HexBoard, view: View, look: HexLook) -> None:
    """Draw the key buildings in their yards."""
    picture = key_building_sprite(view.scale, look)
    for cell in board.cells:
        if cell.ground is HexGround.KEY_BUILDING:
            paste_centred(image, picture, view.pixel(hex_centre(cell.hex)))


def key_building_sprite(scale: float, look: HexLook) -> Image.Image:
    """Return a picture of a key building: two wings under a dark red roof, in a pale yard."""
    pixels = math.ceil(scale * 0.8)

    def paint(pen: Pen) -> None:
        yard = [(-1.25, -0.95), (1.25, -0.95), (1.25, 0.95), (-1.25, 0.95)]
        pen.area(yard, mix(look.theme.paper, WHITE, 0.3))
        pen.line(yard, look.ink, 0.06, closed=True)
        colours = look.key_building, look.theme.paper, look.ink
        for side in (-1, 1):
            draw_roof(pen.move((side * 0.68, 0.28)).rotate(90), 0.42, 0.32, *colours)
        draw_roof(pen.move((0, -0.24)), 1.02, 0.44, *colours)

    return sprite(pixels, pixels, lambda pen: paint(pen.zoom(scale * BUILDING / 2.5)))
