"""Sea and land, what covers the land, and what runs and grows and stands on it."""

from PIL import Image

from render.geometry import View
from render.palette import mix
from rules.core.hexboard.hex_scene import HexGround

from .coats import Coats
from .lie import BOTTOM_UP, Kept, Lie, lie_of
from .lines import draw_lines
from .looks import HexLook, hex_look
from .strew import draw_buildings, strew

FINER = 2
STRENGTHS = 0.56, 0.4, 0.28, 0.18
"""How strong the engraver's lines along the coast are, from the shore outwards."""


def bare(kept: Kept, view: View, style: str) -> Image.Image:
    """The land with what grows and stands on it: no grid, no names."""
    look = hex_look(style)
    image = _painted(kept, View(view.box, view.scale * FINER), look).reduce(FINER)
    strew(image, kept, view, style)
    draw_buildings(image, kept.board, view, look)
    return image


def _painted(kept: Kept, view: View, look: HexLook) -> Image.Image:
    """Everything flat, larger than it will be."""
    coats, lie = Coats(view, FINER), lie_of(kept)
    _water(coats, lie, look)
    _land(coats, lie, look)
    image = coats.mixed()
    draw_lines(image, kept, view, look)
    return image


def _water(coats: Coats, lie: Lie, look: HexLook) -> None:
    """The sea, lighter towards the shore, and the engraver's lines along it."""
    coats.ground((look.sea[0], look.sea[0], mix(look.sea[0], look.sea[1], 0.35)))
    for shallow, tone in zip(lie.shallows, look.sea[1:], strict=True):
        coats.fill(shallow, (tone, tone, tone))
    for line, strength in zip(lie.water_lines, STRENGTHS, strict=True):
        coats.stroke(line, mix(look.sea[2], look.theme.bank, strength), 0.018)


def _land(coats: Coats, lie: Lie, look: HexLook) -> None:
    """The land, what covers it from the bottom up, and its coast."""
    coats.fill(lie.land, look.wash(HexGround.OPEN))
    for cover in BOTTOM_UP:
        coats.fill(lie.covers[cover], look.wash(cover))
        coats.stroke(lie.covers[cover], mix(look.tints[cover], look.drawn[cover], 0.4), 0.016)
    coats.stroke(lie.strand, look.tints[HexGround.BEACH], 0.06)
    coats.stroke(lie.land, mix(look.theme.bank, look.ink, 0.25), 0.028)
