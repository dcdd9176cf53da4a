"""Workers that are processes: few, at low priority, each replaced when it hangs or dies.

A pool of the libraries shares one pipe among its workers, so that one that is killed while it answers, or while it
waits, takes the others' jobs along. Here each has a pipe, a thread that waits at it, and one job at a time.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from bot.errors import UserError
from rules.core.ruleset import Ruleset

from .base import Workers
from .child import Job, Outcome
from .process import Died, WorkerProcess

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 180.0
"""Seconds after which a job hangs."""

LOST = "What was to make this stopped before it was done. Nothing in the game was changed by it. Try again."


@dataclass(frozen=True)
class Limits:
    """Limits of one job, and the message to its user when exceeded.

    `seconds` is wall-clock time; `memory` is in bytes, None for no limit. With `one_job`, each process does a single
    job, and all its memory goes back to the system.
    """

    seconds: float = LONGEST
    memory: int | None = None
    one_job: bool = False
    message: str = LOST


class Processes(Workers):
    """A number of worker processes, for jobs about these rule systems."""

    def __init__(self, count: int, systems: Mapping[str, Ruleset[Any]], limits: Limits | None = None) -> None:
        super().__init__(count)
        self._limits = limits or Limits()
        self._all = [WorkerProcess(systems, self._limits.memory) for _ in range(count)]
        self._idle: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        for worker in self._all:
            self._idle.put_nowait(worker)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self) -> None:
        """Starts every process, in the background; a job that comes sooner waits for its own alone."""
        for _ in self._all:
            self._task(self._warm())

    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Return what the job returns. Raises what it raises, and UserError when its worker hangs or dies."""
        done, result = await asyncio.shield(self._task(self._done((job, args, options))))
        if not done:
            raise result
        value: T = result
        return value

    async def close(self) -> None:
        """Stop the workers and their running jobs."""
        self._closed = True
        for worker in self._all:
            worker.kill()
        if self._under_way:
            await asyncio.wait(self._under_way)
        await asyncio.gather(*(asyncio.to_thread(worker.close) for worker in self._all))
        self._threads.shutdown()

    def _task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Track running work: the worker becomes free only when the job ends, even if the requester left."""
        task = asyncio.create_task(work, name="worker")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _warm(self) -> None:
        with suppress(UserError):  # it is logged, and whoever needs a worker tries again
            async with self._alive():
                pass

    async def _done(self, job: Job) -> Outcome:
        loop = asyncio.get_running_loop()
        async with self._alive() as worker:
            limit = loop.call_later(self._limits.seconds, worker.kill)
            try:
                return await loop.run_in_executor(self._threads, worker.do, job)
            finally:
                limit.cancel()
                if self._limits.one_job:
                    await loop.run_in_executor(self._threads, worker.close)

    @asynccontextmanager
    async def _alive(self) -> AsyncIterator[WorkerProcess]:
        """Yield an idle living worker. Raises UserError when it dies."""
        worker = await self._idle.get()
        try:
            if self._closed:
                raise UserError(LOST)
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.start)
            yield worker
        except Died:
            log.warning("A worker died, or was ended after %g s of one job.", self._limits.seconds)
            raise UserError(self._limits.message) from None
        finally:
            self._idle.put_nowait(worker)
