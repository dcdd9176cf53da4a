"""Batches of actions from one press: one commit with an entry each, undone one by one."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import select

from bot.errors import NotAllowed
from bot.games.act import BatchResult
from bot.journal.game import Actor, Game
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES
from rules.core.refusal import Refused
from rules.core.state import Action
from tests.readings import export_latest

from .conftest import ANNA, BEN, CHANNEL
from .toy import Fight, March, Toy

ID = 777
THREE = (March(unit="r1"), Fight(unit="r1"), March(unit="r1", steps=2))


async def do_actions(games: Games, *actions: Action, actor: Actor = BEN, interaction: int = ID) -> BatchResult:
    def wanted(_: Game) -> Sequence[Action]:
        return actions

    return await games.actions.act_all(CHANNEL, actor, wanted, interaction=interaction)


async def list_parts(store: Store) -> list[tuple[int, int]]:
    async with store.query_connection() as connection:
        query = select(ENTRIES.c.seq, ENTRIES.c.part).where(ENTRIES.c.interaction == ID).order_by(ENTRIES.c.seq)
        return [(row.seq, row.part) for row in await connection.execute(query)]


async def test_each_action_is_an_entry_on_the_previous_state(field: Games, store: Store) -> None:
    batch = await do_actions(field, *THREE)
    assert [played.entry.kind for played in batch.played] == ["march", "fight", "march"]
    assert [played.before for played in batch.played[1:]] == [played.game.state for played in batch.played[:-1]]
    assert await list_parts(store) == [(4, 0), (5, 1), (6, 2)]
    game = await field.running_game(CHANNEL)
    assert (game.seq, game.state.units["r1"].steps, game.public_throw_count) == (6, 3, 1)
    loaded = await Games(store, {"toy": game.ruleset}).running_game(CHANNEL)
    assert (loaded.seq, loaded.state, loaded.state_seq, loaded.public_throw_count, loaded.waits) == (
        6,
        game.state,
        6,
        1,
        game.waits,
    )


async def test_the_first_refused_action_stops_the_batch(field: Games, store: Store) -> None:
    batch = await do_actions(field, March(unit="r1"), March(unit="r1", steps=7), March(unit="r1"))
    assert len(batch.played) == 1
    assert "march 6 at most" in str(batch.refused)
    second = await do_actions(field, March(unit="r1"), March(unit="b1"), interaction=ID + 1)
    assert isinstance(second.refused, NotAllowed)
    with pytest.raises(Refused, match="march 6 at most"):
        await do_actions(field, March(unit="r1", steps=7), March(unit="r1"), interaction=ID + 2)
    assert (await field.running_game(CHANNEL)).state.units["r1"].steps == 2


async def test_a_press_in_two_processes_executes_the_batch_once(field: Games, store: Store, database_url: str) -> None:
    other_store = Store(database_url)
    second_process = Games(other_store, {"toy": Toy()})
    await second_process.running_game(CHANNEL)
    first, second = await asyncio.gather(do_actions(field, *THREE), do_actions(second_process, *THREE))
    third = await do_actions(field, *THREE)
    assert len(await list_parts(store)) == 3
    for repeated in (second, third):
        assert [played.entry for played in repeated.played] == [played.entry for played in first.played]
        assert [played.before for played in repeated.played] == [played.before for played in first.played]
        assert repeated.played[-1].game.state == first.played[-1].game.state
    await other_store.close()


async def test_each_action_is_undone_alone_last_first(field: Games) -> None:
    await do_actions(field, March(unit="r1"), March(unit="r1", steps=2), March(unit="r1", steps=3))
    steps = []
    for _ in range(3):
        await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str((await field.running_game(CHANNEL)).seq))
        steps.append((await field.running_game(CHANNEL)).state.units["r1"].steps)
    assert steps == [3, 1, 0]


async def test_batches_are_exported_into_another_channel(field: Games, store: Store) -> None:
    await do_actions(field, *THREE)
    await field.importer.import_game(
        CHANNEL + 1, 5, ANNA, await export_latest(field, CHANNEL, ANNA), interaction=ID + 9
    )
    assert sorted(part for _, part in await list_parts(store)) == [0, 0, 1, 1, 2, 2]
