"""Add and remove members of rooms as seats change, and warn the umpire of members who can read every room."""

import logging
from collections.abc import Iterable, Mapping
from typing import Literal

import discord

from bot.errors import UserError
from bot.journal.game import Actor, Game
from bot.runtime.client import UmpireBot
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.discord_errors import REQUEST_ERRORS, log_request_errors
from cogs.kit.request import ChannelContext

log = logging.getLogger(__name__)

ARCHIVED = 50083
"""Discord's error code for an archived thread, which accepts no members."""
MOST_NAME = 100
"""Maximum characters of a thread's name."""
A_WEEK: Literal[10080] = 10080
"""Minutes without a message after which Discord archives a thread. The next message unarchives it."""
REQUIRED_PERMISSIONS = {
    "create_private_threads": "Create Private Threads",
    "send_messages_in_threads": "Send Messages in Threads",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""The permissions of the bot for private threads, in Discord's words."""
NOT_LET_IN = "{name} could not be added to the room of {side}: `/umpire rooms` tries again."
NOT_TAKEN_OUT = (
    "{name} could not be taken out of the room of {side}, and still reads it: who may manage threads can do it."
)
UNKNOWN = "{name} could not be looked up, so nobody knows whether they read the room of every side."
GONE = "The room of {side} is gone: `/umpire rooms` makes another."
READS_ALL = "{name} may manage threads in this channel, and so reads the room of every side."


def update_members(context: ChannelContext, game: Game, *actors: Actor) -> None:
    """Add the actors and the umpire to the rooms that they may read, and remove them from others, in the background.

    The umpire is included, because other players' seats decide which rooms an umpire who plays may read.
    """
    bot = context.client
    if bot.rooms.existing_rooms(game):

        async def update_all_members() -> None:
            for actor in actors:
                await update_member(bot, game, actor, report_managers=True)
            if game.umpire.id not in {actor.id for actor in actors}:
                await update_member(bot, game, game.umpire)

        bot.background_tasks.run(f"letting members into the rooms of game {game.id}", game.id, update_all_members())


async def update_member(bot: UmpireBot, game: Game, actor: Actor, *, report_managers: bool = False) -> None:
    """Add the actor to the rooms that the actor may read, and remove the actor from all others.

    Report failures in the channel. With `report_managers`, also report a player who may manage threads and so can read
    every room.
    """
    faults, user, name = [], actor.id, safe(actor.name)
    for side, thread in bot.rooms.existing_rooms(game).items():
        may_read = game.may_read_room(user, side)
        if not await (add_member(bot, thread, user) if may_read else remove_member(bot, thread, user)):
            room_exists = side in bot.rooms.existing_rooms(game)
            words = GONE if not room_exists else NOT_LET_IN if may_read else NOT_TAKEN_OUT
            faults.append(words.format(name=name, side=safe(game.the_side(side))))
    channel = find_text_channel(bot, game)
    if report_managers and channel is not None and game.viewer(user) in {side.id for side in game.state.sides}:
        powers = await fetch_thread_permissions(channel, [user])
        if powers[user] is not False:
            faults.append((UNKNOWN if powers[user] is None else READS_ALL).format(name=name))
    if faults:
        card = Card(WARNING).mention([game.umpire.id], "\n".join(faults))
        with log_request_errors(log, "channel %s could not be told who is in its rooms", game.channel):
            await bot.get_partial_messageable(game.channel).send(view=card.view(), allowed_mentions=card.mentions)


async def add_member(bot: UmpireBot, thread: int, user: int) -> bool:
    """Add the user to a room. Return whether the user is now a member."""
    with log_request_errors(log, "user %s could not be added to room %s", user, thread):
        room = await fetch_thread(bot, thread)
        try:
            await room.add_user(discord.Object(user))
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            await room.edit(archived=False)
            await room.add_user(discord.Object(user))
        return True
    return False


async def remove_member(bot: UmpireBot, thread: int, user: int) -> bool:
    """Remove the user from a room. Return whether the user has left."""
    try:
        await (await fetch_thread(bot, thread)).remove_user(discord.Object(user))
    except discord.NotFound:
        return True
    except REQUEST_ERRORS as error:
        if await is_member(bot, thread, user):
            log.warning("user %s could not be taken out of room %s: %s", user, thread, error)
            return False
    return True


async def is_member(bot: UmpireBot, thread: int, user: int) -> bool:
    """Whether the user is a member of a room. If Discord gives no answer, return True."""
    try:
        await (await fetch_thread(bot, thread)).fetch_member(user)
    except discord.NotFound:
        return False
    except REQUEST_ERRORS:
        return True
    return True


async def fetch_thread(bot: UmpireBot, thread: int) -> discord.Thread:
    """Return the thread with this id. Raises HTTPException.

    If the thread was deleted, also forget the room.
    """
    cached = bot.get_channel(thread)
    try:
        channel = cached if isinstance(cached, discord.Thread) else await bot.fetch_channel(thread)
    except discord.NotFound:
        await bot.rooms.delete_room(thread)
        raise
    assert isinstance(channel, discord.Thread)
    return channel


def find_text_channel(bot: UmpireBot, game: Game) -> discord.TextChannel | None:
    """Return the game's channel, or None if it is not a text channel of a server."""
    channel = bot.get_channel(game.channel)
    return channel if isinstance(channel, discord.TextChannel) and channel.type is discord.ChannelType.text else None


def require_thread_rights(channel: discord.TextChannel, words: str) -> None:
    """Raise UserError if the bot lacks permissions for private threads. `{rights}` in `words` stands for them."""
    permissions = channel.permissions_for(channel.guild.me)
    lacking = [right for name, right in REQUIRED_PERMISSIONS.items() if not getattr(permissions, name)]
    if lacking:
        raise UserError(words.format(rights=", ".join(lacking)))


async def make_thread(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Make a private thread of a channel. Raises REQUEST_ERRORS."""
    kind = discord.ChannelType.private_thread
    return await channel.create_thread(name=name[:MOST_NAME], type=kind, invitable=False, auto_archive_duration=A_WEEK)


async def fetch_thread_permissions(channel: discord.TextChannel, users: Iterable[int]) -> Mapping[int, bool | None]:
    """Return whether each user may manage threads, and so read private threads. None means unknown."""
    permissions: dict[int, bool | None] = {}
    for user in users:
        try:
            member = await channel.guild.fetch_member(user)
        except REQUEST_ERRORS as error:
            log.warning("user %s could not be looked up in server %s: %s", user, channel.guild.id, error)
            permissions[user] = None
        else:
            permissions[user] = channel.permissions_for(member).manage_threads
    return permissions
