"""Give all pictures one fixed palette of 256 entries, which is swapped for another palette afterwards."""

import math
from functools import lru_cache

from PIL import Image

from rules.core.hexboard.hex_scene import HexGround

from .palette import CAMPAIGN, PALETTES, RGB, USUAL_COLOURS, WHITE, Colours, coloured_theme, mix
from .png import encode, swap_palette

APART = 6
"""Minimum distance in RGB space between two palette colours; nearer colours look equal."""


def _mixed_colours(made_of: Colours) -> list[RGB]:
    """Return all mixtures of a palette's colours. At each index, every palette has the same recipe of a mixture."""
    strong = [*(side.colour for side in made_of.sides), made_of.tree, made_of.bank, made_of.hill_brown]
    strong += [made_of.amber, made_of.blood, made_of.green]
    middle = [made_of.water, made_of.stone, made_of.road, made_of.building]
    colours = [mix(RGB(0, 0, 0), WHITE, step / 15) for step in range(16)]
    colours += [mix(made_of.ink, made_of.paper, step / 14) for step in range(15)]
    for colour in strong:
        colours += [mix(colour, WHITE, part) for part in (0, 0.2, 0.4, 0.6, 0.75, 0.9)]
        colours += [mix(colour, made_of.ink, part) for part in (0.35, 0.7)]
    for colour in middle:
        colours += [colour, mix(colour, WHITE, 0.5), mix(colour, made_of.ink, 0.25), mix(colour, made_of.ink, 0.5)]
    for ground, (base, speck) in made_of.grounds.items():
        look = coloured_theme(made_of, ground)
        colours += [*look.wash, speck, look.speck, *look.hills, look.wood, look.marsh, look.plate]
        colours += [
            mix(base, speck, 0.4),
            mix(base, made_of.ink, 0.12),
            mix(base, made_of.ink, 0.25),
            mix(base, made_of.ink, 0.5),
        ]
        colours += [mix(look.hills[1], made_of.ink, part) for part in (0.2, 0.45)]
    for tint, drawn in made_of.covers.values():
        colours += [tint, mix(tint, WHITE, 0.14), mix(tint, drawn, 0.06), drawn, mix(drawn, made_of.ink, 0.4)]
        colours += [mix(tint, drawn, 0.5)]
    colours += [*made_of.sea, made_of.key_building]
    colours += [mix(made_of.covers[HexGround.OPEN][0], made_of.covers[HexGround.TRENCH][0], 0.5)]
    return colours


@lru_cache(maxsize=1)
def _distinct_places() -> tuple[int, ...]:
    """Return the indices in `_mixed_colours` of the fixed palette's colours, at least `APART` from each other."""
    colours, distinct = _mixed_colours(USUAL_COLOURS), list[int]()
    for place, colour in enumerate(colours):
        if all(math.dist(colour, colours[earlier]) >= APART for earlier in distinct):
            distinct.append(place)
    return tuple(distinct)


@lru_cache(maxsize=8)
def entries_of(name: str) -> bytes:
    """Return the 256 palette entries of the palette `name`, three bytes each, in the order of the fixed palette."""
    mixed, usually_mixed = _mixed_colours(PALETTES[name]), _mixed_colours(USUAL_COLOURS)
    colours = [mixed[place] for place in _distinct_places()]
    usual = [usually_mixed[place] for place in _distinct_places()]
    # prefer a palette's own colour to a mixture that equals the colour in the usual palette
    own_colours = dict[int, RGB]()
    for usual_colour, colour in zip(USUAL_COLOURS.own_colours, PALETTES[name].own_colours, strict=True):
        own_colours.setdefault(min(range(len(usual)), key=lambda at: math.dist(usual[at], usual_colour)), colour)
    if name != CAMPAIGN:
        colours = [own_colours.get(at, colour) for at, colour in enumerate(colours)]
    return bytes([*(part for colour in colours for part in colour), *colours[0] * (256 - len(colours))])


@lru_cache(maxsize=1)
def fixed_palette() -> Image.Image:
    """Return the palette as a Pillow image: the same 256 entries for every picture."""
    image = Image.new("P", (1, 1))
    image.putpalette(entries_of(CAMPAIGN))
    return image


def to_fixed_palette(image: Image.Image) -> Image.Image:
    """Return an RGB picture in the fixed palette: each pixel gets the nearest palette colour."""
    return image.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def png(image: Image.Image) -> bytes:
    """Return an RGB picture as a PNG in the fixed palette."""
    return encode(to_fixed_palette(image))


def recolour(data: bytes, name: str) -> bytes:
    """Return a picture in the palette `name`, from any known palette. Pictures without such a palette stay unchanged.

    An unknown name, perhaps stored by a newer program, means the usual palette.
    """
    entries = entries_of(name if name in PALETTES else CAMPAIGN)
    return swap_palette(data, [entries_of(palette) for palette in PALETTES], entries)
