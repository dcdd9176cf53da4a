"""The newest public message of each game: the message that shows the game's next step."""

from cachetools import LRUCache

MOST = 4096
"""Number of games whose newest message is remembered."""


class Newest:
    """The newest message that this process sent of each game.

    The game's next journal entry stores the message's id, so the id survives a restart.
    """

    def __init__(self, most: int = MOST) -> None:
        self._messages: LRUCache[str, int] = LRUCache(most)

    def of(self, game: str) -> int | None:
        """Return the id of the game's newest message, or None if this process sent none."""
        return self._messages.get(game)

    def is_past(self, game: str, message: int) -> bool:
        """Whether a newer message of the game is known."""
        return self._messages.get(game, message) > message

    def stands(self, game: str, message: int) -> None:
        """Note that the message shows the game's next step. An older message does not replace a newer one: ids grow."""
        self._messages[game] = max(message, self._messages.get(game, 0))
