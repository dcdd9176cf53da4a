"""Find messages that Discord took before this process knew of them, by their heading in the channel's history.

Discord drops a second message with the same nonce for a few minutes only; a crash may last longer.
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from .cards.card import Card
from .refusals import UNSENT

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot

log = logging.getLogger(__name__)

LOOK_THROUGH = 50
"""Number of messages to search, the oldest first."""


async def find_sent(bot: "UmpireBot", channel: int, card: Card, since: datetime) -> discord.Message | None:
    """Return the bot's own message with the card's heading, sent to the channel after `since`.

    Return None if no message matches, or if the bot may not read the channel's history.
    """
    heading = next(iter(card.words.split("\n")), "")
    history = bot.get_partial_messageable(channel).history(limit=LOOK_THROUGH, after=since, oldest_first=True)
    try:
        async for message in history:
            if bot.user is not None and message.author.id == bot.user.id and heading in texts_of(message):
                return message
    except UNSENT as error:
        log.info("channel %s: its history cannot be read: %s", channel, error)
    return None


def texts_of(message: discord.Message) -> Iterator[str]:
    """Yield the first line of each paragraph of a message."""
    view = ui.LayoutView.from_message(message, timeout=None)
    view.stop()
    items: list[ui.Item[Any]] = [*view.walk_children()]
    return (item.content.split("\n")[0] for item in items if isinstance(item, ui.TextDisplay))
