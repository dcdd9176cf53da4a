"""Reply to interactions in time: publicly or privately, at once or after "thinking…".

Discord accepts one first answer within three seconds, from whichever process comes first. Everything later edits that
answer or follows it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import discord

from bot.runtime.request_failures import record_request_failures

from . import outbox
from .cards.card import Card, discord_link
from .discord_errors import REQUEST_ERRORS, is_answered_elsewhere, is_expired, log_request_errors
from .request import Interaction, channel_of, request_of, room_of

log = logging.getLogger(__name__)

ANSWER_WITHIN = 1.2
"""Seconds after which slow work says "thinking…"."""

ELSEWHERE = "That is done. Discord did not accept the answer here, so it is in the channel."
LATER = "That is done. Discord did not accept the answer, so it comes with your next command here. Do not repeat it."
"""Sentences for the user if Discord did not accept the answer. They say where or when the answer appears."""

T = TypeVar("T")


def is_answered(interaction: Interaction) -> bool:
    """Whether Discord has accepted a first answer. "Thinking…" is one."""
    return interaction.response.is_done() or request_of(interaction).is_answered


def needs_no_answer(interaction: Interaction) -> bool:
    """Whether the interaction has its final answer, beyond "thinking…", or this process can no longer answer."""
    request = request_of(interaction)
    if request.is_closed or request.expired is not None:
        return True
    return is_answered(interaction) and request.placeholder is None


async def send_first_answer(interaction: Interaction, answer: Coroutine[Any, Any, T]) -> T | None:
    """Send the first answer. Return None if Discord accepted the answer but replied with an error.

    Raises InteractionResponded after an answer of this process, HTTPException 40060 after an answer of another process,
    and the other errors in REQUEST_ERRORS.
    """
    request = request_of(interaction)
    async with request.lock:
        if is_answered(interaction):
            answer.close()
            raise discord.InteractionResponded(interaction)
        try:
            with record_request_failures(request.failures):
                return await answer
        except discord.HTTPException as error:
            if is_expired(error):
                request.expired = error
            if not (is_answered_elsewhere(error) and request.failures):
                raise
        request.is_answered = True
        return None


async def show_thinking(interaction: Interaction, *, private: bool = False) -> None:
    """Show "thinking…", unless the interaction is already answered."""
    with suppress(discord.InteractionResponded):
        await send_first_answer(interaction, interaction.response.defer(thinking=True, ephemeral=private))
        request_of(interaction).placeholder = private


async def defer(interaction: Interaction) -> None:
    """Acknowledge a press without a visible answer. The answer then comes as a new message."""
    with suppress(discord.InteractionResponded):
        await send_first_answer(interaction, interaction.response.defer())


async def edit_pressed_message(interaction: Interaction, **fields: Any) -> discord.InteractionMessage | None:
    """Edit the pressed message, as the first answer or after it. Return the message if Discord returns it."""
    if not is_answered(interaction):
        with suppress(discord.InteractionResponded):
            await send_first_answer(interaction, interaction.response.edit_message(**fields))
            return None
    return await interaction.edit_original_response(**fields)


def start_acknowledgement_timer(interaction: Interaction) -> asyncio.TimerHandle:
    """Start and return a timer that acknowledges the interaction at its deadline."""
    deadline = request_of(interaction).deadline
    return asyncio.get_running_loop().call_later(deadline, acknowledge_in_background, interaction)


def acknowledge_in_background(interaction: Interaction) -> None:
    """Acknowledge the interaction in the background."""
    key = "acknowledging", interaction.id
    interaction.client.background_tasks.run("acknowledging", key, acknowledge_unanswered(interaction))


async def acknowledge_unanswered(interaction: Interaction) -> None:
    """Acknowledge an unanswered interaction: show the user alone "thinking…", or defer a press."""
    if needs_no_answer(interaction) or interaction.type is discord.InteractionType.autocomplete:
        return
    with log_request_errors(log, "interaction %s could not be acknowledged", interaction.id, level=logging.INFO):
        if interaction.type is discord.InteractionType.component:
            await defer(interaction)
        else:
            await show_thinking(interaction, private=True)


async def wait_for(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """Await the work and return its result. If the work is slow, `thinking_if_slow` says "thinking…" meanwhile."""
    async with thinking_if_slow(interaction, private=private, quietly=quietly):
        return await work


@asynccontextmanager
async def thinking_if_slow(
    interaction: Interaction, *, private: bool = False, quietly: bool = False
) -> AsyncIterator[None]:
    """Return a context manager that says "thinking…" during slow work, or with `quietly` only defers the press."""
    placeholders: list[asyncio.Task[None]] = []

    def show_placeholder() -> None:
        if not is_answered(interaction):
            placeholders.append(asyncio.create_task(_show_placeholder(interaction, private=private, quietly=quietly)))

    timer = call_when_slow(show_placeholder)
    try:
        yield
    finally:
        timer.cancel()
        for placeholder in placeholders:
            await placeholder


def call_when_slow(callback: Callable[[], None]) -> asyncio.TimerHandle:
    """Start and return a timer that calls `callback` after ANSWER_WITHIN seconds."""
    return asyncio.get_running_loop().call_later(ANSWER_WITHIN, callback)


async def _show_placeholder(interaction: Interaction, *, private: bool, quietly: bool) -> None:
    """Say "thinking…", or defer the press. Raises HTTPException if another process has answered."""
    try:
        await (defer(interaction) if quietly else show_thinking(interaction, private=private))
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error):
            raise
        log.warning("interaction %s could not be told to wait: %s", interaction.id, error)


async def carry_out(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """Await work that changes something, and return its result.

    Once the work is done, error messages no longer ask the user to try again.
    """
    result = await wait_for(interaction, work, private=private, quietly=quietly)
    request_of(interaction).is_done = True
    return result


async def send(interaction: Interaction, card: Card, *, private: bool = False) -> discord.Message | None:
    """Send a card as the next answer. Return the message, or None if it cannot be edited later.

    If the action is done but Discord refuses the card twice, post a public card in the channel, and keep a private card
    in the outbox. In a side's room, a public card about a done action goes to the game's channel. Raises REQUEST_ERRORS
    if nothing was done, or if another process has answered.
    """
    request = request_of(interaction)
    if not private and request.is_done and request.room is not None:
        return await send_to_channel(interaction, card)
    try:
        message = await _send_at_most_twice(interaction, card, private=private)
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error) or not request.is_done:
            raise
        log.warning("interaction %s: Discord does not take the answer: %s", interaction.id, error)
        if private:
            await outbox.keep_undelivered_card(interaction, card, str(interaction.id), interaction.user.id)
            message = None
        else:
            message = await outbox.post(interaction, card, str(interaction.id))
        await _tell_where_answer_is(interaction, ELSEWHERE if message is not None else LATER)
        return message
    await outbox.deliver_kept_messages(interaction)
    return message


async def send_privately_when_ready(interaction: Interaction, making: Awaitable[Card]) -> None:
    """Await the card that `making` returns, and send it privately to the user."""
    await send(interaction, await wait_for(interaction, making, private=True), private=True)


async def send_to_channel(interaction: Interaction, card: Card) -> discord.Message | None:
    """Send a card to everyone in the game's channel. If the interaction comes from a room, post a link in the room."""
    request = request_of(interaction)
    if request.room is None:
        return await send(interaction, card)
    request.posts += 1
    message = await wait_for(interaction, outbox.post(interaction, card, f"{interaction.id}-{request.posts}"))
    if not request.is_told_in_room:
        link = discord_link(interaction.guild_id, channel_of(interaction), None if message is None else message.id)
        await send_to_room(interaction, Card().text(f"Everyone reads it in the game's channel: {link}"))
    return message


async def send_to_room(interaction: Interaction, card: Card) -> discord.Message | None:
    """Send a card only to the room from which the interaction comes. The card may hold secrets of the side."""
    room = room_of(interaction)
    assert room is not None
    try:
        return await _send_at_most_twice(interaction, card, private=False)
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error):
            raise
        log.warning("interaction %s: room %s is told by a message: %s", interaction.id, room.thread, error)
    with log_request_errors(log, "interaction %s: room %s is not told", interaction.id, room.thread):
        thread = interaction.client.get_partial_messageable(room.thread)
        message = await thread.send(
            view=card.view(), files=card.files(), nonce=str(interaction.id), allowed_mentions=card.mentions
        )
        await _tell_where_answer_is(interaction, "Discord did not accept the answer, so it stands here as a message.")
        return message
    return None


async def _send_at_most_twice(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    try:
        return await _send_once(interaction, card, private=private)
    except REQUEST_ERRORS as error:
        if is_answered_elsewhere(error) or is_expired(error) or isinstance(error, discord.DiscordServerError):
            raise
        log.warning("interaction %s: the answer is sent once more: %s", interaction.id, error)
        return await _send_once(interaction, card, private=private)


async def use_palette_of_user(interaction: Interaction, card: Card) -> None:
    """Recolour the pictures of a private card in the user's palette, if the palette can be read."""
    if not card.has_pictures:
        return
    try:
        palette = await interaction.client.user_palettes.load_palette(interaction.user.id)
    except Exception:
        log.exception("interaction %s: the user's palette cannot be read", interaction.id)
        return
    if palette is not None:
        card.use_palette(palette)


async def _send_once(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    request = request_of(interaction)
    if private:
        await use_palette_of_user(interaction, card)
    if request.expired is not None:
        raise request.expired
    if not is_answered(interaction):
        with suppress(discord.InteractionResponded):
            return await _send_as_first_answer(interaction, card, private=private)
    if request.placeholder is private and not card.mentions_anybody:
        message: discord.Message = await interaction.edit_original_response(view=card.view(), attachments=card.files())
        request.placeholder = None
        return message
    if request.placeholder is not None:
        await _remove_placeholder(interaction)
    return await interaction.followup.send(
        view=card.view(), files=card.files(), ephemeral=private, allowed_mentions=card.mentions, wait=True
    )


async def _send_as_first_answer(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    response = interaction.response.send_message(
        view=card.view(), files=card.files(), ephemeral=private, allowed_mentions=card.mentions
    )
    result = await send_first_answer(interaction, response)
    if result is not None:
        assert isinstance(result.resource, discord.InteractionMessage)
        return result.resource
    with log_request_errors(log, "interaction %s: its answer cannot be read", interaction.id):
        return await interaction.original_response()  # Discord accepted the answer but replied with an error
    return None


async def _tell_where_answer_is(interaction: Interaction, words: str) -> None:
    """Tell the user where the answer is, and remove "thinking…". Ignore errors: Discord may refuse both."""
    request = request_of(interaction)
    request.is_closed = True
    if request.expired is not None:
        return
    with log_request_errors(log, "interaction %s stays as it is", interaction.id):
        if not is_answered(interaction):
            with suppress(discord.InteractionResponded):
                response = interaction.response.send_message(view=Card().text(words).view(), ephemeral=True)
                await send_first_answer(interaction, response)
        if request.placeholder is not None:
            await interaction.delete_original_response()
            request.placeholder = None


async def _remove_placeholder(interaction: Interaction) -> None:
    """Delete "thinking…" before an answer that has mentions or a different privacy.

    The placeholder is first edited. Otherwise, Discord would replace it by the first follow-up, with the same privacy.
    """
    await interaction.edit_original_response(view=Card().text("…").view())
    request_of(interaction).placeholder = None
    with log_request_errors(log, "interaction %s: its placeholder stays", interaction.id):
        await interaction.delete_original_response()
