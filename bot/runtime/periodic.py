"""Periodic work of the running bot."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from discord.ext import tasks

from bot.errors import BeingUpdated, DatabaseAway

log = logging.getLogger(__name__)


class Rounds:
    """Run `round_` every few seconds, starting once `ready` completes.

    Where the database is away a round is left out, and no fault ends them.
    """

    def __init__(
        self,
        name: str,
        every: float,
        round_: Callable[[], Awaitable[None]],
        ready: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        self._name, self._round, self._ready = name, round_, ready
        self._under_way = asyncio.Lock()
        self._loop = tasks.loop(seconds=every, name=name)(self._go)

    def start(self) -> None:
        """Begins."""
        self._loop.before_loop(self._ready)
        self._loop.start()

    async def stop(self, seconds: float) -> None:
        """Goes no further round, and waits so long at most for the end of the present one."""
        self._loop.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._under_way:
                pass
        self._loop.cancel()

    async def _go(self) -> None:
        async with self._under_way:
            try:
                await self._round()
            except (DatabaseAway, BeingUpdated):
                return
            except Exception:
                log.exception("a fault in %s", self._name)
