"""Hills: contours that run on over neighbouring hexes, and hachures down their slopes."""

from functools import lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from render.geometry import View, stations
from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Point

from .coats import Coats
from .land_shapes import BOTTOM_UP, KeyedBoard, land_shapes
from .looks import HexLook

INSETS = 0.1, 0.25, 0.4
"""How far within the foot of a hill its contours run."""
ROUND = 0.12
STEP, LONG = 0.05, 0.1
"""From one hachure to the next, and how long one is."""
LIT = 0.45
"""Of its length and strength: what a hachure has on the slope that the light from the north-west falls on."""


@lru_cache(maxsize=8)
def contours(keyed: KeyedBoard) -> tuple[BaseGeometry, ...]:
    """The ground within each contour of a board's hills, the lowest first."""
    shapes = land_shapes(keyed)
    if HexGround.HILL not in shapes.grounds.values():
        return ()
    over = BOTTOM_UP[BOTTOM_UP.index(HexGround.HILL) + 1]
    foot = shapes.covers[HexGround.HILL].difference(shapes.covers[over])
    return tuple(foot.buffer(-inset - ROUND).buffer(ROUND) for inset in INSETS)


def lay_heights(coats: Coats, keyed: KeyedBoard, look: HexLook) -> None:
    """The hills, browner the higher, with their contours."""
    for within, tone in zip(contours(keyed), look.theme.hills, strict=False):
        coats.fill(within, (tone, tone, tone))
        coats.stroke(within, look.drawn[HexGround.HILL], 0.02)


def draw_hachures(pen: Pen, keyed: KeyedBoard, view: View, look: HexLook) -> None:
    """Strokes downhill from each contour, stronger away from the light."""
    brown, seen = mix(look.drawn[HexGround.HILL], look.ink, 0.25), view.box.grown(LONG)
    for within in contours(keyed):
        for ring in _rings(within):
            for (x, y), (ux, uy) in stations(ring, STEP, closed=False):
                shaded = (uy - ux) > 0
                long = LONG * (1 if shaded else LIT)
                if seen.holds((x, y)):
                    pen.line([(x, y), (x + uy * long, y - ux * long)], brown, 0.02 if shaded else 0.012)


def _rings(shape: BaseGeometry) -> list[list[Point]]:
    """The outer edges of a shape, clockwise as seen, so that its outside lies to the left of the way along them."""
    rings = [shapely.get_exterior_ring(part) for part in shapely.get_parts(shapely.normalize(shape))]
    return [[(x, y) for x, y in ring.coords] for ring in rings if ring is not None and not ring.is_empty]
