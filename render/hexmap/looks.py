"""Define a hex map's colours in one style: the tint and the drawing colour of each ground."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from render.palette import COVERS, INK_ONLY, KEY_BUILDING, RGB, SEA, WHITE, Theme, mix, theme
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Ground

ALIKE = {
    HexGround.MOUNTAIN: HexGround.HILL,
    HexGround.MARSH: HexGround.MANGROVE,
    HexGround.WOOD: HexGround.PLANTATION,
}
"""Grounds that share the colours of another ground, and differ by their drawn objects."""


class HexLook(NamedTuple):
    """A theme with the additional colours of hex maps."""

    theme: Theme
    sea: tuple[RGB, RGB, RGB]
    tints: Mapping[HexGround, RGB]
    drawn: Mapping[HexGround, RGB]
    key_building: RGB
    blotched: float
    """Share of the drawing colour in the darkest tone of a tint."""

    @property
    def ink(self) -> RGB:
        """Return the colour of text."""
        return self.theme.ink

    @property
    def text_halo(self) -> RGB:
        """Return the halo colour of text on land."""
        return mix(self.tints[HexGround.OPEN], WHITE, 0.5)

    @property
    def shelled_tones(self) -> tuple[RGB, RGB, RGB]:
        """Return the tones of a wash for open land that was shelled."""
        tone = mix(self.tints[HexGround.OPEN], self.tints[HexGround.TRENCH], 0.5)
        return tone, tone, tone

    def wash_tones(self, ground: HexGround) -> tuple[RGB, RGB, RGB]:
        """Return the light, middle and dark tone of a ground's wash."""
        tint = self.tints[ground]
        return mix(tint, WHITE, 0.14), tint, mix(tint, self.drawn[ground], self.blotched)


@lru_cache(maxsize=4)
def hex_look(style: str) -> HexLook:
    """Return the look named `style`. Raises ValueError for an unknown style."""
    base = theme(style, Ground.VELD)
    if style != INK_ONLY:
        covers = {**COVERS, **{ground: COVERS[similar] for ground, similar in ALIKE.items()}}
        tints = {ground: tint for ground, (tint, _) in covers.items()}
        drawn = {ground: drawn for ground, (_, drawn) in covers.items()}
        return HexLook(base, SEA, tints, drawn, KEY_BUILDING, blotched=0.06)
    sea = RGB(214, 214, 214), RGB(226, 226, 226), RGB(238, 238, 238)
    every = (*COVERS, *ALIKE)
    white, grey = dict.fromkeys(every, WHITE), dict.fromkeys(every, RGB(110, 110, 110))
    return HexLook(base, sea, white, grey, base.ink, blotched=0)
