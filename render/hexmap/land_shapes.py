"""Compute the shapes of land and ground covers from a board's hexes, with hand-drawn edges."""

from collections import Counter as Tally
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import Box
from rules.core.hexboard.hex_scene import HexBoard, HexGround
from rules.core.hexboard.hexes import Hex

from .plane import Floats, box_around_hexes, union_of_hexes

BOTTOM_UP = (
    HexGround.CRATERS,
    HexGround.TRENCH,
    HexGround.HILL,
    HexGround.MOUNTAIN,
    HexGround.CULTIVATION,
    HexGround.BUSH,
    HexGround.PALMS,
    HexGround.PLANTATION,
    HexGround.MANGROVE,
    HexGround.MARSH,
    HexGround.NATIVE_TOWN,
    HexGround.EUROPEAN_TOWN,
    HexGround.WOOD,
    HexGround.FOREST,
    HexGround.BUILDING,
    HexGround.BEACH,
)
"""Ground covers from the bottom layer up; where two covers meet, the higher keeps its rounded edge."""
TOWNS = (HexGround.EUROPEAN_TOWN, HexGround.NATIVE_TOWN)
SHELLED = frozenset({HexGround.CRATERS, HexGround.TRENCH})
WATERS = frozenset({HexGround.WATERWAY, HexGround.FORD})
COAST, EDGE = 0.3, 0.16
"""Rounding radius, in hexes, of the coast and of ground covers."""
SHELL_DAMAGE = 0.2
"""Distance in hexes of shell damage around trenches and craters."""
DEPTHS = 1.1, 0.5
"""Distances in hexes from the shore at which the sea grows lighter."""
SMOOTH = 1.5
"""Rounding radius, in hexes, of bays in the shallows."""
BROADLY = 0.05
"""Tolerance in hexes for simplifying the coast before computing the shallows."""
WATER_LINES = 0.08, 0.17, 0.28, 0.42
"""Distances in hexes of the engraved lines from the shore."""
SHORE_RIM = 0.03
"""Distance in hexes from the coast inland to the centre line of the pale rim."""
ARCS, WIDE_ARCS = 4, 12
"""Segments per quarter circle of a rounded corner, and of a bay. Hand-drawn wavering hides coarse corners."""


@dataclass(frozen=True)
class KeyedBoard:
    """A board that serves as a cache key: boards with the same `key` are equal."""

    key: str
    board: HexBoard = field(compare=False, repr=False)


@lru_cache(maxsize=32)
def board_box(keyed: KeyedBoard) -> Box:
    """Return the box of the whole board in the hexes' plane."""
    return box_around_hexes(cell.hex for cell in keyed.board.cells)


class LandShapes(NamedTuple):
    """Shapes of land, shores and ground covers; `grounds` also has the hexes around the board."""

    grounds: Mapping[Hex, HexGround]
    land: BaseGeometry
    shore_rim: BaseGeometry
    shallows: tuple[BaseGeometry, ...]
    water_lines: tuple[BaseGeometry, ...]
    covers: Mapping[HexGround, BaseGeometry]
    shelled_land: BaseGeometry
    """Shelled land: trenches, craters and their surroundings."""


@lru_cache(maxsize=8)
def land_shapes(keyed: KeyedBoard) -> LandShapes:
    """Return the shapes of a board's land, shores and ground covers."""
    cells = {cell.hex: cell.ground for cell in keyed.board.cells}
    grounds = {at: _cover_below(at, ground, cells) for at, ground in (_surrounding_grounds(cells) | cells).items()}
    dry = union_of_hexes(at for at, ground in grounds.items() if ground is not HexGround.SEA)
    land = _roughen_outline(_round_corners(dry, COAST))
    covers: dict[HexGround, BaseGeometry] = {}
    shape: BaseGeometry = shapely.Polygon()
    for rank, ground in reversed(list(enumerate(BOTTOM_UP))):
        if ground in grounds.values():
            higher = union_of_hexes(at for at, cover in grounds.items() if cover in BOTTOM_UP[rank:])
            shape = shapely.intersection(_roughen_outline(_round_corners(higher, EDGE)), land)
        covers[ground] = shape
    shelled = union_of_hexes(at for at, ground in grounds.items() if ground in SHELLED)
    shelled_land = shapely.intersection(_roughen_outline(_round_corners(_buffer(shelled, SHELL_DAMAGE), COAST)), land)
    broadly = land.simplify(BROADLY)
    shallows = tuple(_buffer(_buffer(broadly, depth + SMOOTH, WIDE_ARCS), -SMOOTH, WIDE_ARCS) for depth in DEPTHS)
    water_lines = tuple(_buffer(land, off) for off in WATER_LINES)
    return LandShapes(grounds, land, _buffer(land, -SHORE_RIM), shallows, water_lines, covers, shelled_land)


def _surrounding_grounds(cells: Mapping[Hex, HexGround]) -> dict[Hex, HexGround]:
    """Return the hexes around the board, each with the commonest ground of its neighbours."""
    meeting: dict[Hex, list[HexGround]] = {}
    for at, ground in cells.items():
        for neighbour in at.neighbours():
            if neighbour not in cells:
                meeting.setdefault(neighbour, []).append(ground)
    return {at: Tally(grounds).most_common(1)[0][0] for at, grounds in meeting.items()}


def _cover_below(at: Hex, ground: HexGround, cells: Mapping[Hex, HexGround]) -> HexGround:
    """Return the ground cover that is drawn in a hex of this ground.

    A key building stands in an adjacent town. A waterway runs through the commonest ground of its banks.
    """
    if ground in BOTTOM_UP or ground is HexGround.SEA:
        return ground
    if ground in WATERS:
        banks = [cells.get(neighbour, HexGround.OPEN) for neighbour in at.neighbours()]
        bank = Tally(cover for cover in banks if cover not in WATERS).most_common(1)
        return bank[0][0] if bank and bank[0][0] in BOTTOM_UP else HexGround.OPEN
    if ground is HexGround.KEY_BUILDING:
        neighbour_grounds = [cells.get(neighbour) for neighbour in at.neighbours()]
        return next((town for town in TOWNS if town in neighbour_grounds), HexGround.OPEN)
    return HexGround.OPEN


def _round_corners(shape: BaseGeometry, by: float) -> BaseGeometry:
    return _buffer(_buffer(_buffer(shape, -by), 2 * by), -by)


def _buffer(shape: BaseGeometry, by: float, arcs: int = ARCS) -> BaseGeometry:
    return shape.buffer(by, quad_segs=arcs)


def _roughen_outline(shape: BaseGeometry) -> BaseGeometry:
    """Return the shape with a hand-drawn outline. Shapes that share an edge still match."""
    return shapely.transform(shapely.segmentize(shape, 0.14), _displace_points).buffer(0)


def _displace_points(points: Floats) -> Floats:
    """Return the points, slightly displaced; equal points are displaced equally."""
    x, y = points[:, 0], points[:, 1]
    east = 0.040 * np.sin(5.3 * y + 2.1 * x) + 0.018 * np.sin(11.9 * y - 4.3 * x + 1)
    south = 0.040 * np.sin(4.7 * x - 2.9 * y + 2) + 0.018 * np.sin(12.7 * x + 3.1 * y)
    return np.stack([x + east, y + south], axis=1)
