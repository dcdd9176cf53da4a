"""The shapes of the land: what covers the hexes of a board, as shapes with soft edges."""

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

from .plane import Floats, box_of, joined

BOTTOM_UP = (
    HexGround.CRATERS,
    HexGround.TRENCH,
    HexGround.HILL,
    HexGround.CULTIVATION,
    HexGround.BUSH,
    HexGround.PALMS,
    HexGround.PLANTATION,
    HexGround.MANGROVE,
    HexGround.NATIVE_TOWN,
    HexGround.EUROPEAN_TOWN,
    HexGround.FOREST,
    HexGround.BUILDING,
    HexGround.BEACH,
)
"""What covers the open land; where two meet, the later one keeps its round edge."""
TOWNS = (HexGround.EUROPEAN_TOWN, HexGround.NATIVE_TOWN)
SHELLED = frozenset({HexGround.CRATERS, HexGround.TRENCH})
WATERS = frozenset({HexGround.WATERWAY, HexGround.FORD})
COAST, EDGE = 0.3, 0.16
"""How round the coast is, and the edge of a wood."""
TORN = 0.2
"""How far around trenches and craters shells have fallen."""
DEPTHS = 1.1, 0.5
"""How far from the shore the water grows lighter."""
SMOOTH = 1.5
"""How round the bays of the shallows are."""
BROADLY = 0.05
"""How far the shallows' shore may lie off the coast."""
WATER_LINES = 0.08, 0.17, 0.28, 0.42
"""How far from the shore the engraver's lines run."""
STRAND = 0.03
"""How far inland the middle of the pale rim along the coast runs."""
ARCS, WIDE_ARCS = 4, 12
"""Strokes that a quarter of a round corner is made of: the hand that draws it wavers more than that; of a bay's."""


@dataclass(frozen=True)
class KeyedBoard:
    """A board that is compared by its key alone."""

    key: str
    board: HexBoard = field(compare=False, repr=False)


class LandShapes(NamedTuple):
    """The board's box, the hexes by what covers them (with a ring of hexes beyond the edge), and the shapes."""

    box: Box
    grounds: Mapping[Hex, HexGround]
    land: BaseGeometry
    strand: BaseGeometry
    shallows: tuple[BaseGeometry, ...]
    water_lines: tuple[BaseGeometry, ...]
    covers: Mapping[HexGround, BaseGeometry]
    torn: BaseGeometry
    """Where shells have fallen: trenches and craters, and what lies near them."""


@lru_cache(maxsize=8)
def land_shapes(keyed: KeyedBoard) -> LandShapes:
    """The shapes of a board, plane units."""
    cells = {cell.hex: cell.ground for cell in keyed.board.cells}
    grounds = {at: _cover(at, ground, cells) for at, ground in (_beyond(cells) | cells).items()}
    land = _wavering(_rounded(joined(at for at, ground in grounds.items() if ground is not HexGround.SEA), COAST))
    covers: dict[HexGround, BaseGeometry] = {}
    shape: BaseGeometry = shapely.Polygon()
    for rank, ground in reversed(list(enumerate(BOTTOM_UP))):
        if ground in grounds.values():
            higher = joined(at for at, other in grounds.items() if other in BOTTOM_UP[rank:])
            shape = shapely.intersection(_wavering(_rounded(higher, EDGE)), land)
        covers[ground] = shape
    shelled = joined(at for at, ground in grounds.items() if ground in SHELLED)
    torn = shapely.intersection(_wavering(_rounded(_grown(shelled, TORN), COAST)), land)
    broadly = land.simplify(BROADLY)
    shallows = tuple(_grown(_grown(broadly, depth + SMOOTH, WIDE_ARCS), -SMOOTH, WIDE_ARCS) for depth in DEPTHS)
    water_lines = tuple(_grown(land, off) for off in WATER_LINES)
    return LandShapes(box_of(cells), grounds, land, _grown(land, -STRAND), shallows, water_lines, covers, torn)


def _beyond(cells: Mapping[Hex, HexGround]) -> dict[Hex, HexGround]:
    """The hexes next to the board, as the board goes on there."""
    meeting: dict[Hex, list[HexGround]] = {}
    for at, ground in cells.items():
        for other in at.neighbours():
            if other not in cells:
                meeting.setdefault(other, []).append(ground)
    return {at: Tally(found).most_common(1)[0][0] for at, found in meeting.items()}


def _cover(at: Hex, ground: HexGround, cells: Mapping[Hex, HexGround]) -> HexGround:
    """What the ground around a building, a work or a waterway is covered with: the town's, the banks', or nothing."""
    if ground in BOTTOM_UP or ground is HexGround.SEA:
        return ground
    if ground in WATERS:
        banks = [cells.get(other, HexGround.OPEN) for other in at.neighbours()]
        bank = Tally(found for found in banks if found not in WATERS).most_common(1)
        return bank[0][0] if bank and bank[0][0] in BOTTOM_UP else HexGround.OPEN
    if ground is HexGround.KEY_BUILDING:
        around = [cells.get(other) for other in at.neighbours()]
        return next((town for town in TOWNS if town in around), HexGround.OPEN)
    return HexGround.OPEN


def _rounded(shape: BaseGeometry, by: float) -> BaseGeometry:
    return _grown(_grown(_grown(shape, -by), 2 * by), -by)


def _grown(shape: BaseGeometry, by: float, arcs: int = ARCS) -> BaseGeometry:
    return shape.buffer(by, quad_segs=arcs)


def _wavering(shape: BaseGeometry) -> BaseGeometry:
    """The shape with a line as a hand draws it; the same place always wavers the same way."""
    return shapely.transform(shapely.segmentize(shape, 0.14), _waver).buffer(0)


def _waver(points: Floats) -> Floats:
    x, y = points[:, 0], points[:, 1]
    east = 0.040 * np.sin(5.3 * y + 2.1 * x) + 0.018 * np.sin(11.9 * y - 4.3 * x + 1)
    south = 0.040 * np.sin(4.7 * x - 2.9 * y + 2) + 0.018 * np.sin(12.7 * x + 3.1 * y)
    return np.stack([x + east, y + south], axis=1)
