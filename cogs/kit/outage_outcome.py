"""Whether an action was done while the database did not answer: found out when it answers, then told."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.runtime.errors import DatabaseAway

from . import answer
from .cards.card import WARNING, Card
from .interaction import Interaction
from .refusals import UNSENT

log = logging.getLogger(__name__)

LOOK_EVERY = 5.0
"""Seconds."""
LOOKS = 150
"""After these, Discord takes no more answers: it gives a quarter of an hour."""
SURE_AFTER = 2
"""Looks that find nothing: a change that the database received before it stopped may be written after the first."""
NOT_DONE = "The database answers again, and what you asked for was not done. Repeat the command."

T = TypeVar("T")
Look = Callable[[], Awaitable[T | None]]
Show = Callable[[Interaction, T], Awaitable[None]]

_under_way: set[asyncio.Task[None]] = set()


def find_out(interaction: Interaction, look: Look[T], show: Show[T]) -> None:
    """Looks in the background whether it was done: `show` shows it, or else the user is told that it was not."""
    task = asyncio.create_task(_find_out(interaction, look, show), name=f"finding out about {interaction.id}")
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


async def _find_out(interaction: Interaction, look: Look[T], show: Show[T]) -> None:
    looks = 0
    for _ in range(LOOKS):
        await asyncio.sleep(LOOK_EVERY)
        try:
            if done := await look():
                await show(interaction, done)
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
