"""The first answer to an interaction: Discord takes one, within three seconds, from whichever process comes first."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import discord

from bot.runtime.request_failures import Stumbles, noted

from .interaction import Interaction
from .refusals import is_elsewhere, is_gone

PLACEHOLDER = "placeholder"
STUMBLES = "stumbles"
ANSWERED = "answered"
GONE = "gone"
CLOSED = "closed"
LOCK = "lock"
"""Keys of an interaction's `extras` about its answer. CLOSED: this process can no longer answer it."""

T = TypeVar("T")


def is_answered(interaction: Interaction) -> bool:
    """Whether Discord has taken a first answer, so that what comes now is a further one."""
    return interaction.response.is_done() or ANSWERED in interaction.extras


def is_settled(interaction: Interaction) -> bool:
    """Whether the interaction has its answer, not only "thinking…", or this process can no longer answer it."""
    if CLOSED in interaction.extras or GONE in interaction.extras:
        return True
    return is_answered(interaction) and PLACEHOLDER not in interaction.extras


async def first(interaction: Interaction, answer: Coroutine[Any, Any, T]) -> T | None:
    """Make the first answer. Return None if Discord took it but replied with an error.

    Raises InteractionResponded if the interaction was acknowledged meanwhile, HTTPException 40060 if another process of
    the bot has answered, and the other errors in UNSENT.
    """
    lock: asyncio.Lock = interaction.extras.setdefault(LOCK, asyncio.Lock())
    stumbles: Stumbles = interaction.extras.setdefault(STUMBLES, [])
    async with lock:
        if is_answered(interaction):
            answer.close()
            raise discord.InteractionResponded(interaction)
        try:
            with noted(stumbles):
                return await answer
        except discord.HTTPException as error:
            if is_gone(error):
                interaction.extras[GONE] = error
            if not (is_elsewhere(error) and stumbles):
                raise
        interaction.extras[ANSWERED] = True
        return None


async def think(interaction: Interaction, *, private: bool = False) -> None:
    """Say "thinking…" at once, before slow work, unless something was answered."""
    with suppress(discord.InteractionResponded):
        await first(interaction, interaction.response.defer(thinking=True, ephemeral=private))
        interaction.extras[PLACEHOLDER] = private


async def hold(interaction: Interaction) -> None:
    """Defer a press. The answer is then a message of its own, apart from the pressed message."""
    with suppress(discord.InteractionResponded):
        await first(interaction, interaction.response.defer())


async def put(interaction: Interaction, **fields: Any) -> discord.InteractionMessage | None:
    """Edit the pressed message, as the first answer or after it. Return the message if Discord returns it."""
    if not is_answered(interaction):
        with suppress(discord.InteractionResponded):
            await first(interaction, interaction.response.edit_message(**fields))
            return None
    return await interaction.edit_original_response(**fields)
