"""Workers that are threads of this process: for tests, and for machines with little memory."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from .base import Workers

P = ParamSpec("P")
T = TypeVar("T")

COUNT = 2


class ThreadWorkers(Workers):
    """Workers that are a few threads. A hanging job occupies its thread until the program ends."""

    def __init__(self) -> None:
        super().__init__(COUNT)
        self._threads = ThreadPoolExecutor(COUNT, thread_name_prefix="worker")

    def start(self) -> None:
        """Do nothing: threads start with their jobs."""

    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Run a job and return its result. Raises the job's errors."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(job, *args, **options))

    async def close(self) -> None:
        """Accept no more jobs, and cancel the jobs that wait. Do not wait for running jobs."""
        self._threads.shutdown(wait=False, cancel_futures=True)
