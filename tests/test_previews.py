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
    await games.running(CHANNEL)
    yield games
    await store.close()


async def show_preview(games: Games, **words: Any) -> Preview:
    return await games.map_previews.store(
        CHANNEL, ANNA, lambda game: game.ruleset.parse("terrain_add", {**KOP, **words})
    )


async def count_previews(store: Store) -> int:
    async with store.ask() as connection:
        return int((await connection.execute(select(func.count()).select_from(PREVIEWS))).scalar() or 0)


async def test_what_is_only_shown_changes_nothing(table: Games) -> None:
    before = await table.running(CHANNEL)
    preview = await show_preview(table)
    assert len(preview.after.terrain) == len(preview.before.terrain) + 1  # type: ignore[attr-defined]
    after = await table.running(CHANNEL)
    assert (after.seq, after.state) == (before.seq, before.state)


async def test_two_processes_that_get_one_press_do_it_once(table: Games, second_process: Games, store: Store) -> None:
    preview = await show_preview(table)
    named = preview.game.id, preview.tag
    done = [
        (await games.map_previews.confirm(CHANNEL, ANNA, *named, interaction=ID))[0]
        for games in (table, second_process)
    ]
    assert done[0].entry.seq == done[1].entry.seq == preview.game.seq + 1
    assert done[0].game.state.terrain == preview.after.terrain  # type: ignore[attr-defined]
    assert await count_previews(store) == 0
    for games in (table, second_process):
        with pytest.raises(Stale, match="That was done or left already"):
            await games.map_previews.confirm(CHANNEL, ANNA, *named, interaction=ID + 1)


async def test_a_unit_that_moves_meanwhile_is_no_reason_to_look_again(table: Games) -> None:
    preview = await show_preview(table)
    unit = next(iter(preview.before.units))
    await table.actions.command(CHANNEL, ANNA, "remove_unit", {"unit": unit}, interaction=2)
    (done,) = await table.map_previews.confirm(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)
    assert done.game.state.terrain == preview.after.terrain  # type: ignore[attr-defined]


async def test_it_is_left_by_its_own_name_alone(table: Games, store: Store) -> None:
    first, second = await show_preview(table), await show_preview(table, name="Spur")
    assert first.tag != second.tag
    await table.map_previews.drop(ANNA, first.game.id, first.tag)
    assert await count_previews(store) == 1
    await table.map_previews.drop(ANNA, first.game.id, second.tag)
    assert await count_previews(store) == 0


async def test_who_may_not_do_it_is_shown_nothing_and_what_is_refused_is_not_kept(table: Games, store: Store) -> None:
    def as_it_is(game: Game) -> Action:
        return game.ruleset.parse("terrain_turn", {"piece": "Zareba", "degrees": 360})

    with pytest.raises(NotAllowed, match="Only the umpire, Anna, may do that"):
        await table.map_previews.store(CHANNEL, BEN, lambda game: game.ruleset.parse("terrain_add", KOP))
    with pytest.raises(Refused, match="reaches off the table"):
        await show_preview(table, at="0,0")
    with pytest.raises(Refused, match="nothing would change"):
        await table.map_previews.store(CHANNEL, ANNA, as_it_is)
    assert await count_previews(store) == 0


async def test_an_umpire_who_is_one_no_longer_does_not_do_it(table: Games) -> None:
    preview = await show_preview(table)
    await table.seats.appoint(CHANNEL, ANNA, BEN, interaction=2)
    with pytest.raises(NotAllowed):
        await table.map_previews.confirm(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)


async def test_with_the_game_it_ends(table: Games, store: Store) -> None:
    preview = await show_preview(table)
    await table.dice_seeds.end(CHANNEL, ANNA, interaction=2)
    assert await count_previews(store) == 0
    await table.starter.start(CHANNEL, 5, ANNA, "magdala", "suakin-1885", interaction=3)
    with pytest.raises(Stale, match="That game is over"):
        await table.map_previews.confirm(CHANNEL, ANNA, preview.game.id, preview.tag, interaction=ID)
