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
"""Long jobs that wait their turn. Each takes seconds, and Discord takes an answer for 15 minutes."""

BUSY = "Too many reports, files and replays are asked for at this moment. Ask again in a few minutes."


class Workers(ABC):
    """Does jobs: plain functions whose module imports neither Discord nor the database."""

    def __init__(self, count: int) -> None:
        self._turns = asyncio.Semaphore(max(count - 1, 1))
        self._waiting = 0

    @abstractmethod
    def start(self) -> None:
        """Makes the workers ready, in the background."""

    @abstractmethod
    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Return what the job returns. Raises what it raises, and UserError when its worker hangs or dies."""

    @asynccontextmanager
    async def turn(self, *, of_all: bool = False) -> AsyncIterator[None]:
        """Held by a job that takes seconds, from before it reads what it works on.

        Of all workers but one may do such jobs at a time, so that pictures never wait behind them, and what they work
        on is in memory only when its turn has come. Raises UserError when too many wait already, but `of_all` may wait.
        """
        if self._waiting >= MOST_WAITING and not of_all:
            raise UserError(BUSY)
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    @abstractmethod
    async def close(self) -> None:
        """Stop the workers and their running jobs."""
