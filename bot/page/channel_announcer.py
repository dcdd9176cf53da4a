"""Interface by which the live map's actions are announced in a game's channel. The chat's cogs implement it."""

from collections.abc import Sequence
from typing import Protocol

from bot.journal.game import Entry, Game, Played


class ChannelAnnouncer(Protocol):
    """Tells a game's channel of entries made without an interaction, and continues automatic play."""

    def announce_and_continue(self, game: Game) -> None:
        """Announce the game's new entries in the game's channel, then continue automatic play."""

    def announce_undo(self, played: Played, undone: Sequence[Entry]) -> None:
        """Announce an undo and halt automatic play. `played` is the undo, `undone` the entries that it took back."""
