"""What an umpire may paint on a map of hexes: terrain, roads along hexes, rivers along hexsides."""

from enum import StrEnum

from rules.core.model import Model

from .hex_scene import HexGround

PAINT = "paint"
"""The kind of the action that paints."""


class StrokeTarget(StrEnum):
    """What one stroke of the brush paints: an area of hexes, a road along hexes, or hexsides."""

    HEXES = "hexes"
    WAY = "way"
    """A line of neighbouring hexes."""
    SIDES = "sides"
    """Hexsides, each written as its two hexes."""


class PaintKind(Model):
    """A kind of paint. Paint for terrain also has the terrain's `letter` in map texts, and the `ground` cover drawn."""

    word: str
    stroke: StrokeTarget
    letter: str = ""
    ground: HexGround | None = None
