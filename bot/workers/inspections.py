"""Read files, pictures and scenarios of members, each in a process that is killed after a few seconds.

A malicious file may take hours to read, so these jobs never run in the threads that games need.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, Protocol, TypeVar

from bot.errors import BadFile, UserError

from . import JobLimits, Workers

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 10.0
"""Maximum seconds for reading one file. An export of 5 MB takes about 3."""
MEMORY = 2**30
"""Maximum bytes that reading one file may allocate. A photograph of 24 million pixels needs a quarter of them."""
PROCESSES = 1
"""Number of processes that read files at the same time. One process leaves the other cores to the games."""
LIMIT_EXCEEDED = (
    f"That could not be read within {SECONDS:g} seconds, or needs too much memory. Nothing was changed. Send one that "
    "is smaller or simpler."
)
STILL_READING = "What you sent before is still being read. Wait for that answer, then send this again."
LIMITS = JobLimits(SECONDS, MEMORY, one_job=True, message=LIMIT_EXCEEDED)


class JobRunner(Protocol):
    """A function that runs a job and returns its result."""

    async def __call__(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run the job. Raises the job's errors, and UserError if the job exceeds a limit."""


class Inspections:
    """Runs jobs that read members' files. A member can have one job at a time. PROCESSES jobs run at the same time."""

    def __init__(self, workers: Workers) -> None:
        """Create the inspections. `workers` must run no other jobs, and should have the limits LIMITS."""
        self._workers = workers
        self._members: set[int] = set()

    @asynccontextmanager
    async def reserve_worker_for_member(self, member: int) -> AsyncIterator[JobRunner]:
        """Wait for a free worker, and yield a function that runs the member's job on it.

        Callers fetch the member's file inside the context, so that only one file is in memory. Raises UserError if the
        member has another job in progress, or if too many members wait.
        """
        if member in self._members:
            raise UserError(STILL_READING)
        self._members.add(member)
        try:
            async with self._workers.long_job_slot():
                yield self._run
        finally:
            self._members.discard(member)

    async def _run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run the job. Raises the job's errors, and UserError if the job exceeds a limit."""
        try:
            return await self._workers.run(job, *args, **options)
        except MemoryError:
            raise BadFile(LIMIT_EXCEEDED) from None

    async def close(self) -> None:
        """Stop the running job and its process."""
        await self._workers.close()
