"""Order sheets: ownership, revisions, execution in order, and continuation at a later time."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.errors import NoGame, NotAllowed, Stale
from bot.journal.game import Actor, Game
from bot.order_sheets import execute
from bot.order_sheets.execute import can_end_phase
from bot.order_sheets.model import Sheet, SheetOrder, StoredSheet
from bot.order_sheets.store import OldSheet, SheetResult
from bot.services import Games
from bot.store import Store
from bot.store.tables import ENTRIES, SHEETS
from rules.core.dice import Dice
from rules.core.model import Viewer
from rules.core.phases import TurnNext
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action

from .conftest import ANNA, BEN, CARL, CHANNEL, DORA
from .toy import March, Rally, Toy, ToyState

ID = 777


class Polite(Toy):
    """Toy soldiers who stop while a test is owed; their turn passes only without owed tests."""

    actions: Mapping[str, type[Action]] = {**Toy.actions, TurnNext.kind: TurnNext}

    def side_of(self, state: ToyState, action: Action) -> Viewer:
        return state.active if isinstance(action, TurnNext) else super().side_of(state, action)

    def allows(self, state: ToyState, action: Action) -> bool:
        return not isinstance(action, March | TurnNext) or not state.debts

    def act(self, state: ToyState, action: Action, dice: Dice) -> tuple[ToyState, Report]:
        if isinstance(action, March | TurnNext) and state.debts:
            raise Refused("A test is owed first.", prompts=self.prompts(state))
        if isinstance(action, TurnNext):
            return super().act(state, self.parse("pass", {}), dice)
        return super().act(state, action, dice)


def create_marches(*steps: int, **fields: Any) -> tuple[SheetOrder, ...]:
    return tuple(SheetOrder(kind="march", units=("r1",), args={"steps": number}, **fields) for number in steps)


@pytest.fixture
async def games(store: Store) -> Games:
    return Games(store, {"toy": Polite()})


async def write_sheet(games: Games, orders: Iterable[SheetOrder], actor: Actor = BEN, **fields: Any) -> SheetResult:
    game = await games.running_game(CHANNEL)
    revision = (await games.sheets.load_own_sheet(game, actor)).revision

    def change(_: Game, sheet: Sheet) -> Sheet:
        return sheet.with_orders(orders).model_copy(update=fields)

    return await games.sheets.revise(CHANNEL, actor, game.id, revision, change)


async def do_sheet(games: Games, revision: int, actor: Actor = BEN, interaction: int = ID) -> SheetResult:
    game = await games.running_game(CHANNEL)
    return await games.sheets.execute(CHANNEL, actor, game.id, revision, interaction=interaction)


async def get_steps(games: Games) -> int:
    return int((await games.running_game(CHANNEL)).state.units["r1"].steps)


async def count_rows(store: Store, table: Any) -> int:
    async with store.query_connection() as connection:
        return int((await connection.execute(select(func.count()).select_from(table))).scalar() or 0)


async def test_a_sheet_is_kept_and_survives_a_restart(field: Games, store: Store) -> None:
    game = await field.running_game(CHANNEL)
    assert (await field.sheets.load_own_sheet(game, BEN)).revision == 0
    own_sheet = (await write_sheet(field, create_marches(1, 2), go_on=True)).stored
    assert own_sheet.revision == 1
    after = Games(store, {"toy": Polite()})
    assert await after.sheets.load_own_sheet(await after.running_game(CHANNEL), BEN) == own_sheet


async def test_an_old_revision_changes_nothing(field: Games) -> None:
    await write_sheet(field, create_marches(1))
    await write_sheet(field, create_marches(1, 2))
    game = await field.running_game(CHANNEL)
    for press in (
        field.sheets.revise(CHANNEL, BEN, game.id, 1, lambda _, sheet: sheet.with_orders(())),
        field.sheets.execute(CHANNEL, BEN, game.id, 1, interaction=ID),
    ):
        with pytest.raises(OldSheet):
            await press
    assert len((await field.sheets.load_own_sheet(game, BEN)).sheet.orders) == 2
    assert await get_steps(field) == 0


async def test_a_sheet_is_read_by_its_own_side_alone(field: Games) -> None:
    await field.seats.leave(CHANNEL, CARL)
    await field.seats.join(CHANNEL, CARL, "red")
    await field.seats.join(CHANNEL, DORA, "blue")
    await write_sheet(field, create_marches(1))
    game = await field.running_game(CHANNEL)
    assert len((await field.sheets.load_readable_sheet(game, CARL, BEN.id)).sheet.orders) == 1
    for actor in (DORA, ANNA, Actor(9, "Otto")):
        with pytest.raises(NotAllowed):
            await field.sheets.load_readable_sheet(game, actor, BEN.id)
    with pytest.raises(NotAllowed, match="an onlooker"):
        await field.sheets.load_own_sheet(game, Actor(9, "Otto"))


async def test_a_player_who_changes_sides_gets_an_empty_sheet(field: Games) -> None:
    await write_sheet(field, create_marches(1))
    await field.seats.leave(CHANNEL, BEN)
    await field.seats.join(CHANNEL, BEN, "blue")
    game = await field.running_game(CHANNEL)
    own_sheet = await field.sheets.load_own_sheet(game, BEN)
    assert (own_sheet.side, own_sheet.sheet, own_sheet.revision) == ("blue", Sheet(), 1)
    assert (await write_sheet(field, ())).stored.revision == 2


async def test_orders_are_executed_in_order_and_leave_the_sheet(field: Games, store: Store) -> None:
    before = await count_rows(store, ENTRIES)
    result = await do_sheet(field, (await write_sheet(field, create_marches(1, 2, 3))).stored.revision)
    assert [played.entry.action["steps"] for played in result.played] == [1, 2, 3]
    assert (result.stored.sheet.orders, result.stored.revision) == ((), 2)
    assert await count_rows(store, ENTRIES) == before + 3
    assert await get_steps(field) == 6
    await field.undo.undo_actions(CHANNEL, BEN, 1, progress=str(result.game.seq))
    assert await get_steps(field) == 3


async def test_a_refused_order_stays_with_its_reason_and_the_units_later_orders(field: Games) -> None:
    result = await do_sheet(field, (await write_sheet(field, create_marches(1, 7, 2))).stored.revision)
    assert len(result.played) == 1
    first, second = result.stored.sheet.orders
    assert (first.args["steps"], first.why, first.waits) == (7, "Red Guards march 6 at most. (TOY-1)", False)
    assert (second.args["steps"], second.why) == (2, execute.AFTER)
    nothing = await do_sheet(field, result.stored.revision, interaction=ID + 1)
    assert (nothing.played, nothing.stored) == ((), result.stored)
    assert await get_steps(field) == 1


async def test_units_that_have_not_acted_stay_in_an_order(field: Games) -> None:
    both = SheetOrder(kind="march", units=("r1", "b1"), args={"steps": 1})
    result = await do_sheet(field, (await write_sheet(field, [both])).stored.revision)
    (order,) = result.stored.sheet.orders
    assert order.units == ("b1",)
    assert "Carl" in order.why


async def test_a_press_in_two_processes_executes_the_sheet_once(field: Games, store: Store, database_url: str) -> None:
    other_store = Store(database_url)
    second = Games(other_store, {"toy": Polite()})
    await second.running_game(CHANNEL)
    revision = (await write_sheet(field, create_marches(1, 2, 7))).stored.revision
    before = await count_rows(store, ENTRIES)
    first, repeated = await asyncio.gather(do_sheet(field, revision), do_sheet(second, revision))
    third = await do_sheet(field, revision)
    assert await count_rows(store, ENTRIES) == before + 2
    assert [played.entry for played in first.played] == [played.entry for played in repeated.played]
    assert [played.entry for played in first.played] == [played.entry for played in third.played]
    assert first.stored == repeated.stored == third.stored
    await other_store.close()


async def test_two_presses_at_once_do_the_orders_once(field: Games, store: Store, database_url: str) -> None:
    other_store = Store(database_url)
    second = Games(other_store, {"toy": Polite()})
    revision = (await write_sheet(field, create_marches(1, 2))).stored.revision
    results = await asyncio.gather(
        do_sheet(field, revision), do_sheet(second, revision, interaction=ID + 1), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["OldSheet", "SheetResult"]
    assert await get_steps(field) == 3
    await other_store.close()


async def stop_marches(games: Games) -> SheetResult:
    """Let Blue owe a test that stops Red's marches."""
    await games.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1"}, interaction=5)
    result = await do_sheet(games, (await write_sheet(games, create_marches(1, 2))).stored.revision)
    assert [(order.why, order.waits) for order in result.stored.sheet.orders] == [
        ("A test is owed first.", True),
        ("", True),
    ]
    assert await games.sheets.execute_next_due_sheet(CHANNEL) is None
    assert await games.sheets.take_sheets_with_possible_orders(CHANNEL) == []
    return result


async def settle_test(games: Games) -> None:
    await games.actions.act(CHANNEL, CARL, Rally(unit="b1"), interaction=6)


async def test_a_sheet_continues_after_an_answer_if_its_player_wants(field: Games) -> None:
    stopped = await stop_marches(field)
    game = await field.running_game(CHANNEL)
    await field.sheets.revise(
        CHANNEL, BEN, game.id, stopped.stored.revision, lambda _, sheet: sheet.model_copy(update={"go_on": True})
    )
    await settle_test(field)
    result = await field.sheets.execute_next_due_sheet(CHANNEL)
    assert result is not None
    assert [played.entry.actor for played in result.played] == [BEN, BEN]
    assert await get_steps(field) == 3
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None


async def test_a_player_is_told_once_that_a_sheet_can_continue(field: Games) -> None:
    await stop_marches(field)
    await settle_test(field)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    assert [sheet.owner for sheet in await field.sheets.take_sheets_with_possible_orders(CHANNEL)] == [BEN.id]
    assert await field.sheets.take_sheets_with_possible_orders(CHANNEL) == []
    assert await get_steps(field) == 0


async def test_an_order_for_a_later_time_waits_for_it(field: Games) -> None:
    await write_sheet(field, [*create_marches(1, phase="dusk"), *create_marches(2)], go_on=True)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    result = await do_sheet(field, 1)
    assert [order.phase for order in result.stored.sheet.orders] == ["dusk"]
    assert await get_steps(field) == 2
    order = SheetOrder(kind="march", units=("b1",), args={"steps": 4}, phase="my turn")
    await write_sheet(field, [order], actor=CARL, go_on=True)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    await field.actions.act_by_kind(CHANNEL, BEN, "turn_next", {}, interaction=8)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is not None
    assert (await field.running_game(CHANNEL)).state.units["b1"].steps == 4


async def test_a_sheet_being_written_is_not_executed_automatically(field: Games) -> None:
    await write_sheet(field, create_marches(1), go_on=True)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None


async def test_end_my_turn_passes_unless_something_is_required(field: Games) -> None:
    await write_sheet(field, create_marches(1), through=1)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    result = await do_sheet(field, 1)
    assert [played.entry.kind for played in result.played] == ["march", "turn_next"]
    await field.actions.act_by_kind(CHANNEL, CARL, "fight", {"unit": "b1"}, interaction=5)
    await write_sheet(field, (), actor=CARL, through=1)
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    await settle_test(field)
    following = await field.sheets.execute_next_due_sheet(CHANNEL)
    assert following is not None
    assert (following.game.state.turn, following.game.state.active) == (2, "red")
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None


async def test_a_refused_order_stops_end_my_turn_only_at_a_press(field: Games) -> None:
    game = await field.running_game(CHANNEL)
    refused, waits = (create_marches(1, why="No.", waits=waits) for waits in (False, True))
    through = Sheet(through=game.state.turn)
    assert can_end_phase(game, through.model_copy(update={"orders": refused}), "red", automatic=True)
    assert not can_end_phase(game, through.model_copy(update={"orders": refused}), "red", automatic=False)
    assert not can_end_phase(game, through.model_copy(update={"orders": waits}), "red", automatic=True)
    assert not can_end_phase(game, through.model_copy(update={"orders": create_marches(1)}), "red", automatic=True)


async def test_end_my_turn_waits_for_a_press_in_its_own_phase(field: Games) -> None:
    game = await field.running_game(CHANNEL)
    await field.sheets.revise(CHANNEL, BEN, game.id, 0, lambda now, sheet: sheet.with_turn_ended(now.state, 1))
    assert await field.sheets.execute_next_due_sheet(CHANNEL) is None
    result = await do_sheet(field, 1)
    assert [played.entry.kind for played in result.played] == ["turn_next"]


async def test_a_sheet_changed_meanwhile_is_read_again(field: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    dusk = create_marches(1, phase="dusk")
    before = (await write_sheet(field, create_marches(3, waits=True), go_on=True)).stored
    await write_sheet(field, (*create_marches(2, waits=True), *dusk), go_on=True)

    async def known(_: Game) -> list[StoredSheet]:
        return [before]

    monkeypatch.setattr(field.sheets, "_load_sheets", known)
    result = await field.sheets.execute_next_due_sheet(CHANNEL)
    assert result is not None
    assert await get_steps(field) == 2


async def test_orders_beyond_the_limit_of_a_press_wait_for_the_next(
    field: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execute, "MOST_STEPS", 2)
    await write_sheet(field, create_marches(1, 2, 3))
    result = await do_sheet(field, 1)
    assert len(result.played) == 2
    assert [order.why for order in result.stored.sheet.orders] == [execute.ENOUGH]
    following = await do_sheet(field, 2, interaction=ID + 1)
    assert len(following.played) == 1
    assert not following.stored.sheet.orders


async def test_the_end_of_the_game_clears_the_sheets(field: Games, store: Store) -> None:
    await write_sheet(field, create_marches(1))
    game = await field.running_game(CHANNEL)
    await field.dice_seeds.end_game(CHANNEL, ANNA)
    assert await count_rows(store, SHEETS) == 0
    with pytest.raises(NoGame):
        await field.sheets.execute(CHANNEL, BEN, game.id, 1, interaction=ID)
    await field.starter.start(CHANNEL, 5, ANNA, "toy", "field", interaction=90)
    with pytest.raises(Stale):
        await field.sheets.execute(CHANNEL, BEN, game.id, 1, interaction=ID)
