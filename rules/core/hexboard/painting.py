"""What an umpire may paint on a map of hexes: terrain, roads along hexes, rivers along hexsides."""

from enum import StrEnum

from rules.core.model import Model

from .hex_scene import HexGround

PAINT = "paint"
"""The kind of the action that paints."""


class Stroke(StrEnum):
    """What a stroke of paint is put on."""

    HEXES = "hexes"
    WAY = "way"
    """Hexes one after another, each next to the one before."""
    SIDES = "sides"
    """Hexsides, each written as the two hexes that it lies between."""


class PaintKind(Model):
    """A kind of paint. Terrain has the letter by which a map's text knows it, and the ground as which it is drawn."""

    word: str
    stroke: Stroke
    letter: str = ""
    ground: HexGround | None = None
