"""Enemies as a side has seen them."""

from typing import NamedTuple


class LastSeen(NamedTuple):
    """Sighted enemies, with the turn and the place in which a side last saw them."""

    name: str
    turn: int
    place: str
