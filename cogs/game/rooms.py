"""`/umpire rooms`: open a private thread for each side, after a warning of players who could read every thread."""

import asyncio
import hashlib
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import discord

from bot.errors import UserError
from bot.games.rights import require_umpire
from bot.journal.game import Game
from cogs.kit import pressed_message, reply
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import WARNING, Card, discord_link, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.discord_errors import REQUEST_ERRORS
from cogs.kit.request import Interaction, actor_of, channel_of, request_of, require_game
from cogs.kit.rooms import messages
from cogs.kit.rooms.members import (
    NOT_LET_IN,
    NOT_TAKEN_OUT,
    add_member,
    fetch_thread_permissions,
    find_text_channel,
    make_thread,
    remove_member,
    require_thread_rights,
)
from rules.core.model import UMPIRE
from rules.core.state import Side

log = logging.getLogger(__name__)

NO_CHANNEL = (
    "Rooms are private threads, which Discord has only in the text channels of a server: not in a thread, a forum, a "
    "voice or an announcement channel. Nothing was changed. Play the game in a text channel to have them."
)
LACKS = "Rooms need these permissions here: {rights}. Nothing was changed. Allow them, then try again."
READ_ALL = "**Not made yet.** {names} may manage threads in this channel, and so would read the room of every side."
UNKNOWN = "**Not made yet.** {names} could not be looked up, so I do not know whether they would read every room."
CHOICE = (
    "Take that right from them in this channel (and from the roles they have), then give `/umpire rooms` again; or "
    "have the rooms all the same: each then says who reads it."
)
READS_IT = "Whoever may manage threads here reads every room: of those at the table, {names}."
STOPPED = "The room of {side} could not be made: Discord says “{why}”. `/umpire rooms` tries again."


class OpenRoomsButton(PersistentButton, action="rooms", fields=("game", "readers")):
    """The button that opens the rooms although the named members can read every room."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the rooms, or ask again if their readers have changed. Raises Stale if another game runs now."""
        await pressed_message.remove_buttons(interaction)
        await require_game(interaction, self.fields["game"])
        await reply.send_privately_when_ready(interaction, open_rooms(interaction, self.fields["readers"]))


@dataclass(frozen=True)
class RoomsToOpen:
    """The sides of a game that need a room; `gone` holds the ids of rooms that were deleted."""

    game: Game
    channel: discord.TextChannel
    missing: Sequence[Side]
    gone: Sequence[int]
    readers: Mapping[int, bool | None]
    """Players who can read every room: True by their permissions, None if those are unknown. The umpire is left out."""

    def reader_names(self, *, known: bool) -> str:
        """Return the names of the readers whose permissions are known; if `known` is false, of the others."""
        names = self.game.people
        return " and ".join(safe(names[user]) for user, may in self.readers.items() if (may is not None) == known)

    @property
    def readers_tag(self) -> str:
        """Return a short hash of the readers, so that the user's consent holds for these readers only."""
        return hashlib.blake2s(repr(sorted(self.readers)).encode(), digest_size=6).hexdigest()

    def reader_lines(self) -> list[str]:
        """Return the sentence that names who reads every room, if anybody does."""
        names = " and ".join(filter(None, (self.reader_names(known=True), self.reader_names(known=False))))
        return [READS_IT.format(names=names)] if names else []


async def open_rooms(interaction: Interaction, agreed_tag: str = "") -> Card:
    """Open the missing rooms, and return a card with links to all rooms.

    If players could read every room, return a card that asks for consent first. `agreed_tag` is the `readers_tag` to
    which the user has consented. Raises NotAllowed, UserError.
    """
    rooms = await find_rooms_to_open(interaction)
    if rooms.missing and rooms.readers and agreed_tag != rooms.readers_tag:
        return rooms_consent_card(rooms)
    game, faults = await create_rooms(interaction, rooms) if rooms.missing else (rooms.game, [])
    request_of(interaction).is_done = True
    faults += await update_room_members(interaction, game, [*rooms.game.rooms.values()])
    threads = messages.rooms_with_players(interaction.client, game)
    links = [f"{safe(game.name_of(side))}: {discord_link(game.guild, thread)}" for side, thread in threads]
    card = Card().text("\n".join(links)).text("\n".join(rooms.reader_lines()))
    return card.text("\n".join(faults))


async def find_rooms_to_open(interaction: Interaction) -> RoomsToOpen:
    """Find the rooms to open. Raises NotAllowed, NoGame, and UserError if the channel cannot have rooms."""
    bot = interaction.client
    game = await bot.games.running_game(channel_of(interaction))
    require_umpire(game, actor_of(interaction), "open rooms")
    channel = find_text_channel(bot, game)
    if channel is None:
        raise UserError(NO_CHANNEL)
    require_thread_rights(channel, LACKS)
    gone = [thread for thread in game.rooms.values() if await is_thread_deleted(interaction, thread)]
    missing = [side for side in game.playable_sides if game.rooms.get(side.id) in (None, *gone)]
    users = [user for user in game.people if game.viewer(user) != UMPIRE]
    powers = await fetch_thread_permissions(channel, users)
    return RoomsToOpen(game, channel, missing, gone, {user: may for user, may in powers.items() if may is not False})


async def is_thread_deleted(interaction: Interaction, thread: int) -> bool:
    """Whether somebody has deleted the thread."""
    try:
        await interaction.client.fetch_channel(thread)
    except discord.NotFound:
        return True
    except REQUEST_ERRORS as error:
        log.warning("room %s could not be looked up: %s", thread, error)
    return False


def rooms_consent_card(rooms: RoomsToOpen) -> Card:
    """Return the card that names the readers of every room, with the button that opens the rooms anyway."""
    card = Card(WARNING)
    if known := rooms.reader_names(known=True):
        card.text(READ_ALL.format(names=known))
    if unknown := rooms.reader_names(known=False):
        card.text(UNKNOWN.format(names=unknown))
    red = discord.ButtonStyle.danger
    button = OpenRoomsButton("Make them all the same", red, game=rooms.game.id, readers=rooms.readers_tag)
    return card.text(CHOICE).buttons([button])


async def create_rooms(interaction: Interaction, rooms: RoomsToOpen) -> tuple[Game, list[str]]:
    """Create the missing rooms with their first messages. Return the game, and a sentence for each failure."""
    games, game, threads = interaction.client.games, rooms.game, dict[str, discord.Thread]()
    now, faults = interaction.created_at.timestamp(), list[str]()
    sides = [side.id for side in rooms.missing]
    claim = await games.room_claims.claim(game, sides, rooms.gone, interaction=interaction.id, now=now)
    if claim is None:  # another process has made them
        return await games.running_game(game.channel), faults
    try:
        for side in rooms.missing:
            threads[side.id] = await make_thread(rooms.channel, f"{game.name}: {side.name}")
    except REQUEST_ERRORS as error:
        log.warning("a room of game %s could not be made: %s", game.id, error)
        reason = getattr(error, "text", "") or str(error)
        faults.append(STOPPED.format(side=safe(f"{side:the}"), why=safe(reason)))
    finally:
        if not threads:
            await games.room_claims.release(claim)
    if not threads:
        return game, faults
    numbers = {side: thread.id for side, thread in threads.items()}
    played = await games.room_claims.store(claim, actor_of(interaction), numbers, interaction=interaction.id)
    interaction.client.rooms.remember(played.game)
    for side_id, thread in threads.items():
        picture = pictures.draw_table(interaction.client.workers, played.game, side_id)
        card = await room_opening_card(rooms, played.game, side_id)
        card.picture(await pictures.draw_if_possible(picture, played.game))
        await messages.post_in_room(interaction.client, thread.id, card, f"{thread.id} first")
    return played.game, faults


async def room_opening_card(rooms: RoomsToOpen, game: Game, side: str) -> Card:
    """Return the first message of a room: its purpose and its readers."""
    name = safe(game.the_side(side))
    card = Card(report_card.side_colour(game.state, side)).text(f"### The room of {name}\n-# {safe(game.name)}")
    card.text(
        f"What {name} alone may read is told here, on their own map. Commands given here are done in the game of "
        f"<#{game.channel}>, where everyone reads what is public of them."
    )
    sees_all = game.viewer(game.umpire.id) == UMPIRE
    card.text(f"The umpire, {safe(game.umpire.name)}, reads this room too." if sees_all else "")
    return card.text("\n".join(rooms.reader_lines()))


async def update_room_members(interaction: Interaction, game: Game, old: Collection[int]) -> list[str]:
    """Add the users who may read a room, and remove others. Return a sentence for each failure.

    Users are removed only from the threads `old`, which existed before.
    """
    bot, names, faults = interaction.client, game.people, list[str]()
    users = dict.fromkeys((*names, *game.last_sides))
    for side, thread in messages.rooms_with_players(bot, game):
        memberships = {user: game.may_read_room(user, side) for user in users}
        memberships = {user: is_in for user, is_in in memberships.items() if is_in or thread in old}
        changes = ((add_member if is_in else remove_member)(bot, thread, user) for user, is_in in memberships.items())
        results = zip(memberships.items(), await asyncio.gather(*changes), strict=True)
        failures = {user: is_in for (user, is_in), is_done in results if not is_done}
        for words, is_adding in ((NOT_LET_IN, True), (NOT_TAKEN_OUT, False)):
            failed_users = [user for user, is_in in failures.items() if is_in == is_adding]
            if user_names := [safe(names.get(user, "Somebody who played before")) for user in failed_users]:
                faults.append(words.format(name=" and ".join(user_names), side=safe(game.the_side(side))))
    return faults
