"""Migrations fill in old databases; an old program can add no entry afterwards."""

import json
import zlib
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Table, TableClause, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import Store
from bot.store.member_tables import RulingRow
from bot.store.tables import ENTRIES, GAMES, Base

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)
GAME = {"id": "g", "channel": 1, "guild": 2, "name": "Old", "ruleset": "toy", "umpire": 1, "umpire_name": "Anna"}


RULING = {"scope": "guild 2", "at": NOON, "author": 1, "author_name": "Anna", "text": "Mules bolt."}


def create_entry(seq: int, base: int, *numbers: int, audience: list[str] | None = None) -> dict[str, Any]:
    """Return the row of an old entry with these throw numbers."""
    report = zlib.compress(json.dumps({"headline": f"Number {seq}", "audience": audience}).encode())
    author = {"actor": 1, "actor_name": "Anna", "interaction": seq, "kind": "march", "side": "red", "acts": True}
    content = {
        "action": {},
        "dice": [{"throw": {"number": number}} for number in numbers],
        "report": report,
        "state": b"s",
    }
    when = {"at": NOON, "turn": 1, "turn_end": False, "rules_version": 1, "undone": False}
    return {"game": "g", "seq": seq, "base": base, **author, **content, **when}


OLD_ENTRIES = (
    create_entry(1, 1, 1),
    create_entry(2, 1, 2, 3),
    create_entry(3, 2, audience=["red", "blue"]),
    create_entry(4, 1, audience=[]),
)
"""A start, two actions (the second for players only), and an undo of both, for the umpire only."""


def create_old_database(connection: Connection) -> None:
    """Create the old tables with one game."""
    config = Config()
    config.set_main_option("script_location", "bot:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "0002")
    game = {**GAME, "head": 4, "state_seq": 1, "thrown": 7, "started": NOON}
    connection.execute(insert(limit_columns(GAMES, game)), game)
    connection.execute(insert(limit_columns(ENTRIES, OLD_ENTRIES[0])), list(OLD_ENTRIES))
    connection.execute(insert(limit_columns(Base.metadata.tables["rulings"], RULING)), RULING)


def limit_columns(table: Table, row: Mapping[str, Any]) -> TableClause:
    """Return the table with only the columns that the old program knows."""
    return sqlalchemy.table(table.name, *(sqlalchemy.column(name, table.c[name].type) for name in row))


@pytest.fixture
async def migrated_engine(empty_url: str) -> AsyncIterator[AsyncEngine]:
    """The migrated database."""
    engine = create_async_engine(empty_url)
    async with engine.begin() as connection:
        await connection.run_sync(create_old_database)
    store = Store(empty_url)
    await store.open()
    await store.close()
    yield engine
    await engine.dispose()


async def test_the_state_number_of_each_entry_is_filled_in(migrated_engine: AsyncEngine) -> None:
    async with migrated_engine.connect() as connection:
        rows: list[Mapping[str, Any]] = list((await connection.execute(select(ENTRIES).order_by("seq"))).mappings())
    assert [row["state_seq"] for row in rows] == [1, 2, 1, 1]
    assert [row["thrown"] for row in rows] == [1, 3, 3, 7]
    assert [row["audience"] for row in rows] == [None, None, "\nblue\nred\n", "\n"]
    assert [row["part"] for row in rows] == [0] * 4
    names = [name for name in OLD_ENTRIES[0] if name != "at"]
    assert [[row[name] for name in names] for row in rows] == [
        [before[name] for name in names] for before in OLD_ENTRIES
    ]


async def test_an_old_program_can_add_no_entry(migrated_engine: AsyncEngine) -> None:
    with pytest.raises(IntegrityError):
        async with migrated_engine.begin() as connection:
            await connection.execute(insert(limit_columns(ENTRIES, OLD_ENTRIES[0])), create_entry(5, 1))


async def test_old_rulings_remain(migrated_engine: AsyncEngine) -> None:
    async with migrated_engine.connect() as connection:
        (row,) = (await connection.execute(select(RulingRow.__table__))).all()
    assert (row.text, row.interaction) == ("Mules bolt.", 0)
