"""Acknowledge interactions in time: Discord drops an interaction without a first answer after three seconds.

Long work says "thinking…" by itself (`answer.in_time`). This module covers all other delays: a slow database, or a
refusal whose picture waits for a worker.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord

from .interaction import Interaction
from .refusals import UNSENT
from .response import hold, is_settled, think

log = logging.getLogger(__name__)

ACKNOWLEDGE_SECONDS = 2.0
"""Seconds after which any unanswered interaction is acknowledged."""
LOOK_UP_SECONDS = 0.2
"""Seconds after which an unanswered look-up command is acknowledged."""
LOOK_UP: dict[Any, Any] = {"look_up": True}
"""The `extras` of look-up commands."""


def start(interaction: Interaction) -> asyncio.TimerHandle:
    """Acknowledge the interaction when its time is up, unless the timer is cancelled before."""
    seconds = LOOK_UP_SECONDS if is_look_up(interaction) else ACKNOWLEDGE_SECONDS
    return asyncio.get_running_loop().call_later(seconds, _begin, interaction)


@contextmanager
def in_time(interaction: Interaction) -> Iterator[None]:
    """Acknowledge the interaction when its time is up inside this context."""
    timer = start(interaction)
    try:
        yield
    finally:
        timer.cancel()


def is_look_up(interaction: Interaction) -> bool:
    """Whether the command only looks something up."""
    command = interaction.command
    return command is not None and command.extras.keys() >= LOOK_UP.keys()


def _begin(interaction: Interaction) -> None:
    interaction.client.aside.do("acknowledging", ("acknowledging", interaction.id), acknowledge(interaction))


async def acknowledge(interaction: Interaction) -> None:
    """Show the user alone "thinking…", or defer a press, if nothing has been answered yet."""
    if is_settled(interaction) or interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        if interaction.type is discord.InteractionType.component:
            await hold(interaction)
        else:
            await think(interaction, private=True)
    except UNSENT as error:
        log.info("interaction %s could not be acknowledged: %s", interaction.id, error)
