"""Find whom a turn message mentions, draw its picture, and post it."""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import replace
from datetime import datetime

from bot.errors import DatabaseUnavailable
from bot.games.turn_mentions import TurnCall, newly_awaited_sides
from bot.journal.game import Game, Played
from rules.core.model import PUBLIC

from . import outbox, reply
from .cards import pictures, stale_buttons
from .cards.action_list import ActionList
from .cards.card import Card, Picture
from .cards.next_step import NextStep
from .request import ChannelContext, Interaction
from .turn_message import NOBODY, WAITS_FOR_YOU, TurnMessage, is_answered_by_turn_message, needs_turn_message

log = logging.getLogger(__name__)


async def make_turn_call(context: ChannelContext, *played: Played, present: int | None = None) -> TurnCall:
    """Return the call to the next turn: the users to mention, without `present`, and the facts to tell them.

    After an error, return NOBODY: the answer works without mentions.
    """
    try:
        call = await context.client.games.mentions.make_turn_call(*played, present=present)
        return replace(call, has_live_map=context.client.live_map_url is not None)
    except DatabaseUnavailable:
        log.info("nobody is called in channel %s: the database does not tell whom", played[-1].game.channel)
    except Exception:
        log.exception("nobody is called in channel %s", played[-1].game.channel)
    return NOBODY


async def send_with_next_step(interaction: Interaction, card: Card, game: Game, call: TurnCall = NOBODY) -> None:
    """Answer everyone with `card`, the mentions of `call`, and the game's next step."""
    step = await asyncio.to_thread(NextStep.for_game, game)
    message = await reply.send(interaction, step.add_to(card.mention(call.users, WAITS_FOR_YOU)))
    stale_buttons.set_live_message(interaction.client, game.id, game.channel, message)


async def post_turn_message(
    context: ChannelContext, *played: Played, present: int | None = None, since: datetime | None = None
) -> None:
    """Post the turn message separately, unless the answer to these actions contains it.

    Discord notifies users only of mentions in a new message. The user `present` is not mentioned. See `outbox.post` for
    `since`.
    """
    game = played[-1].game
    private = played[-1].entry.report.audience is not None
    if not needs_turn_message(*played) and not private:
        return
    call = await make_turn_call(context, *played, present=present)
    if not needs_turn_message(*played) and not call.sides:
        return
    turn = await asyncio.to_thread(lambda: TurnMessage.for_actions(call, *played, is_reply=False))
    picture = await pictures.draw_if_possible(draw_turn_map(context, *played), game)
    message = await outbox.post(context, turn.card(picture), f"{game.id}-{played[-1].entry.name} t", since)
    stale_buttons.set_live_message(context.client, game.id, game.channel, message)


async def draw_picture(context: ChannelContext, *played: Played, tells_turn: bool) -> Picture | None:
    """Draw the picture of a public answer: the actions' place, or the map of the new turn.

    If an action is an event with a picture of its own, return this picture.
    """
    finding = pictures.find_event_picture(context.client.games, *played)
    if (event_picture := await pictures.draw_if_possible(finding, played[-1].game)) is not None:
        return event_picture
    public_actions = ActionList.for_viewer(PUBLIC, played).played
    if is_answered_by_turn_message(*played):
        drawing: Awaitable[Picture | None] = draw_turn_map(context, *played)
    elif tells_turn:
        drawing = draw_turn_map(context, *played, show_all_actions=True)
    else:
        drawing = pictures.draw_actions(context.client.workers, *public_actions)
    return await pictures.draw_if_possible(drawing, played[-1].game)


async def draw_turn_map(context: ChannelContext, *played: Played, show_all_actions: bool = False) -> Picture | None:
    """Draw the map of the sides that the game now waits for, with the actions since their last turn.

    With `show_all_actions`, the map also shows the places of the latest actions.
    """
    game, bot = played[-1].game, context.client
    sides = {side.id for side in game.state.sides} & {*newly_awaited_sides(*played)} or {*game.state.acting_sides}
    recent_actions = await bot.games.catch_up.load_recent_actions(sides, *played)
    return await pictures.draw_turn(bot.workers, game, sides, recent_actions, show_all_actions=show_all_actions)
