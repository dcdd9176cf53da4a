"""Who asks, where, and where a command may be used."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.games.games import Actor
from bot.games.rooms import Room
from bot.runtime.errors import UserError
from bot.store.scope import scope_of

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot

Interaction: TypeAlias = "discord.Interaction[UmpireBot]"


@dataclass(frozen=True)
class Unasked:
    """A channel in which the bot does something with nobody having asked for it."""

    client: "UmpireBot"
    channel_id: int
    id: int = field(default_factory=lambda: discord.utils.time_snowflake(discord.utils.utcnow()))
    """By which a fault in it is found in the log."""


Where: TypeAlias = "discord.Interaction[UmpireBot] | Unasked"

C = TypeVar("C")


def reference_of(interaction: Where) -> str:
    """Return the reference under which the log holds a fault."""
    return f"{interaction.id:x}"[-6:]


def actor_of(interaction: Interaction) -> Actor:
    """The user, by the name shown in the channel."""
    return Actor(id=interaction.user.id, name=interaction.user.display_name)


ROOM, OLD_ROOM = "room", "old room"
"""In `extras` of an interaction: the room in which it is; and that this is one of a game that is over."""
OVER_HERE = "This room is of a game that is over, and its channel has another now: go there, or to a room of that game."


def room_of(where: Where) -> Room | None:
    """The room in which somebody asks; None in a channel."""
    return where.extras.get(ROOM) if isinstance(where, discord.Interaction) else None


def channel_of(interaction: Where) -> int:
    """The channel or thread of the game: in the room of a side, the channel that the room is of.

    Raises UserError where there is none, or another game's than the room's.
    """
    if interaction.channel_id is None:
        raise UserError("Use this in a channel.")
    if isinstance(interaction, discord.Interaction) and OLD_ROOM in interaction.extras:
        raise UserError(OVER_HERE)
    room = room_of(interaction)
    return interaction.channel_id if room is None else room.channel


def require_no_room(interaction: Interaction, what: str) -> None:
    """Raises UserError in a room: a game is started in its own channel."""
    if ROOM in interaction.extras or OLD_ROOM in interaction.extras:
        raise UserError(f"This is the room of one side of a game. {what} in a channel, where everyone can read it.")


def house_of(interaction: Interaction) -> str:
    """For whom rulings and scenarios are kept: the server, or in direct messages the user."""
    return scope_of(interaction.guild_id, interaction.user.id)


def manages_channel(interaction: Interaction) -> bool:
    """Whether the user keeps this channel, and so may see to a game whose umpire is gone."""
    return interaction.permissions.manage_channels


def manages_server(interaction: Interaction) -> bool:
    """Whether the user may manage this server and its stored data; a user manages the own direct messages."""
    return interaction.guild_id is None or interaction.permissions.manage_guild


def has_table(interaction: Interaction) -> bool:
    """Whether a game could be here: not in direct messages, nor where the app came along with a user alone."""
    along = interaction.is_user_integration() and not interaction.is_guild_integration()
    return interaction.guild_id is not None and not along


def at_table(command: C) -> C:
    """A command about a channel's game: in servers the bot is a member of, channels and threads."""
    decorators: tuple[Callable[[Any], Any], ...] = (
        app_commands.allowed_installs(guilds=True, users=False),
        app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False),
    )
    for decorate in decorators:
        command = decorate(command)
    return command


def anywhere(command: C) -> C:
    """A command that needs no game: also in direct messages, and for users who installed the app for themselves."""
    decorators: tuple[Callable[[Any], Any], ...] = (
        app_commands.allowed_installs(guilds=True, users=True),
        app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True),
    )
    for decorate in decorators:
        command = decorate(command)
    return command
