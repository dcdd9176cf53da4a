"""Workers that are processes with low priority, replaced if they hang or die.

The pools of Python's libraries share one pipe among all workers, so a killed worker breaks the jobs of the others. Here
each worker has its own pipe, a thread that waits for its answer, and one job at a time.
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
from .process import WorkerDied, WorkerProcess

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

JOB_SECONDS = 180.0
"""Maximum seconds of a job. Then the job counts as hanging, and its worker is killed."""

LOST = "What was to make this stopped before it was done. Nothing in the game was changed by it. Try again."


@dataclass(frozen=True)
class JobLimits:
    """Limits of one job, and the message to the user if the job exceeds a limit.

    `seconds` is wall-clock time. `memory` is in bytes; None means no limit. With `one_job`, a process ends after each
    job, which frees all its memory.
    """

    seconds: float = JOB_SECONDS
    memory: int | None = None
    one_job: bool = False
    message: str = LOST


class ProcessWorkers(Workers):
    """Workers that are processes. Rule systems among a job's arguments are passed by their ids."""

    def __init__(self, count: int, systems: Mapping[str, Ruleset[Any]], limits: JobLimits | None = None) -> None:
        super().__init__(count)
        self._limits = limits or JobLimits()
        self._workers = [WorkerProcess(systems, self._limits.memory) for _ in range(count)]
        self._idle: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    def start(self) -> None:
        """Start all processes in the background. Each can take jobs as soon as it has started."""
        for _ in self._workers:
            self._run_despite_cancellation(self._start_one_worker())

    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run a job and return its result. Raises the job's errors, and UserError if the worker hangs or dies."""
        succeeded, result = await asyncio.shield(self._run_despite_cancellation(self._run_job((job, args, options))))
        if not succeeded:
            raise result
        value: T = result
        return value

    async def close(self) -> None:
        """Stop the workers and their running jobs."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        if self._under_way:
            await asyncio.wait(self._under_way)
        await asyncio.gather(*(asyncio.to_thread(worker.close) for worker in self._workers))
        self._threads.shutdown()

    def _run_despite_cancellation(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run `work` as a task that continues when its caller is cancelled.

        A worker is busy until its job ends, even if nobody waits for the result.
        """
        task = asyncio.create_task(work, name="worker")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def _start_one_worker(self) -> None:
        with suppress(UserError):  # the error is logged; the next job starts the worker again
            async with self._take_worker():
                pass

    async def _run_job(self, job: Job) -> Outcome:
        loop = asyncio.get_running_loop()
        async with self._take_worker() as worker:
            limit = loop.call_later(self._limits.seconds, worker.kill)
            try:
                return await loop.run_in_executor(self._threads, worker.run_job, job)
            finally:
                limit.cancel()
                if self._limits.one_job:
                    await loop.run_in_executor(self._threads, worker.close)

    @asynccontextmanager
    async def _take_worker(self) -> AsyncIterator[WorkerProcess]:
        """Yield an idle worker, after starting its process if needed. Raises UserError if the worker dies."""
        worker = await self._idle.get()
        try:
            if self._closed:
                raise UserError(LOST)
            await asyncio.get_running_loop().run_in_executor(self._threads, worker.start)
            yield worker
        except WorkerDied:
            log.warning("A worker died, or was ended after %g s of one job.", self._limits.seconds)
            raise UserError(self._limits.message) from None
        finally:
            self._idle.put_nowait(worker)
