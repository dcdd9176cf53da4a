"""The live message of each game: its newest public message, which shows the next step."""

from cachetools import LRUCache

MOST = 4096
"""Maximum number of games with a remembered live message."""


class LiveMessages:
    """Ids of the live messages that this process sent, by game id.

    The next journal entry of the game stores the id, because this memory is lost when the process ends.
    """

    def __init__(self, most: int = MOST) -> None:
        self._messages: LRUCache[str, int] = LRUCache(most)

    def get(self, game: str) -> int | None:
        """Return the id of the game's live message, or None if this process sent none."""
        return self._messages.get(game)

    def has_newer(self, game: str, message: int) -> bool:
        """Whether the game has a newer live message than `message`."""
        return self._messages.get(game, message) > message

    def put(self, game: str, message: int) -> None:
        """Store the game's live message, unless a newer message is stored. Message ids increase with time."""
        self._messages[game] = max(message, self._messages.get(game, 0))
