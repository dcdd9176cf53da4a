"""Draw hills: contours that continue across neighbouring hexes, with hachures down the slopes."""

from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import View, points_at_intervals
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Point

from .land_shapes import BOTTOM_UP, KeyedBoard, land_shapes
from .looks import HexLook

INSETS = 0.13, 0.28, 0.43
"""Distances in hexes of the contours from a hill's foot."""
ROUND = 0.12
STEP, LONG, WIDE = 0.05, 0.1, 0.02
"""Spacing, length and width of hachures, in hexes."""
LIT = 0.5
"""Factor on a hachure's length and width, on slopes lit from the north-west."""


@lru_cache(maxsize=8)
def hill_contours(keyed: KeyedBoard) -> tuple[BaseGeometry, ...]:
    """Return the area inside each contour of a board's hills, lowest first; empty without hills."""
    shapes = land_shapes(keyed)
    if HexGround.HILL not in shapes.grounds.values():
        return ()
    cover = BOTTOM_UP[BOTTOM_UP.index(HexGround.HILL) + 1]
    foot = shapes.covers[HexGround.HILL].difference(shapes.covers[cover])
    return tuple(foot.buffer(-inset - ROUND).buffer(ROUND) for inset in INSETS)


def draw_hachures(pen: Pen, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    """Draw hachures downhill from each contour, longer and wider on shaded slopes."""
    brown, area = mix(look.drawn[HexGround.HILL], look.ink, 0.25), view.box.grow(LONG)
    for within in hill_contours(keyed):
        for ring in _outer_rings(within):
            for (x, y), (ux, uy) in points_at_intervals(ring, STEP, closed=False):
                east, south = -uy, ux
                shaded = east + south > 0
                long, wide = (LONG, WIDE) if shaded else (LONG * LIT, WIDE * LIT)
                if area.contains((x, y)):
                    pen.line([(x, y), (x + east * long, y + south * long)], brown, wide)


def _outer_rings(shape: BaseGeometry) -> list[list[Point]]:
    """Return the shape's outer rings, counter-clockwise on screen, with the outside to the right."""
    rings = [shapely.get_exterior_ring(part) for part in shapely.get_parts(shapely.normalize(shape))]
    return [[(x, y) for x, y in ring.coords] for ring in rings if ring is not None and not ring.is_empty]
