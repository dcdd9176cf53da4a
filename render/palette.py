"""Define the colours of pictures: palettes, and themes of tables mixed from them."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, NamedTuple

from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Ground
from rules.core.state import Side


class RGB(NamedTuple):
    """A colour with components 0-255."""

    red: int
    green: int
    blue: int


def mix(first: RGB, second: RGB, part: float) -> RGB:
    """Return `first` mixed with the share `part` (0-1) of `second`."""
    return RGB(*(round(a + (b - a) * part) for a, b in zip(first, second, strict=True)))


WHITE = RGB(255, 255, 255)


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
    def foreground(self) -> RGB:
        """Return the colour of symbols and text on the base's fill."""
        return self.pale if self.solid else self.colour


@dataclass(frozen=True)
class SharedColours:
    """Colours that a theme takes unchanged from its palette."""

    paper: RGB
    ink: RGB
    tree: RGB
    water: RGB
    bank: RGB
    stone: RGB
    road: RGB
    building: RGB


@dataclass(frozen=True)
class Theme(SharedColours):
    """Colours of one map style."""

    wash: tuple[RGB, RGB, RGB]
    speck: RGB
    hills: tuple[RGB, RGB, RGB, RGB]
    wood: RGB
    tree_light: RGB
    marsh: RGB
    plate: RGB
    sides: tuple[SideLook, ...]

    def side_look(self, side: Side) -> SideLook:
        """Return the look of a side's units."""
        return self.sides[side.index % len(self.sides)]

    def side_looks(self, sides: Iterable[Side]) -> dict[str, SideLook]:
        """Return the looks of the sides' units, by side id."""
        return {side.id: self.side_look(side) for side in sides}


def _make_side_look(colour: RGB, shape: str, *, solid: bool) -> SideLook:
    return SideLook(colour, shape, solid, mix(colour, WHITE, 0.9))


SHAPES = (("square", True), ("round", False), ("cut", True), ("pointed", False))
"""Outline of each side's bases, and whether the bases are solid, in every palette."""


@dataclass(frozen=True)
class Colours(SharedColours):
    """A palette of `palettes.toml`, whose colours are mixed into all colours of pictures."""

    amber: RGB
    blood: RGB
    green: RGB
    hill_brown: RGB
    tree_light: RGB
    key_building: RGB
    side_colours: tuple[RGB, ...]
    shallows: tuple[RGB, RGB]
    """Water nearer the shore, and water at the shore."""
    grounds: dict[Ground, tuple[RGB, RGB]]
    covers: dict[HexGround, tuple[RGB, RGB]]
    """Tint of each ground, and colour of the shapes drawn on that tint."""

    @property
    def sides(self) -> tuple[SideLook, ...]:
        """Return the looks of the sides in the order in which a battle lists the sides."""
        pairs = zip(self.side_colours, SHAPES, strict=True)
        return tuple(_make_side_look(colour, shape, solid=solid) for colour, (shape, solid) in pairs)

    @property
    def listed_colours(self) -> Iterator[RGB]:
        """Yield the colours in the palette's file, those of sides and unit states first."""
        yield from (*self.side_colours, self.amber, self.blood, self.green, self.ink, self.paper)
        yield from (self.water, self.bank, self.building, self.tree)
        for pair in (*self.covers.values(), *self.grounds.values()):
            yield from pair

    @property
    def sea(self) -> tuple[RGB, RGB, RGB]:
        """Return the colours of deep water, shallow water, and water at the shore."""
        return self.water, *self.shallows


def _read_colours(table: dict[str, Any]) -> Colours:
    single = {name: RGB(*value) for name, value in table.items() if name not in SEVERAL}
    return Colours(
        side_colours=tuple(RGB(*colour) for colour in table["sides"]),
        shallows=_read_colour_pair(table["shallows"]),
        grounds={Ground(name): _read_colour_pair(pair) for name, pair in table["grounds"].items()},
        covers={HexGround(name): _read_colour_pair(pair) for name, pair in table["covers"].items()},
        **single,
    )


def _read_colour_pair(pair: Sequence[Sequence[int]]) -> tuple[RGB, RGB]:
    first, second = pair
    return RGB(*first), RGB(*second)


SEVERAL = ("sides", "shallows", "grounds", "covers")
"""Palette entries with several colours."""
CAMPAIGN = "campaign"
PALETTES = {
    name: _read_colours(table)
    for name, table in tomllib.loads(files(__package__).joinpath("palettes.toml").read_text("utf-8")).items()
}
"""The palettes by name, the usual one first."""
USUAL_COLOURS = PALETTES[CAMPAIGN]
PAPER, INK = USUAL_COLOURS.paper, USUAL_COLOURS.ink
AMBER, BLOOD, GREEN = USUAL_COLOURS.amber, USUAL_COLOURS.blood, USUAL_COLOURS.green
HILL_BROWN, KEY_BUILDING = USUAL_COLOURS.hill_brown, USUAL_COLOURS.key_building
SIDES, SEA = USUAL_COLOURS.sides, USUAL_COLOURS.sea
COVERS = USUAL_COLOURS.covers
PRINT_SIDES = (
    _make_side_look(RGB(30, 30, 30), "square", solid=True),
    _make_side_look(RGB(0, 0, 0), "round", solid=False),
    _make_side_look(RGB(110, 110, 110), "cut", solid=True),
    _make_side_look(RGB(80, 80, 80), "pointed", solid=False),
)


def make_theme(colours: Colours, ground: Ground) -> Theme:
    """Return the theme of tables with this `ground`, mixed from the palette's colours."""
    base, speck = colours.grounds[ground]
    return Theme(
        **{ink.name: getattr(colours, ink.name) for ink in fields(SharedColours)},
        wash=(mix(base, WHITE, 0.14), base, mix(base, speck, 0.1)),
        speck=mix(base, speck, 0.75),
        hills=(
            mix(base, colours.hill_brown, 0.22),
            mix(base, colours.hill_brown, 0.36),
            mix(base, colours.hill_brown, 0.5),
            mix(base, colours.hill_brown, 0.62),
        ),
        wood=mix(base, colours.tree, 0.4),
        tree_light=mix(colours.tree, colours.tree_light, 0.5),
        marsh=mix(base, colours.water, 0.45),
        plate=mix(colours.paper, WHITE, 0.4),
        sides=colours.sides,
    )


PRINT_THEME = Theme(
    paper=WHITE,
    ink=RGB(0, 0, 0),
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
    building=RGB(150, 150, 150),
    marsh=WHITE,
    plate=WHITE,
    sides=PRINT_SIDES,
)
INK_ONLY = "print"
DRAWN_STYLES = (CAMPAIGN, INK_ONLY)
"""Styles that are drawn; the other palettes recolour a drawing in `CAMPAIGN`."""
STYLES = (*DRAWN_STYLES, *(name for name in PALETTES if name != CAMPAIGN))


def theme(style: str, ground: Ground) -> Theme:
    """Return the theme of `style` for `ground`. Raises ValueError for an unknown style."""
    if style not in DRAWN_STYLES:
        raise ValueError(f"There is no map style “{style[:40]}”. Choose {', '.join(STYLES[:-1])} or {STYLES[-1]}.")
    return PRINT_THEME if style == INK_ONLY else make_theme(USUAL_COLOURS, ground)
