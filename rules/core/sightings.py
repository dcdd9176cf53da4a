"""Enemies as a side has seen them."""

from typing import NamedTuple


class EnemySighting(NamedTuple):
    """An enemy as a side last saw it, with the turn and the place."""

    name: str
    turn: int
    place: str
