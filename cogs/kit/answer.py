"""Answering in time: at once where the work is quick, after "thinking…" where it is not, privately where it must be."""

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

import discord

from .card import Card
from .interaction import Interaction

log = logging.getLogger(__name__)

ANSWER_WITHIN = 1.2
"""Seconds after which we say that we are thinking; Discord gives three."""

PLACEHOLDER = "placeholder"
DONE = "done"
EXPIRED = 10062
"""Discord's error code for an interaction it no longer knows."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already."""

T = TypeVar("T")


async def do(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The result of work that changes something: once it is done nobody is told to try again."""
    result = await in_time(interaction, work, private=private, quietly=quietly)
    mark_done(interaction)
    return result


def mark_done(interaction: Interaction) -> None:
    """What was asked for is done: whatever fails now is only in the telling."""
    interaction.extras[DONE] = True


def is_done(interaction: Interaction) -> bool:
    """Whether what was asked for is done."""
    return DONE in interaction.extras


async def in_time(interaction: Interaction, work: Awaitable[T], *, private: bool = False, quietly: bool = False) -> T:
    """The work's result; when it takes long, says "thinking…" meanwhile (`quietly`: a button just shows it took)."""
    assert isinstance(work, Coroutine)
    task: asyncio.Task[T] = asyncio.create_task(work)
    if not await is_quick(task) and not interaction.response.is_done():
        try:
            await (interaction.response.defer() if quietly else think(interaction, private=private))
        except discord.HTTPException:
            log.warning("interaction %s could not be told to wait", interaction.id, exc_info=True)
    return await task


async def is_quick(task: asyncio.Task[Any]) -> bool:
    """Whether the work is done before people must be told that we are thinking."""
    done, _ = await asyncio.wait({task}, timeout=ANSWER_WITHIN)
    return bool(done)


async def think(interaction: Interaction, *, private: bool = False) -> None:
    """Says "thinking…" at once, before work that is known to take its time."""
    await interaction.response.defer(thinking=True, ephemeral=private)
    interaction.extras[PLACEHOLDER] = private


async def send(interaction: Interaction, card: Card, *, private: bool = False) -> discord.Message:
    """Answers, or answers further. What Discord does not take the first time is sent once more."""
    try:
        return await _send(interaction, card, private=private)
    except discord.HTTPException as error:
        if error.code == EXPIRED:
            raise
        log.warning("interaction %s: the answer is sent once more", interaction.id, exc_info=True)
        return await _send(interaction, card, private=private, answered=error.code == ANSWERED)


async def _send(interaction: Interaction, card: Card, *, private: bool, answered: bool = False) -> discord.Message:
    if not answered and not interaction.response.is_done():
        sent = await interaction.response.send_message(view=card.view(), files=card.files(), ephemeral=private)
        assert isinstance(sent.resource, discord.InteractionMessage)
        return sent.resource
    placeholder: bool | None = interaction.extras.get(PLACEHOLDER)
    if placeholder is private:
        message: discord.Message = await interaction.edit_original_response(view=card.view(), attachments=card.files())
        del interaction.extras[PLACEHOLDER]
        return message
    if placeholder is not None:
        await _take_away_placeholder(interaction)
    return await interaction.followup.send(view=card.view(), files=card.files(), ephemeral=private, wait=True)


async def _take_away_placeholder(interaction: Interaction) -> None:
    """Takes a "thinking…" of the other privacy away.

    What is sent while it stands takes its place and its privacy, so it is made a message first.
    """
    await interaction.edit_original_response(view=Card().text("…").view())
    del interaction.extras[PLACEHOLDER]
    try:
        await interaction.delete_original_response()
    except discord.HTTPException:
        log.warning("interaction %s: its placeholder stays", interaction.id, exc_info=True)
