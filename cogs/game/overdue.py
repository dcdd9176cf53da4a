"""Reminders in the channel of a side's deadline."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import discord

from bot.channel.reminders import DueReminder, ReminderKind
from bot.errors import DatabaseAway, NoGame, UserError
from bot.journal.game import Game
from cogs.kit.cards import stale_buttons
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.cards.next_step import NextStep
from cogs.kit.cards.report_card import side_colour, until_words
from cogs.kit.discord_errors import REQUEST_ERRORS

from .remedies import add_decision, side_name

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot

log = logging.getLogger(__name__)

REMINDERS_EVERY = 60.0
"""Seconds between two searches for due reminders."""
SAID = {ReminderKind.HALF: "Half of the time is gone", ReminderKind.NEARLY: "Little time is left"}


async def remind(bot: "UmpireBot") -> None:
    """Send the due reminders of all games. Raises DatabaseAway; any other error stops only one reminder."""
    for due in await bot.reminders.find_due():
        try:
            if await bot.reminders.claim(due) and await tell_reminder(bot, due):
                await bot.reminders.mark_sent(due)
        except DatabaseAway:
            raise
        except Exception:
            log.exception("a reminder in channel %s could not be made", due.channel)


async def tell_reminder(bot: "UmpireBot", due: DueReminder) -> bool:
    """Send a reminder to the channel. Return False if the reminder must be tried again after its claim has expired."""
    try:
        game = await bot.games.running(due.channel)
    except NoGame:
        return True
    except DatabaseAway:
        raise
    except UserError as error:
        log.warning("channel %s is not reminded: %s", due.channel, error)
        return True
    if game.id != due.game or due.deadline.side not in game.waits_for:
        return True
    silent = await bot.games.mentions.silent_users(game)
    card = reminder_card(game, due, [user for user in users_to_remind(game, due) if user not in silent])
    card = (await asyncio.to_thread(NextStep.for_game, game)).add_to(card)
    channel = bot.get_partial_messageable(due.channel)
    try:
        message = await channel.send(view=card.view(), nonce=due.nonce, allowed_mentions=card.mentions)
    except discord.NotFound as error:
        log.warning("channel %s is gone, and cannot be reminded: %s", due.channel, error)
    except discord.Forbidden as error:
        log.warning("channel %s is reminded once the bot may write there: %s", due.channel, error)
        await bot.reminders.put_off(due)
        return False
    except REQUEST_ERRORS as error:
        log.warning("channel %s is reminded later: %s", due.channel, error)
        return False
    else:
        stale_buttons.mark_newest(bot, game.id, game.channel, message)
    return True


def users_to_remind(game: Game, due: DueReminder) -> Iterable[int]:
    """Return the ids of the side's players, and of the umpire after the deadline or if the side has no players."""
    users = [seat.user for seat in game.players(due.deadline.side) if not seat.is_bot]
    deciding = [game.umpire.id] if due.kind is ReminderKind.OVER or not users else []
    return dict.fromkeys((*users, *deciding))


def reminder_card(game: Game, due: DueReminder, users: Sequence[int]) -> Card:
    """Return the card about a deadline, which mentions `users`."""
    side, ends, over = due.deadline.side, due.deadline.ends, due.kind is ReminderKind.OVER
    card = Card(WARNING if over else side_colour(game.state, side))
    card.text(f"### {safe(game.name)}\n-# {safe(game.state.turn_title_with_total)}")
    who = safe(side_name(game, side))
    up = f"{who}: the time was up <t:{int(ends.timestamp())}:R>."
    words = up if over else f"{SAID[due.kind]}. {who}: {until_words(ends)}."
    card = card.mention(users, words) if users else card.text(words)
    return add_decision(card, game, due.deadline) if over else card
