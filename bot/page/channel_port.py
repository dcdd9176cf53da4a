"""The port by which the live map tells a channel what was done there. The chat's cogs implement it."""

from collections.abc import Sequence
from typing import Protocol

from bot.journal.game import Entry, Game, Played


class ChannelPort(Protocol):
    """Announces changes made without an interaction in a game's channel, and lets the game go on."""

    def go_on(self, game: Game) -> None:
        """Announce the game's unannounced entries in its channel, then continue its automatic play."""

    def tell_undo(self, played: Played, undone: Sequence[Entry]) -> None:
        """Tell the channel of an undo, of the entries `undone`. Automatic play halts as after an undo in the chat."""
