"""Workers that are threads of this process: for tests, and for machines too small for more processes."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from .base import Workers

P = ParamSpec("P")
T = TypeVar("T")

COUNT = 2


class Threads(Workers):
    """A few threads. A job that hangs keeps its thread; none dies alone."""

    def __init__(self) -> None:
        super().__init__(COUNT)
        self._threads = ThreadPoolExecutor(COUNT, thread_name_prefix="worker")

    def start(self) -> None:
        """Do nothing: threads start with their jobs."""

    async def run(self, job: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
        """Return what the job returns. Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(job, *args, **options))

    async def close(self) -> None:
        """Takes no more jobs; one under way ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)
