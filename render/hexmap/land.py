"""Draw sea and land with vegetation, buildings, roads, water and earthworks."""

from PIL import Image

from render.geometry import View
from render.palette import mix
from rules.core.hexboard.hex_scene import HexGround

from .heights import hill_contours
from .land_shapes import BOTTOM_UP, KeyedBoard, LandShapes, land_shapes
from .lines import draw_lines
from .looks import HexLook, hex_look
from .scatter import draw_key_buildings, draw_scattered_pictures
from .washes import Washes
from .waters import paint_water

FINER = 2
STRENGTHS = 0.56, 0.4, 0.28, 0.18
"""Strengths of the engraved lines along the coast, from the shore outwards."""


def draw_land(keyed: KeyedBoard, view: View, style: str) -> Image.Image:
    """Return a picture of sea and land with vegetation and buildings, without grid or names."""
    look = hex_look(style)
    image = _paint_base(keyed, View(view.box, view.scale * FINER), look).reduce(FINER)
    draw_scattered_pictures(image, keyed, view, style)
    draw_key_buildings(image, keyed.board, view, look)
    return image


def _paint_base(keyed: KeyedBoard, view: View, look: HexLook) -> Image.Image:
    """Return an enlarged picture of the board's washes and lines."""
    washes, shapes = Washes(view, FINER), land_shapes(keyed)
    _paint_sea(washes, shapes, look)
    _paint_land(washes, keyed, shapes, look)
    image = washes.to_picture()
    draw_lines(image, keyed, view, look)
    return image


def _paint_sea(washes: Washes, shapes: LandShapes, look: HexLook) -> None:
    """Paint the sea, lighter towards the shore, with engraved lines along the coast."""
    washes.fill_base((look.sea[0], look.sea[0], mix(look.sea[0], look.sea[1], 0.35)))
    for shallow, tone in zip(shapes.shallows, look.sea[1:], strict=True):
        washes.fill(shallow, (tone, tone, tone))
    for line, strength in zip(shapes.water_lines, STRENGTHS, strict=True):
        washes.stroke(line, mix(look.sea[2], look.theme.bank, strength), 0.018)


def _paint_land(washes: Washes, keyed: KeyedBoard, shapes: LandShapes, look: HexLook) -> None:
    """Paint the land, its ground covers from the bottom up, and its coast."""
    washes.fill(shapes.land, look.wash_tones(HexGround.OPEN))
    washes.fill(shapes.shelled_land, look.shelled_tones)
    present = set(shapes.grounds.values())
    for cover in [cover for cover in BOTTOM_UP if cover in present]:
        washes.fill(shapes.covers[cover], look.wash_tones(cover))
        washes.stroke(shapes.covers[cover], mix(look.tints[cover], look.drawn[cover], 0.4), 0.016)
    for contour, tone in zip(hill_contours(keyed), look.theme.hills, strict=False):
        washes.fill(contour, (tone, tone, tone))
        washes.stroke(contour, look.drawn[HexGround.HILL], 0.02)
    paint_water(washes, keyed, look)
    washes.stroke(shapes.shore_rim, look.tints[HexGround.BEACH], 0.06)
    washes.stroke(shapes.land, mix(look.theme.bank, look.ink, 0.25), 0.028)
