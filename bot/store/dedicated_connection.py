"""A permanently open connection running jobs one after another; SQLite jobs run in a dedicated thread.

A piece of work is an ordinary function of a Core connection, so on SQLite it costs one change of thread, however many
statements it has. Each statement commits by itself unless the work begins a transaction.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")


class Lane(Protocol):
    """Queue of jobs on one connection."""

    begin: str
    """The statement that begins a transaction which is to write."""

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Return what the work returns; connects where that is needed. Raises what it raises."""

    async def give_up(self) -> None:
        """Closes the connection for good: what stands half done on it is seen by nobody."""

    async def close(self) -> None:
        """Close the connection and its resources."""


class ThreadLane:
    """A SQLite connection with a dedicated thread.

    The thread takes its work from a queue and hands the result to the event loop: one call each way.
    """

    begin = "BEGIN IMMEDIATE"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: SimpleQueue[_Piece | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._connection: Connection | None = None

    async def do(self, work: Callable[[Connection], T]) -> T:
        """As a Lane does."""
        return await self._in_thread(partial(self._done, work))

    async def give_up(self) -> None:
        """As a Lane does."""
        await self._in_thread(self._given_up)

    async def close(self) -> None:
        """As a Lane does."""
        await self.give_up()
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        self._engine.dispose()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = Thread(target=self._run, name="writing", daemon=True)
            self._thread.start()
        piece = _Piece(work, asyncio.get_running_loop().create_future())
        self._queue.put(piece)
        result: T = await piece.ended
        return result

    def _run(self) -> None:
        while (piece := self._queue.get()) is not None:
            piece.do()

    def _done(self, work: Callable[[Connection], T]) -> T:
        if self._connection is None:
            self._connection = self._engine.connect()
        return work(self._connection)

    def _given_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError, InvalidRequestError):
                connection.invalidate()
            connection.close()


@dataclass(frozen=True)
class _Piece:
    """A piece of work for the thread, and the future that it ends in the event loop."""

    work: Callable[[], Any]
    ended: asyncio.Future[Any]

    def do(self) -> None:
        """Do the work, and hand its result or its error over. A loop that is closed is told nothing."""
        try:
            tell = partial(self._succeed, self.work())
        except BaseException as error:
            tell = partial(self._fail, error)
        with suppress(RuntimeError):
            self.ended.get_loop().call_soon_threadsafe(tell)

    def _succeed(self, result: Any) -> None:
        if not self.ended.done():
            self.ended.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self.ended.done():
            self.ended.set_exception(error)


class AsyncLane:
    """A connection whose driver is asynchronous itself."""

    begin = "BEGIN"

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None

    async def do(self, work: Callable[[Connection], T]) -> T:
        """As a Lane does."""
        if self._connection is None:
            self._connection = await self._engine.connect()
        return await self._connection.run_sync(partial(work))

    async def give_up(self) -> None:
        """As a Lane does."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(DBAPIError, InvalidRequestError):
                await connection.invalidate()
            await connection.close()

    async def close(self) -> None:
        """As a Lane does."""
        await self.give_up()
        await self._engine.dispose()
