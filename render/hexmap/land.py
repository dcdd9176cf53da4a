"""Sea and land, what covers the land, and what runs and grows and stands on it."""

import random
from collections.abc import Iterator
from functools import cache

import shapely
from PIL import Image, ImageDraw
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from render.geometry import View
from render.ground import blotches, toned
from render.palette import RGB, mix
from render.pen import Pen
from rules.core.hex_scene import HexGround

from .lie import BOTTOM_UP, Kept, lie_of
from .lines import draw_lines
from .looks import HexLook, hex_look
from .strew import draw_buildings, strew

FINER = 2
BLOTCH = 0.9
"""Hexes: the measure of the wash."""
BLOTCHES = 128
"""Measures of the wash across and down, from a little north-west of the plane's origin."""
OUTSIDE = 4
STRENGTHS = 0.56, 0.4, 0.28, 0.18
"""How strong the engraver's lines along the coast are, from the shore outwards."""
MARGIN = 0.3
"""Beyond the edge of what is drawn, where shapes are cut."""


def bare(kept: Kept, view: View, style: str) -> Image.Image:
    """The land with what grows and stands on it: no grid, no names."""
    look = hex_look(style)
    image = _painted(kept, View(view.box, view.scale * FINER), look).reduce(FINER)
    strew(image, kept, view, style)
    draw_buildings(image, kept.board, view, look)
    return image


def _painted(kept: Kept, view: View, look: HexLook) -> Image.Image:
    """Everything flat, larger than it will be."""
    lie, seen = lie_of(kept), view.box.grown(MARGIN)
    size = round(view.frame.width), round(view.frame.height)
    wash = blotches(_noise().resize(size, Image.Resampling.BICUBIC, _of_noise(view)))
    image = toned(wash, (look.sea[0], look.sea[0], mix(look.sea[0], look.sea[1], 0.35)))
    pen = Pen(ImageDraw.Draw(image), view.px((0, 0)), 0, view.scale)

    def part(shape: BaseGeometry) -> BaseGeometry:
        return shapely.clip_by_rect(shape, *seen)

    for shallow, tone in zip(lie.shallows, look.sea[1:], strict=True):
        _fill(image, (tone, tone, tone), wash, part(shallow), view)
    for line, strength in zip(lie.water_lines, STRENGTHS, strict=True):
        _stroke(pen, part(line), mix(look.sea[2], look.theme.bank, strength), 0.018)
    land = part(lie.land)
    _fill(image, look.wash(HexGround.OPEN), wash, land, view)
    for cover in BOTTOM_UP:
        shape = part(lie.covers[cover])
        _fill(image, look.wash(cover), wash, shape, view)
        _stroke(pen, shape, mix(look.tints[cover], look.drawn[cover], 0.4), 0.016)
    _stroke(pen, land.buffer(-0.03), look.tints[HexGround.BEACH], 0.06)
    _stroke(pen, land, mix(look.theme.bank, look.ink, 0.25), 0.028)
    draw_lines(image, kept, view, look)
    return image


@cache
def _noise() -> Image.Image:
    """Noise for the whole plane. Kept: never draw on it."""
    return Image.frombytes("L", (BLOTCHES, BLOTCHES), random.Random(1914).randbytes(BLOTCHES * BLOTCHES))


def _of_noise(view: View) -> tuple[float, float, float, float]:
    """The part of the noise that lies under a view."""
    left, top, right, bottom = (min(max(edge / BLOTCH + OUTSIDE, 0), BLOTCHES) for edge in view.box)
    return left, top, right, bottom


def _rings(shape: BaseGeometry) -> Iterator[tuple[list[tuple[float, ...]], bool]]:
    """The edges of a shape, and whether each is a hole's; holes after all others."""
    parts = [part for part in getattr(shape, "geoms", (shape,)) if isinstance(part, Polygon) and not part.is_empty]
    for part in parts:
        yield list(part.exterior.coords), False
    for part in parts:
        for hole in part.interiors:
            yield list(hole.coords), True


def _fill(image: Image.Image, tones: tuple[RGB, RGB, RGB], wash: Image.Image, shape: BaseGeometry, view: View) -> None:
    """Lays a wash on a shape."""
    if shape.is_empty:
        return
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    for ring, hole in _rings(shape):
        draw.polygon([view.px((x, y)) for x, y in ring], fill=0 if hole else 255)
    image.paste(toned(wash, tones), mask=mask)


def _stroke(pen: Pen, shape: BaseGeometry, colour: RGB, width: float) -> None:
    for ring, _ in _rings(shape):
        pen.line([(x, y) for x, y in ring], colour, width)
