"""Reading what members send (files, pictures, their scenarios), each in a process that is ended after a few seconds.

No such job runs in the threads that games need, whatever the settings say of workers: a file may be made to take hours.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, Protocol, TypeVar

from .errors import BadFile, UserError
from .workers import Limits, Workers

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 10.0
"""The longest that reading one file may take. An export of 5 MB takes about 3."""
MEMORY = 2**30
"""Bytes that reading one file may allocate. A photograph of 24 million pixels takes a quarter."""
AT_ONCE = 1
"""Processes that read at the same time: one, so that the games keep the other cores."""
TOO_HARD = (
    f"That could not be read within {SECONDS:g} seconds, or needs too much memory. Nothing was changed. Send one that "
    "is smaller or simpler."
)
STILL_READING = "What you sent before is still being read. Wait for that answer, then send this again."
LIMITS = Limits(SECONDS, MEMORY, one_job=True, told=TOO_HARD)


class Run(Protocol):
    """Runs a job and returns its result."""

    async def __call__(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run the job. Raises what the job raises, and UserError if it exceeds a limit."""
        ...


class Inspections:
    """The jobs on what members sent: one per member, and `AT_ONCE` in all."""

    def __init__(self, workers: Workers) -> None:
        """`workers` do nothing else; those of the program have `LIMITS`."""
        self._workers = workers
        self._members: set[int] = set()

    @asynccontextmanager
    async def of(self, member: int) -> AsyncIterator[Run]:
        """Wait for the member's turn, and give what runs a job. Fetch the file inside: no other is in memory then.

        Raises UserError if another job of the member is under way, or too many wait.
        """
        if member in self._members:
            raise UserError(STILL_READING)
        self._members.add(member)
        try:
            async with self._workers.turn():
                yield self._run
        finally:
            self._members.discard(member)

    async def _run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run the job. Raises what the job raises, and UserError if it exceeds a limit."""
        try:
            return await self._workers.run(job, *args, **options)
        except MemoryError:
            raise BadFile(TOO_HARD) from None

    async def close(self) -> None:
        """End the job under way, and its process."""
        await self._workers.close()
