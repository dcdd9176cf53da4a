"""Interface of workers, implemented by processes and threads."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from bot.errors import UserError

P = ParamSpec("P")
T = TypeVar("T")

MOST_WAITING = 60
"""Maximum number of waiting long jobs. Each job takes seconds, and Discord accepts an answer for 15 minutes."""

BUSY = "Too many reports, files and replays are asked for at this moment. Ask again in a few minutes."


class Workers(ABC):
    """Runs jobs. A job is a plain function in a module that imports neither Discord nor the database."""

    def __init__(self, count: int) -> None:
        self._slots = asyncio.Semaphore(max(count - 1, 1))
        self._waiting = 0

    @abstractmethod
    def start(self) -> None:
        """Start the workers in the background."""

    @abstractmethod
    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run a job and return its result. Raises the job's errors, and UserError if the worker hangs or dies."""

    @asynccontextmanager
    async def long_job_slot(self, *, may_exceed_limit: bool = False) -> AsyncIterator[None]:
        """Wait for a slot for a job that takes seconds, and hold the slot inside the context.

        One worker always stays free for short jobs, such as pictures. Callers load the job's data inside the context,
        so that waiting jobs need no memory. Raises UserError if MOST_WAITING jobs wait already, unless
        `may_exceed_limit`.
        """
        if self._waiting >= MOST_WAITING and not may_exceed_limit:
            raise UserError(BUSY)
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._slots.release()

    @abstractmethod
    async def close(self) -> None:
        """Stop the workers and their running jobs."""
