"""Which map a game is played on: the house map, or that of the player's own box."""

from .board import Board
from .model import TangaState


def board_of(state: TangaState) -> Board:
    """The map of a game; made once and kept."""
    raise NotImplementedError
