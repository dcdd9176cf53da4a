"""Remove the buttons of older messages in the background, so only a game's newest message has its next step."""

import asyncio
import logging

import discord
from discord import ui

from bot.channel.message_cache import REMOVAL_TASK
from bot.errors import DatabaseUnavailable
from bot.runtime.client import UmpireBot
from cogs.kit.discord_errors import REQUEST_ERRORS

from .button_removal import remove_next_step_buttons, replace_picture_addresses

log = logging.getLogger(__name__)

REMOVAL_DELAY = 0.5
"""Seconds to wait before the removal of old buttons. Answers to users are sent first."""
MOST_SEARCHED = 20
"""Number of messages searched for old buttons, if this process has shown no message of the game yet."""

_under_way: set[asyncio.Task[None]] = set()


def set_live_message(bot: UmpireBot, game: str, channel: int, message: discord.Message | None) -> None:
    """Make `message` the game's live message. Soon afterwards, remove the next step from earlier messages."""
    if message is None:
        return
    former = bot.games.live_messages.get(game)
    bot.games.live_messages.put(game, message.id)
    bot.message_cache.store(message)
    if former == message.id:
        return
    work = _remove_older_buttons(bot, game, channel, former, message.id)
    task = asyncio.create_task(work, name=f"{REMOVAL_TASK} of {channel}")
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _remove_older_buttons(bot: UmpireBot, game: str, channel: int, former: int | None, newest: int) -> None:
    channel_messages = bot.get_partial_messageable(channel)
    await asyncio.sleep(REMOVAL_DELAY)
    try:
        if former is not None:
            await _remove_older_next_step(bot, channel_messages, game, min(former, newest))
            return
        live_message = await bot.games.mentions.load_live_message(game)
        after = None if live_message is None else discord.Object(live_message - 1)
        history = channel_messages.history(limit=MOST_SEARCHED, before=discord.Object(newest), after=after)
        for message in [message async for message in history]:
            if bot.user is not None and message.author.id == bot.user.id:
                bot.message_cache.store(message)
                await _remove_older_next_step(bot, channel_messages, game, message.id)
    except DatabaseUnavailable:
        log.info("channel %s: older buttons of game %s stay, for they cannot be looked up", channel, game)
    except REQUEST_ERRORS as error:
        log.info("channel %s: older buttons of game %s stay: %s", channel, game, error)
    except Exception:
        log.exception("channel %s: older buttons of game %s stay", channel, game)


async def _remove_older_next_step(bot: UmpireBot, channel: discord.PartialMessageable, game: str, message: int) -> None:
    async with bot.message_cache.edit_lock(message):
        content = bot.message_cache.get(message) or await channel.fetch_message(message)
        view = ui.LayoutView.from_message(content, timeout=None)
        view.stop()
        bot.message_cache.forget(message)
        if remove_next_step_buttons(view, game):
            replace_picture_addresses(view)
            await channel.get_partial_message(message).edit(view=view, allowed_mentions=discord.AllowedMentions.none())
