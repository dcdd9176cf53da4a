"""Show actions of the game: the public part to everyone, and private parts to the side's room and the actor.

Who may read which part depends on the action's report, not on the command.
"""

import asyncio
import logging
from dataclasses import dataclass, replace

import discord

from bot.games.turn_accounts import find_account, find_turn_end
from bot.journal.game import Played
from rules.core.model import PUBLIC, UMPIRE, Viewer

from . import automatic_play, outbox, reply, turn_message, turn_post
from .cards import pictures, report_card, stale_buttons
from .cards.action_list import ActionList
from .cards.button_removal import remove_next_step_buttons
from .cards.card import Card, safe
from .cards.turn_account import account_card
from .discord_errors import log_request_errors
from .request import Interaction, request_of
from .rooms import messages
from .turn_message import PublicCard

log = logging.getLogger(__name__)

DONE = "Done."
"""The answer to an action whose report the user may not read."""


@dataclass(frozen=True)
class PublicMessage:
    """The public message about actions. `sent` is None if the message cannot be edited later."""

    sent: discord.Message | None
    content: PublicCard


async def show_actions(interaction: Interaction, *played: Played) -> None:
    """Show actions to everyone who may read them, add the picture, and start automatic play."""
    if request_of(interaction).hides_command:
        await _show_without_command_name(interaction, *played)
    else:
        await add_picture_and_follow_ups(interaction, await send_reports(interaction, *played), *played)


async def send_reports(interaction: Interaction, *played: Played) -> PublicMessage | None:
    """Send the reports of actions to everyone who may read them. Return the public message, or None.

    A room from which the interaction comes gets its side's part. What neither message shows is sent privately to the
    actor.
    """
    request, game, user = request_of(interaction), played[-1].game, interaction.user.id
    request.is_done, request.is_told_in_room = True, request.room is not None
    public = await _send_public_report(interaction, *played)
    room_view = await _send_room_report(interaction, *played)
    viewer = game.viewer(user)
    account = find_account(viewer, *played)
    if account is not None and viewer not in interaction.client.rooms.existing_rooms(game):
        picture = await pictures.draw_side_map(interaction.client.workers, game, viewer, account[0].before)
        own_card = await asyncio.to_thread(account_card, game, viewer, account[0].entry, account[1], picture)
        await reply.send(interaction, own_card, private=True)
    has_details = viewer == UMPIRE and find_turn_end(*played) is not None  # under the public message
    for action in played if account is None and not has_details else ():
        report = action.entry.report
        if room_view is None or report.view_for(viewer) != report.view_for(room_view):
            card = await asyncio.to_thread(private_report_card, action, user)
            if card is not None:
                await reply.send(interaction, card, private=True)
    return public


async def _send_public_report(interaction: Interaction, *played: Played) -> PublicMessage | None:
    """Send the public part of the actions, and return the message. Return None if no action has a public part."""
    game = played[-1].game
    if not (await asyncio.to_thread(ActionList.for_viewer, PUBLIC, played)).actions:
        return None
    call = await turn_post.make_turn_call(interaction, *played, present=interaction.user.id)
    content = await asyncio.to_thread(turn_message.public_card, call, *played)
    message = await reply.send(interaction, content.build(None))
    stale_buttons.set_live_message(interaction.client, game.id, game.channel, message)
    return PublicMessage(message, content)


async def _send_room_report(interaction: Interaction, *played: Played) -> Viewer | None:
    """Send the side's part of the actions to the room from which the interaction comes.

    Return the view of the room's members, or None if nothing was sent to a room.
    """
    request = request_of(interaction)
    if request.room is None:
        return None
    view = messages.room_viewer(request.room, played[-1].game)
    card = await asyncio.to_thread(messages.side_actions_card, view, played)
    if card is None:
        return None
    request.room_answer = await reply.send_to_room(interaction, card)
    request.is_room_answered = True
    return view


def private_report_card(played: Played, user: int) -> Card | None:
    """Return the card that shows an action privately to `user`, or None if the public report shows it all.

    The card has no buttons if there is also a public report. If the user may not read any report, the card only
    confirms the action. Not for the event loop.
    """
    game, report = played.game, played.entry.report
    public, own = report.view_for(PUBLIC), report.view_for(game.viewer(user))
    if own is None:
        readers = "Only the umpire sees" if game.ruleset.played_by_bot is None else "Nobody sees for now"
        return Card().text(f"{DONE} {readers} the result.") if public is None else None
    if own == public:
        return None
    return report_card.action_card(played, own if public is None else report_card.remove_offers(own))


async def add_picture_and_follow_ups(interaction: Interaction, public: PublicMessage | None, *played: Played) -> None:
    """Add the picture to the public message, post the turn message if still needed, and start automatic play."""
    await _add_picture(interaction, public, *played)
    turn_told = public is not None and public.content.tells_turn
    await automatic_play.send_follow_ups(interaction, *played, turn_told=turn_told)


async def _add_picture(interaction: Interaction, public: PublicMessage | None, *played: Played) -> None:
    """Add the picture of actions to their public message."""
    if public is None or public.sent is None:
        return
    bot, game, message = interaction.client, played[-1].game, public.sent
    picture = await turn_post.draw_picture(interaction, *played, tells_turn=public.content.tells_turn)
    if picture is None:
        return
    card = public.content.build(picture)
    view, files = card.view(), card.files()
    with log_request_errors(log, "message %s of game %s stays without its picture", message.id, game.id):
        async with bot.message_cache.edit_lock(message.id):
            if bot.games.live_messages.has_newer(game.id, message.id):
                remove_next_step_buttons(view, game.id)
            bot.message_cache.store(await message.edit(view=view, attachments=files, allowed_mentions=card.mentions))


async def _show_without_command_name(interaction: Interaction, *played: Played) -> None:
    """Send the actor's part of the actions privately, and post the public part as a separate message.

    Discord shows the command's name above a public answer. Here, the name would tell other sides too much.
    """
    request_of(interaction).is_done = True
    game = played[-1].game
    own_list = await asyncio.to_thread(ActionList.for_viewer, game.viewer(interaction.user.id), played)
    card = Card().text("\n".join(safe(report.headline) for _, report in own_list.actions) or DONE)
    await reply.send(interaction, card, private=True)
    public = [replace(action, game=game) for action in ActionList.for_viewer(PUBLIC, played).played]
    if public:
        call = await turn_post.make_turn_call(interaction, *public, present=interaction.user.id)
        content = turn_message.public_card(call, *public)
        picture = await turn_post.draw_picture(interaction, *public, tells_turn=content.tells_turn)
        key = f"{game.id}-{public[-1].entry.name} m"[: outbox.MOST_KEY]
        message = await outbox.post(interaction, content.build(picture), key)
        stale_buttons.set_live_message(interaction.client, game.id, game.channel, message)
    automatic_play.start_automatic_play(interaction, game)
