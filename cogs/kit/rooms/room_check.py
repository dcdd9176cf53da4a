"""Finding out, before anything asked for is done, whether it is asked in the room of a side."""

import logging

import discord

from bot.runtime.errors import NoGame
from cogs.kit import errors, last_resort
from cogs.kit.interaction import OLD_ROOM, ROOM, Interaction

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
    """Note the room before every command and its completion. If the room cannot be found, say so and stop the command.

    From here on the interaction is watched: it gets an answer even if the command fails.
    """
    last_resort.watch(interaction)
    try:
        await enter(interaction)
    except Exception as error:
        await errors.tell(interaction, error)
        return False
    return True
