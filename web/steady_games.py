"""Games as they were when a viewer last learned something: answers take as long after hidden deeds as before."""

from dataclasses import replace
from typing import Any

from cachetools import LRUCache

from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.state import State

from .sessions import Seat

MOST_GAMES = 256
"""Maximum number of games in memory, one for each viewer that asks."""


class SteadyGames:
    """Gives those who read the game that their viewer's last answer was made of, while all that they know is the same.

    Rules remember what they have worked out about a state. A hidden deed makes a new state: the first answer of it took
    three times as long, and told everybody who measured it that something had been done.
    """

    def __init__(self) -> None:
        self._games: LRUCache[tuple[str, Viewer], tuple[Game, State]] = LRUCache(MOST_GAMES)

    def make_steady(self, seat: Seat) -> Seat:
        """Return the seat with the earlier game, if only facts unknown to the viewer have changed since."""
        key, view = (seat.game.id, seat.viewer), seat.view
        last = self._games.get(key)
        if last is not None and _facts(last[0], seat.viewer) == _facts(seat.game, seat.viewer) and last[1] == view:
            return replace(seat, game=last[0])
        self._games[key] = seat.game, view
        return seat


def _facts(game: Game, viewer: Viewer) -> tuple[Any, ...]:
    """Return the facts of a game, besides its state, that the viewer may know."""
    return game.progress_for(viewer), game.ended, game.name, game.umpire, game.seats, game.photograph
