"""An interaction received by two processes is executed once, and both give the same reply."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.games.rulings import Rulings
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from bot.store.member_tables import RulingRow
from bot.store.tables import ENTRIES
from tests.readings import export_latest

from .conftest import ANNA, BEN, CHANNEL, DORA
from .toy import Toy

ID = 777


@pytest.fixture
async def two_processes(field: Games, database_url: str) -> AsyncIterator[tuple[Games, Games]]:
    """Two processes on one database, each with the game in memory."""
    store = Store(database_url)
    second = Games(store, {"toy": Toy()})
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    await second.running_game(CHANNEL)
    yield field, second
    await store.close()


async def undo(games: Games) -> Game:
    return (await games.undo.undo_actions(CHANNEL, BEN, 1, progress=str(4), interaction=ID)).game


COMMANDS: dict[str, Callable[[Games], Awaitable[Any]]] = {
    "join": lambda games: games.seats.join(CHANNEL, DORA, "blue", interaction=ID),
    "leave": lambda games: games.seats.leave(CHANNEL, BEN, interaction=ID),
    "appoint": lambda games: games.seats.appoint_umpire(CHANNEL, ANNA, DORA, interaction=ID),
    "reveal": lambda games: games.dice_seeds.reveal_seed(CHANNEL, ANNA, interaction=ID),
    "end": lambda games: games.dice_seeds.end_game(CHANNEL, ANNA, interaction=ID),
    "undo": undo,
}


async def count_entries(store: Store) -> int:
    async with store.query_connection() as connection:
        return int((await connection.execute(select(func.count()).select_from(ENTRIES))).scalar() or 0)


@pytest.mark.parametrize("command", COMMANDS)
async def test_an_interaction_is_executed_once_and_the_second_reply_shows_the_first(
    two_processes: tuple[Games, Games], store: Store, command: str
) -> None:
    before = await count_entries(store)
    first, second = [await COMMANDS[command](games) for games in two_processes]
    assert await count_entries(store) == before + 1
    assert (second.id, second.seq, second.state, second.seats) == (first.id, first.seq, first.state, first.seats)
    assert (second.umpire, second.ended, second.seeds) == (first.umpire, first.ended, first.seeds)


async def test_a_game_ends_once_when_the_second_process_has_not_loaded_it(
    field: Games, store: Store, database_url: str
) -> None:
    ended = await COMMANDS["end"](field)
    before = await count_entries(store)
    second_store = Store(database_url)
    repeated = await COMMANDS["end"](Games(second_store, {"toy": Toy()}))
    assert (repeated.id, repeated.seq, repeated.ended) == (ended.id, ended.seq, ended.ended)
    assert await count_entries(store) == before
    await second_store.close()


async def test_a_redo_is_executed_once_with_two_equal_replies(two_processes: tuple[Games, Games], store: Store) -> None:
    games = two_processes[0]
    undone = await games.undo.undo_actions(CHANNEL, BEN, 1, progress=str(4), interaction=11)
    entries = await games.undo.load_changed_entries(undone, BEN)
    assert [entry.report.headline for entry in entries] == ["Red Guards march 1"]
    before = await count_entries(store)
    first, second = [
        await process.undo.redo_action(CHANNEL, BEN, progress=str(5), interaction=ID) for process in two_processes
    ]
    assert await count_entries(store) == before + 1
    assert (first.game.seq, first.game.state) == (second.game.seq, second.game.state)
    back = [
        await process.undo.load_changed_entries(played, BEN)
        for process, played in zip(two_processes, (first, second), strict=True)
    ]
    assert back[0] == back[1]
    assert [entry.seq for entry in back[0]] == [4]


async def test_a_repeated_start_creates_one_game(games: Games, database_url: str) -> None:
    store = Store(database_url)
    second_process = Games(store, {"toy": Toy()})
    first = await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=ID)
    second = await second_process.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=ID)
    assert (second.game.id, second.entry) == (first.game.id, first.entry)
    await store.close()


async def test_two_simultaneous_starts_create_one_game(games: Games, database_url: str) -> None:
    store = Store(database_url)
    both = games, Games(store, {"toy": Toy()})
    started = await asyncio.gather(
        *(process.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=ID) for process in both)
    )
    assert len({played.game.id for played in started}) == 1
    await store.close()


async def test_a_ruling_is_recorded_once(store: Store, games: Games) -> None:
    first_process, second_process = (
        Rulings(store, games.actions, games.rolls, games.running_game),
        Rulings(store, games.actions, games.rolls, games.running_game),
    )
    first = await first_process.store_ruling("guild 5", ANNA, "Mules bolt on a 1.", interaction=ID)
    assert await second_process.store_ruling("guild 5", ANNA, "Mules bolt on a 1.", interaction=ID) == first
    assert await first_process.store_ruling("guild 5", ANNA, "Mules bolt on a 1.") != await first_process.store_ruling(
        "guild 5", ANNA, "Mules bolt."
    )
    async with store.read() as session:
        assert await session.scalar(select(func.count()).select_from(RulingRow)) == 3


async def test_two_simultaneous_imports_create_one_game(games: Games, database_url: str) -> None:
    await games.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=ID)
    file = await export_latest(games, CHANNEL, ANNA)
    store = Store(database_url)
    both = games, Games(store, {"toy": Toy()})
    elsewhere = CHANNEL + 1
    imported = await asyncio.gather(
        *(process.importer.import_game(elsewhere, 5, ANNA, file, interaction=ID + 1) for process in both)
    )
    assert len({game.id for game in imported}) == 1
    await store.close()
