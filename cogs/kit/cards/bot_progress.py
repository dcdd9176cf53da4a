"""A message that shows the bot's progress in a long turn.

The message is edited during the turn, and deleted before the turn is announced. It counts only public actions, so it
reveals nothing about hidden units.
"""

import logging
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from time import monotonic

import discord

from bot.journal.game import Game
from cogs.kit.discord_errors import log_request_errors
from cogs.kit.request import ChannelContext, channel_of

from .card import Card

log = logging.getLogger(__name__)

FIRST, EVERY = 8.0, 5.0
"""Seconds from the start of the turn until the message is sent, and seconds between edits of the message."""
SAID = "-# The bot is playing {sides}: {done} so far. They follow in one message."


@dataclass
class BotProgress:
    """The progress of one turn of the bot. `entries` counts the public entries before the turn."""

    context: ChannelContext
    entries: int
    due: float = field(default_factory=lambda: monotonic() + FIRST)
    message: discord.Message | None = None

    async def show(self, game: Game) -> None:
        """Send or edit the message, at most once in EVERY seconds."""
        if monotonic() < self.due:
            return
        count = game.counts.entries - self.entries
        sides = " and ".join(map(game.the_side, game.bot_seats))
        text = SAID.format(sides=sides, done=f"{count} action{'' if count == 1 else 's'}")
        view, nobody = Card().text(text).view(), discord.AllowedMentions.none()
        with self._log_errors("channel %s: the bot's progress is not shown"):
            if self.message is None:
                channel = self.context.client.get_partial_messageable(channel_of(self.context))
                self.message = await channel.send(view=view, silent=True, allowed_mentions=nobody)
            else:
                await self.message.edit(view=view, allowed_mentions=nobody)
        self.due = monotonic() + EVERY

    async def remove(self) -> None:
        """Delete the message, if it was sent."""
        if self.message is not None:
            with self._log_errors("channel %s: the bot's progress stays"):
                await self.message.delete()

    def _log_errors(self, words: str) -> AbstractContextManager[None]:
        return log_request_errors(log, words, channel_of(self.context), level=logging.INFO)
