"""The outbox: answers that Discord did not accept, although the action was done.

A public answer is posted in the channel instead. A private answer, or a public answer that cannot be posted, is stored
and sent with the next answer in the channel.
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.channel.undelivered import EVERYONE
from bot.errors import DatabaseUnavailable
from bot.runtime.client import UmpireBot

from .cards.card import Card
from .discord_errors import REQUEST_ERRORS, log_request_errors
from .request import BotChannel, ChannelContext, Interaction, channel_of, room_of

log = logging.getLogger(__name__)

LATE = "-# This was done {when} and could not be shown then. `/game log` has what was done since."
MOST_KEY = 25
"""Maximum letters of a message's key: Discord's limit for a nonce."""
MOST_SEARCHED = 50
"""Maximum number of messages that `find_sent_message` searches."""


async def post(context: ChannelContext, card: Card, key: str, since: datetime | None = None) -> discord.Message | None:
    """Post a card in the channel. If Discord refuses the card, store it for the next answer there, and return None.

    `key` is a nonce of at most MOST_KEY letters, which makes Discord accept the card only once. With `since`, first
    search the channel for the card: a process that died may have posted it.
    """
    channel = context.client.get_partial_messageable(channel_of(context))
    if since is not None and (message := await find_sent_message(context.client, channel.id, card, since)) is not None:
        return message
    with log_request_errors(log, "channel %s could not be told of %s", channel.id, key):
        try:
            return await channel.send(view=card.view(), files=card.files(), nonce=key, allowed_mentions=card.mentions)
        except discord.Forbidden:
            if isinstance(context, BotChannel) or room_of(context) is not None:
                raise
            return await context.followup.send(
                view=card.view(), files=card.files(), allowed_mentions=card.mentions, wait=True
            )
    await keep_undelivered_card(context, card, key, EVERYONE)
    return None


async def keep_undelivered_card(context: ChannelContext, card: Card, key: str, user: int) -> None:
    """Store a card's words for the user, or for EVERYONE in the channel. Never raises."""
    try:
        await context.client.undelivered.store_notice(key, channel_of(context), user, card.words)
    except DatabaseUnavailable:
        log.warning("what channel %s was not told of %s could not be kept", context.channel_id, key)
    except Exception:
        log.exception("what channel %s was not told of %s could not be kept", context.channel_id, key)


async def deliver_kept_messages(interaction: Interaction) -> None:
    """Send the stored messages for the channel and the user, after an answer in the channel. Never raises."""
    in_channel = room_of(interaction) is None
    for user in (EVERYONE, interaction.user.id) if in_channel else (interaction.user.id,):
        try:
            async with interaction.client.undelivered.deliver(channel_of(interaction), user) as notices:
                for notice in notices:
                    late = LATE.format(when=f"<t:{int(notice.at.timestamp())}:R>")
                    view = Card().text(notice.text).text(late).view()
                    await interaction.followup.send(view=view, ephemeral=user != EVERYONE, wait=True)
        except REQUEST_ERRORS as error:
            log.warning("channel %s could still not be told what was done: %s", interaction.channel_id, error)
        except DatabaseUnavailable:
            return
        except Exception:
            log.exception("channel %s: what was not told yet could not be read", interaction.channel_id)


async def find_sent_message(bot: UmpireBot, channel: int, card: Card, since: datetime) -> discord.Message | None:
    """Return the bot's own message with the card's heading, sent after `since`, or None.

    Nonces do not replace this search: Discord compares them only for a few minutes, and an outage may last longer.
    """
    heading = strip_line_marks(card.words.split("\n")[0])
    history = bot.get_partial_messageable(channel).history(limit=MOST_SEARCHED, after=since, oldest_first=True)
    with log_request_errors(log, "channel %s: its history cannot be read", channel, level=logging.INFO):
        async for message in history:
            if bot.user is not None and message.author.id == bot.user.id and heading in paragraph_first_lines(message):
                return message
    return None


def paragraph_first_lines(message: discord.Message) -> Iterator[str]:
    """Yield the first line of each paragraph of a message, without Markdown marks."""
    view = ui.LayoutView.from_message(message, timeout=None)
    view.stop()
    items: list[ui.Item[Any]] = [*view.walk_children()]
    return (strip_line_marks(item.content.split("\n")[0]) for item in items if isinstance(item, ui.TextDisplay))


def strip_line_marks(line: str) -> str:
    """Return a line without the Markdown marks of a heading or of small print."""
    return line.lstrip("#- ")
