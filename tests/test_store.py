"""The store: migrated at start, durable when acknowledged, rolled back as a whole, on both databases."""

import asyncio
import gc
import sqlite3
import threading
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import column, func, inspect, select, table, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import CannotStart, GameRunning
from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store, sessions
from bot.store.migrate import DatabaseVersions, migrate
from bot.store.tables import Base, EntryRow, GameRow
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import read_log, verify_throws

from .conftest import ANNA, BEN, CARL, CHANNEL
from .databases import SHIPPED_PRAGMAS
from .toy import Toy

TOYS: Mapping[str, Any] = {"toy": Toy()}


async def test_migrations_lead_to_the_tables_of_the_program(empty_url: str) -> None:
    store = Store(empty_url)
    await store.open()
    await store.open()
    engine = create_async_engine(empty_url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), Base.metadata)
        )
        indexes = await connection.run_sync(lambda sync: inspect(sync).get_indexes("games"))
    await engine.dispose()
    await store.close()
    assert differences == []
    assert {index["name"]: bool(index["unique"]) for index in indexes}["one_running_game_a_channel"]


async def test_several_processes_may_migrate_at_once(empty_url: str) -> None:
    stores = [Store(empty_url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_file_that_another_process_is_creating_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not wait for a file that is being switched to write-ahead logging."""
    tries = 0

    async def locked_at_first(engine: AsyncEngine, found_versions: DatabaseVersions, versions: str | None) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise OperationalError("PRAGMA journal_mode=WAL", {}, sqlite3.OperationalError("database is locked"))
        await migrate(engine, found_versions, versions)

    monkeypatch.setattr(sessions, "migrate", locked_at_first)
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'umpire.db'}")
    await store.open()
    assert tries == 3
    assert await store.load_fact("anything") is None
    await store.close()


async def test_a_database_that_cannot_be_opened_is_explained(tmp_path: Path) -> None:
    for url in (
        f"sqlite+aiosqlite:///{tmp_path}/no/such/place.db",
        f"postgresql+asyncpg://u:secret@/db?host={tmp_path}",
    ):
        store = Store(url)
        with pytest.raises(CannotStart, match="UMPIRE_DATABASE_URL") as stopped:
            await store.open()
        assert "secret" not in str(stopped.value)
        await store.close()


async def test_a_file_that_cannot_be_opened_leaves_no_thread_of_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of a failed connection would report its end to an event loop that may be closed already."""
    monkeypatch.delattr(aiosqlite, "connect")
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/no/such/place.db")
    with pytest.raises(CannotStart, match="unable to open"):
        await store.open()
    await store.close()


@pytest.mark.parametrize("database_kind", ["sqlite"])
async def test_a_task_cancelled_while_it_connects_closes_its_connection(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, connect, connecting, go_on = Store(database_url), sqlite3.connect, threading.Event(), threading.Event()
    await store.open()

    def connect_late(*args: Any, **options: Any) -> sqlite3.Connection:
        connecting.set()
        go_on.wait()
        return connect(*args, **options)

    monkeypatch.setattr(sqlite3, "connect", connect_late)
    task = asyncio.create_task(store.load_fact("anything"))
    await asyncio.to_thread(connecting.wait)
    task.cancel()
    assert not (await asyncio.wait({task}, timeout=0.01))[0], "its thread still connects"
    go_on.set()
    assert (await asyncio.wait({task}))[0] == {task}
    assert task.cancelled()
    await store.close()


async def test_closing_waits_for_a_connection_that_is_soon_returned(database_url: str) -> None:
    """The thread of a connection returned later would report its end to an event loop that may be closed already."""
    store, using, go_on = Store(database_url), asyncio.Event(), asyncio.Event()
    await store.open()

    async def use() -> None:
        async with store.read() as session:
            await session.execute(text("SELECT 1"))
            using.set()
            await go_on.wait()

    task = asyncio.create_task(use())
    await using.wait()
    closing = asyncio.create_task(store.close())
    finished, _ = await asyncio.wait({closing}, timeout=0.05)
    go_on.set()
    await closing
    assert not finished, "the connection was still in use"
    await task


async def close_in_use(url: str, *, cancelled: bool) -> None:
    """Close a store while a task uses two connections. Then end or cancel the task."""
    store, using, go_on = Store(url), asyncio.Event(), asyncio.Event()
    await store.open()

    async def use() -> None:
        async with store.read() as session, store.query_connection() as connection:
            await session.execute(text("SELECT 1"))
            await connection.execute(text("SELECT 1"))
            using.set()
            await go_on.wait()

    task = asyncio.create_task(use())
    await using.wait()
    await store.close()
    if cancelled:
        task.cancel()
    go_on.set()
    await asyncio.wait({task})


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_connection_in_use_at_the_close_is_closed_later(database_url: str, cancelled: bool) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        await close_in_use(database_url, cancelled=cancelled)
        gc.collect()
    assert warned == []


async def test_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "PRAGMAS", SHIPPED_PRAGMAS)
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'umpire.db'}")
    await store.open()
    async with store.read() as session:
        values = [(await session.execute(text(f"PRAGMA {name}"))).scalar() for name in ("journal_mode", "synchronous")]
        assert values == ["wal", 2]
        assert (await session.execute(text("PRAGMA foreign_keys"))).scalar() == 1
    await store.close()


async def test_facts_are_remembered(store: Store) -> None:
    assert await store.load_fact("hash") is None
    await store.store_fact("hash", "one")
    await store.store_fact("hash", "two")
    assert await store.load_fact("hash") == "two"


async def test_a_failed_write_is_rolled_back_as_a_whole(field: Games, store: Store) -> None:
    game = await field.running_game(CHANNEL)

    async def break_off() -> None:
        async with store.write() as session:
            row = await session.get(GameRow, game.id)
            assert row is not None
            row.name = "Another"
            await session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await break_off()
    assert await field.running_game(CHANNEL) == game


async def test_an_entry_number_is_taken_once(field: Games, store: Store) -> None:
    game = await field.running_game(CHANNEL)
    async with store.read() as session:
        row = await session.get(EntryRow, (game.id, 1))
        assert row is not None
        copy = {column.key: getattr(row, column.key) for column in inspect(EntryRow).columns}

    async def again() -> None:
        async with store.write() as session:
            session.add(EntryRow(**copy))

    with pytest.raises(IntegrityError):
        await again()


async def test_a_cancelled_change_leaves_nothing_and_commits_stay(
    field: Games, store: Store, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    first = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    with monkeypatch.context() as patch:
        patch.setattr(
            "bot.games.seat_rows.SEATS", table("no_such_table", *map(column, ("game", "user", "name", "side")))
        )
        with pytest.raises(DBAPIError):
            await field.seats.leave(CHANNEL, BEN, interaction=11)
    reopened = Store(database_url)
    await reopened.open()
    games = Games(reopened, TOYS)
    assert await games.running_game(CHANNEL) == replace(first.game, ruleset=TOYS["toy"])
    assert await field.running_game(CHANNEL) == first.game
    after = await field.seats.leave(CHANNEL, BEN, interaction=11)
    assert after.seq == first.entry.seq + 1
    assert (await games.running_game(CHANNEL)).viewer(BEN.id) == PUBLIC
    assert (await verify_throws(games, CHANNEL)).is_fair
    await reopened.close()


async def test_games_are_there_again_after_a_restart(field: Games, database_url: str) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    before, log = await field.running_game(CHANNEL), await read_log(field, CHANNEL, UMPIRE, 0)
    store = Store(database_url)
    await store.open()
    games = Games(store, {"toy": before.ruleset})
    assert await games.running_game(CHANNEL) == before
    assert await read_log(games, CHANNEL, UMPIRE, 0) == log
    await store.close()


async def test_fifty_simultaneous_actions_in_a_channel_run_in_sequence(field: Games) -> None:
    acts = [field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=100 + n) for n in range(50)]
    played = await asyncio.gather(*acts)
    game = await field.running_game(CHANNEL)
    assert sorted(act.entry.seq for act in played) == list(range(4, 54))
    assert game.seq == 53
    assert game.state.units["r1"].hits == sum(act.entry.report.throws[0].total for act in played)
    assert [act.entry.report.throws[0].number for act in sorted(played, key=lambda act: act.entry.seq)] == list(
        range(1, 51)
    )
    assert (await verify_throws(field, CHANNEL)).right == 51


async def test_fifty_simultaneous_channels_are_all_answered(games: Games) -> None:
    async def play(channel: int) -> int:
        await games.starter.start(channel, 5, ANNA, "toy", "field", interaction=channel)
        await games.actions.act_by_kind(channel, ANNA, "fight", {"unit": "r1"}, interaction=channel + 1000)
        return (await games.running_game(channel)).seq

    assert await asyncio.gather(*(play(channel) for channel in range(1, 51))) == [2] * 50


async def test_two_processes_racing_for_fifty_actions_lose_none(field: Games, database_url: str) -> None:
    """Two stores on one database share no locks, like two processes."""
    other_store = Store(database_url)
    second = Games(other_store, TOYS)

    async def play(games: Games, actor: Actor, unit: str, first: int) -> list[int]:
        acts = [
            games.actions.act_by_kind(CHANNEL, actor, "fight", {"unit": unit}, interaction=first + n) for n in range(25)
        ]
        return [played.entry.seq for played in await asyncio.gather(*acts)]

    mine, theirs = await asyncio.gather(play(field, BEN, "r1", 100), play(second, CARL, "b1", 200))
    assert sorted(mine + theirs) == list(range(4, 54))
    game = await second.running_game(CHANNEL)
    hits = game.state.units["r1"].hits + game.state.units["b1"].hits
    fights = [entry for entry in await read_log(second, CHANNEL, PUBLIC, 0) if entry.kind == "fight"]
    assert len(fights) == 50
    assert hits == sum(entry.report.throws[0].total for entry in fights)
    assert (await verify_throws(second, CHANNEL)).right == 51
    await other_store.close()


async def test_the_same_interaction_in_two_processes_acts_once(field: Games, database_url: str) -> None:
    other_store = Store(database_url)
    second = Games(other_store, TOYS)
    acts = [
        games.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=100)
        for games in (field, second) * 5
    ]
    played = await asyncio.gather(*acts)
    assert len({act.entry.seq for act in played}) == 1
    assert (await field.running_game(CHANNEL)).seq == played[0].entry.seq
    await other_store.close()


async def test_two_starts_at_once_make_one_game(store: Store, database_url: str) -> None:
    other_store = Store(database_url)
    tables = [Games(store, TOYS), Games(other_store, TOYS)]
    starts = [
        games.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=n) for n, games in enumerate(tables * 3)
    ]
    outcomes = await asyncio.gather(*starts, return_exceptions=True)
    assert sum(isinstance(outcome, GameRunning) for outcome in outcomes) == 5
    async with store.read() as session:
        assert await session.scalar(select(func.count()).select_from(GameRow)) == 1
    await other_store.close()


async def test_readers_get_through_while_writers_wait_for_another_process(tmp_path: Path) -> None:
    path = tmp_path / "umpire.db"
    store = Store(f"sqlite+aiosqlite:///{path}")
    await store.open()
    games = Games(store, TOYS)
    for channel in range(25):
        await games.starter.start(channel, 5, ANNA, "toy", "field", interaction=channel + 1)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writers = [asyncio.create_task(games.rolls.roll(n, ANNA, "d6", interaction=100 + n)) for n in range(24)]
    await asyncio.sleep(0.5)
    async with asyncio.timeout(5):
        assert (await games.running_game(24)).seq == 1
    assert not any(writer.done() for writer in writers)
    writer.execute("ROLLBACK")
    writer.close()
    await asyncio.gather(*writers)
    await store.close()
