"""Messages in the rooms of sides, sent after the public message. They show only the side's own view."""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import discord

from bot.games.open_prompts import filter_visible_prompts
from bot.games.rooms import Room
from bot.games.turn_accounts import find_account
from bot.games.turn_mentions import newly_awaited_sides
from bot.journal.game import Game, Played
from bot.runtime.client import UmpireBot
from cogs.kit import turn_message
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.action_list import ActionList
from cogs.kit.cards.card import Card, Picture, safe
from cogs.kit.cards.offer_buttons import orders_button
from cogs.kit.cards.turn_account import account_card
from cogs.kit.discord_errors import REQUEST_ERRORS, log_request_errors
from cogs.kit.outbox import find_sent_message
from cogs.kit.request import ChannelContext, request_of, room_of
from rules.core.hidden_troops import is_fully_public
from rules.core.model import PUBLIC, Viewer

from . import members

log = logging.getLogger(__name__)

ENDED = "The game has ended, and this room with it. What was told here stays; nothing more comes."


def tell_rooms(context: ChannelContext, *played: Played, since: datetime | None = None) -> Sequence[asyncio.Task[None]]:
    """Start a task for each room, to post the side's part of the actions, and the turn card if needed.

    In a room that already has the answer to its interaction, the task only adds the picture. See `outbox.post` for
    `since`.
    """
    bot, game = context.client, played[-1].game
    if not bot.rooms.existing_rooms(game):
        return ()
    task = f"telling the rooms of game {game.id}"
    # the umpire may now see more or less
    if played[0].before.can_have_hidden_units != game.state.can_have_hidden_units:
        bot.background_tasks.run(task, game.id, members.update_member(bot, game, game.umpire))
    rooms = rooms_with_players(bot, game)
    work = (_tell_room(context, side, thread, played, since) for side, thread in rooms)
    return [bot.background_tasks.run(task, game.id, telling) for telling in work]


async def _tell_room(
    context: ChannelContext, side: Viewer, thread: int, played: Sequence[Played], since: datetime | None
) -> None:
    bot, game, room = context.client, played[-1].game, room_of(context)
    request = request_of(context) if isinstance(context, discord.Interaction) else None
    has_account, reports = find_account(side, *played) is not None, [action.entry.report for action in played]

    async def post_card(card: Card, purpose: str) -> None:
        seen = await asyncio.to_thread(ActionList.for_viewer, side, played)
        last = seen.actions[-1][0].entry.name if seen.actions else f"stands {seen.game.progress_for(side)}"
        # the nonce is equal in every process, so Discord accepts one message
        await post_in_room(bot, thread, card, _make_nonce(seen.game.id, side, purpose, last), since)

    if request is not None and request.is_room_answered and room is not None and room.side == side:
        await add_picture(bot, request.room_answer, side, played)
    elif has_account or any(report.view_for(side) != report.view_for(PUBLIC) for report in reports):
        card = await asyncio.to_thread(side_actions_card, side, played, await _draw_picture(bot, side, played))
        assert card is not None, "what is not told to everyone is told to the side"
        await post_card(card, "told")
    if needs_turn_card(side, played) and not has_account:
        await post_card(await asyncio.to_thread(turn_card, game, side, await _draw_turn_map(bot, played, side)), "turn")
    if played[0].before.over is None and game.state.over is not None and not has_account:
        await post_card(Card().text("The battle is over: the channel tells how it ended."), "over")


def room_viewer(room: Room, game: Game) -> Viewer:
    """Return the viewer for a room's members: the room's side, or the public if that side is not open to players."""
    side_ids = {side.id for side in game.playable_sides}
    return room.side if room.game == game.id and room.side in side_ids else PUBLIC


def rooms_with_players(bot: UmpireBot, game: Game) -> Sequence[tuple[Viewer, int]]:
    """Return the side and the thread id of each room, except rooms of sides that only the bot plays."""
    rooms = bot.rooms.existing_rooms(game)
    return [(side.id, rooms[side.id]) for side in game.playable_sides if side.id in rooms]


def needs_turn_card(side: Viewer, played: Sequence[Played]) -> bool:
    """Whether the room needs a turn card: the game begins to wait for the side, and units may be hidden."""
    game = played[-1].game
    is_called = side in newly_awaited_sides(*played) and game.state.over is None
    return is_called and not is_fully_public(game.ruleset, game.state)


def side_actions_card(side: Viewer, played: Sequence[Played], picture: Picture | None = None) -> Card | None:
    """Return the card that shows the actions in the side's view, or None if the side may read nothing.

    At the end of a turn, the side's account of the turn replaces the actions, if there is one. Prompts of public
    actions have their buttons in the channel, not here. Not for the event loop.
    """
    if (account := find_account(side, *played)) is not None:
        game, (turn_end, turn_account) = played[-1].game, account
        return add_turn_details(account_card(game, side, turn_end.entry, turn_account, picture), game, side)
    action_list = ActionList.for_viewer(side, played)
    bare_actions = [(action, report_card.remove_offers(report)) for action, report in action_list.actions]
    if not bare_actions:
        return None
    if len(bare_actions) == 1:
        ((action, report),) = bare_actions
        card = report_card.action_card(action, report, picture)
    else:
        bare_list = ActionList(action_list.game, bare_actions, side)
        card = turn_message.first_fitting_wording(
            (partial(bare_list.card, short=short), turn_message.maximum_lines(bare_list, short, begins=False))
            for short in turn_message.LEVELS
        )(picture)
    own_reports = (report for _, report in action_list.actions if report.audience is not None)
    own_prompts = (prompt for report in own_reports for prompt in report.prompts)
    report_card.add_private_prompts(card, action_list.game, side, own_prompts)
    return card


def turn_card(game: Game, side: Viewer, picture: Picture | None) -> Card:
    """Return the card that calls the side to its turn, with its strength and prompts. Not for the event loop."""
    card = Card(report_card.side_colour(game.state, side)).text(f"### {safe(game.state.turn_title_with_total)}")
    return add_turn_details(card.picture(picture), game, side)


def add_turn_details(card: Card, game: Game, side: Viewer) -> Card:
    """Add the side's strength, its private prompts and the button *Give orders*; after the battle, the result."""
    card.text("\n".join(turn_message.strength_lines(game, side)))
    if game.state.over is not None:
        return card.text(f"**{safe(game.state.result)}.** {safe(game.state.over.why)}")
    prompts = game.ruleset.open_prompts(game.state)
    public_prompts = filter_visible_prompts(game, PUBLIC, prompts)
    report_card.add_private_prompts(card, game, side, [prompt for prompt in prompts if prompt not in public_prompts])
    return card.buttons([orders_button(game.id)])


async def add_picture(bot: UmpireBot, message: discord.Message | None, side: Viewer, played: Sequence[Played]) -> None:
    """Add the picture of the actions to the side's message in its room. Without message or picture, do nothing."""
    picture = None if message is None else await _draw_picture(bot, side, played)
    if message is None or picture is None:
        return
    card = await asyncio.to_thread(side_actions_card, side, played, picture)
    assert card is not None, "it was told without its picture"
    with log_request_errors(log, "message %s in a room stays without its picture", message.id):
        await message.edit(view=card.view(), attachments=card.files(), allowed_mentions=card.mentions)


async def _draw_picture(bot: UmpireBot, side: Viewer, played: Sequence[Played]) -> Picture | None:
    """Draw the area of the actions that the side may read. For a turn account, draw the side's own map instead."""
    if (account := find_account(side, *played)) is not None:
        return await pictures.draw_side_map(bot.workers, played[-1].game, side, account[0].before)
    action_list = ActionList.for_viewer(side, played)
    if not action_list.actions:
        return None
    drawing = pictures.draw_actions(bot.workers, *action_list.played, viewer=side)
    return await pictures.draw_if_possible(drawing, action_list.game)


async def _draw_turn_map(bot: UmpireBot, played: Sequence[Played], side: Viewer) -> Picture | None:
    """Draw the side's map, with the public actions since its last turn. Return None if drawing fails."""
    game = played[-1].game

    async def draw_recent_turn() -> Picture | None:
        recent_actions = await bot.games.catch_up.load_recent_actions({side}, *played)
        return await pictures.draw_turn(bot.workers, game, {side}, recent_actions, side)

    return await pictures.draw_if_possible(draw_recent_turn(), game)


def tell_rooms_of_end(context: ChannelContext, game: Game) -> None:
    """Say in each room, in the background, that the game has ended."""

    async def post_closing_messages() -> None:
        for side, thread in rooms_with_players(context.client, game):
            await post_in_room(context.client, thread, Card().text(ENDED), _make_nonce(game.id, side, "end"))

    if context.client.rooms.existing_rooms(game):
        context.client.background_tasks.run(f"closing the rooms of game {game.id}", game.id, post_closing_messages())


async def post_in_room(
    bot: UmpireBot, thread: int, card: Card, nonce: str, since: datetime | None = None
) -> discord.Message | None:
    """Post in a room. Return None if the message could not be posted. If the room was deleted, forget the room.

    See `outbox.post` for `since`.
    """
    if since is not None and (message := await find_sent_message(bot, thread, card, since)) is not None:
        return message
    room = bot.get_partial_messageable(thread)
    try:
        return await room.send(view=card.view(), files=card.files(), nonce=nonce, allowed_mentions=card.mentions)
    except discord.NotFound as error:
        log.info("room %s is gone: %s", thread, error)
        await bot.rooms.delete_room(thread)
    except REQUEST_ERRORS as error:
        log.warning("room %s could not be told: %s", thread, error)
    return None


def _make_nonce(*parts: str) -> str:
    return hashlib.blake2s("\n".join(parts).encode(), digest_size=12).hexdigest()
