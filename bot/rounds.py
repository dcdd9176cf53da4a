"""Something done again and again while the bot runs, with a pause between: the rounds of a watchman."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from .errors import BeingUpdated, DatabaseAway

log = logging.getLogger(__name__)


class Rounds:
    """`round_` is done every so many seconds. Where the database is away, it is left out; no fault ends the rounds."""

    def __init__(self, name: str, every: float, round_: Callable[[], Awaitable[None]]) -> None:
        self._name, self._every, self._round = name, every, round_
        self._task: asyncio.Task[None] | None = None
        self._resting = False
        self._stopped = False

    def start(self) -> None:
        """Goes the first round after the first pause."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self, seconds: float) -> None:
        """Goes no further round, and waits so long at most for the end of the present one."""
        self._stopped = True
        if self._task is None:
            return
        if self._resting:
            self._task.cancel()
        await asyncio.wait({self._task}, timeout=seconds)
        self._task.cancel()

    async def _run(self) -> None:
        while not self._stopped:
            self._resting = True
            await asyncio.sleep(self._every)
            self._resting = False
            try:
                await self._round()
            except (DatabaseAway, BeingUpdated):
                continue
            except Exception:
                log.exception("a fault in %s", self._name)
