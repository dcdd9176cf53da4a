"""Unreadable games: explained with the remedies, and still logged, exported and ended."""

import json
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import update

from bot.errors import GameRunning, NotAllowed, UnreadableGame, UserError
from bot.journal.codec import pack
from bot.journal.entries import LOST
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow, GameRow
from rules.core.model import PUBLIC, UMPIRE
from tests.readings import export_latest, read_log, write_latest_page

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .toy import Toy

WAYS_OUT = r"/game log, /game report and /game export .* /game end"

Spoil = Callable[[Store], Awaitable[None]]


async def change_rows(store: Store, row: Any, **values: Any) -> None:
    async with store.write() as session:
        await session.execute(update(row).values(**values))


async def damage_state(store: Store) -> None:
    await change_rows(store, EntryRow, state=b"no zlib")


async def truncate_state(store: Store) -> None:
    await change_rows(store, EntryRow, state=pack('{"schema_version":1,"units":'))


async def replace_fields(store: Store) -> None:
    await change_rows(store, EntryRow, state=pack('{"schema_version":1,"fleets":7}'))


async def raise_version(store: Store) -> None:
    await change_rows(store, EntryRow, state=pack('{"schema_version":2}'), rules_version=2)


async def delete_state(store: Store) -> None:
    await change_rows(store, EntryRow, state=None)


async def replace_system(store: Store) -> None:
    await change_rows(store, GameRow, ruleset="chess")


EVERY_WAY: tuple[Spoil, ...] = (
    damage_state,
    truncate_state,
    replace_fields,
    raise_version,
    delete_state,
    replace_system,
)


@pytest.fixture(params=EVERY_WAY, ids=lambda spoil: spoil.__name__)
async def unreadable_game(request: pytest.FixtureRequest, field: Games, store: Store) -> Games:
    """A game with a march, a secret throw, a hidden note and a secret roll, then made unreadable."""
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1", "secret": True}, interaction=11)
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=12)
    await field.rolls.roll(CHANNEL, ANNA, "d6", "plot", secret=True, interaction=13)
    await request.param(store)
    return Games(store, {"toy": Toy()})


async def test_an_unreadable_game_is_explained_with_the_remedies(unreadable_game: Games) -> None:
    for call in (
        unreadable_game.running_game(CHANNEL),
        unreadable_game.running_or_last_game(CHANNEL),
        unreadable_game.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=20),
        unreadable_game.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(7)),
        unreadable_game.seats.join(CHANNEL, DORA, "red"),
        unreadable_game.actions.perform_automatic_action(CHANNEL, ANNA),
        unreadable_game.rolls.roll(CHANNEL, DORA, "d6", interaction=21),
    ):
        with pytest.raises(UnreadableGame, match=WAYS_OUT) as refused:
            await call
        assert str(refused.value).count(".") == 1


async def test_an_unreadable_game_shows_its_public_entries_only(unreadable_game: Games) -> None:
    for viewer in (PUBLIC, UMPIRE, "red"):
        entries = await read_log(unreadable_game, CHANNEL, viewer, 0)
        assert [entry.kind for entry in entries] == ["game new", "game join", "game join", "march"]
        assert entries[-1].action == {}
        for style in ("html", "markdown"):
            page = await write_latest_page(unreadable_game, CHANNEL, viewer, style)
            assert "Red Guards march 1" in page
            assert "cursed" not in page
            assert "plot" not in page


async def test_an_unreadable_games_export_has_public_entries_and_no_state(unreadable_game: Games) -> None:
    for actor in (ANNA, BEN, DORA):
        file = await export_latest(unreadable_game, CHANNEL, actor)
        document = json.loads(file)
        assert [entry["kind"] for entry in document["entries"]] == ["game new", "game join", "game join", "march"]
        assert all(entry["state"] is None and entry["changes"] is None for entry in document["entries"])
        assert [seed["secret"] for seed in document["seeds"]] == [None, None]
        for hidden in (b"plot", b"cursed", b"strength of the reserve"):
            assert hidden not in file


async def test_an_unreadable_game_does_not_lock_its_channel(unreadable_game: Games) -> None:
    with pytest.raises(GameRunning):
        await unreadable_game.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=30)
    with pytest.raises(NotAllowed):
        await unreadable_game.dice_seeds.end_game(CHANNEL, DORA)
    ended = await unreadable_game.dice_seeds.end_game(CHANNEL, ANNA, interaction=31)
    assert ended.ended is not None
    assert all(seed.secret for seed in ended.seeds)
    assert (await unreadable_game.dice_seeds.end_game(CHANNEL, ANNA, interaction=31)).ended == ended.ended
    assert (await read_log(unreadable_game, CHANNEL, PUBLIC, 1))[0].kind == "game end"
    await export_latest(unreadable_game, CHANNEL, ANNA)
    await unreadable_game.starter.start(CHANNEL, 5, ANNA, "toy", "field", name="Another", interaction=32)
    assert (await unreadable_game.running_game(CHANNEL)).name == "Another"


async def test_a_damaged_report_loses_its_own_entry_only(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10)
    async with store.write() as session:
        await session.execute(update(EntryRow).where(EntryRow.seq == 2).values(report=zlib.compress(b"{")))
    games = Games(store, {"toy": Toy()})
    assert [entry.report.headline for entry in await read_log(games, CHANNEL, CARL.name, 0)].count(LOST) == 1
    assert LOST in await write_latest_page(games, CHANNEL, PUBLIC)
    assert (await games.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(4))).game.state.units["r1"].steps == 0


async def test_a_damaged_old_state_only_prevents_an_undo_to_it(field: Games, store: Store) -> None:
    for number in range(3):
        await field.actions.act_by_kind(CHANNEL, BEN, "march", {"unit": "r1"}, interaction=10 + number)
    async with store.write() as session:
        await session.execute(update(EntryRow).where(EntryRow.seq == 5).values(state=b"damaged"))
    games = Games(store, {"toy": Toy()})
    with pytest.raises(UserError, match="can no longer be read"):
        await games.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(6))
    assert (await games.undo.undo_actions(CHANNEL, ANNA, 2, progress=str(6))).game.state.units["r1"].steps == 1
    assert json.loads(await export_latest(games, CHANNEL, ANNA))["entries"]
