"""A table whose sides have rooms: private threads of the channel."""

from collections.abc import Sequence
from typing import Any

import discord
import simcord
from simcord.backend.models import Overwrite

from .table import Message, Table, text

NAMES = {"Mahdists": "Army of Osman Digna"}
"""Room names of the sides at Suakin, if they differ from the side's name."""


def empower(table: Table, actor: Any, permissions: discord.Permissions) -> None:
    """Give a person permissions in the whole server."""
    role = table.guild.create_role(f"of {actor.id}", permissions=permissions)
    table.env.backend.add_member_role(table.guild.id, actor.id, role.id)


def bot_may_not(table: Table, **rights: bool) -> None:
    """Deny the bot permissions in the channel and its threads."""
    overwrite(table, table.env.backend.bot_user.id, denied=discord.Permissions(**rights))


def overwrite(
    table: Table,
    user: int,
    allowed: discord.Permissions = discord.Permissions.none(),  # noqa: B008
    denied: discord.Permissions = discord.Permissions.none(),  # noqa: B008
) -> None:
    """Allow or deny a user permissions in this channel only."""
    changed = Overwrite(target_id=user, type=1, allow=allowed.value, deny=denied.value)
    table.env.backend.set_overwrite(table.channel.id, changed)


def threads(table: Table) -> list[str]:
    """Return the names of the channel's threads, oldest first."""
    return [thread.name or "" for thread in table.channel.threads]


def room(table: Table, side: str) -> simcord.ChannelHandle:
    """Return the side's newest room."""
    name = NAMES.get(side, side)
    return [thread for thread in table.channel.threads if (thread.name or "").endswith(name)][-1]


def members(table: Table, side: str) -> set[int]:
    """Return the ids of the people in the side's room, without the bot."""
    return {*room(table, side)._channel.thread_members} - {table.env.backend.bot_user.id}


def room_messages(table: Table, side: str) -> Sequence[Message]:
    """Return the messages in a side's room."""
    return room(table, side).history()


def room_text(table: Table, side: str) -> str:
    """Return the text of the room's messages, without ephemeral ones."""
    return "\n".join(text(message) for message in room_messages(table, side) if not message.flags.ephemeral)


async def hide(table: Table, unit: str = "amarar") -> None:
    """Switch on hidden troops and hide one of the Mahdists' units."""
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    await table.give(table.umpire, "unit hide", unit=unit)


async def open_rooms(table: Table) -> None:
    """Start a game of two players and open a room for each side."""
    await table.start()
    answer = await table.give(table.umpire, "umpire rooms")
    assert "British: https://discord.com/channels/" in answer.private_text
