"""What became of an action while the database did not answer: found out when it does, and told then."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.errors import DatabaseAway
from bot.games import Played

from . import answer
from .card import WARNING, Card
from .interaction import Interaction, channel_of
from .refused import UNSENT

log = logging.getLogger(__name__)

LOOK_EVERY = 5.0
"""Seconds."""
LOOKS = 150
"""After which nobody can be answered any more: Discord gives a quarter of an hour."""
SURE_AFTER = 2
"""Looks that find nothing: what the database had taken in before it stopped, it may write after the first of them."""
NOT_DONE = "The database answers again, and what you asked for was not done. Give it again."

Told = Callable[[Interaction, Played], Awaitable[None]]

_under_way: set[asyncio.Task[None]] = set()


def find_out(interaction: Interaction, tell: Told) -> None:
    """Looks in the background whether it was done: `tell` tells of it, or else the user is told that it was not."""
    task = asyncio.create_task(_find_out(interaction, tell), name=f"finding out about {interaction.id}")
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _find_out(interaction: Interaction, tell: Told) -> None:
    looks = 0
    for _ in range(LOOKS):
        await asyncio.sleep(LOOK_EVERY)
        try:
            if done := await interaction.client.games.done(channel_of(interaction), interaction.id):
                await tell(interaction, done)
                return
        except DatabaseAway:
            continue
        looks += 1
        if looks == SURE_AFTER:
            await _say_not_done(interaction)
            return


async def _say_not_done(interaction: Interaction) -> None:
    try:
        await answer.send(interaction, Card(WARNING).text(NOT_DONE), private=True)
    except UNSENT as error:
        log.warning("interaction %s: nobody was told that it was not done: %s", interaction.id, error)
