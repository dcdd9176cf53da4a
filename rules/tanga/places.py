"""The words for hexes: their numbers, several in order for a way, or the name of a place on the map."""

import re

from rules.core import naming
from rules.core.hexboard.hexes import Hex
from rules.core.refused import NoPlace

from .field import board_of
from .model import TangaState

ENOUGH = 40
"""Hexes a way may name."""


def hexes_named(state: TangaState, text: str) -> tuple[Hex, ...]:
    """The hexes that a text names, in order. Raises NoPlace on one that is none of the map's."""
    board = board_of(state)
    named = naming.meant(text, {hex_.label: name for hex_, name in board.names.items()})
    if len(named) == 1:
        return (Hex.labelled(named[0]),)
    try:
        found = tuple(Hex.labelled(word) for word in re.findall(r"\w+", text)[:ENOUGH])
    except ValueError:
        found = ()
    if not found or any(hex_ not in board.terrain for hex_ in found):
        raise NoPlace(
            f"“{text[:40]}” is no hex of this map. Write its number, as 2411, several in order, or a place's name."
        )
    return found


def set_down(state: TangaState, _unit: str, text: str) -> Hex:
    """The hex in which a counter is set down: the last that is named. Raises NoPlace."""
    return hexes_named(state, text)[-1]
