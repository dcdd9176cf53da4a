"""Acknowledging in time: Discord drops an interaction that has had no first answer for three seconds.

Most work says "thinking…" by itself when it takes long (`answer.in_time`). This is for all the rest, as a database that
does not answer or a refusal whose picture waits for a worker: nothing may hold the first answer up.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord

from .interaction import Interaction
from .refused import UNSENT
from .response import hold, is_settled, think

log = logging.getLogger(__name__)

LATEST = 2.0
"""Seconds after which an interaction is acknowledged, whatever it still waits for."""
LOOKED_UP_WITHIN = 0.2
"""The same of a command that only looks something up."""
LOOK_UP: dict[Any, Any] = {"look_up": True}
"""The `extras` of such a command."""


def start(interaction: Interaction) -> asyncio.TimerHandle:
    """Acknowledge the interaction when its time is up, unless the timer is cancelled before."""
    seconds = LOOKED_UP_WITHIN if is_look_up(interaction) else LATEST
    return asyncio.get_running_loop().call_later(seconds, _begin, interaction)


@contextmanager
def in_time(interaction: Interaction) -> Iterator[None]:
    """Within it, acknowledge the interaction when its time is up."""
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
    """Say "thinking…" to the user alone, or take a press as made, where nothing has been answered yet."""
    if is_settled(interaction) or interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        if interaction.type is discord.InteractionType.component:
            await hold(interaction)
        else:
            await think(interaction, private=True)
    except UNSENT as error:
        log.info("interaction %s could not be acknowledged: %s", interaction.id, error)
