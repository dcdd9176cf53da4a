"""Databases for tests: each process migrates one once, and copies it for every test.

No database waits for the disk. SQL compiled by SQLAlchemy is shared by all engines.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from aiosqlite.core import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from bot.runtime.client import describe_state_versions
from bot.store import Store, sessions
from rules.core.ruleset import Ruleset

SHIPPED_PRAGMAS = sessions.PRAGMAS
"""Settings that the program gives SQLite: each commit waits for the disk."""
UNSYNCED_PRAGMAS = tuple(
    "synchronous=OFF" if pragma.startswith("synchronous") else pragma for pragma in SHIPPED_PRAGMAS
)
"""The same settings without waiting for the disk. Only a power failure could lose data."""


def create_database(file: Path, systems: Mapping[str, Ruleset[Any]] | None = None, content: bytes = b"") -> str:
    """Create a SQLite database with the newest tables and the rows of the database file `content`. Return its URL.

    With `systems` the database also remembers their versions, as a bot of these systems stores them at its first start.
    """
    file.write_bytes(_build_database_file(None if systems is None else describe_state_versions(systems), content))
    return sqlite_url(file)


def sqlite_url(file: Path) -> str:
    """Return the URL of a SQLite database, whether the file exists or not."""
    return f"sqlite+aiosqlite:///{file}"


class SharedCompiledCache(dict[Any, Any]):
    """SQLAlchemy's cache of compiled statements, shared by all engines of a kind; each engine would have its own."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


@contextmanager
def skip_disk_waits() -> Iterator[None]:
    """Open SQLite databases that do not wait for the disk, and compile each statement once."""
    engine = partial(create_async_engine, execution_options={"compiled_cache": SharedCompiledCache()})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sessions, "PRAGMAS", UNSYNCED_PRAGMAS)
        patched.setattr(sessions, "create_async_engine", engine)
        yield


LOCKING_STATEMENTS = ("BEGIN", "INSERT", "UPDATE", "DELETE")
"""First words of statements that may wait until another connection of SQLite has written."""
execute_in_thread = Connection._execute


async def _execute(connection: Connection, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Run a connection's function in the event loop's own thread, unless the statement may wait for a lock."""
    if args and isinstance(args[0], str) and args[0].startswith(LOCKING_STATEMENTS):
        return await execute_in_thread(connection, function, *args, **options)
    if not connection._running or not connection._connection:
        raise ValueError("Connection closed")
    return function(*args, **options)


@contextmanager
def avoid_threads() -> Iterator[None]:
    """Run short SQLite statements in the event loop's thread: changing threads costs more than most statements."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Connection, "_execute", _execute)
        yield


async def migrate(url: str, versions: str | None = None) -> None:
    """Migrate a database to the newest tables."""
    store = Store(url)
    try:
        await store.open(versions)
    finally:
        await store.close()


@cache
def _build_database_file(versions: str | None, content: bytes) -> bytes:
    """Return the bytes of a migrated database file. Runs in a thread, as the test's event loop may be running."""
    with TemporaryDirectory() as directory, ThreadPoolExecutor(1) as thread:
        file = Path(directory) / "umpire.db"
        file.write_bytes(content)
        thread.submit(asyncio.run, migrate(sqlite_url(file), versions)).result()
        return file.read_bytes()
