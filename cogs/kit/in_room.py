"""Finding out, before anything asked for is done, whether it is asked in the room of a side."""

import logging

import discord

from bot.errors import NoGame, UserError

from . import errors
from .interaction import OLD_ROOM, ROOM, Interaction

log = logging.getLogger(__name__)


async def enter(interaction: Interaction) -> None:
    """Notes the room in which it is asked, or that its game is over. May raise DatabaseAway."""
    channel = interaction.channel
    if channel is None or channel.type is not discord.ChannelType.private_thread:
        return
    client = interaction.client
    room = await client.rooms.of(channel.id, interaction.created_at.timestamp())
    if room is None:
        return
    try:
        runs = await client.games.remembered(room.channel)
    except NoGame:
        interaction.extras[ROOM] = room
    else:
        interaction.extras.update({ROOM: room} if runs.id == room.game else {OLD_ROOM: True})


async def check(interaction: Interaction) -> bool:
    """Before every command and its completion: notes the room. Where it cannot be found out, says so, and stops it."""
    try:
        await enter(interaction)
    except UserError as error:
        if interaction.type is not discord.InteractionType.autocomplete:
            await errors.tell(interaction, error)
        return False
    return True
