"""The store: the database's connections and sessions, and its writer. An acknowledged change is committed.

A writing SQLite transaction takes the write lock when it begins.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any

import aiosqlite
from sqlalchemy import create_engine, event, false, make_url, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from bot.errors import CannotStart

from .backup import database_file
from .dedicated_connection import AsyncDedicatedConnection, DedicatedConnection, ThreadConnection
from .migrate import migrate, newest_revision, read_versions, require_current_program
from .outages import PATIENCE, OutageWatch
from .private_files import restrict_files_to_owner
from .tables import FactRow
from .writer import Writer

OPENING_SECONDS = 60.0
"""Maximum seconds to wait for another process that migrates the database."""
RETRY_SECONDS = 0.05
"""Seconds between two attempts to open a locked file, because SQLite does not wait for it while switching to WAL."""
CONNECTIONS = 8
WRITERS = CONNECTIONS // 2
"""Maximum number of connections for writing sessions. The other connections are for reading."""
QUERY_CONNECTIONS = 3
"""Number of connections for single queries."""
AUTOCOMMIT: Mapping[str, Any] = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None, "max_overflow": 0}
"""SQLAlchemy's options for connections in autocommit mode."""
CLOSE_SECONDS = 0.5
"""Maximum seconds to wait at the end for connections in use."""
CONNECT_SECONDS = 1
"""Further seconds to wait for a connection while all are in use, or while the server does not answer."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
"""Settings of each SQLite connection. With them, a committed transaction is on the disk."""
OPENING_ERRORS = (SQLAlchemyError, OSError, TypeError, ValueError)
"""Errors of opening a database, including those for invalid URL parameters."""


class Store:
    """The database: opened and migrated at the start, closed at the end.

    `patience`: maximum seconds to wait for a lock of SQLite, or for a connection or a statement of PostgreSQL.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self.url = url
        self._engine = _make_engine(url, CONNECTIONS, patience)
        self._autocommit_engine = _make_engine(url, QUERY_CONNECTIONS, patience, **AUTOCOMMIT)
        self._connect_timeout = patience + CONNECT_SECONDS
        self._closed = False
        self._returned = asyncio.Event()
        for engine in (self._engine, self._autocommit_engine):
            event.listen(engine.sync_engine, "checkin", self._close_returned_connection)
        self._watch = OutageWatch()
        self._dedicated = _make_dedicated_connection(url, patience)
        self.writer = Writer(self._dedicated, self._watch)
        self._writers = asyncio.Semaphore(WRITERS)
        self._read = async_sessionmaker(self._engine, expire_on_commit=False)
        self._write = async_sessionmaker(self._engine.execution_options(write=True), expire_on_commit=False)

    async def open(self, versions: str | None = None) -> None:
        """Migrate the tables, and check that the database can be written.

        `versions` lists each rule system with its version. If the stored text differs, or the tables are old, a SQLite
        file is first copied as a backup. None accepts any stored text. Raises CannotStart if the database cannot be
        read or written.
        """
        if (file := database_file(make_url(self.url))) is not None:
            restrict_files_to_owner(file)
        try:
            await self._migrate_when_unlocked(versions)
            await self._dedicated.run(_require_writable)
        except OPENING_ERRORS as error:
            address = make_url(self.url).render_as_string(hide_password=True)
            raise CannotStart(
                f"The database at {address} cannot be opened: {getattr(error, 'orig', None) or error}. "
                "Check UMPIRE_DATABASE_URL, and that the database runs and may be written."
            ) from error

    async def close(self) -> None:
        """Finish all queued writes, and close all connections.

        Wait up to CLOSE_SECONDS for connections in use. A connection returned later is closed then.
        """
        self._closed = True
        await self.writer.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                while self._has_connection_in_use():
                    self._returned.clear()
                    await self._returned.wait()
        await self._autocommit_engine.dispose()
        await self._engine.dispose()

    @asynccontextmanager
    async def query_connection(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in autocommit mode for single queries. Raises DatabaseUnavailable."""
        with self._watch.guard_query():
            async with asyncio.timeout(self._connect_timeout):
                connection = await self._autocommit_engine.connect()
            try:
                yield connection
            finally:
                await connection.close()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Yield a session for reading. Raises DatabaseUnavailable."""
        with self._watch.guard_query():
            async with self._read() as session:
                async with asyncio.timeout(self._connect_timeout):
                    await session.connection()
                yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Yield a session that is committed at the end, or rolled back after an exception.

        Raises ProgramOutdated if a newer program has migrated the tables, DatabaseUnavailable, or OutcomeUnknown if the
        transaction may have been committed.
        """
        async with self._writers:
            with self._watch.guard_query(writing=True):
                async with self._write() as session, session.begin():
                    await (await session.connection()).run_sync(require_current_program)
                    yield session

    async def _migrate_when_unlocked(self, versions: str | None) -> None:
        """Migrate the database. Retry as long as another process creates or migrates it."""
        until = monotonic() + OPENING_SECONDS
        while True:
            try:
                return await self._migrate(versions)
            except OPENING_ERRORS as error:
                await self._dedicated.discard_connection()
                if not _may_be_locked(error) or monotonic() > until:
                    raise
            await asyncio.sleep(RETRY_SECONDS)

    async def _migrate(self, versions: str | None) -> None:
        """Migrate the database if its tables are old, or if `versions` is given and differs from the stored text.

        Use the writer's connection, whose errors arrive even while the event loop closes.
        """
        stored_versions = await self._dedicated.run(read_versions)
        if stored_versions.revision == newest_revision() and versions in (None, stored_versions.versions):
            return
        opening = _make_engine(self.url, 1, OPENING_SECONDS)
        try:
            await migrate(opening.execution_options(write=True), stored_versions, versions)
        finally:
            await opening.dispose()

    def _has_connection_in_use(self) -> bool:
        """Whether a task, perhaps a cancelled one, still has a connection."""
        pools = (self._engine.pool, self._autocommit_engine.pool)
        return any(pool.checkedout() for pool in pools if isinstance(pool, QueuePool))

    def _close_returned_connection(self, _: Any, entry: ConnectionPoolEntry) -> None:
        """Close a connection that is returned after `close` began, because no pool would close it."""
        if self._closed:
            entry.invalidate()
        self._returned.set()

    async def load_fact(self, name: str) -> str | None:
        """Return the value that the program has stored as `name`, or None."""
        async with self.read() as session:
            row = await session.get(FactRow, name)
            return row.value if row else None

    async def store_fact(self, name: str, value: str) -> None:
        """Store a value of the program as `name`, in place of an earlier value."""
        async with self.write() as session:
            await session.merge(FactRow(name=name, value=value))


def _require_writable(connection: Connection) -> None:
    """Raise the database's own error if the database is read-only. The statement that tests this changes no row."""
    connection.execute(update(FactRow).where(false()).values(value=""))


def _may_be_locked(error: BaseException) -> bool:
    """Whether another process may have locked the database: SQLite says so, or PostgreSQL did not answer in time."""
    return isinstance(error, TimeoutError) or "locked" in str(getattr(error, "orig", ""))


def _make_engine(url: str, size: int, patience: float, **options: Any) -> AsyncEngine:
    """Create an engine with `size` connections. `options` are passed on to SQLAlchemy."""
    options |= {"pool_size": size, "pool_timeout": patience}
    if not url.startswith("sqlite"):
        limits = {"timeout": patience, "command_timeout": patience}
        return create_async_engine(url, pool_pre_ping=True, connect_args=limits, **options)
    arguments = {"timeout": patience, "async_creator_fn": _connect_sqlite}
    engine = create_async_engine(url, connect_args=arguments, **options)
    event.listen(engine.sync_engine, "connect", _set_sqlite_pragmas)
    if "isolation_level" not in options:
        event.listen(engine.sync_engine, "begin", _begin_sqlite_transaction)
    return engine


def _make_dedicated_connection(url: str, patience: float) -> DedicatedConnection:
    """Create the writer's connection, without connecting."""
    if not url.startswith("sqlite"):
        return AsyncDedicatedConnection(_make_engine(url, 1, patience, **AUTOCOMMIT))
    sync_url = make_url(url).set(drivername="sqlite")
    engine = create_engine(sync_url, connect_args={"timeout": patience}, **AUTOCOMMIT)
    event.listen(engine, "connect", _set_sqlite_pragmas)
    return ThreadConnection(engine)


async def _connect_sqlite(*arguments: Any, **options: Any) -> aiosqlite.Connection:
    """Return a new connection, made with the arguments of `aiosqlite.connect`.

    If the task is cancelled, wait for the connection and close it, before its thread reports to a closed event loop.
    """
    connection = aiosqlite.connect(*arguments, **options)
    connection._thread.daemon = True  # as SQLAlchemy does it: else a connection in use would keep the program alive
    connecting = asyncio.ensure_future(connection)
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await (await connecting).close()
        raise


def _set_sqlite_pragmas(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    cursor: sqlite3.Cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite_transaction(connection: Connection) -> None:
    writes = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
