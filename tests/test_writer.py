"""Cost of an action: one INSERT, in a commit shared with simultaneous writes, and nothing else."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert, make_url, select, table, text
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.journal.drafts import Draft, EntryPosition, make_entry
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES, SEATS
from rules.core.report import Report

from .conftest import ANNA, BEN, CHANNEL
from .toy import Toy


@contextmanager
def record_statements() -> Iterator[list[tuple[str, bool]]]:
    """Record every statement sent to the database, and whether it carried many rows."""
    statements: list[tuple[str, bool]] = []

    def hear(*args: Any) -> None:
        statements.append((" ".join(args[2].split()[:3]), args[5]))

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def create_row(game: Game, seq: int, interaction: int = 0) -> Mapping[str, Any]:
    """Return the row of an entry without content."""
    position = EntryPosition(game.id, seq, game.state_seq, game.state, game.counts)
    return make_entry(position, Toy(), ANNA, Draft(kind="word", report=Report(headline="A word")), interaction).columns


@pytest.fixture
async def tables(games: Games) -> list[Game]:
    """A game in each of ten channels."""
    return [(await games.starter.start(n, 5, ANNA, "toy", "field", interaction=n)).game for n in range(1, 11)]


async def list_entry_numbers(store: Store, game: Game) -> list[int]:
    async with store.query_connection() as connection:
        of_game = select(ENTRIES.c.seq).where(ENTRIES.c.game == game.id).order_by(ENTRIES.c.seq)
        return list((await connection.execute(of_game)).scalars())


async def test_an_action_is_one_insert_and_nothing_else(field: Games) -> None:
    with record_statements() as statements:
        await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
        await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=11)
    assert statements == [("INSERT INTO entries", False)] * 2


async def test_a_reading_runs_one_small_query(field: Games) -> None:
    with record_statements() as statements:
        await field.running_game(CHANNEL)
    assert statements == [("SELECT games.id, (SELECT", False)]


async def test_a_roll_without_a_game_runs_one_query(games: Games) -> None:
    with record_statements() as statements:
        await games.rolls.roll(CHANNEL, BEN, "2d6", interaction=11)
    assert statements == [("SELECT games.id, (SELECT", False)]


async def test_a_write_to_a_file_begins_before_the_event_loop_continues(
    store: Store, tables: list[Game], database_url: str
) -> None:
    if not database_url.startswith("sqlite"):
        pytest.skip("PostgreSQL's driver needs the event loop")
    writing = store.writer.insert(create_row(tables[0], 2))
    file = make_url(database_url).database
    assert file is not None
    until = time.monotonic() + 5
    with closing(sqlite3.connect(file)) as reader:
        while reader.execute("SELECT max(seq) FROM entries WHERE game = ?", [tables[0].id]).fetchone() != (2,):
            assert time.monotonic() < until
            time.sleep(0.001)  # noqa: ASYNC251 - the event loop must not continue
    await writing


async def test_actions_that_wait_at_the_same_time_share_a_commit(games: Games, tables: list[Game]) -> None:
    with record_statements() as statements:
        rolls = [games.rolls.roll(game.channel, ANNA, "2d6", interaction=100 + game.channel) for game in tables]
        await asyncio.gather(*rolls)
    commits = [
        statement
        for statement, is_many in statements
        if statement == "COMMIT" or (statement.startswith("INSERT") and not is_many)
    ]
    assert len(commits) <= 3
    assert all([(await games.running_game(game.channel)).seq == 2 for game in tables])


async def test_a_key_conflict_in_a_batch_fails_its_own_write_only(
    games: Games, store: Store, tables: list[Game]
) -> None:
    first, second, third = tables[:3]
    rows = [
        create_row(first, 2),
        create_row(second, 1),
        create_row(third, 2),
        create_row(first, 3, 55),
        create_row(first, 4, 55),
    ]
    outcomes = await asyncio.gather(*map(store.writer.insert, rows), return_exceptions=True)
    assert [isinstance(outcome, IntegrityError) for outcome in outcomes] == [False, True, False, False, True]
    assert [await list_entry_numbers(store, game) for game in (first, second, third)] == [[1, 2, 3], [1], [1, 2]]


async def test_a_failed_write_leaves_nothing_and_the_next_succeeds(store: Store, tables: list[Game]) -> None:
    def fails(connection: Connection) -> None:
        connection.execute(insert(ENTRIES), create_row(tables[0], 2))
        connection.execute(insert(table("no_such_table")))

    def taken(connection: Connection) -> None:
        connection.execute(insert(ENTRIES), create_row(tables[0], 2))
        connection.execute(insert(ENTRIES), create_row(tables[0], 1))

    writing = (store.writer.run(fails), store.writer.run(taken), store.writer.insert(create_row(tables[1], 2)))
    broken, duplicate, fine = await asyncio.gather(*writing, return_exceptions=True)
    assert isinstance(broken, DBAPIError)
    assert isinstance(duplicate, IntegrityError)
    assert fine is None
    assert await list_entry_numbers(store, tables[0]) == [1]
    assert await list_entry_numbers(store, tables[1]) == [1, 2]


async def test_an_entry_and_what_changes_with_it_are_written_together(field: Games, store: Store) -> None:
    with record_statements() as statements:
        await field.seats.leave(CHANNEL, BEN, interaction=10)
    words = [statement.split()[0] for statement, _ in statements]
    assert words[: words.index("COMMIT") + 1] == ["BEGIN", "INSERT", "DELETE", "COMMIT"]
    async with store.query_connection() as connection:
        assert len((await connection.execute(select(SEATS))).all()) == 1


async def test_a_lost_connection_is_made_anew(field: Games, store: Store, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("a file has no connection to lose")
    await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=10)
    second = create_async_engine(database_url)
    async with second.connect() as connection:
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        await connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
    await second.dispose()
    rolled = await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=11)
    assert rolled.played is not None
    assert (await field.running_game(CHANNEL)).seq == rolled.played.entry.seq


async def test_a_cancelled_waiter_does_not_stop_the_write(tmp_path: Path) -> None:
    path = tmp_path / "umpire.db"
    store = Store(f"sqlite+aiosqlite:///{path}")
    await store.open()
    games = Games(store, {"toy": Toy()})
    await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=1)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(games.rolls.roll(CHANNEL, ANNA, "2d6", interaction=10))
    await asyncio.sleep(0.3)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    writer.execute("ROLLBACK")
    writer.close()
    roll = await games.rolls.roll(CHANNEL, ANNA, "2d6", interaction=10)
    assert roll.played is not None
    assert roll.played.entry.seq == 2
    assert (await games.running_game(CHANNEL)).seq == 2
    await store.close()


async def test_a_roll_stored_by_another_process_is_the_answer(field: Games, store: Store) -> None:
    second = Games(store, field.rulesets)
    await second.running_game(CHANNEL)
    await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=20)
    first = await field.rolls.roll(CHANNEL, BEN, "2d6", interaction=21)
    prepared = []
    repeated = await second.rolls.roll(CHANNEL, BEN, "2d6", interaction=21, prepare=prepared.append)
    assert repeated.report == first.report
    assert prepared, "the other process knew an older game, and prepared its own throw"
    assert all(result.report is not repeated.report for result in prepared)
