"""A connection kept open, on which work is done piece after piece: for SQLite in a thread that is its own.

A piece of work is an ordinary function of a Core connection, so on SQLite it costs one change of thread, however many
statements it has. Each statement commits by itself unless the work begins a transaction.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, InvalidRequestError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")


class Lane(Protocol):
    """Where work is done, one piece at a time."""

    begin: str
    """The statement that begins a transaction which is to write."""

    async def do(self, work: Callable[[Connection], T]) -> T:
        """What the work returns; connects where that is needed. Raises what it raises."""

    async def give_up(self) -> None:
        """Closes the connection for good: what stands half done on it is seen by nobody."""

    async def close(self) -> None:
        """Closes it, and whatever else it needs."""


class ThreadLane:
    """A SQLite connection in a thread of its own."""

    begin = "BEGIN IMMEDIATE"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writing")
        self._connection: Connection | None = None

    async def do(self, work: Callable[[Connection], T]) -> T:
        """As a Lane does."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    async def give_up(self) -> None:
        """As a Lane does."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._given_up)

    async def close(self) -> None:
        """As a Lane does."""
        await self.give_up()
        self._thread.shutdown()
        self._engine.dispose()

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
