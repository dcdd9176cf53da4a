"""Interface by which the live map announces in a game's channel what its users did. The chat's cogs implement it."""

from collections.abc import Sequence
from typing import Protocol

from bot.journal.game import Entry, Game, Played


class ChannelAnnouncer(Protocol):
    """Announces in a game's channel what was done without an interaction, and continues the game's automatic play."""

    def announce_and_continue(self, game: Game) -> None:
        """Announce the game's new entries in the game's channel, then continue automatic play."""

    def announce_undo(self, played: Played, undone: Sequence[Entry]) -> None:
        """Announce the undo `played`, which took back the entries `undone`. Automatic play halts, as in the chat."""
