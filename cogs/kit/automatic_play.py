"""Automatic play: the game's own actions, due order sheets and the bot's turns, each announced in the channel."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.errors import OVER, DatabaseUnavailable, NoGame, ProgramOutdated, Stale
from bot.games.announcements import Announcement
from bot.journal.game import Game, Played
from bot.opponent.decide import BotIsStuck
from bot.order_sheets.model import StoredSheet
from rules.core.model import PUBLIC
from rules.core.wording import count_of

from . import bot_turns, errors, finale, outbox, turn_message, turn_post
from .cards import report_card, stale_buttons
from .cards.action_list import ActionList
from .cards.card import WARNING, Card, safe
from .cards.next_step import NextStep
from .cards.offer_buttons import orders_button
from .request import BotChannel, ChannelContext, actor_of, channel_of, fault_reference
from .rooms import messages

log = logging.getLogger(__name__)

MOST_SHEET_ACTIONS = 100
"""Number of actions of order sheets that fill one message."""

RESTS = "game_rests"
"""Client event, sent when automatic play ends and the game waits for people. The argument is the game."""
COULD_NOT = "{} on your sheet could not be done. The sheet says why."

BROKEN_OFF = (
    "Something went wrong on our side, so the game no longer goes on by itself; nothing was lost. `/turn status` shows "
    "what is next. If it happens again, tell whoever runs this bot the reference `{reference}`."
)
AWAY = (
    "The database does not answer at the moment, so the game no longer goes on by itself; nothing was lost. "
    "`/turn status` shows what is next."
)


async def send_follow_ups(context: ChannelContext, *played: Played, turn_told: bool = False) -> None:
    """Send the messages that follow an answer, then start automatic play in the background.

    The messages are the turn message (unless `turn_told`), the end of the game, and messages in the rooms.
    """
    if not turn_told:
        present = None if isinstance(context, BotChannel) else context.user.id
        await turn_post.post_turn_message(context, *played, present=present)
    await finale.post_finale(context, *played)
    tasks = messages.tell_rooms(context, *played)
    if len(played) > 1 or played[0].entry.actor.id < 0:
        if tasks:
            await asyncio.wait(tasks)
        await bot_turns.mark_announced(context, played)
    start_automatic_play(context, played[-1].game)


def start_automatic_play(context: ChannelContext, game: Game) -> None:
    """Start the game's automatic play in the background."""
    context.client.loops.start(channel_of(context), AutomaticPlay(context, game).step)


@dataclass
class AutomaticPlay:
    """The automatic play of one game; `game` is its latest state."""

    context: ChannelContext
    game: Game
    has_searched: bool = False
    """Whether this process has looked for entries that another process left unannounced."""

    async def step(self) -> bool:
        """Do the next step and announce it. Return False if there is no next step."""
        context = self.context
        try:
            played, announcement = await self._do_next_step()
        except (NoGame, ProgramOutdated, Stale):  # another game may have begun here meanwhile
            return False
        except Exception as error:
            await post_stop_message(context, log_and_explain_stop(context, error))
            return False
        if announcement is not None:
            await announce_entries(context, announcement)
        if played:
            self.game = played[-1].game
        if played or announcement is not None:
            return True
        context.client.dispatch(RESTS, self.game)
        return False

    async def _do_next_step(self) -> tuple[Sequence[Played], Announcement | None]:
        """Do the first possible step. Return the step's entries, and the claimed entries to announce.

        The steps are: announce what another process left unannounced, do the system's own action, carry out order
        sheets, play the bot's turn.
        """
        context, games = self.context, self.context.client.games
        if not self.has_searched and (announcement := await self._claim_unannounced_entries()) is not None:
            return (), announcement
        self.has_searched, game = True, self.game
        if game.ruleset.next_automatic_action(game.state) is not None:
            actor = game.umpire if isinstance(context, BotChannel) else actor_of(context)
            if (action := await games.actions.perform_automatic_action(channel_of(context), actor)) is not None:
                return (action,), await games.announcements.claim(action.game, (action,))
        if await games.sheets.has_sheets(game):
            if played := await carry_out_due_sheets(context):
                return played, await games.announcements.claim(played[-1].game, played)
            await notify_sheet_owners(context)
        if game.bot_seats and not bot_turns.is_bot_playing(context):
            return await bot_turns.play_bot_turn(context)
        return (), None

    async def _claim_unannounced_entries(self) -> Announcement | None:
        """Claim and return entries that another process left unannounced, or None.

        If the entries cannot be read, log the error. Raises Stale if another game runs now.
        """
        games = self.context.client.games
        now = await games.running_game(channel_of(self.context))  # another process may have gone on meanwhile
        if now.id != self.game.id:
            raise Stale(OVER)
        self.game = now
        try:
            return await games.announcements.claim(now, finished=True)
        except DatabaseUnavailable:
            raise
        except Exception:
            log.exception("channel %s: the unannounced entries cannot be read", channel_of(self.context))
            return None


async def announce_entries(context: ChannelContext, announcement: Announcement) -> None:
    """Announce the entries to the channel, then to the sides' rooms. Then mark the entries as announced."""
    played, since = announcement.played, announcement.since
    await announce_in_channel(context, played, since)
    if tasks := messages.tell_rooms(context, *played, since=since):
        await asyncio.wait(tasks)
    await bot_turns.mark_announced(context, played)


def log_and_explain_stop(context: ChannelContext, error: Exception) -> str:
    """Log an unexpected error, and return words that tell the channel why automatic play stops."""
    if isinstance(error, DatabaseUnavailable):
        return AWAY
    if isinstance(error, errors.USER_ERRORS):
        if not isinstance(error, BotIsStuck):
            log.error("channel %s: the game cannot go on by itself", channel_of(context), exc_info=error)
        return safe(str(error))
    reference = fault_reference(context)
    log.error("fault %s in what channel %s does by itself", reference, channel_of(context), exc_info=error)
    return BROKEN_OFF.format(reference=reference)


async def post_stop_message(context: ChannelContext, words: str) -> None:
    """Tell the channel why automatic play stopped. Add the game's next step, and a button for another try."""
    card = Card(WARNING).text(words)
    try:
        game = await context.client.games.running_game(channel_of(context))
    except errors.USER_ERRORS:
        await outbox.post(context, card, f"{context.id} off")
        return
    if game.umpire.id not in await context.client.games.mentions.load_silent_users(game):
        card.mention([game.umpire.id], "the game waits until somebody has it go on.")
    step = replace(await asyncio.to_thread(NextStep.for_game, game), bot=bool(game.due_bot_seats))
    message = await outbox.post(context, step.add_to(card), f"{context.id} off")
    stale_buttons.set_live_message(context.client, game.id, game.channel, message)


async def continue_with_due_sheets(context: ChannelContext, *played: Played) -> Sequence[Played]:
    """Carry out due order sheets. Return `played` and the sheets' entries. A failed sheet is tried again later."""
    try:
        if await context.client.games.sheets.has_sheets(played[-1].game):
            return (*played, *await carry_out_due_sheets(context, answering=True))
    except Exception:
        log.exception("channel %s: order sheets do not go on", context.channel_id)
    return played


async def carry_out_due_sheets(context: ChannelContext, *, answering: bool = False) -> Sequence[Played]:
    """Carry out order sheets until no sheet is due, or the entries fill one message. Return the entries.

    With `answering`, the caller's answer announces the entries, not automatic play.
    """
    played: list[Played] = []
    while len(played) < MOST_SHEET_ACTIONS:
        try:
            result = await context.client.games.sheets.execute_next_due_sheet(channel_of(context), answering=answering)
        except Exception:
            if not played:
                raise
            break  # first announce what is done
        if result is None:
            break
        played += result.played
    return played


async def notify_sheet_owners(context: ChannelContext) -> None:
    """Mention players whose order sheets can go on, or whose orders the rules refused."""
    games, channel = context.client.games, channel_of(context)
    for stored in await games.sheets.take_sheets_with_possible_orders(channel):
        await notify_sheet_owner(context, stored, "your order sheet can go on.")
    for stored, count in await games.sheets.take_sheets_with_refusals(channel):
        await notify_sheet_owner(context, stored, COULD_NOT.format(count_of(count, "order")))


async def notify_sheet_owner(context: ChannelContext, stored: StoredSheet, words: str) -> None:
    """Post `words` in the channel for the owner of an order sheet, with a mention unless the owner wants none."""
    games = context.client.games
    game = await games.running_game(channel_of(context))
    card = Card(report_card.side_colour(game.state, stored.side))
    if stored.owner in await games.mentions.load_silent_users(game):
        card.text(f"**{safe(game.people.get(stored.owner, game.umpire.name))}**: {words}")
    else:
        card.mention([stored.owner], words)
    card.buttons([orders_button(game.id)])
    await outbox.post(context, card, f"{game.id}-{stored.revision}-{stored.owner}"[: outbox.MOST_KEY])


async def announce_in_channel(context: ChannelContext, played: Sequence[Played], since: datetime | None = None) -> None:
    """Post the public part of `played` in the channel, with a picture. See `outbox.post` for `since`."""
    if not ActionList.for_viewer(PUBLIC, played).actions:
        await turn_post.post_turn_message(context, *played, since=since)
        return
    game = played[-1].game
    call = await turn_post.make_turn_call(context, *played)
    public = await asyncio.to_thread(turn_message.public_card, call, *played)
    picture = await turn_post.draw_picture(context, *played, tells_turn=public.tells_turn)
    message = await outbox.post(context, public.build(picture), f"{game.id}-{played[-1].entry.name}", since)
    stale_buttons.set_live_message(context.client, game.id, game.channel, message)
    if not public.tells_turn:
        await turn_post.post_turn_message(context, *played, since=since)
    await finale.post_finale(context, *played, since=since)
