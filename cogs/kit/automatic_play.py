"""What a game does by itself, and what is done of order sheets whose time comes: each with a message to the channel."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.channel.announcements import Announcement
from bot.games.games import Game, Played
from bot.opponent.decide import Stuck
from bot.order_sheets.model import Kept
from bot.runtime.errors import OVER, BeingUpdated, DatabaseAway, NoGame, Stale
from rules.core.model import PUBLIC
from rules.core.wording import counted

from . import bot_turns, errors, finale, turn_message, untold
from .cards import report_card, stale_buttons
from .cards.action_list import Told
from .cards.card import WARNING, Card, safe
from .cards.next_step import NextStep
from .cards.offer_buttons import orders_button
from .interaction import Unasked, Where, actor_of, channel_of, reference_of
from .rooms import messages

log = logging.getLogger(__name__)

ENOUGH = 100
"""Actions of order sheets that are told in one message."""
WAITS = "the game waits until somebody has it go on."
MOST_KEY = 25
"""Letters of what names a message to Discord."""

CAN_GO_ON = "your order sheet can go on."
COULD_NOT = "{} on your sheet could not be done. The sheet says why."

BROKEN_OFF = (
    "Something went wrong on our side, so the game no longer goes on by itself; nothing was lost. `/turn status` shows "
    "what is next. If it happens again, tell whoever runs this bot the reference `{reference}`."
)
AWAY = (
    "The database does not answer at the moment, so the game no longer goes on by itself; nothing was lost. "
    "`/turn status` shows what is next."
)


async def start(where: Where, *done: Played, turn_told: bool = False) -> None:
    """Tell the rest after the answer: the new turn unless `turn_told`, the end of the game, and the rooms.

    Then let the game go on in the background.
    """
    if not turn_told:
        present = None if isinstance(where, Unasked) else where.user.id
        await turn_message.post(where, *done, present=present)
    await finale.post(where, *done)
    told = messages.follow(where, *done)
    if len(done) > 1 or done[0].entry.actor.id < 0:
        if told:
            await asyncio.wait(told)
        await bot_turns.note_announced(where, done)
    go_on(where, done[-1].game)


def go_on(where: Where, game: Game) -> None:
    """Has the game go on in the background, as far as it does by itself."""
    where.client.loops.start(channel_of(where), Going(where, game).step)


@dataclass
class Going:
    """A game that goes on by itself, as it stood last."""

    where: Where
    game: Game
    looked: bool = False
    """Whether this process has looked for entries that another process left unannounced."""

    async def step(self) -> bool:
        """Do the next step and announce it. Return False if there was none."""
        where, channel = self.where, channel_of(self.where)
        try:
            done, announcement = await self._next()
        except (NoGame, BeingUpdated, Stale):  # another game may have begun here meanwhile
            return False
        except DatabaseAway:
            await break_off(where, AWAY)
            return False
        except Stuck as error:
            await break_off(where, safe(str(error)))
            return False
        except errors.TOLD as error:
            log.exception("channel %s: the game cannot go on by itself", channel)
            await break_off(where, safe(str(error)))
            return False
        except Exception:
            reference = reference_of(where)
            log.exception("fault %s in what channel %s does by itself", reference, channel)
            await break_off(where, BROKEN_OFF.format(reference=reference))
            return False
        if announcement is not None:
            await announce(where, announcement)
        if done:
            self.game = done[-1].game
        return bool(done) or announcement is not None

    async def _next(self) -> tuple[Sequence[Played], Announcement | None]:
        """Do the next step, and claim the entries to announce.

        First claim entries that were left unannounced. Then try the system's own actions, order sheets, and the bot's
        turn.
        """
        where, games = self.where, self.where.client.games
        if not self.looked and (left := await self._left()) is not None:
            return (), left
        self.looked, game = True, self.game
        if game.ruleset.next_by_itself(game.state) is not None:
            actor = game.umpire if isinstance(where, Unasked) else actor_of(where)
            if (one := await games.go_on(channel_of(where), actor)) is not None:
                return (one,), await games.claim_announcement(one.game, (one,))
        if await games.has_sheets(game):
            if following := await of_sheets(where):
                return following, await games.claim_announcement(following[-1].game, following)
            await wake(where)
        return await bot_turns.run(where) if game.bots and not bot_turns.is_running(where) else ((), None)

    async def _left(self) -> Announcement | None:
        """Claim entries that were left unannounced. Log entries that cannot be read."""
        games = self.where.client.games
        now = await games.running(channel_of(self.where))  # another process may have gone on meanwhile
        if now.id != self.game.id:
            raise Stale(OVER)
        self.game = now
        try:
            return await games.claim_announcement(now, finished=True)
        except DatabaseAway:
            raise
        except Exception:
            log.exception("channel %s: the unannounced entries cannot be read", channel_of(self.where))
            return None


async def announce(where: Where, announcement: Announcement) -> None:
    """Announce the entries to the channel, then to the rooms of its sides; then note that they were announced."""
    played, since = announcement.played, announcement.since
    await tell(where, played, since)
    if told := messages.follow(where, *played, since=since):
        await asyncio.wait(told)
    await bot_turns.note_announced(where, played)


async def break_off(where: Where, words: str) -> None:
    """Tells the channel why its game does not go on by itself, with its next step: to have the bot try again, too."""
    card = Card(WARNING).text(words)
    try:
        game = await where.client.games.running(channel_of(where))
    except errors.TOLD:
        await untold.post(where, card, f"{where.id} off")
        return
    if game.umpire.id not in await where.client.games.silent(game):
        card.mention([game.umpire.id], WAITS)
    step = replace(await asyncio.to_thread(NextStep.of, game), bot=bool(game.bots_due))
    message = await untold.post(where, step.under(card), f"{where.id} off")
    stale_buttons.stands(where.client, game.id, game.channel, message)


async def with_sheets(where: Where, *played: Played) -> Sequence[Played]:
    """What was done, and what order sheets go on with at once: it is told with it. What fails is tried again later."""
    try:
        if await where.client.games.has_sheets(played[-1].game):
            return (*played, *await of_sheets(where, answering=True))
    except Exception:
        log.exception("channel %s: order sheets do not go on", where.channel_id)
    return played


async def of_sheets(where: Where, *, answering: bool = False) -> Sequence[Played]:
    """Carry out order sheets one after another, until none can go on or a message is full. Return the entries.

    With `answering`, an interaction's answer announces the entries.
    """
    done: list[Played] = []
    while len(done) < ENOUGH:
        try:
            carried = await where.client.games.next_of_sheets(channel_of(where), answering=answering)
        except Exception:
            if not done:
                raise
            break  # what is done is told first
        if carried is None:
            break
        done += carried.played
    return done


async def wake(where: Where) -> None:
    """Tell players that their order sheets can go on, or that orders on them could not be done."""
    games, channel = where.client.games, channel_of(where)
    for kept in await games.woken(channel):
        await call_owner(where, kept, CAN_GO_ON)
    for kept, count in await games.refused(channel):
        await call_owner(where, kept, COULD_NOT.format(counted(count, "order")))


async def call_owner(where: Where, kept: Kept, words: str) -> None:
    """Mention the player of an order sheet in the channel; name him without a mention if he wants none."""
    games = where.client.games
    game = await games.running(channel_of(where))
    card = Card(report_card.side_colour(game.state, kept.side))
    if kept.owner in await games.silent(game):
        names = [seat.name for seat in game.seats if seat.user == kept.owner] or [game.umpire.name]
        card.text(f"**{safe(names[0])}**: {words}")
    else:
        card.mention([kept.owner], words)
    card.buttons([orders_button(game.id)])
    await untold.post(where, card, f"{game.id}-{kept.revision}-{kept.owner}"[:MOST_KEY])


async def tell(where: Where, played: Sequence[Played], since: datetime | None = None) -> None:
    """Tell everyone the public part of one or more actions, with a picture. `since` as in `untold.post`."""
    told = Told.by(PUBLIC, played)
    if not told.done:
        await turn_message.post(where, *played, since=since)
        return
    game = played[-1].game
    call = await turn_message.called(where, *played)
    public = await asyncio.to_thread(turn_message.for_everyone, call, *played)
    drawn = await turn_message.picture_of(where, *played, tells_turn=public.tells_turn)
    message = await untold.post(where, public.card(drawn), f"{game.id}-{played[-1].entry.name}", since)
    stale_buttons.stands(where.client, game.id, game.channel, message)
    if not public.tells_turn:
        await turn_message.post(where, *played, since=since)
    await finale.post(where, *played, since=since)
