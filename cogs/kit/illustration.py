"""Answer with words at once. Pictures that are slow to draw are added later."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from . import reply
from .cards.card import Card, Picture
from .discord_errors import log_request_errors
from .request import Interaction

log = logging.getLogger(__name__)

DRAWN_WITHIN = 0.08
"""Seconds that an answer waits for its pictures. An idle worker draws a table in less."""


async def send_with_pictures(
    interaction: Interaction,
    drawing: Coroutine[Any, Any, Sequence[Picture]],
    card: Callable[[Sequence[Picture]], Card],
    *,
    private: bool,
) -> None:
    """Answer with the card that `card` makes from the pictures. Slow pictures are added later.

    If drawing fails, the answer stays without pictures.
    """
    task = asyncio.create_task(drawing)
    try:
        at_once = await ends_soon(task)
        answer = card(await _await_pictures(interaction, task) if at_once else ())
        message = await reply.send(interaction, answer, private=private)
        if not at_once and (pictures := await _await_pictures(interaction, task)) and message is not None:
            illustrated = card(pictures)
            if private:
                await reply.use_palette_of_user(interaction, illustrated)
            where = message.id, interaction.id
            with log_request_errors(log, "message %s of interaction %s stays without pictures", *where):
                mentions = illustrated.mentions
                await message.edit(view=illustrated.view(), attachments=illustrated.files(), allowed_mentions=mentions)
    finally:  # cancel a drawing that is no longer needed, and ignore its errors
        task.add_done_callback(lambda done_task: done_task.cancelled() or done_task.exception())
        task.cancel()


async def ends_soon(task: asyncio.Task[Any]) -> bool:
    """Whether `task` ends within DRAWN_WITHIN seconds."""
    done, _ = await asyncio.wait({task}, timeout=DRAWN_WITHIN)
    return bool(done)


async def _await_pictures(interaction: Interaction, task: asyncio.Task[Sequence[Picture]]) -> Sequence[Picture]:
    try:
        return await task
    except Exception:
        log.exception("interaction %s: its pictures are not drawn", interaction.id)
        return ()
