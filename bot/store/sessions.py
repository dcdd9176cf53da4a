"""Sessions on the store, and its writer. Acknowledged means committed.

A writer of SQLite takes its place in the queue at once.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from sqlalchemy import create_engine, event, false, make_url, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.errors import CannotStart

from .backup import file_of
from .dedicated_connection import AsyncLane, Lane, ThreadLane
from .migrate import migrate, require_own_tables
from .outages import PATIENCE, Watch
from .private_files import make_private
from .tables import FactRow
from .writer import Writer

OPENING_SECONDS = 60.0
"""Seconds to wait for another process that migrates the database."""
TRIED_AGAIN_SECONDS = 0.05
"""Between two tries at a file that is locked for those who switch it to writing ahead: SQLite lets them not wait."""
CONNECTIONS = 8
WRITERS = CONNECTIONS // 2
"""Maximum connections waiting to write; the remaining ones serve reading."""
ASKERS = 3
"""Connections for short questions."""
ALONE: Mapping[str, Any] = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None, "max_overflow": 0}
"""Options of connections in autocommit mode."""
CONNECTED_LATER = 1
"""Seconds beyond all patience until a connection is had that works: for others hold them, or a server is silent."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
"""What each connection to SQLite is told first: what is committed is on the disk."""
NOT_OPENED = (SQLAlchemyError, OSError, TypeError, ValueError)
"""Errors while opening a database, including invalid URL parameters."""
LAST_WORD_SECONDS = 0.1
"""How long the loop stays for the thread of a SQLite connection that failed: it tells it of its own end."""


class Store:
    """The database: opened once, migrated to the newest tables, closed at the end.

    `patience`: seconds that a lock of SQLite is waited for, and on PostgreSQL a connection and each statement.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self.url = url
        self._engine = _engine(url, CONNECTIONS, patience)
        self._statements = _engine(url, ASKERS, patience, **ALONE)
        self._connected_within = patience + CONNECTED_LATER
        self._watch = Watch()
        self.writer = Writer(_lane(url, patience), self._watch)
        self._writers = asyncio.Semaphore(WRITERS)
        self._read = async_sessionmaker(self._engine, expire_on_commit=False)
        self._write = async_sessionmaker(self._engine.execution_options(write=True), expire_on_commit=False)

    async def open(self, versions: str | None = None) -> None:
        """Migrate the tables to their newest form. Raises CannotStart if the database cannot be used or written.

        `versions` are the rules' versions of stored states: a database with other versions is copied first.
        """
        if (file := file_of(make_url(self.url))) is not None:
            make_private(file)
        opening = _engine(self.url, 1, OPENING_SECONDS)
        try:
            await _migrated(opening.execution_options(write=True), versions)
            await _require_writable(opening.execution_options(write=True))
        except NOT_OPENED as error:
            await asyncio.sleep(LAST_WORD_SECONDS)
            where = make_url(self.url).render_as_string(hide_password=True)
            raise CannotStart(
                f"The database at {where} cannot be opened: {getattr(error, 'orig', None) or error}. "
                "Check UMPIRE_DATABASE_URL, and that the database runs and may be written."
            ) from error
        finally:
            await opening.dispose()

    async def close(self) -> None:
        """Gives all connections back."""
        await self.writer.close()
        await self._statements.dispose()
        await self._engine.dispose()

    @asynccontextmanager
    async def ask(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for short questions, each answered by itself, in no transaction. Raises DatabaseAway."""
        with self._watch.over():
            async with asyncio.timeout(self._connected_within):
                connection = await self._statements.connect()
            try:
                yield connection
            finally:
                await connection.close()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        """Yield a session that changes nothing. Raises DatabaseAway."""
        with self._watch.over():
            async with self._read() as session:
                async with asyncio.timeout(self._connected_within):
                    await session.connection()
                yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        """Yield a session in one transaction: committed at its end, or undone as a whole by an exception.

        Raises BeingUpdated, DatabaseAway; where it may have been committed all the same, OutcomeUnknown.
        """
        async with self._writers:
            with self._watch.over(writing=True):
                async with self._write() as session, session.begin():
                    await (await session.connection()).run_sync(require_own_tables)
                    yield session

    async def fact(self, name: str) -> str | None:
        """Return the stored value of fact `name`, or None."""
        async with self.read() as session:
            row = await session.get(FactRow, name)
            return row.value if row else None

    async def remember(self, name: str, value: str) -> None:
        """Remembers it from now on."""
        async with self.write() as session:
            await session.merge(FactRow(name=name, value=value))


async def _require_writable(engine: AsyncEngine) -> None:
    """Raise the database's error if it is read-only: write nothing in a transaction."""
    async with engine.begin() as connection:
        await connection.execute(update(FactRow).where(false()).values(value=""))


async def _migrated(engine: AsyncEngine, versions: str | None) -> None:
    """Migrates; where a SQLite file is made by several at once, those who are too soon to write ahead try again."""
    until = monotonic() + OPENING_SECONDS
    while True:
        try:
            return await migrate(engine, versions)
        except OperationalError as error:
            if "locked" not in str(error.orig) or monotonic() > until:
                raise
        await asyncio.sleep(TRIED_AGAIN_SECONDS)


def _engine(url: str, size: int, patience: float, **options: Any) -> AsyncEngine:
    """Create an engine with `size` connections; `options` are SQLAlchemy's."""
    options |= {"pool_size": size, "pool_timeout": patience}
    if not url.startswith("sqlite"):
        limits = {"timeout": patience, "command_timeout": patience}
        return create_async_engine(url, pool_pre_ping=True, connect_args=limits, **options)
    engine = create_async_engine(url, connect_args={"timeout": patience}, **options)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    if "isolation_level" not in options:
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _lane(url: str, patience: float) -> Lane:
    """Return the connection of the writer."""
    if not url.startswith("sqlite"):
        return AsyncLane(_engine(url, 1, patience, **ALONE))
    here = make_url(url).set(drivername="sqlite")
    engine = create_engine(here, connect_args={"timeout": patience}, **ALONE)
    event.listen(engine, "connect", _prepare_sqlite)
    return ThreadLane(engine)


def _prepare_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    cursor: sqlite3.Cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
