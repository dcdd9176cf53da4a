"""The next step stands under the newest message alone: older buttons are taken off in the background."""

import asyncio
import logging
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord
from discord import ui

from bot.errors import DatabaseAway

from .pruning import keep_uploads, without_steps
from .refused import UNSENT

if TYPE_CHECKING:
    from bot.client import UmpireBot

log = logging.getLogger(__name__)

LOOK_BACK = 20
"""Messages looked through for buttons of a game of which this process has shown nothing yet."""

_under_way: set[asyncio.Task[None]] = set()
_at_work: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
"""One a channel: whatever is taken off there is taken off one after the other."""


def stands(bot: "UmpireBot", game: str, channel: int, message: discord.Message | None) -> None:
    """That message has the game's next step now: the one before loses its buttons, as soon as may be."""
    if message is None:
        return
    former = bot.games.newest.of(game)
    bot.games.newest.stands(game, message.id)
    if former == message.id:
        return
    task = asyncio.create_task(_clear(bot, game, channel, former, message.id), name=f"older buttons of {channel}")
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _clear(bot: "UmpireBot", game: str, channel: int, former: int | None, newest: int) -> None:
    where = bot.get_partial_messageable(channel)
    async with _at_work.setdefault(channel, asyncio.Lock()):
        try:
            if former is not None:
                await _take_off(await where.fetch_message(min(former, newest)), game)
                return
            known = await bot.games.newest_known(game)
            after = None if known is None else discord.Object(known - 1)
            older = [one async for one in where.history(limit=LOOK_BACK, before=discord.Object(newest), after=after)]
            for message in older:
                if bot.user is not None and message.author.id == bot.user.id:
                    await _take_off(message, game)
        except DatabaseAway:
            log.info("channel %s: older buttons of game %s stay, for they cannot be looked up", channel, game)
        except UNSENT as error:
            log.info("channel %s: older buttons of game %s stay: %s", channel, game, error)
        except Exception:
            log.exception("channel %s: older buttons of game %s stay", channel, game)


async def _take_off(message: discord.Message, game: str) -> None:
    view = ui.LayoutView.from_message(message, timeout=None)
    if without_steps(view, game):
        keep_uploads(view)
        view.stop()
        await message.edit(view=view, allowed_mentions=discord.AllowedMentions.none())
