"""Outages of the database: which errors count, what is logged, and requests do not queue for it."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import exc, text
from sqlalchemy.engine import Connection

from bot.errors import DatabaseUnavailable, OutcomeUnknown
from bot.store import Store, outages
from bot.store.outages import LOG_EVERY, REST, OutageWatch, is_outage, may_have_succeeded

from .databases import create_database


class Clock:
    """A clock that the test advances."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(outages, "time", SimpleNamespace(monotonic=lambda: self.now))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


SHORT_PATIENCE = 0.5
"""Patience in seconds, short for quick tests."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(create_database(tmp_path / "umpire.db"), SHORT_PATIENCE)
    await store.open()
    yield store
    await store.close()


def fail(watched: OutageWatch, error: Exception, *, writing: bool = False) -> None:
    with watched.guard_query(writing=writing):
        raise error


@pytest.mark.parametrize(
    "error",
    [ConnectionRefusedError(), TimeoutError(), ConnectionResetError(), exc.TimeoutError("no connection is free")],
)
def test_a_server_that_cannot_be_reached_is_away(clock: Clock, error: Exception) -> None:
    with pytest.raises(DatabaseUnavailable, match="nothing was changed"):
        fail(OutageWatch(), error)


@pytest.mark.parametrize("error", [ValueError(), exc.IntegrityError("", None, Exception()), exc.InvalidRequestError()])
def test_mistakes_and_taken_keys_are_something_else(clock: Clock, error: Exception) -> None:
    with pytest.raises(type(error)):
        fail(OutageWatch(), error)


async def test_a_wrong_statement_is_a_fault(store: Store) -> None:
    with pytest.raises(exc.OperationalError) as caught:
        async with store.query_connection() as connection:
            await connection.execute(text("SELECT nothing FROM nowhere"))
    assert not is_outage(caught.value)


@pytest.mark.parametrize(
    ("error", "is_uncertain"),
    [
        (TimeoutError(), True),
        (ConnectionResetError(), True),
        (ConnectionRefusedError(), False),
        (exc.TimeoutError(), False),
    ],
)
def test_a_write_in_progress_may_have_been_stored(clock: Clock, error: Exception, is_uncertain: bool) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        fail(OutageWatch(), error, writing=True)
    assert isinstance(caught.value, OutcomeUnknown) is is_uncertain


def test_an_outage_is_logged_once_a_minute_and_at_its_end(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    watched = OutageWatch()
    with caplog.at_level(logging.INFO):
        for _ in range(20):
            with pytest.raises(DatabaseUnavailable):
                fail(watched, ConnectionRefusedError("nobody\nlistens"))
            clock.now += REST
        assert [record.message for record in caplog.records] == [
            "The database does not answer: ConnectionRefusedError: nobody listens"
        ]
        clock.now += LOG_EVERY
        with pytest.raises(DatabaseUnavailable):
            fail(watched, TimeoutError())
        clock.now += REST
        with watched.guard_query():
            pass
    assert [record.message for record in caplog.records][1:] == [
        "The database does not answer: TimeoutError: no answer in time", "The database answers again.",
    ]  # fmt: skip
    assert not any(record.exc_info for record in caplog.records)


def test_no_request_is_tried_shortly_after_a_failure(clock: Clock) -> None:
    watched, tries = OutageWatch(), 0
    with pytest.raises(DatabaseUnavailable):
        fail(watched, TimeoutError())
    with pytest.raises(DatabaseUnavailable), watched.guard_query():
        tries += 1
    assert not tries
    clock.now += REST
    with watched.guard_query():
        tries += 1
    assert tries


async def test_queued_writes_to_a_locked_file_wait_for_one_attempt(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen successive waits would take sixteen times the patience."""
    monkeypatch.setattr(outages, "REST", SHORT_PATIENCE)

    def nothing(_: Connection) -> None: ...

    async def write() -> None:
        async with store.write() as session:
            await session.execute(text("SELECT 1"))

    lock = sqlite3.connect(tmp_path / "umpire.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    start = time.monotonic()
    errors = await asyncio.gather(
        *(store.writer.run(nothing) for _ in range(8)), *(write() for _ in range(8)), return_exceptions=True
    )
    assert {type(error) for error in errors} == {DatabaseUnavailable}, (
        "what waits for a lock has surely not been written"
    )
    assert time.monotonic() - start < 8 * SHORT_PATIENCE
    lock.close()
    await asyncio.sleep(SHORT_PATIENCE)
    await store.writer.run(nothing)
    await write()


class ServerError(Exception):
    """An error of PostgreSQL with its code."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(("sqlstate", "uncertain"), [("57P01", True), ("57P03", False), ("53300", False)])
def test_a_change_is_uncertain_only_if_the_server_took_the_connection(sqlstate: str, uncertain: bool) -> None:
    error = exc.DBAPIError("INSERT", None, ServerError(sqlstate))
    assert is_outage(error)
    assert may_have_succeeded(error) is uncertain
