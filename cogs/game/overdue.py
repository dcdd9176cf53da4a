"""Reminders of a side's deadline, in the game's channel."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import discord

from bot.channel.reminders import DueReminder, ReminderKind, join_reminders
from bot.errors import DatabaseUnavailable, NoGame, Stale, UserError
from bot.games.missed_turns import MISSED
from bot.games.missed_turns_setting import MissedTurnsRemedy
from bot.games.opponents import MAY_RETURN
from bot.games.turn_mentions import users_to_mention
from bot.journal.game import Game
from bot.runtime.client import UmpireBot
from cogs.kit import automatic_play
from cogs.kit.cards import stale_buttons
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.cards.next_step import NextStep
from cogs.kit.cards.report_card import deadline_in_words, side_colour
from cogs.kit.discord_errors import REQUEST_ERRORS, is_permanent_error
from cogs.kit.request import BotChannel
from rules.core.model import Viewer
from rules.core.wording import join_with_and

from .remedies import add_remedy_buttons, side_or_umpire_name
from .substitute import SeatOfferButton

log = logging.getLogger(__name__)

REMINDER_INTERVAL = 60.0
"""Seconds between two searches for due reminders."""
CANNOT_WRITE = (
    "I may not write in <#{channel}> (Discord says: {why}), so nobody is reminded in the game “{game}”. "
    "Give me the right Send Messages there, or take the thread out of the archive; `/game clock` shows who is late. "
    "I keep trying for three days, less and less often."
)
REMINDER_WORDS = {ReminderKind.HALF: "Half of the time is gone", ReminderKind.NEARLY: "Little time is left"}


async def send_reminders(bot: UmpireBot) -> None:
    """Send the due reminders of all games. Log any error, except DatabaseUnavailable, and go on."""
    claimed: list[DueReminder] = []
    for due in await bot.reminders.find_due_reminders():
        try:
            if due.kind is ReminderKind.ENDS:
                await end_overdue_turn(bot, due)
            elif await bot.reminders.claim(due):
                claimed.append(due)
        except DatabaseUnavailable:
            raise
        except Exception:
            log.exception("a deadline in channel %s could not be looked after", due.channel)
    for due in join_reminders(claimed):
        try:
            if await send_reminder(bot, due):
                await bot.reminders.mark_sent(due)
        except DatabaseUnavailable:
            raise
        except Exception:
            log.exception("a reminder in channel %s could not be made", due.channel)


async def end_overdue_turn(bot: UmpireBot, due: DueReminder) -> None:
    """End a turn in which no side has time left, and post the consequences for late players.

    A missed turn without a consequence gets no message.
    """
    over = [replace(reminder, kind=ReminderKind.OVER) for reminder in due.single_reminders]
    claimed = [reminder for reminder in over if await bot.reminders.claim(reminder)]
    try:
        played = await bot.games.missed_turns.end_overdue_turn(await bot.games.game_by_id(due.game))
    except UserError as error:
        log.debug("channel %s: the turn does not end: %s", due.channel, error)
        return
    remedies = {play.entry.action["side"]: play.entry.action["then"] for play in played if play.entry.kind == MISSED}
    for late in claimed:
        remedy = remedies.get(late.deadline.side)
        reminder = replace(late, is_late=remedy == MissedTurnsRemedy.BOT)  # else the turn has gone on
        if remedy is None or await send_reminder(bot, reminder):
            await bot.reminders.mark_sent(late)
    automatic_play.start_automatic_play(BotChannel(bot, due.channel), played[-1].game)


async def send_reminder(bot: UmpireBot, due: DueReminder) -> bool:
    """Send a due reminder, unless its deadline has moved. Return False if it must be tried again later."""
    try:
        game = await bot.games.running_game(due.channel)
    except NoGame:
        return True
    except DatabaseUnavailable:
        raise
    except UserError as error:
        log.warning("channel %s is not reminded: %s", due.channel, error)
        return True
    if game.id != due.game:
        return True
    missed = await _record_missed_turn(bot, game, due) if due.kind is ReminderKind.OVER else None
    if missed is not None:
        game = missed.game
    else:
        deadlines = await bot.games.clocks.load_deadlines(game)
        still = [deadline for deadline in due.deadlines if deadline in deadlines]
        if not still:
            return all(deadline.since != due.deadline.since for deadline in deadlines)
        due = replace(due, deadline=still[0], others=tuple(still[1:]))
    silent = await bot.games.mentions.load_silent_users(game)
    users = [user for user in users_to_remind(game, due) if user not in silent]
    card = reminder_card(game, due, users, missed)
    card = (await asyncio.to_thread(NextStep.for_game, game)).add_to(card)
    message = await _post_reminder(bot, game, due, card)
    if message is not None:
        stale_buttons.set_live_message(bot, game.id, game.channel, message)
    if missed is not None and missed.remedy is MissedTurnsRemedy.BOT:
        automatic_play.start_automatic_play(BotChannel(bot, due.channel), game)
    return message is not None


async def _post_reminder(bot: UmpireBot, game: Game, due: DueReminder, card: Card) -> discord.Message | None:
    """Send the reminder and return its message. Return None if Discord refuses it or cannot be reached."""
    channel = bot.get_partial_messageable(due.channel)
    try:
        return await channel.send(view=card.view(), nonce=due.nonce, allowed_mentions=card.mentions)
    except REQUEST_ERRORS as error:
        if isinstance(error, discord.HTTPException) and is_permanent_error(error):
            await _postpone_reminder(bot, game, due, error)
        else:
            log.warning("channel %s is reminded later: %s", due.channel, error)
        return None


@dataclass(frozen=True)
class MissedTurn:
    """A recorded missed turn: its journal entry, its consequence, and each late player's number of missed turns."""

    game: Game
    entry: int
    counts: Mapping[str, int]
    remedy: MissedTurnsRemedy | None


async def _record_missed_turn(bot: UmpireBot, game: Game, due: DueReminder) -> MissedTurn | None:
    """Record the missed turn unless it is recorded already. Return None if the side is no longer late."""
    service = bot.games.missed_turns
    try:
        played = await service.record_missed_turn(game, due.deadline)
    except Stale:
        return None
    after = game if played is None else played.game
    counts = await service.load_missed_counts(after)
    number, remedy = await service.find_missed_turn_record(after, due.deadline)
    players = {seat.name: counts[seat.user] for seat in after.players(due.deadline.side) if counts.get(seat.user)}
    return MissedTurn(after, number, players, remedy)


async def _postpone_reminder(bot: UmpireBot, game: Game, due: DueReminder, error: discord.HTTPException) -> None:
    """Postpone a reminder that Discord refused. The first time, tell the umpire in a direct message.

    If Discord refuses that too, store the message for the umpire's next command in the channel.
    """
    first, last = await bot.reminders.postpone_reminder(due)
    log.warning("channel %s cannot be reminded%s: %s", due.channel, ", and is given up" if last else " now", error)
    if not first:
        return
    why = safe(error.text or error.response.reason or "no")
    words = CANNOT_WRITE.format(game=safe(game.name), channel=due.channel, why=why)
    try:
        umpire = bot.get_user(game.umpire.id) or await bot.fetch_user(game.umpire.id)
        await umpire.send(words)
    except REQUEST_ERRORS as refused:
        log.warning("the umpire of game %s is told with their next command: %s", game.id, refused)
        await bot.undelivered.store_notice(due.nonce, due.channel, game.umpire.id, words)


def users_to_remind(game: Game, due: DueReminder) -> Iterable[int]:
    """Return the ids of the users to mention: the players of the sides with the deadline.

    The umpire is added if time is up, or if a side has no player.
    """
    users = [users_to_mention(game, (deadline.side,)) for deadline in due.deadlines]
    deciding = [game.umpire.id] if due.kind is ReminderKind.OVER or not all(users) else []
    return dict.fromkeys((*chain.from_iterable(users), *deciding))


def reminder_card(game: Game, due: DueReminder, users: Sequence[int], missed: MissedTurn | None = None) -> Card:
    """Return a card that tells of a deadline and mentions `users`."""
    side, ends, over = due.deadline.side, due.deadline.ends, due.kind is ReminderKind.OVER
    card = Card(WARNING if over else side_colour(game.state, side))
    card.text(f"### {safe(game.name)}\n-# {safe(game.state.turn_title_with_total)}")
    names = safe(join_with_and(side_or_umpire_name(game, deadline.side) for deadline in due.deadlines))
    late_words = f"{names}: the time was up <t:{int(ends.timestamp())}:R>."
    words = late_words if over else f"{REMINDER_WORDS[due.kind]}. {names}: {deadline_in_words(ends)}."
    card = card.mention(users, words) if users else card.text(words)
    if missed is not None:
        counts = ", ".join(f"{safe(name)} {count}" for name, count in missed.counts.items())
        card.text(f"-# Turns not played in time: {counts}." if counts else "")
        card.text(_consequence_in_words(game, side, missed, is_late=due.is_late))
        if missed.remedy is MissedTurnsRemedy.BOT:
            return card
    if missed is not None and missed.remedy is MissedTurnsRemedy.OFFER:
        card.buttons([SeatOfferButton(f"Play {game.the_side(side)}", game=game.id, entry=missed.entry)])
    return add_remedy_buttons(card, game, due.deadline) if over and due.is_late else card


def _consequence_in_words(game: Game, side: Viewer, missed: MissedTurn, *, is_late: bool) -> str:
    """Return a sentence about the consequence of a missed turn, or an empty string."""
    the_side = safe(game.the_side(side))
    fellows = [seat.name for seat in game.players(side) if not seat.is_bot]
    match missed.remedy:
        case MissedTurnsRemedy.BOT if not is_late:
            return f"The bot was to play that turn for {the_side}."
        case MissedTurnsRemedy.BOT:
            return f"The bot plays this turn for {the_side}. {MAY_RETURN}"
        case MissedTurnsRemedy.FELLOW if len(fellows) > 1:
            return f"Any of {safe(' and '.join(fellows))} may play on for {the_side}."
        case MissedTurnsRemedy.FELLOW:
            return f"Nobody else plays {the_side}."
        case MissedTurnsRemedy.OFFER:
            return f"The seat is offered: whoever wants to play {the_side} may take it."
        case _:
            return ""
