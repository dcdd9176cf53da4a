"""The colours of a hex map in one look: what each ground is tinted with and drawn in."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from render.palette import COVERS, INK_ONLY, KEY_BUILDING, RGB, SEA, WHITE, Theme, mix, theme
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Ground


class HexLook(NamedTuple):
    """A theme, and the colours that only hex maps need."""

    theme: Theme
    sea: tuple[RGB, RGB, RGB]
    tints: Mapping[HexGround, RGB]
    drawn: Mapping[HexGround, RGB]
    key_building: RGB
    blotched: float
    """How far the dark tone of a tint goes to what is drawn on it."""

    @property
    def ink(self) -> RGB:
        """What is written with."""
        return self.theme.ink

    @property
    def wash_halo(self) -> RGB:
        """What lifts writing off the land."""
        return mix(self.tints[HexGround.OPEN], WHITE, 0.5)

    @property
    def torn(self) -> tuple[RGB, RGB, RGB]:
        """Open land on which shells have fallen, all of one tone."""
        tone = mix(self.tints[HexGround.OPEN], self.tints[HexGround.TRENCH], 0.5)
        return tone, tone, tone

    def wash(self, ground: HexGround) -> tuple[RGB, RGB, RGB]:
        """The three tones of a tint."""
        tint = self.tints[ground]
        return mix(tint, WHITE, 0.14), tint, mix(tint, self.drawn[ground], self.blotched)


@lru_cache(maxsize=4)
def hex_look(style: str) -> HexLook:
    """The look of that name. Raises ValueError with the names there are."""
    base = theme(style, Ground.VELD)
    if style != INK_ONLY:
        tints = {ground: tint for ground, (tint, _) in COVERS.items()}
        drawn = {ground: drawn for ground, (_, drawn) in COVERS.items()}
        return HexLook(base, SEA, tints, drawn, KEY_BUILDING, blotched=0.06)
    sea = RGB(214, 214, 214), RGB(226, 226, 226), RGB(238, 238, 238)
    white, grey = dict.fromkeys(COVERS, WHITE), dict.fromkeys(COVERS, RGB(110, 110, 110))
    return HexLook(base, sea, white, grey, base.ink, blotched=0)
