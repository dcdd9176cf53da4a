"""Updates: the database is copied before changes, and an older program explains that it is too old."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.errors import CannotStart, ProgramOutdated, UnreadableGame
from bot.services import Games
from bot.store import Store, backup
from bot.store.backup import MOST_COPIES, database_file, list_database_copies
from bot.store.migrate import newest_revision
from rules.core.upgrades import Upgrade

from .conftest import ANNA, BEN, CHANNEL
from .toy import Toy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "umpire.db"


def url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


async def open_once(file: Path, versions: str | None = None) -> None:
    store = Store(url(file))
    try:
        await store.open(versions)
    finally:
        await store.close()


async def play_in_database(file: Path, versions: str) -> None:
    """Play in a database of these versions."""
    store = Store(url(file))
    await store.open(versions)
    await Games(store, {"toy": Toy()}).starter.start(CHANNEL, 5, ANNA, "toy", "field", name="Field day", interaction=1)
    await store.close()


def set_revision(file: Path, revision: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


async def test_new_and_unchanged_databases_are_not_copied(file: Path) -> None:
    for _ in range(3):
        await open_once(file, "toy 1")
    assert list_database_copies(file) == []


async def test_a_database_is_copied_before_states_change_their_version(file: Path) -> None:
    await play_in_database(file, "toy 1")
    await open_once(file, "toy 2")
    (copy,) = list_database_copies(file)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT name FROM games").fetchall() == [("Field day",)]
        assert connection.execute("SELECT value FROM facts WHERE name = 'versions stored'").fetchone() == ("toy 1",)
    await open_once(file, "toy 2")
    assert list_database_copies(file) == [copy]


async def test_a_database_is_copied_before_a_migration(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await play_in_database(file, "toy 1")
    monkeypatch.setattr("bot.store.sessions.newest_revision", lambda: "9999")
    await open_once(file, "toy 1")
    assert len(list_database_copies(file)) == 1


async def test_the_last_two_copies_are_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter(range(10))
    monkeypatch.setattr(backup, "TIME_FORMAT", "@")
    await play_in_database(file, "toy 1")
    for version in range(2, 6):
        monkeypatch.setattr(backup, "TIME_FORMAT", f"{next(moments)}")
        await open_once(file, f"toy {version}")
    assert [copy.name for copy in list_database_copies(file)] == ["umpire.db.2.copy", "umpire.db.3.copy"]
    assert MOST_COPIES == 2


@pytest.fixture
async def outdated_game(field: Games, store: Store) -> AsyncIterator[Games]:
    """A game in an older process whose tables a newer process has just changed."""
    async with store.write() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    yield field
    engine = create_async_engine(store.url)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = :ours"), {"ours": newest_revision()})
    await engine.dispose()


async def test_an_old_process_on_newer_tables_writes_nothing_and_says_so(outdated_game: Games, store: Store) -> None:
    before = await outdated_game.running_game(CHANNEL)
    for call in (
        outdated_game.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10),
        outdated_game.rolls.roll(CHANNEL, BEN, "d6", interaction=11),
        outdated_game.seats.leave(CHANNEL, BEN, interaction=12),
        outdated_game.dice_seeds.end_game(CHANNEL, ANNA, interaction=13),
        outdated_game.starter.start(CHANNEL + 1, 5, ANNA, "toy", "field", interaction=14),
        store.store_fact("a fact", "1"),
    ):
        with pytest.raises(ProgramOutdated, match=r"being updated, so nothing was changed\. Try again in a minute"):
            await call
    assert (await Games(store, {"toy": Toy()}).running_game(CHANNEL)).seq == before.seq
    assert await store.load_fact("a fact") is None


class LaterToy(Toy):
    """The toy system of a newer program."""

    upgrades = (Upgrade(),)


async def test_an_old_process_leaves_games_of_a_newer_one_alone(field: Games, store: Store) -> None:
    newer = Games(store, {"toy": LaterToy()})
    assert (await field.running_game(CHANNEL)).seq == 3
    await newer.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    for call in (
        field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=11),
        field.rolls.roll(CHANNEL, BEN, "d6", interaction=12),
        field.running_game(CHANNEL),
    ):
        with pytest.raises(UnreadableGame, match="being updated, try again in a minute"):
            await call
    assert (await newer.running_game(CHANNEL)).seq == 4


def test_columns_are_only_ever_added(tmp_path: Path) -> None:
    config, before = Config(), set[tuple[str, str]]()
    config.set_main_option("script_location", "bot:migrations")
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    engine = create_engine(f"sqlite:///{tmp_path / 'step.db'}")
    for revision in revisions:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            tables = inspect(connection)
            now = {
                (table, column["name"]) for table in tables.get_table_names() for column in tables.get_columns(table)
            }
        assert before <= now, f"{revision} takes away {before - now}"
        before = now
    engine.dispose()


async def test_a_copy_is_made_off_the_event_loop_and_private(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    copy = backup.copy_database

    def watched(database: Path) -> Path:
        threads.append(threading.current_thread())
        return copy(database)

    await play_in_database(file, "toy 1")
    monkeypatch.setattr("bot.store.migrate.copy_database", watched)
    await open_once(file, "toy 2")
    assert threads
    assert threading.main_thread() not in threads
    assert list_database_copies(file)[0].stat().st_mode & 0o777 == 0o600


@pytest.fixture
def usual_mask() -> Iterator[None]:
    """Give new files the usual permissions: readable by everyone."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_mask")
async def test_the_database_its_journals_and_copies_are_private(file: Path) -> None:
    """Covers new files and files of an earlier program."""
    old = [await asyncio.to_thread(file.with_name, f"{file.name}{end}") for end in (".20250101-000000.copy", "")]
    for path in old:
        await asyncio.to_thread(path.write_bytes, b"")
        assert get_modes(file)[path.name] == 0o644
    store = Store(f"sqlite+aiosqlite:///{file}")
    await store.open("toy 1")
    await store.store_fact("a", "b")
    assert {file.name, f"{file.name}-wal", f"{file.name}-shm", old[0].name} <= get_modes(file).keys()
    assert {*get_modes(file).values()} == {0o600}
    await store.close()
    await asyncio.to_thread(file.unlink)
    await open_once(file, "toy 1")
    await open_once(file, "toy 2")
    assert len(list_database_copies(file)) == 2
    assert {*get_modes(file).values()} == {0o600}


def get_modes(file: Path) -> dict[str, int]:
    """Return the permissions of each file beside the database."""
    return {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir() if path.name.startswith(file.name)}


async def test_a_copy_that_fails_leaves_nothing_and_stops_the_start_in_words(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_in_database(file, "toy 1")

    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CannotStart, match="cannot be copied before the update: No space left"):
        await open_once(file, "toy 2")
    assert [path.name for path in file.parent.iterdir() if "copy" in path.name] == []


@pytest.mark.parametrize(
    "address", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "postgresql+asyncpg://somebody@somewhere/games"]
)
def test_a_database_without_a_file_is_not_copied(address: str) -> None:
    assert database_file(make_url(address)) is None


async def test_a_newer_database_is_explained_in_one_sentence(file: Path) -> None:
    await play_in_database(file, "toy 1")
    set_revision(file, "9999")
    with pytest.raises(CannotStart, match=r"newer Umpire .* revision 9999, and \d+ is .* update the program"):
        await open_once(file)
    assert list_database_copies(file) == []


async def test_a_newer_postgresql_is_explained(empty_url: str) -> None:
    store = Store(empty_url)
    await store.open()
    async with store.write() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(CannotStart, match="newer Umpire"):
        await store.open()
    await store.close()


@pytest.mark.soak
def test_the_program_started_on_a_newer_database_shows_no_traceback(file: Path, tmp_path: Path) -> None:
    asyncio.run(play_in_database(file, "toy 1"))
    set_revision(file, "9999")
    settings = {"UMPIRE_DATABASE_URL": url(file), "UMPIRE_OPEN_BROWSER": "false", "PYTHONPATH": str(Path.cwd())}
    program = [sys.executable, "-m", "bot"]
    process = subprocess.run(program, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert "Traceback" not in process.stderr
    assert "newer Umpire" in process.stderr
