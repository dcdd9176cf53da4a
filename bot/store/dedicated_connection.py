"""A permanently open connection that runs one piece of work after another.

Work is a plain function of a SQLAlchemy connection. For SQLite it runs in a thread of its own, so that all its
statements need only one switch of threads. Each statement commits by itself, unless the work begins a transaction.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")


class ThreadConnection:
    """A SQLite connection with a thread of its own. The thread takes work from a queue."""

    begin = "BEGIN IMMEDIATE"
    """The SQL statement that begins a writing transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: SimpleQueue[_QueuedWork | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._connection: Connection | None = None

    def run(self, work: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Queue the work for the thread, and return a future with the result.

        The thread begins at once, even if nobody awaits the future, and connects first if necessary.
        """
        return self._run_in_thread(partial(self._run_with_connection, work))

    async def discard_connection(self) -> None:
        """Close the connection; the next work connects again."""
        await self._run_in_thread(self._close_connection)

    async def close(self) -> None:
        """Close the connection and its engine."""
        await self.discard_connection()
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        self._engine.dispose()

    def _run_in_thread(self, work: Callable[[], T]) -> "asyncio.Future[T]":
        if self._thread is None:
            self._thread = Thread(target=self._serve_queue, name="writing", daemon=True)
            self._thread.start()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_QueuedWork(work, future))
        return future

    def _serve_queue(self) -> None:
        while (queued := self._queue.get()) is not None:
            queued.run()

    def _run_with_connection(self, work: Callable[[Connection], T]) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        return work(self._connection)

    def _close_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError, InvalidRequestError):
                connection.invalidate()
            connection.close()


@dataclass(frozen=True)
class _QueuedWork:
    """Work for the thread, and the future that receives its result."""

    work: Callable[[], Any]
    future: asyncio.Future[Any]

    def run(self) -> None:
        """Do the work, and pass its result or error to the future, unless the event loop is closed."""
        try:
            set_outcome = partial(self.future.set_result, self.work())
        except BaseException as error:
            set_outcome = partial(self.future.set_exception, error)
        with suppress(RuntimeError):
            self.future.get_loop().call_soon_threadsafe(self._complete_future, set_outcome)

    def _complete_future(self, set_outcome: Callable[[], None]) -> None:
        if not self.future.done():
            set_outcome()


class AsyncDedicatedConnection:
    """A connection with an asynchronous driver, for PostgreSQL."""

    begin = "BEGIN"

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run the work, and return its result.

        The work begins only when the caller awaits it. If there is no connection, connect first.
        """
        if self._connection is None:
            self._connection = await self._engine.connect()
        return await self._connection.run_sync(partial(work))

    async def discard_connection(self) -> None:
        """Close the connection; the next work connects again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError, InvalidRequestError):
                await connection.invalidate()
            await connection.close()

    async def close(self) -> None:
        """Close the connection and its engine."""
        await self.discard_connection()
        await self._engine.dispose()


DedicatedConnection: TypeAlias = ThreadConnection | AsyncDedicatedConnection
