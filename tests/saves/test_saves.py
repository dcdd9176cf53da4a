"""Whatever version made a game, it is opened, told, played on, undone past the upgrade, verified and exported."""

import json
from collections.abc import Mapping

import pytest
from sqlalchemy import select, update

from bot.errors import NoGame, UserError
from bot.journal import snapshots
from bot.journal.codec import read_state
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow
from rules.core.model import PUBLIC, UMPIRE
from rules.core.state import State
from rules.registry import rulesets
from tests.readings import export_latest, read_log, render_replay, verify_throws, write_latest_page
from tests.sealing import replace_maps_with_seals

from .conftest import EVERY, Save, in_the_soak, newest, newest_of_each, oldest, oldest_and_newest
from .play import CHANNEL, UMPIRES, Player

ELSEWHERE = 78


def player(games: Games, save: Save) -> Player:
    return Player(games, rulesets()[save.system], 5, last_interaction=1_000_000)


async def states(store: Store, save: Save) -> Mapping[int, State]:
    """Every state kept, by the number of its entry."""
    async with store.read() as session:
        rows = await session.execute(select(EntryRow.seq, EntryRow.state).where(EntryRow.state.is_not(None)))
        return {row.seq: read_state(rulesets()[save.system], row.state) for row in rows}


@oldest_and_newest
async def test_it_is_told(save: Save, games: Games):
    game = await games.running(CHANNEL)
    told = json.loads(save.export)
    assert (game.seq, game.name, game.thrown) == (told["head"], told["name"], told["thrown"])
    assert len(await read_log(games, CHANNEL, UMPIRE, 0)) == game.seq
    for viewer in (UMPIRE, PUBLIC, game.open_sides[0].id):
        assert game.name in await write_latest_page(games, CHANNEL, viewer, "markdown")
        seen = game.ruleset.view(game.state, viewer)
        assert bool(game.ruleset.roster(seen, viewer)) is bool(seen.units)
        game.ruleset.scene(seen, viewer)


async def test_a_game_of_before_version_4_still_waits_for_a_press_of_each_test(save: Save, games: Games):
    """A system whose first version is no 0 came later, and has thrown at once from the first."""
    came_later = min(each.version for each in EVERY if each.system == save.system) > 0
    assert (await games.running(CHANNEL)).state.throws_at_once is (came_later or save.version >= 4)


async def require_maps(games: Games) -> None:
    assert "<img" in await write_latest_page(games, CHANNEL, PUBLIC)
    assert await render_replay(games, CHANNEL, 1, 10_000_000)


@oldest
async def test_its_turns_have_maps_and_its_last_is_shown_as_a_film(games: Games, monkeypatch: pytest.MonkeyPatch):
    replace_maps_with_seals(monkeypatch)
    await require_maps(games)


@in_the_soak
async def test_its_maps_and_its_film_are_drawn(games: Games):
    await require_maps(games)


@oldest_and_newest
async def test_its_dice_are_verified(games: Games):
    verified = await verify_throws(games, CHANNEL)
    assert verified.fair
    counts = (await games.running(CHANNEL)).counts
    assert verified.right == counts.throws + sum(counts.hidden_throws.values())
    assert not verified.unknown


@oldest_and_newest
async def test_it_is_played_on_and_undone_past_the_upgrade(save: Save, games: Games, store: Store):
    old = await games.running(CHANNEL)
    on = player(games, save)
    for _ in range(8):
        if (await games.running(CHANNEL)).state.over is None:
            await on.act()
    now = await games.running(CHANNEL)
    done = [entry for entry in await read_log(games, CHANNEL, UMPIRE, 0) if entry.acts and not entry.undone]
    back = sum(entry.seq > old.seq for entry in done)
    assert (await games.undo.take_back(CHANNEL, UMPIRES, back, progress=str(now.seq))).state == old.state
    before = await games.undo.take_back(CHANNEL, UMPIRES, 10, progress=str(now.seq + 1))
    kept = await states(store, save)
    assert before.state == kept[before.state_seq]
    again = await games.undo.put_back(CHANNEL, UMPIRES, progress=str(now.seq + 2))
    assert again.state_seq == done[-back - 10].seq
    await on.act()
    assert (await verify_throws(games, CHANNEL)).fair


@newest
async def test_what_was_dropped_comes_out_the_same_or_is_refused(save: Save, games: Games, store: Store):
    kept = await states(store, save)
    game = await games.running(CHANNEL)
    async with store.write() as session:
        old = EntryRow.seq != game.state_seq, EntryRow.seq > 1, ~EntryRow.turn_end, EntryRow.state.is_not(None)
        await session.execute(update(EntryRow).where(*old, EntryRow.seq % 4 != 0).values(state=None))
        dropped = select(EntryRow.seq).where(EntryRow.acts, EntryRow.state.is_(None), ~EntryRow.undone)
        wanted = (await session.scalars(dropped.order_by(EntryRow.seq))).all()
    assert len(wanted) > 10
    came_out = 0
    for seq in wanted:
        try:
            async with store.ask() as connection:
                state, _ = await snapshots.load(connection, game.id, seq, game.ruleset)
        except UserError:
            continue
        assert state == kept[seq]
        came_out += 1
    assert came_out == len(wanted) if save.version == game.ruleset.version else came_out


async def require_taken_in(games: Games, file: bytes) -> None:
    taken = await games.importer.import_game(ELSEWHERE, 5, UMPIRES, file)
    now = await games.running(CHANNEL)
    shown = [game.ruleset.view(game.state, game.viewer(UMPIRES.id)) for game in (taken, now)]
    assert shown[0] == shown[1]
    assert (await verify_throws(games, ELSEWHERE)).fair
    await games.undo.take_back(ELSEWHERE, UMPIRES, 20, progress=str(taken.seq))
    await games.dice_seeds.end(ELSEWHERE, UMPIRES)


@oldest_and_newest
async def test_its_export_of_then_is_taken_in(save: Save, games: Games):
    await require_taken_in(games, save.export)


@newest_of_each
async def test_it_is_exported_and_taken_in_again(games: Games):
    await require_taken_in(games, await export_latest(games, CHANNEL, UMPIRES))


@oldest_and_newest
async def test_it_is_ended_and_makes_room(save: Save, games: Games):
    await games.dice_seeds.end(CHANNEL, UMPIRES)
    with pytest.raises(NoGame):
        await games.running(CHANNEL)
    assert (await games.latest(CHANNEL)).ended
