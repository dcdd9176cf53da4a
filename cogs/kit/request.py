"""The request of an interaction: user, game, room, and progress of answer and work."""

import asyncio
from dataclasses import dataclass, field
from typing import TypeAlias

import discord

from bot.errors import OVER, NoGame, Stale, UserError
from bot.games.rooms import Room
from bot.journal.game import Actor, Game
from bot.runtime.client import UmpireBot
from bot.runtime.request_failures import RequestFailures
from bot.store.scope import data_scope

from .command_traits import is_look_up

Interaction: TypeAlias = discord.Interaction[UmpireBot]

ACKNOWLEDGE_SECONDS = 2.0
"""Seconds after which an unanswered interaction is acknowledged. Discord drops the interaction after three."""
LOOK_UP_SECONDS = 0.2
"""Seconds after which an unanswered look-up command is acknowledged."""
OTHER_GAME = (
    "This room is of a game that is over, and its channel has another now: go there, or to a room of that game."
)


@dataclass(frozen=True)
class BotChannel:
    """A channel for automatic play, which has no interaction."""

    client: UmpireBot
    channel_id: int
    id: int = field(default_factory=lambda: discord.utils.time_snowflake(discord.utils.utcnow()))
    """A unique number in place of an interaction's id, for references of faults and keys of messages."""


ChannelContext: TypeAlias = discord.Interaction[UmpireBot] | BotChannel
"""An interaction, or a channel for automatic play: both name the bot and the channel."""


@dataclass
class Request:
    """The state of one interaction in this process. `request_of` creates it once."""

    deadline: float
    """Seconds after which the bot acknowledges an unanswered interaction."""
    room: Room | None = None
    """The side's private thread from which the interaction comes; None in a channel."""
    is_of_other_game: bool = False
    """Whether the interaction was made in the room of an earlier game, while another game runs in the channel."""
    is_handled: bool = False
    """Whether a button, menu or form of the bot handles the interaction."""
    is_done: bool = False
    """Whether the user's action is stored. Then no answer may ask the user to try again."""
    hides_command: bool = False
    """Whether the public part is a separate message: the name of the command would tell other sides too much."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the first answer is sent: Discord accepts one."""
    failures: RequestFailures = field(default_factory=list)
    """The failed requests for the first answer. Discord may have accepted an answer whose request failed."""
    is_answered: bool = False
    """Whether Discord accepted the first answer but replied with an error."""
    placeholder: bool | None = None
    """Privacy of the visible "thinking…"; None without a placeholder."""
    expired: discord.HTTPException | None = None
    """The error by which Discord said that the interaction has expired."""
    is_closed: bool = False
    """Whether this process can no longer answer the interaction."""

    posts: int = 0
    """Number of messages sent to the game's channel in answer to an interaction in a room."""
    is_told_in_room: bool = False
    """Whether the room gets a report instead of only a link to the public answer."""
    is_room_answered: bool = False
    """Whether the bot tried to answer in the room."""
    room_answer: discord.Message | None = None
    """The answer in the room, which later gets a picture; None if Discord refused the answer."""


def request_of(interaction: Interaction) -> Request:
    """Return the request of the interaction. The first call creates the request."""
    request: Request | None = interaction.extras.get(Request)
    if request is None:
        request = Request(LOOK_UP_SECONDS if is_look_up(interaction.command) else ACKNOWLEDGE_SECONDS)
        interaction.extras[Request] = request
    return request


async def load_room(interaction: Interaction) -> None:
    """Store in the request the room from which the interaction comes.

    If the room's channel now has another game, store only this fact. May raise DatabaseUnavailable.
    """
    channel = interaction.channel
    if channel is None or channel.type is not discord.ChannelType.private_thread:
        return
    client, request = interaction.client, request_of(interaction)
    room = await client.rooms.find(channel.id, interaction.created_at.timestamp())
    if room is None:
        return
    try:
        game = await client.games.cached_running_game(room.channel)
    except NoGame:
        request.room = room
    else:
        request.room = room if game.id == room.game else None
        request.is_of_other_game = game.id != room.game


def room_of(context: ChannelContext) -> Room | None:
    """Return the room from which the interaction comes, or None for a channel."""
    return request_of(context).room if isinstance(context, discord.Interaction) else None


def channel_of(context: ChannelContext) -> int:
    """Return the id of the game's channel or thread. For an interaction in a side's room, return the room's channel.

    Raises UserError without a channel, or if the room belongs to an earlier game.
    """
    if context.channel_id is None:
        raise UserError("Use this in a channel.")
    if isinstance(context, discord.Interaction) and request_of(context).is_of_other_game:
        raise UserError(OTHER_GAME)
    room = room_of(context)
    return context.channel_id if room is None else room.channel


async def game_of(interaction: Interaction) -> Game:
    """Return the running game of the channel. Raises NoGame."""
    return await interaction.client.games.running_game(channel_of(interaction))


async def require_game(interaction: Interaction, game_id: str) -> Game:
    """Return the running game of the channel. Raises NoGame, and Stale if a button or form belongs to another game."""
    game = await game_of(interaction)
    if game.id != game_id:
        raise Stale(OVER)
    return game


def actor_of(interaction: Interaction) -> Actor:
    """Return the user, with the name shown in the channel."""
    return Actor(id=interaction.user.id, name=interaction.user.display_name)


def fault_reference(context: ChannelContext) -> str:
    """Return a short reference for a fault: users quote it, and the log has it with the traceback."""
    return f"{context.id:x}"[-6:]


def require_no_room(interaction: Interaction, instruction: str) -> None:
    """Raise UserError if the interaction was made in a room. `instruction` says what to do in a channel instead."""
    request = request_of(interaction)
    if request.room is not None or request.is_of_other_game:
        raise UserError(
            f"This is the room of one side of a game. {instruction} in a channel, where everyone can read it."
        )


def storage_key_of(interaction: Interaction) -> str:
    """Return the storage key of rulings, scenarios and armies: the server's, or in direct messages the user's."""
    return data_scope(interaction.guild_id, interaction.user.id)


def can_manage_channel(interaction: Interaction) -> bool:
    """Whether the user may manage the channel. Such a user may replace an absent umpire."""
    return interaction.permissions.manage_channels


def can_manage_server(interaction: Interaction) -> bool:
    """Whether the user may manage this server and its stored data. A user manages their own direct messages."""
    return interaction.guild_id is None or interaction.permissions.manage_guild


def can_have_game(interaction: Interaction) -> bool:
    """Whether the interaction comes from a server that installed the app. Games are possible only there."""
    by_user = interaction.is_user_integration() and not interaction.is_guild_integration()
    return interaction.guild_id is not None and not by_user
