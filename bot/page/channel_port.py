"""The port by which the live map tells a channel what was done there. The chat's cogs implement it."""

from typing import Protocol

from bot.journal.game import Game


class ChannelPort(Protocol):
    """Tells the channel of a game what was done in it without an interaction, and lets the game go on."""

    def go_on(self, game: Game) -> None:
        """Announce the game's unannounced entries in its channel, then continue its automatic play."""
