"""Answer a viewer from the same game until he learns something new, so that answer times reveal no hidden actions."""

from dataclasses import replace
from typing import Any

from cachetools import LRUCache

from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.state import State

from .sessions import PageSeat

MOST_GAMES = 256
"""Maximum number of games in memory. Each viewer of a game has its own copy."""


class SteadyGames:
    """Keeps each seat on an earlier game until its viewer can see a difference.

    The rules cache results by state, and the first answer for a new state takes three times as long. A player who
    measures the time could otherwise notice a hidden action.
    """

    def __init__(self) -> None:
        self._games: LRUCache[tuple[str, Viewer], tuple[Game, State]] = LRUCache(MOST_GAMES)

    def make_steady(self, seat: PageSeat) -> PageSeat:
        """Return the seat with the game of its viewer's last answer, unless the viewer has learnt more since."""
        key, view = (seat.game.id, seat.viewer), seat.view
        last = self._games.get(key)
        if (
            last is not None
            and _facts_outside_state(last[0], seat.viewer) == _facts_outside_state(seat.game, seat.viewer)
            and last[1] == view
        ):
            return replace(seat, game=last[0])
        self._games[key] = seat.game, view
        return seat


def _facts_outside_state(game: Game, viewer: Viewer) -> tuple[Any, ...]:
    """Return facts that the viewer knows of the game besides its state, such as seats and name."""
    return game.progress_for(viewer), game.ended, game.name, game.umpire, game.seats, game.photograph
