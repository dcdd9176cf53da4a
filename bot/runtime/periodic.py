"""Periodic work of the running bot."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

from discord.ext import tasks

from bot.errors import DatabaseUnavailable, ProgramOutdated

log = logging.getLogger(__name__)


class PeriodicTask:
    """Runs `work` every few seconds, beginning after `ready` has returned.

    Errors of `work` do not end the task. They are logged, except errors of an unavailable database.
    """

    def __init__(
        self,
        name: str,
        every: float,
        work: Callable[[], Awaitable[None]],
        ready: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        self._name, self._round, self._ready = name, work, ready
        self._under_way = asyncio.Lock()
        self._loop = tasks.loop(seconds=every, name=name)(self._run_work_once)

    def start(self) -> None:
        """Start the task."""
        self._loop.before_loop(self._ready)
        self._loop.start()

    async def stop(self, seconds: float) -> None:
        """Stop the task. Wait until running work has ended, but at most `seconds`."""
        self._loop.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._under_way:
                pass
        self._loop.cancel()

    async def _run_work_once(self) -> None:
        async with self._under_way:
            try:
                await self._round()
            except (DatabaseUnavailable, ProgramOutdated):
                return
            except Exception:
                log.exception("a fault in %s", self._name)
