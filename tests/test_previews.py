"""Previews of actions: nothing is journalled, and one process executes the action once."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.errors import NotAllowed, Stale
from bot.games.map_previews import Preview
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from bot.store.tables import PREVIEWS
from rules.core.refusal import Refused
from rules.core.state import Action
from rules.magdala.ruleset import Magdala

from .conftest import ANNA, BEN, CHANNEL

ID = 777
KOP = {"feature": "hill", "shape": "ellipse", "at": "30,20", "size": "12 x 8", "name": "Kop"}


@pytest.fixture
async def table(store: Store) -> Games:
    """A running game with Anna as umpire."""
    games = Games(store, {"magdala": Magdala()})
    await games.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=1)
    return games


@pytest.fixture
async def second_process(table: Games, database_url: str) -> AsyncIterator[Games]:
    """A second process on the database."""
    store = Store(database_url)
    games = Games(store, table.rulesets)
    await games.running_game(CHANNEL)
    yield games
    await store.close()


async def show_preview(games: Games, **words: Any) -> Preview:
    return await games.map_previews.store_preview(
        CHANNEL, ANNA, lambda game: game.ruleset.parse("terrain_add", {**KOP, **words})
    )


async def count_previews(store: Store) -> int:
    async with store.query_connection() as connection:
        return int((await connection.execute(select(func.count()).select_from(PREVIEWS))).scalar() or 0)


async def test_a_preview_changes_nothing(table: Games) -> None:
    before = await table.running_game(CHANNEL)
    preview = await show_preview(table)
    assert len(preview.after.terrain) == len(preview.before.terrain) + 1  # type: ignore[attr-defined]
    after = await table.running_game(CHANNEL)
    assert (after.seq, after.state) == (before.seq, before.state)


async def test_a_press_in_two_processes_executes_the_action_once(
    table: Games, second_process: Games, store: Store
) -> None:
    preview = await show_preview(table)
    ids = preview.game.id, preview.tag
    results = [
        (await games.map_previews.confirm_preview(CHANNEL, ANNA, *ids, interaction=ID))[0]
        for games in (table, second_process)
    ]
    assert results[0].entry.seq == results[1].entry.seq == preview.game.seq + 1
    assert results[0].game.state.terrain == preview.after.terrain  # type: ignore[attr-defined]
    assert await count_previews(store) == 0
    for games in (table, second_process):
        with pytest.raises(Stale, match="That was done or left already"):
            await games.map_previews.confirm_preview(CHANNEL, ANNA, *ids, interaction=ID + 1)


async def test_a_move_of_another_unit_does_not_outdate_a_preview(table: Games) -> None:
    preview = await show_preview(table)
    unit = next(iter(preview.before.units))
    await table.actions.act_by_kind(CHANNEL, ANNA, "remove_unit", {"unit": unit}, interaction=2)
    (played,) = await table.map_previews.confirm_preview(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)
    assert played.game.state.terrain == preview.after.terrain  # type: ignore[attr-defined]


async def test_only_the_previews_own_name_cancels_it(table: Games, store: Store) -> None:
    first, second = await show_preview(table), await show_preview(table, name="Spur")
    assert first.tag != second.tag
    await table.map_previews.delete_preview(ANNA, first.game.id, first.tag)
    assert await count_previews(store) == 1
    await table.map_previews.delete_preview(ANNA, first.game.id, second.tag)
    assert await count_previews(store) == 0


async def test_forbidden_and_refused_actions_get_no_preview(table: Games, store: Store) -> None:
    def as_it_is(game: Game) -> Action:
        return game.ruleset.parse("terrain_turn", {"piece": "Zareba", "degrees": 360})

    with pytest.raises(NotAllowed, match="Only the umpire, Anna, may do that"):
        await table.map_previews.store_preview(CHANNEL, BEN, lambda game: game.ruleset.parse("terrain_add", KOP))
    with pytest.raises(Refused, match="reaches off the table"):
        await show_preview(table, at="0,0")
    with pytest.raises(Refused, match="nothing would change"):
        await table.map_previews.store_preview(CHANNEL, ANNA, as_it_is)
    assert await count_previews(store) == 0


async def test_a_former_umpire_cannot_execute_a_preview(table: Games) -> None:
    preview = await show_preview(table)
    await table.seats.appoint_umpire(CHANNEL, ANNA, BEN, interaction=2)
    with pytest.raises(NotAllowed):
        await table.map_previews.confirm_preview(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)


async def test_a_preview_ends_with_the_game(table: Games, store: Store) -> None:
    preview = await show_preview(table)
    await table.dice_seeds.end_game(CHANNEL, ANNA, interaction=2)
    assert await count_previews(store) == 0
    await table.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=3)
    with pytest.raises(Stale, match="That game is over"):
        await table.map_previews.confirm_preview(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)
