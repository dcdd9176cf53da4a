"""Undo and redo: any depth, with a preview and consent, without reuse of throw numbers."""

import pytest
from sqlalchemy import select, update

from bot.errors import NotAllowed, Stale, UserError
from bot.journal.codec import pack
from bot.journal.game import Actor, Game
from bot.journal.snapshots import ENTRIES_BETWEEN_DROPS
from bot.services import Games
from bot.store import Store
from bot.store.tables import EntryRow
from rules.core.model import PUBLIC, UMPIRE
from rules.core.report import Report
from tests.readings import preview_undo, read_log, verify_throws

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .toy import Toy


async def march(games: Games, actor: Actor, unit: str, interaction: int) -> Game:
    return (await games.actions.act_by_kind(CHANNEL, actor, "march", {"unit": unit}, interaction=interaction)).game


async def get_head(games: Games) -> int:
    return (await games.running_game(CHANNEL)).seq


async def test_an_undo_without_actions_is_refused(field: Games) -> None:
    with pytest.raises(UserError, match="nothing to undo"):
        await preview_undo(field, CHANNEL, BEN, 1)
    with pytest.raises(UserError, match="nothing to put back"):
        await preview_undo(field, CHANNEL, BEN, 1, redo=True)


async def test_the_preview_lists_the_undone_actions(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await march(field, BEN, "r1", 11)
    undoing = await preview_undo(field, CHANNEL, BEN, 2)
    assert [entry.report.headline for entry in undoing.entries] == ["Red Guards march 1"] * 2
    assert undoing.free
    with pytest.raises(UserError, match="Only 2"):
        await preview_undo(field, CHANNEL, BEN, 3)


async def test_undo_restores_the_state_and_keeps_the_undone_in_the_log(field: Games) -> None:
    start = (await field.running_game(CHANNEL)).state
    await march(field, BEN, "r1", 10)
    after_one = (await field.running_game(CHANNEL)).state
    await march(field, BEN, "r1", 11)
    after_two = (await field.running_game(CHANNEL)).state
    assert (await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)))).game.state == after_one
    assert (await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)))).game.state == start
    log = await read_log(field, CHANNEL, PUBLIC, 4)
    assert [(entry.kind, entry.undone) for entry in log] == [
        ("march", True),
        ("march", True),
        ("game undo", False),
        ("game undo", False),
    ]
    assert (await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))).game.state == after_one
    assert (await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))).game.state == after_two


async def test_a_new_action_after_undo_ends_the_redo(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await march(field, BEN, "r1", 11)
    await field.undo.undo_actions(CHANNEL, BEN, 2, progress=str(await get_head(field)))
    await march(field, BEN, "r1", 12)
    with pytest.raises(UserError, match="nothing to put back"):
        await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))
    await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)))
    assert (await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))).game.state.units[
        "r1"
    ].steps == 1


async def test_the_dice_counter_never_goes_back(field: Games) -> None:
    before = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    await field.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(await get_head(field)))
    after = await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=11)
    assert after.entry.report.throws[0].number == before.entry.report.throws[0].number + 1
    assert (await verify_throws(field, CHANNEL)).is_fair


@pytest.mark.parametrize("kind", ["fight", "scout"])
async def test_undo_of_dice_or_hidden_facts_needs_consent(field: Games, kind: str) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, kind, {"unit": "r1"}, interaction=10)
    undoing = await preview_undo(field, CHANNEL, BEN, 1)
    assert not undoing.free
    assert "Carl (Blue)" in undoing.needs
    assert "Anna" in undoing.needs
    for consent in (None, BEN, DORA):
        with pytest.raises(NotAllowed, match="consent"):
            await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)), consent=consent)
    game = (await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)), consent=CARL)).game
    assert game.state.units["r1"].hits == 0
    (entry,) = await read_log(field, CHANNEL, PUBLIC, 1)
    assert "consent of Carl" in entry.report.headline
    assert ("after something hidden was shown" in entry.report.outcome) is (kind == "scout")


async def test_undo_of_later_enemy_actions_needs_consent(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await march(field, CARL, "b1", 11)
    assert not (await preview_undo(field, CHANNEL, BEN, 1)).free
    assert (await preview_undo(field, CHANNEL, CARL, 1)).free
    assert (await preview_undo(field, CHANNEL, ANNA, 2)).free


async def test_onlookers_undo_nothing_even_with_consent(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    with pytest.raises(NotAllowed, match="an onlooker"):
        await field.undo.undo_actions(CHANNEL, DORA, 1, progress=str(await get_head(field)), consent=CARL)


async def test_a_game_that_moved_on_is_not_undone(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    head = await get_head(field)
    await march(field, BEN, "r1", 11)
    with pytest.raises(Stale, match="moved on"):
        await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(head))
    with pytest.raises(Stale, match="moved on"):
        await field.undo.redo_action(CHANNEL, BEN, progress=str(head))


async def test_the_undoer_or_the_umpire_may_redo(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await field.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(await get_head(field)))
    with pytest.raises(NotAllowed, match="Anna"):
        await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))
    await field.undo.redo_action(CHANNEL, ANNA, progress=str(await get_head(field)))


async def test_a_player_cannot_undo_an_unreadable_entry(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=10)
    with pytest.raises(UserError, match="nothing to undo"):
        await preview_undo(field, CHANNEL, BEN, 1)


async def drop_states(store: Store, after: int) -> None:
    async with store.write() as session:
        await session.execute(update(EntryRow).where(EntryRow.seq > after).values(state=None))


async def test_a_dropped_snapshot_is_recomputed_from_its_dice(field: Games, store: Store) -> None:
    first = await get_head(field)
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    expected = await march(field, BEN, "r1", 11)
    await march(field, BEN, "r1", 12)
    await drop_states(store, first)
    fresh = Games(store, {"toy": Toy()})
    game = (await fresh.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(await get_head(fresh)))).game
    assert game.state == expected.state
    assert (await Games(store, {"toy": Toy()}).running_game(CHANNEL)).state == expected.state


async def test_changed_rules_do_not_recompute_a_dropped_snapshot(field: Games, store: Store) -> None:
    first = await get_head(field)
    await march(field, BEN, "r1", 11)
    await march(field, BEN, "r1", 12)
    async with store.write() as session:
        dropped = update(EntryRow).where(EntryRow.seq == first + 1)
        await session.execute(dropped.values(state=None, action={"unit": "r1", "steps": 3}))
    fresh = Games(store, {"toy": Toy()})
    before = await fresh.running_game(CHANNEL)
    with pytest.raises(UserError, match="end of a turn"):
        await fresh.undo.undo_actions(CHANNEL, ANNA, 1, progress=str(before.seq))
    assert await fresh.running_game(CHANNEL) == before


async def test_a_reworded_report_does_not_prevent_an_undo(field: Games, store: Store) -> None:
    first = await get_head(field)
    expected = await march(field, BEN, "r1", 11)
    await march(field, BEN, "r1", 12)
    async with store.write() as session:
        dropped = update(EntryRow).where(EntryRow.seq == first + 1)
        report = pack(Report(headline="They tramp on").model_dump_json())
        await session.execute(dropped.values(state=None, report=report))
    assert (
        await Games(store, {"toy": Toy()}).undo.undo_actions(CHANNEL, ANNA, 1, progress=str(await get_head(field)))
    ).game.state == expected.state


async def test_rules_with_fewer_dice_do_not_recompute_a_snapshot(field: Games, store: Store) -> None:
    await field.actions.act_by_kind(CHANNEL, BEN, "fight", {"unit": "r1"}, interaction=10)
    first = await get_head(field)
    await march(field, BEN, "r1", 11)
    async with store.write() as session:
        dropped = update(EntryRow).where(EntryRow.seq == first)
        await session.execute(dropped.values(state=None, kind="march", action={"unit": "r1"}))
    with pytest.raises(UserError, match="end of a turn"):
        await Games(store, {"toy": Toy()}).undo.undo_actions(CHANNEL, ANNA, 1, progress=str(await get_head(field)))


async def list_snapshots(store: Store) -> list[int]:
    """Return the numbers of entries with a snapshot."""
    async with store.read() as session:
        with_state = select(EntryRow.seq).where(EntryRow.state.is_not(None)).order_by(EntryRow.seq)
        return list(await session.scalars(with_state))


async def test_old_snapshots_are_dropped_except_those_of_turn_ends(field: Games, store: Store) -> None:
    for number in range(5):
        await march(field, BEN, "r1", 100 + number)
    turn_end = (await field.actions.act_by_kind(CHANNEL, BEN, "pass", {}, interaction=110)).entry.seq
    for number in range(turn_end + 1, 4 * ENTRIES_BETWEEN_DROPS):
        await march(field, ANNA, "r1", 200 + number)
    assert await list_snapshots(store) == [1, turn_end, *range(ENTRIES_BETWEEN_DROPS + 1, 4 * ENTRIES_BETWEEN_DROPS)]
    for number in (1000, 1001):
        await march(field, ANNA, "r1", number)
    assert await list_snapshots(store) == [
        1,
        turn_end,
        *range(2 * ENTRIES_BETWEEN_DROPS + 1, 4 * ENTRIES_BETWEEN_DROPS + 2),
    ]
    assert (await read_log(field, CHANNEL, PUBLIC, 0))[5].report.headline == "Red Guards march 1"
    game = (await field.undo.undo_actions(CHANNEL, ANNA, 196, progress=str(await get_head(field)))).game
    assert game.state.units["r1"].steps == 2


async def test_an_undo_includes_secret_actions_and_tells_only_the_umpire(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=11)
    undoing = await preview_undo(field, CHANNEL, BEN, 1)
    assert ([entry.report.headline for entry in undoing.entries], undoing.needs) == (["Red Guards march 1"], "")
    with pytest.raises(UserError, match="Only 1 action"):
        await preview_undo(field, CHANNEL, BEN, 2)
    game = (
        await field.undo.undo_actions(CHANNEL, BEN, 1, progress=(await field.running_game(CHANNEL)).progress_for("red"))
    ).game
    assert (game.state.units["r1"].steps, game.state.units["b1"].secret) == (0, 0)
    (entry,) = await read_log(field, CHANNEL, UMPIRE, 1)
    assert [step.text for step in entry.report.steps] == ["Also taken back: h1"]
    (entry,) = await read_log(field, CHANNEL, "red", 1)
    assert (entry.report.steps, entry.shown_number) == ((), "5")


async def test_undo_of_an_open_umpires_action_needs_the_umpires_consent(field: Games) -> None:
    await field.actions.act_by_kind(CHANNEL, ANNA, "pass", {}, interaction=11)
    await field.actions.act_by_kind(CHANNEL, ANNA, "hex", {"unit": "b1", "value": 2}, interaction=12)
    await preview_undo(field, CHANNEL, ANNA, 2)


async def test_a_former_player_cannot_redo(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(await get_head(field)))
    await field.seats.leave(CHANNEL, BEN)
    assert not (await preview_undo(field, CHANNEL, BEN, 1, redo=True)).free
    with pytest.raises(NotAllowed, match="an onlooker"):
        await field.undo.redo_action(CHANNEL, BEN, progress=str(await get_head(field)))


async def test_rolls_of_onlookers_do_not_outdate_a_question(field: Games) -> None:
    await march(field, BEN, "r1", 10)
    head = await get_head(field)
    await field.rolls.roll(CHANNEL, DORA, "2d6", interaction=11)
    assert (await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(head))).game.state.units["r1"].steps == 0
    head = await get_head(field)
    await field.rolls.roll(CHANNEL, DORA, "2d6", interaction=12)
    assert (await field.undo.redo_action(CHANNEL, BEN, progress=str(head))).game.state.units["r1"].steps == 1
    with pytest.raises(Stale):
        await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(head))
