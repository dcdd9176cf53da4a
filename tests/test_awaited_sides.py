"""Sides that a game waits for: stored with every entry; for old entries computed from the state."""

import pytest
from sqlalchemy import select, update

from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES, EntryRow
from rules.core.model import UMPIRE
from rules.core.state import Verdict

from .conftest import ANNA, BEN, CHANNEL
from .toy import Toy, ToyState

RED, BLUE, BOTH = frozenset({"red"}), frozenset({"blue"}), frozenset({"red", "blue"})


async def list_waits(store: Store) -> list[str | None]:
    async with store.read() as session:
        return list((await session.scalars(select(ENTRIES.c.waits).order_by(ENTRIES.c.seq))).all())


async def test_every_entry_stores_whom_the_game_waits_for(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    await field.rolls.roll(CHANNEL, BEN, "d6", interaction=12)
    game = (await field.undo.undo_actions(CHANNEL, ANNA, 2, progress=str((await field.running_game(CHANNEL)).seq))).game
    assert game.awaited_viewers == RED
    assert [*map(str, await list_waits(store))][-4:] == ["\nred\n", "\nblue\nred\n", "\nblue\nred\n", "\nred\n"]


async def test_a_game_waits_for_an_owed_test_and_the_acting_side(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    assert (await field.running_game(CHANNEL)).awaited_viewers == BOTH
    assert (await Games(store, {"toy": Toy()}).running_game(CHANNEL)).waits == BOTH
    await field.actions.act_by_kind(CHANNEL, BEN, "rally", {"unit": "r1"}, interaction=12)
    assert (await field.running_game(CHANNEL)).awaited_viewers == BLUE


async def test_waiting_sides_of_old_entries_come_from_the_state(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=10)
    async with store.write() as session:
        await session.execute(update(EntryRow).values(waits=None))
    game = await Games(store, {"toy": Toy()}).running_game(CHANNEL)
    assert (game.waits, game.awaited_viewers) == (None, BLUE)


@pytest.mark.parametrize(("bot", "waits"), [(None, RED), ("blue", RED), ("red", frozenset())])
async def test_nobody_waits_for_the_bot(field: Games, bot: str | None, waits: frozenset[str]) -> None:
    toy = Toy()
    toy.played_by_bot = bot
    state = (await field.running_game(CHANNEL)).state
    assert isinstance(state, ToyState)
    assert toy.awaited_viewers(state) == waits
    assert toy.awaited_viewers(state.model_copy(update={"over": Verdict(winner=None, why="Dusk.")})) == frozenset()


async def test_an_ended_game_waits_for_nobody(field: Games) -> None:
    await field.dice_seeds.end_game(CHANNEL, ANNA, interaction=10)
    assert UMPIRE not in (await field.running_or_last_game(CHANNEL)).awaited_viewers
    assert not (await field.running_or_last_game(CHANNEL)).awaited_viewers
