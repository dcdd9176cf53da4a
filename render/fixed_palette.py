"""Draw all pictures in one palette of 256 entries, which can be swapped for another afterwards."""

import math
from functools import lru_cache

from PIL import Image

from rules.core.hexboard.hex_scene import HexGround

from .palette import CAMPAIGN, PALETTES, RGB, USUAL_COLOURS, WHITE, Colours, make_theme, mix
from .png import encode_palette_png, swap_palette

APART = 6
"""Minimum distance in RGB space between two palette colours; nearer colours look equal."""


def _mixed_colours(palette: Colours) -> list[RGB]:
    """Return all mixtures of a palette's colours, in the same order for every palette."""
    strong = [*(side.colour for side in palette.sides), palette.tree, palette.bank, palette.hill_brown]
    strong += [palette.amber, palette.blood, palette.green]
    middle = [palette.water, palette.stone, palette.road, palette.building]
    colours = [mix(RGB(0, 0, 0), WHITE, step / 15) for step in range(16)]
    colours += [mix(palette.ink, palette.paper, step / 14) for step in range(15)]
    for colour in strong:
        colours += [mix(colour, WHITE, part) for part in (0, 0.2, 0.4, 0.6, 0.75, 0.9)]
        colours += [mix(colour, palette.ink, part) for part in (0.35, 0.7)]
    for colour in middle:
        colours += [colour, mix(colour, WHITE, 0.5), mix(colour, palette.ink, 0.25), mix(colour, palette.ink, 0.5)]
    for ground, (base, speck) in palette.grounds.items():
        look = make_theme(palette, ground)
        colours += [*look.wash, speck, look.speck, *look.hills, look.wood, look.marsh, look.plate]
        colours += [mix(base, speck, 0.4), *(mix(base, palette.ink, part) for part in (0.12, 0.25, 0.5))]
        colours += [mix(look.hills[1], palette.ink, part) for part in (0.2, 0.45)]
    for tint, drawn in palette.covers.values():
        colours += [tint, mix(tint, WHITE, 0.14), mix(tint, drawn, 0.06), drawn, mix(drawn, palette.ink, 0.4)]
        colours += [mix(tint, drawn, 0.5)]
    colours += [*palette.sea, palette.key_building]
    colours += [mix(palette.covers[HexGround.OPEN][0], palette.covers[HexGround.TRENCH][0], 0.5)]
    return colours


@lru_cache(maxsize=1)
def _distinct_indices() -> tuple[int, ...]:
    """Return the indices in `_mixed_colours` of colours that look different in the usual palette."""
    colours, distinct = _mixed_colours(USUAL_COLOURS), list[int]()
    for index, colour in enumerate(colours):
        if all(math.dist(colour, colours[earlier]) >= APART for earlier in distinct):
            distinct.append(index)
    return tuple(distinct)


@lru_cache(maxsize=8)
def palette_entries(name: str) -> bytes:
    """Return the 256 colours of the palette `name`, three bytes each, in a fixed order."""
    mixed, usually_mixed = _mixed_colours(PALETTES[name]), _mixed_colours(USUAL_COLOURS)
    colours = [mixed[index] for index in _distinct_indices()]
    usual = [usually_mixed[index] for index in _distinct_indices()]
    # A colour that the palette lists replaces the mixture nearest to it in the usual palette.
    own_colours = dict[int, RGB]()
    for usual_colour, colour in zip(USUAL_COLOURS.listed_colours, PALETTES[name].listed_colours, strict=True):
        own_colours.setdefault(min(range(len(usual)), key=lambda at: math.dist(usual[at], usual_colour)), colour)
    if name != CAMPAIGN:
        colours = [own_colours.get(at, colour) for at, colour in enumerate(colours)]
    return bytes([*(part for colour in colours for part in colour), *colours[0] * (256 - len(colours))])


@lru_cache(maxsize=1)
def fixed_palette() -> Image.Image:
    """Return the fixed palette as a Pillow image."""
    image = Image.new("P", (1, 1))
    image.putpalette(palette_entries(CAMPAIGN))
    return image


def to_fixed_palette(image: Image.Image) -> Image.Image:
    """Return an RGB picture in the fixed palette: each pixel gets the nearest palette colour."""
    return image.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def encode_png(image: Image.Image) -> bytes:
    """Return an RGB picture as a PNG in the fixed palette."""
    return encode_palette_png(to_fixed_palette(image))


def recolour(data: bytes, name: str) -> bytes:
    """Return a PNG with the colours of the palette `name`; a foreign PNG is returned unchanged.

    An unknown name, perhaps stored by a newer program, means the usual palette.
    """
    entries = palette_entries(name if name in PALETTES else CAMPAIGN)
    return swap_palette(data, [palette_entries(palette) for palette in PALETTES], entries)
