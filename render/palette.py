"""Define all colours of the pictures: the themes, and one fixed palette for all pictures."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Ground

from .png import encode


class RGB(NamedTuple):
    """A colour with components 0-255."""

    red: int
    green: int
    blue: int


def mix(one: RGB, other: RGB, part: float) -> RGB:
    """Return `one` mixed with the share `part` (0-1) of `other`."""
    return RGB(*(round(a + (b - a) * part) for a, b in zip(one, other, strict=True)))


PAPER = RGB(250, 245, 232)
WHITE = RGB(255, 255, 255)
INK = RGB(42, 35, 30)
AMBER = RGB(240, 176, 32)
BLOOD = RGB(196, 60, 40)
GREEN = RGB(0, 128, 96)


@dataclass(frozen=True)
class SideLook:
    """Look of a side's bases: colour, outline (`shape`) and fill (`solid` or pale)."""

    colour: RGB
    shape: str
    solid: bool
    pale: RGB

    @property
    def fill(self) -> RGB:
        """Return the base's fill colour."""
        return self.colour if self.solid else self.pale

    @property
    def drawn(self) -> RGB:
        """Return the colour of symbol and edge on the base's fill."""
        return self.pale if self.solid else self.colour


@dataclass(frozen=True)
class Theme:
    """Colours of one map style."""

    paper: RGB
    ink: RGB
    wash: tuple[RGB, RGB, RGB]
    speck: RGB
    hills: tuple[RGB, RGB, RGB, RGB]
    wood: RGB
    tree: RGB
    tree_light: RGB
    water: RGB
    bank: RGB
    stone: RGB
    road: RGB
    building: RGB
    marsh: RGB
    plate: RGB
    sides: tuple[SideLook, ...]


def _side_look(colour: RGB, shape: str, *, solid: bool) -> SideLook:
    return SideLook(colour, shape, solid, mix(colour, WHITE, 0.9))


SIDES = (
    _side_look(RGB(176, 36, 44), "square", solid=True),
    _side_look(RGB(0, 84, 138), "round", solid=False),
    _side_look(RGB(86, 48, 120), "cut", solid=True),
    _side_look(RGB(178, 92, 0), "pointed", solid=False),
)
PRINT_SIDES = (
    _side_look(RGB(30, 30, 30), "square", solid=True),
    _side_look(RGB(0, 0, 0), "round", solid=False),
    _side_look(RGB(110, 110, 110), "cut", solid=True),
    _side_look(RGB(80, 80, 80), "pointed", solid=False),
)

GROUNDS: dict[Ground, tuple[RGB, RGB]] = {
    Ground.DESERT: (RGB(238, 219, 178), RGB(196, 158, 104)),
    Ground.VELD: (RGB(228, 218, 164), RGB(164, 152, 84)),
    Ground.HILLS: (RGB(224, 211, 186), RGB(160, 142, 116)),
    Ground.GREEN: (RGB(211, 221, 174), RGB(130, 152, 88)),
}
HILL_BROWN = RGB(176, 128, 74)
TREE = RGB(86, 124, 70)
WATER = RGB(146, 190, 208)
BANK = RGB(52, 104, 134)
STONE = RGB(176, 166, 150)
ROAD = RGB(250, 236, 200)
BUILDING = RGB(204, 142, 104)
SEA = (WATER, RGB(168, 206, 218), RGB(196, 222, 224))
"""Colours of deep water, water nearer the shore, and water at the shore."""
COVERS: dict[HexGround, tuple[RGB, RGB]] = {
    HexGround.OPEN: (RGB(239, 229, 192), RGB(172, 160, 96)),
    HexGround.BEACH: (RGB(248, 236, 200), RGB(204, 172, 116)),
    HexGround.CULTIVATION: (RGB(232, 220, 148), RGB(172, 148, 74)),
    HexGround.PALMS: (RGB(216, 222, 166), RGB(58, 122, 78)),
    HexGround.PLANTATION: (RGB(188, 206, 146), RGB(66, 112, 64)),
    HexGround.BUSH: (RGB(212, 210, 152), RGB(122, 134, 74)),
    HexGround.MANGROVE: (RGB(176, 200, 172), RGB(66, 104, 90)),
    HexGround.NATIVE_TOWN: (RGB(232, 210, 168), RGB(164, 116, 68)),
    HexGround.EUROPEAN_TOWN: (RGB(230, 206, 184), RGB(190, 78, 56)),
    HexGround.CRATERS: (RGB(190, 166, 126), RGB(98, 76, 54)),
    HexGround.TRENCH: (RGB(206, 186, 146), RGB(106, 82, 56)),
    HexGround.HILL: (RGB(228, 208, 160), RGB(164, 116, 66)),
    HexGround.FOREST: (RGB(178, 180, 132), RGB(66, 84, 52)),
    HexGround.BUILDING: (RGB(214, 200, 180), RGB(156, 84, 62)),
    HexGround.WATERWAY: (RGB(134, 170, 182), BANK),
}
"""Tint of each ground, and colour of the shapes drawn on that tint."""
KEY_BUILDING = RGB(150, 34, 40)
APART = 6
"""Minimum distance in RGB space between two palette colours; nearer colours look equal."""


def _campaign_theme(ground: Ground) -> Theme:
    base, speck = GROUNDS[ground]
    return Theme(
        paper=PAPER,
        ink=INK,
        wash=(mix(base, WHITE, 0.14), base, mix(base, speck, 0.1)),
        speck=mix(base, speck, 0.75),
        hills=(
            mix(base, HILL_BROWN, 0.22),
            mix(base, HILL_BROWN, 0.36),
            mix(base, HILL_BROWN, 0.5),
            mix(base, HILL_BROWN, 0.62),
        ),
        wood=mix(base, TREE, 0.4),
        tree=TREE,
        tree_light=mix(TREE, RGB(190, 210, 120), 0.5),
        water=WATER,
        bank=BANK,
        stone=STONE,
        road=ROAD,
        building=BUILDING,
        marsh=mix(base, WATER, 0.45),
        plate=mix(PAPER, WHITE, 0.4),
        sides=SIDES,
    )


def _print_theme() -> Theme:
    black, grey = RGB(0, 0, 0), RGB(150, 150, 150)
    return Theme(
        paper=WHITE,
        ink=black,
        wash=(WHITE, WHITE, WHITE),
        speck=WHITE,
        hills=(WHITE, WHITE, WHITE, WHITE),
        wood=WHITE,
        tree=RGB(120, 120, 120),
        tree_light=WHITE,
        water=WHITE,
        bank=RGB(60, 60, 60),
        stone=WHITE,
        road=WHITE,
        building=grey,
        marsh=WHITE,
        plate=WHITE,
        sides=PRINT_SIDES,
    )


INK_ONLY = "print"
STYLES = ("campaign", INK_ONLY)


def theme(style: str, ground: Ground) -> Theme:
    """Return the theme of `style` for `ground`. Raises ValueError, with the known styles, for an unknown style."""
    if style not in STYLES:
        raise ValueError(f"There is no map style “{style[:40]}”. Choose {' or '.join(STYLES)}.")
    return _print_theme() if style == INK_ONLY else _campaign_theme(ground)


def _palette_colours() -> list[RGB]:
    """Return all colours of the fixed palette, at least `APART` from each other."""
    strong = [*(side.colour for side in SIDES), TREE, BANK, HILL_BROWN, AMBER, BLOOD, GREEN]
    middle = [WATER, STONE, ROAD, BUILDING]
    colours = [mix(RGB(0, 0, 0), WHITE, step / 15) for step in range(16)]
    colours += [mix(INK, PAPER, step / 14) for step in range(15)]
    for colour in strong:
        colours += [mix(colour, WHITE, part) for part in (0, 0.2, 0.4, 0.6, 0.75, 0.9)]
        colours += [mix(colour, INK, part) for part in (0.35, 0.7)]
    for colour in middle:
        colours += [colour, mix(colour, WHITE, 0.5), mix(colour, INK, 0.25), mix(colour, INK, 0.5)]
    for ground, (base, speck) in GROUNDS.items():
        look = _campaign_theme(ground)
        colours += [*look.wash, speck, look.speck, *look.hills, look.wood, look.marsh, look.plate]
        colours += [mix(base, speck, 0.4), mix(base, INK, 0.12), mix(base, INK, 0.25), mix(base, INK, 0.5)]
        colours += [mix(look.hills[1], INK, part) for part in (0.2, 0.45)]
    for tint, drawn in COVERS.values():
        colours += [tint, mix(tint, WHITE, 0.14), mix(tint, drawn, 0.06), drawn, mix(drawn, INK, 0.4)]
        colours += [mix(tint, drawn, 0.5)]
    colours += [*SEA, KEY_BUILDING, mix(COVERS[HexGround.OPEN][0], COVERS[HexGround.TRENCH][0], 0.5)]
    found: list[RGB] = []
    for colour in colours:
        if all(math.dist(colour, other) >= APART for other in found):
            found.append(colour)
    return found


@lru_cache(maxsize=1)
def fixed_palette() -> Image.Image:
    """Return the palette as a Pillow image: the same 256 entries for every picture."""
    colours = _palette_colours()
    flat = [part for colour in colours for part in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(flat + list(colours[0]) * (256 - len(colours)))
    return image


def to_fixed_palette(image: Image.Image) -> Image.Image:
    """Return an RGB picture in the fixed palette: each pixel gets the nearest palette colour."""
    return image.quantize(palette=fixed_palette(), dither=Image.Dither.NONE)


def png(image: Image.Image) -> bytes:
    """Return an RGB picture as a PNG in the fixed palette."""
    return encode(to_fixed_palette(image))
