"""Games of every version can be opened, shown, continued, undone past the upgrade, verified and exported."""

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
from tests.map_seals import replace_maps_with_seals
from tests.readings import export_latest, read_log, render_replay, verify_throws, write_latest_page

from .conftest import (
    ALL_SAVES,
    Save,
    only_in_the_soak,
    with_newest_save,
    with_newest_save_of_each_system,
    with_oldest_and_newest_saves,
    with_oldest_save,
)
from .play import CHANNEL, UMPIRES, Player

ELSEWHERE = 78


def make_player(games: Games, save: Save) -> Player:
    return Player(games, rulesets()[save.system], 5, last_interaction=1_000_000)


async def load_states(store: Store, save: Save) -> Mapping[int, State]:
    """Return every stored state by the number of its entry."""
    async with store.read() as session:
        rows = await session.execute(select(EntryRow.seq, EntryRow.state).where(EntryRow.state.is_not(None)))
        return {row.seq: read_state(rulesets()[save.system], row.state) for row in rows}


@with_oldest_and_newest_saves
async def test_saved_game_is_shown(save: Save, games: Games):
    game = await games.running_game(CHANNEL)
    export = json.loads(save.export)
    assert (game.seq, game.name, game.public_throw_count) == (export["head"], export["name"], export["thrown"])
    assert len(await read_log(games, CHANNEL, UMPIRE, 0)) == game.seq
    for viewer in (UMPIRE, PUBLIC, game.open_sides[0].id):
        assert game.name in await write_latest_page(games, CHANNEL, viewer, "markdown")
        view = game.ruleset.view(game.state, viewer)
        assert bool(game.ruleset.roster(view, viewer)) is bool(view.units)
        game.ruleset.scene(view, viewer)


@with_oldest_and_newest_saves
async def test_game_from_before_version_4_waits_for_a_press_before_each_test(save: Save, games: Games):
    """Systems without a version 0 were added later, and have always thrown at once."""
    is_newer_system = min(sibling.version for sibling in ALL_SAVES if sibling.system == save.system) > 0
    assert (await games.running_game(CHANNEL)).state.throws_at_once is (is_newer_system or save.version >= 4)


async def require_maps(games: Games) -> None:
    assert "<img" in await write_latest_page(games, CHANNEL, PUBLIC)
    assert await render_replay(games, CHANNEL, 1, 10_000_000)


@with_oldest_save
async def test_report_has_maps_and_the_last_turn_has_a_film(games: Games, monkeypatch: pytest.MonkeyPatch):
    replace_maps_with_seals(monkeypatch)
    await require_maps(games)


@only_in_the_soak
async def test_maps_and_film_are_drawn(games: Games):
    await require_maps(games)


@with_oldest_and_newest_saves
async def test_dice_are_verified(games: Games):
    verified = await verify_throws(games, CHANNEL)
    assert verified.is_fair
    counts = (await games.running_game(CHANNEL)).counts
    assert verified.right == counts.throws + sum(counts.hidden_throws.values())
    assert not verified.unknown


@with_oldest_and_newest_saves
async def test_game_continues_and_is_undone_past_the_upgrade(save: Save, games: Games, store: Store):
    old = await games.running_game(CHANNEL)
    continued = make_player(games, save)
    for _ in range(8):
        if (await games.running_game(CHANNEL)).state.over is None:
            await continued.act()
    now = await games.running_game(CHANNEL)
    acts = [entry for entry in await read_log(games, CHANNEL, UMPIRE, 0) if entry.acts and not entry.undone]
    back = sum(entry.seq > old.seq for entry in acts)
    assert (await games.undo.undo_actions(CHANNEL, UMPIRES, back, progress=str(now.seq))).game.state == old.state
    before = (await games.undo.undo_actions(CHANNEL, UMPIRES, 10, progress=str(now.seq + 1))).game
    states = await load_states(store, save)
    assert before.state == states[before.state_seq]
    latest = (await games.undo.redo_action(CHANNEL, UMPIRES, progress=str(now.seq + 2))).game
    assert latest.state_seq == acts[-back - 10].seq
    await continued.act()
    assert (await verify_throws(games, CHANNEL)).is_fair


@with_newest_save
async def test_dropped_states_are_restored_or_refused(save: Save, games: Games, store: Store):
    states = await load_states(store, save)
    game = await games.running_game(CHANNEL)
    async with store.write() as session:
        old = EntryRow.seq != game.state_seq, EntryRow.seq > 1, ~EntryRow.turn_end, EntryRow.state.is_not(None)
        await session.execute(update(EntryRow).where(*old, EntryRow.seq % 4 != 0).values(state=None))
        dropped = select(EntryRow.seq).where(EntryRow.acts, EntryRow.state.is_(None), ~EntryRow.undone)
        dropped_seqs = (await session.scalars(dropped.order_by(EntryRow.seq))).all()
    assert len(dropped_seqs) > 10
    restored = 0
    for seq in dropped_seqs:
        try:
            async with store.query_connection() as connection:
                state, _ = await snapshots.load_state(connection, game.id, seq, game.ruleset)
        except UserError:
            continue
        assert state == states[seq]
        restored += 1
    assert restored == len(dropped_seqs) if save.version == game.ruleset.version else restored


async def require_import(games: Games, file: bytes) -> None:
    imported = await games.importer.import_game(ELSEWHERE, 5, UMPIRES, file)
    now = await games.running_game(CHANNEL)
    views = [game.ruleset.view(game.state, game.viewer(UMPIRES.id)) for game in (imported, now)]
    assert views[0] == views[1]
    assert (await verify_throws(games, ELSEWHERE)).is_fair
    await games.undo.undo_actions(ELSEWHERE, UMPIRES, 20, progress=str(imported.seq))
    await games.dice_seeds.end_game(ELSEWHERE, UMPIRES)


@with_oldest_and_newest_saves
async def test_old_export_is_imported(save: Save, games: Games):
    await require_import(games, save.export)


@with_newest_save_of_each_system
async def test_game_is_exported_and_imported_again(games: Games):
    await require_import(games, await export_latest(games, CHANNEL, UMPIRES))


@with_oldest_and_newest_saves
async def test_ended_game_frees_its_channel(save: Save, games: Games):
    await games.dice_seeds.end_game(CHANNEL, UMPIRES)
    with pytest.raises(NoGame):
        await games.running_game(CHANNEL)
    assert (await games.running_or_last_game(CHANNEL)).ended
