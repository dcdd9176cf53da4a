"""The board without anything that moves: sea, land, what covers it, lines, grid, names. Drawn once and kept."""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageDraw
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from render.geometry import Box, View
from render.ground import blotches, toned
from render.palette import RGB, mix, settle
from render.pen import Pen
from rules.core.hex_scene import HexGround

from .grid import beyond, draw_grid
from .lie import BOTTOM_UP, Kept, lie_of
from .lines import draw_lines
from .looks import HexLook, hex_look
from .names import draw_names
from .strew import draw_buildings, strew

FINER = 2
BLOTCH = 0.3
"""Of a hex: the measure of the wash."""
STRENGTHS = 0.56, 0.4, 0.28, 0.18
"""How strong the engraver's lines along the coast are, from the shore outwards."""


@lru_cache(maxsize=16)
def ground(kept: Kept, box: Box, scale: float, style: str) -> Image.Image:
    """`box` of the board at `scale` pixels a hex, in the fixed palette. Kept: never draw on it."""
    look, view = hex_look(style), View(box, scale)
    image = bare(kept, view, style)
    draw_grid(image, kept.board, view, look)
    beyond(image, kept.board, view, look)
    draw_names(image, kept.board, view, look)
    return settle(image)


def bare(kept: Kept, view: View, style: str) -> Image.Image:
    """The land with what grows and stands on it: no grid, no names."""
    look = hex_look(style)
    image = _painted(kept, View(view.box, view.scale * FINER), look).reduce(FINER)
    strew(image, kept, view, style)
    draw_buildings(image, kept.board, view, look)
    return image


def _painted(kept: Kept, view: View, look: HexLook) -> Image.Image:
    """Everything flat, larger than it will be."""
    lie = lie_of(kept)
    size = round(view.box.width * view.scale / FINER) * FINER, round(view.box.height * view.scale / FINER) * FINER
    wash = blotches(size, view.scale * BLOTCH)
    image = toned(wash, (look.sea[0], look.sea[0], mix(look.sea[0], look.sea[1], 0.35)))
    for shallow, tone in zip(lie.shallows, look.sea[1:], strict=True):
        _fill(image, Image.new("RGB", size, tone), shallow, view)
    pen = Pen(ImageDraw.Draw(image), view.px((0, 0)), 0, view.scale)
    for line, strength in zip(lie.water_lines, STRENGTHS, strict=True):
        _stroke(pen, line, mix(look.sea[2], look.theme.bank, strength), 0.018)
    _fill(image, toned(wash, look.wash(HexGround.OPEN)), lie.land, view)
    for cover in BOTTOM_UP:
        shape = lie.covers[cover]
        if not shape.is_empty:
            _fill(image, toned(wash, look.wash(cover)), shape, view)
            _stroke(pen, shape, mix(look.tints[cover], look.drawn[cover], 0.4), 0.016)
    _stroke(pen, lie.land.buffer(-0.03), look.tints[HexGround.BEACH], 0.06)
    _stroke(pen, lie.land, mix(look.theme.bank, look.ink, 0.25), 0.028)
    draw_lines(image, kept.board, view, look)
    return image


def _rings(shape: BaseGeometry) -> Iterator[tuple[list[tuple[float, ...]], bool]]:
    """The edges of a shape, and whether each is a hole's."""
    for part in getattr(shape, "geoms", (shape,)):
        if isinstance(part, Polygon) and not part.is_empty:
            yield list(part.exterior.coords), False
            for hole in part.interiors:
                yield list(hole.coords), True


def _fill(image: Image.Image, paint: Image.Image, shape: BaseGeometry, view: View) -> None:
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    rings = list(_rings(shape))
    for ring, hole in sorted(rings, key=lambda ring: ring[1]):
        draw.polygon([view.px((x, y)) for x, y in ring], fill=0 if hole else 255)
    image.paste(paint, mask=mask)


def _stroke(pen: Pen, shape: BaseGeometry, colour: RGB, width: float) -> None:
    for ring, _ in _rings(shape):
        pen.line([(x, y) for x, y in ring], colour, width)
