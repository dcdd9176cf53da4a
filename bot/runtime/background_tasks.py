"""Background tasks, started by an action. The action does not wait for its tasks, nor fail if a task fails."""

import asyncio
import logging
from collections.abc import Coroutine, Hashable
from typing import Any
from weakref import WeakValueDictionary

log = logging.getLogger(__name__)


class BackgroundTasks:
    """Runs this process's background tasks. Tasks with equal keys run in sequence."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def run(self, name: str, key: Hashable, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work` after all earlier work with the same `key`. Return its task, which never raises an error."""
        task = asyncio.create_task(self._run_in_sequence(name, key, work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self, seconds: float) -> None:
        """Wait until all tasks have ended, but at most `seconds`."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def _run_in_sequence(self, name: str, key: Hashable, work: Coroutine[Any, Any, None]) -> None:
        async with self._locks.setdefault(key, asyncio.Lock()):
            try:
                await work
            except Exception:
                log.exception("%s: broken off", name)
