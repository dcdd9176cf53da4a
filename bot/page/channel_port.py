"""The port by which the live map announces its changes in a game's channel. The chat's cogs implement the port."""

from collections.abc import Sequence
from typing import Protocol

from bot.journal.game import Entry, Game, Played


class ChannelPort(Protocol):
    """Announces changes made without an interaction in a game's channel, and continues the game's automatic play."""

    def go_on(self, game: Game) -> None:
        """Announce the game's unannounced entries in its channel, then continue its automatic play."""

    def tell_undo(self, played: Played, undone: Sequence[Entry]) -> None:
        """Announce the undo `played` of the entries `undone`. Automatic play halts as after an undo in the chat."""
