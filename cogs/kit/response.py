"""The first answer to an interaction: Discord takes one, within three seconds, from whichever process comes first."""

from collections.abc import Awaitable
from typing import TypeVar

import discord

from bot.stumbles import Stumbles, noted

from .interaction import Interaction
from .refused import is_elsewhere, is_gone

PLACEHOLDER = "placeholder"
STUMBLES = "stumbles"
ANSWERED = "answered"
GONE = "gone"
CLOSED = "closed"
"""What `extras` of an interaction hold of its answer. CLOSED: nobody can answer it any more from here."""

T = TypeVar("T")


def is_answered(interaction: Interaction) -> bool:
    """Whether Discord has taken a first answer, so that what comes now is a further one."""
    return interaction.response.is_done() or ANSWERED in interaction.extras


def is_settled(interaction: Interaction) -> bool:
    """Whether the interaction has its answer, not only "thinking…", or nobody can give it one from here."""
    if CLOSED in interaction.extras or GONE in interaction.extras:
        return True
    return is_answered(interaction) and PLACEHOLDER not in interaction.extras


async def first(interaction: Interaction, answer: Awaitable[T]) -> T | None:
    """Makes the first answer. None: Discord had taken it, though it stumbled and said otherwise.

    Raises HTTPException 40060 where another process of ours has answered, and what else UNSENT lists.
    """
    stumbles: Stumbles = interaction.extras.setdefault(STUMBLES, [])
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
    """Says "thinking…" at once, before work that is known to take its time."""
    await first(interaction, interaction.response.defer(thinking=True, ephemeral=private))
    interaction.extras[PLACEHOLDER] = private


async def hold(interaction: Interaction) -> None:
    """Takes a press as made, so that what is answered stands apart from the pressed message."""
    await first(interaction, interaction.response.defer())
