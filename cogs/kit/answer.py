"""Answering in time: at once where the work is quick, after "thinking…" where it is not, privately where it must be."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import discord

from . import untold
from .cards.card import Card
from .interaction import Interaction, channel_of, room_of
from .refusals import UNSENT, is_elsewhere, is_gone
from .response import CLOSED, GONE, PLACEHOLDER, first, hold, is_answered, think

log = logging.getLogger(__name__)

ANSWER_WITHIN = 1.2
"""Seconds after which we say that we are thinking; Discord gives three."""

DONE = "done"
"""In `extras` of an interaction: what was asked for is done."""

BELOW = "Discord did not accept the answer, so it stands here as a message."
ELSEWHERE = "That is done. Discord did not accept the answer here, so it is in the channel."
LATER = "That is done. Discord did not accept the answer, so it comes with your next command here. Do not repeat it."
"""What the user is told where an answer could not be given, if even that can be."""

TOLD, TELLS_ROOM = "told", "tells the room"
"""In `extras` of an interaction in a room: how much of it the channel was told, and that the room is told more of it
than where."""
THERE = "Everyone reads it in the game's channel: {where}"

T = TypeVar("T")


async def do(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The result of work that changes something: once it is done nobody is told to try again."""
    result = await in_time(interaction, work, private=private, quietly=quietly)
    mark_done(interaction)
    return result


def mark_done(interaction: Interaction) -> None:
    """What was asked for is done: whatever fails now is only the answer."""
    interaction.extras[DONE] = True


def is_done(interaction: Interaction) -> bool:
    """Whether the interaction's action is stored."""
    return DONE in interaction.extras


async def in_time(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The work's result; when it takes long, says "thinking…" meanwhile (`quietly`: a button just shows it took)."""
    assert isinstance(work, Coroutine)
    task: asyncio.Task[T] = asyncio.create_task(work)
    if not await is_quick(task) and not is_answered(interaction):
        try:
            await (hold(interaction) if quietly else think(interaction, private=private))
        except UNSENT as error:
            if is_elsewhere(error):
                await asyncio.wait({task})
                task.exception()
                raise
            log.warning("interaction %s could not be told to wait: %s", interaction.id, error)
    return await task


async def is_quick(task: asyncio.Task[Any]) -> bool:
    """Whether the work is done before people must be told that we are thinking."""
    done, _ = await asyncio.wait({task}, timeout=ANSWER_WITHIN)
    return bool(done)


async def send(interaction: Interaction, card: Card, *, private: bool = False) -> discord.Message | None:
    """Answers, or answers further; then tells what could not be told here before.

    What Discord does not take the first time is sent once more, and what is done is then told otherwise. None: no
    message of it can be changed any more. Raises UNSENT where nothing was done, or another process has answered.
    In the room of a side, what was done is told in the game's channel.
    """
    if not private and is_done(interaction) and room_of(interaction) is not None:
        return await to_table(interaction, card)
    try:
        message = await _send_at_most_twice(interaction, card, private=private)
    except UNSENT as error:
        if is_elsewhere(error) or not is_done(interaction):
            raise
        log.warning("interaction %s: Discord does not take the answer: %s", interaction.id, error)
        message = await untold.tell(interaction, card, private=private)
        await _close(interaction, ELSEWHERE if message is not None else LATER)
        return message
    await untold.deliver(interaction)
    return message


async def to_table(interaction: Interaction, card: Card) -> discord.Message | None:
    """Tells everyone in the game's channel, also where it was asked for in a room; then says in the room where."""
    if room_of(interaction) is None:
        return await send(interaction, card)
    told = interaction.extras[TOLD] = interaction.extras.get(TOLD, 0) + 1
    message = await in_time(interaction, untold.post(interaction, card, f"{interaction.id}-{told}"))
    if not interaction.extras.get(TELLS_ROOM):
        await to_room(interaction, Card().text(THERE.format(where=way_to(interaction, message))))
    return message


async def to_room(interaction: Interaction, card: Card) -> discord.Message | None:
    """Tells the side in whose room it is asked. Nowhere else, whatever Discord says: it may be for the side alone."""
    room = room_of(interaction)
    assert room is not None
    try:
        return await _send_at_most_twice(interaction, card, private=False)
    except UNSENT as error:
        if is_elsewhere(error):
            raise
        log.warning("interaction %s: room %s is told by a message: %s", interaction.id, room.thread, error)
    try:
        thread = interaction.client.get_partial_messageable(room.thread)
        message = await thread.send(
            view=card.view(), files=card.files(), nonce=str(interaction.id), allowed_mentions=card.mentions
        )
    except UNSENT as error:
        log.warning("interaction %s: room %s is not told: %s", interaction.id, room.thread, error)
        return None
    await _close(interaction, BELOW)
    return message


def way_to(interaction: Interaction, message: discord.Message | None) -> str:
    """A link to the message, or to the game's channel."""
    place = f"https://discord.com/channels/{interaction.guild_id or '@me'}/{channel_of(interaction)}"
    return place if message is None else f"{place}/{message.id}"


async def _send_at_most_twice(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    try:
        return await _send(interaction, card, private=private)
    except UNSENT as error:
        if is_elsewhere(error) or is_gone(error) or isinstance(error, discord.DiscordServerError):
            raise
        log.warning("interaction %s: the answer is sent once more: %s", interaction.id, error)
        return await _send(interaction, card, private=private)


async def _send(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    if GONE in interaction.extras:
        raise interaction.extras[GONE]
    if not is_answered(interaction):
        with suppress(discord.InteractionResponded):
            return await _send_first(interaction, card, private=private)
    placeholder: bool | None = interaction.extras.get(PLACEHOLDER)
    if placeholder is private and not card.calls:
        message: discord.Message = await interaction.edit_original_response(view=card.view(), attachments=card.files())
        del interaction.extras[PLACEHOLDER]
        return message
    if placeholder is not None:
        await _take_away_placeholder(interaction)
    return await interaction.followup.send(
        view=card.view(), files=card.files(), ephemeral=private, allowed_mentions=card.mentions, wait=True
    )


async def _send_first(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    response = interaction.response.send_message(
        view=card.view(), files=card.files(), ephemeral=private, allowed_mentions=card.mentions
    )
    sent = await first(interaction, response)
    if sent is None:
        return await _own_answer(interaction)
    assert isinstance(sent.resource, discord.InteractionMessage)
    return sent.resource


async def _own_answer(interaction: Interaction) -> discord.Message | None:
    """The message of an answer that Discord took while saying otherwise."""
    try:
        return await interaction.original_response()
    except UNSENT as error:
        log.warning("interaction %s: its answer cannot be read: %s", interaction.id, error)
        return None


async def _close(interaction: Interaction, words: str) -> None:
    """Close an interaction that was answered in another way, as far as Discord allows."""
    interaction.extras[CLOSED] = True
    try:
        if GONE in interaction.extras:
            return
        if not is_answered(interaction):
            with suppress(discord.InteractionResponded):
                said = interaction.response.send_message(view=Card().text(words).view(), ephemeral=True)
                await first(interaction, said)
        if PLACEHOLDER in interaction.extras:
            await interaction.delete_original_response()
            del interaction.extras[PLACEHOLDER]
    except UNSENT as error:
        log.warning("interaction %s stays as it is: %s", interaction.id, error)


async def _take_away_placeholder(interaction: Interaction) -> None:
    """Takes a "thinking…" away that has the other privacy, or whose place a mention would take: an edit tells nobody.

    What is sent while it stands takes its place and its privacy, so it is made a message first.
    """
    await interaction.edit_original_response(view=Card().text("…").view())
    del interaction.extras[PLACEHOLDER]
    try:
        await interaction.delete_original_response()
    except UNSENT as error:
        log.warning("interaction %s: its placeholder stays: %s", interaction.id, error)
