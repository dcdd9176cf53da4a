"""Databases that a test finds ready: migrated once in a process, copied for each test; none waits for the disk.

What SQLAlchemy makes of a statement is kept for all of them, too.
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

from bot.runtime.client import versions_text
from bot.store import Store, sessions
from rules.core.ruleset import Ruleset

AS_SHIPPED = sessions.PRAGMAS
"""What the program asks of SQLite: each commit waits until it is on the disk."""
HURRIED = tuple("synchronous=OFF" if pragma.startswith("synchronous") else pragma for pragma in AS_SHIPPED)
"""The same, but that the machine must not lose its power: no test takes it away."""


def ready(file: Path, systems: Mapping[str, Ruleset[Any]] | None = None, saved: bytes = b"") -> str:
    """Puts a SQLite database there with the newest tables, and nothing in them but what is in `saved`; its address.

    With `systems` it is as a bot of those has left it at its first start.
    """
    file.write_bytes(_migrated(None if systems is None else versions_text(systems), saved))
    return address(file)


def address(file: Path) -> str:
    """The address of a SQLite database, whether it is there or not."""
    return f"sqlite+aiosqlite:///{file}"


class Compiled(dict[Any, Any]):
    """SQLAlchemy's SQL of each statement, by the kind of database: by itself it has its own for every engine."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


@contextmanager
def hurried() -> Iterator[None]:
    """Meanwhile no SQLite database that is opened waits for the disk, and no statement is compiled twice."""
    engine = partial(create_async_engine, execution_options={"compiled_cache": Compiled()})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sessions, "PRAGMAS", HURRIED)
        patched.setattr(sessions, "create_async_engine", engine)
        yield


WAITS_FOR_A_WRITER = ("BEGIN", "INSERT", "UPDATE", "DELETE")
"""First words of statements that SQLite lets wait while another connection writes."""
in_a_thread = Connection._execute


async def _execute(connection: Connection, function: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Execute a function of a connection in the loop's own thread, unless it may wait for another connection."""
    if given and isinstance(given[0], str) and given[0].startswith(WAITS_FOR_A_WRITER):
        return await in_a_thread(connection, function, *given, **options)
    if not connection._running or not connection._connection:
        raise ValueError("Connection closed")
    return function(*given, **options)


@contextmanager
def without_threads() -> Iterator[None]:
    """Meanwhile SQLite's short statements are executed at once: changing threads costs more than most of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Connection, "_execute", _execute)
        yield


async def bring_up_to_date(url: str, versions: str | None = None) -> None:
    """Migrates a database to the newest tables."""
    store = Store(url)
    try:
        await store.open(versions)
    finally:
        await store.close()


@cache
def _migrated(versions: str | None, saved: bytes) -> bytes:
    """The bytes of such a file. Made in a thread, since the test's own event loop may be running."""
    with TemporaryDirectory() as directory, ThreadPoolExecutor(1) as thread:
        file = Path(directory) / "umpire.db"
        file.write_bytes(saved)
        thread.submit(asyncio.run, bring_up_to_date(address(file), versions)).result()
        return file.read_bytes()
