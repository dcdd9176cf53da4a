"""The message of each game that has its next step: the newest. A private one never is."""

from collections import OrderedDict

MOST = 4096
"""Games whose newest message is remembered."""


class Newest:
    """What this process has shown last of each game. It goes into the game's next entry, and so outlives a restart."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._messages: OrderedDict[str, int] = OrderedDict()

    def of(self, game: str) -> int | None:
        """The id of the game's newest message, where this process has shown one."""
        return self._messages.get(game)

    def is_past(self, game: str, message: int) -> bool:
        """Whether a message of the game is known to be followed by a newer one."""
        return self._messages.get(game, message) > message

    def stands(self, game: str, message: int) -> None:
        """That message has the game's next step now. Ids grow: one that comes late is no longer the newest."""
        self._messages[game] = max(message, self._messages.pop(game, 0))
        while len(self._messages) > self._most:
            self._messages.popitem(last=False)
