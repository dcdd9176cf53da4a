"""Large tables: the work of sheets, completion and the bot must grow with units, not with pairs of units."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.journal.game import Actor, Game
from bot.journal.seats import Seat
from bot.order_sheets.model import EMPTY, Sheet, StoredSheet
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import make_order_addition
from cogs.kit.order_sheets.sheet_card import SheetView
from cogs.move import reachable_places
from rules.core.action_type import ActionType
from rules.core.tabletop import table
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.best_targets import BestFoeSearch, group_foes

from .daily_choice import one_a_day
from .large_tables import SCENARIOS, create_crowded_table

FEW, MANY = 12, 48
ROW_SPACING = 8.0
"""Inches between rows, so wide that no unit blocks another; blocked units are measured repeatedly."""
MEASURES = ("gap", "are_touching", "are_overlapping", "run_until_contact")
MAX_GROWTH = 1.6
"""Maximum growth of work per unit when a table has four times as many; work by pairs would grow fourfold."""


def create_game(rules: str, a_side: int) -> Game:
    system, state = create_crowded_table(rules, a_side, ROW_SPACING)
    seats = tuple(Seat(number, side.name, side.id) for number, side in enumerate(state.sides, 2))
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Game("crowd", 1, 1, "Crowd", system, Actor(1, "Gordon"), seats, 1, state, "", now, None)


def show_sheet(game: Game) -> None:
    """Open the sheet, order all units forward, and show the sheet."""
    side = game.state.acting_sides[0]
    user = next(seat.user for seat in game.seats if seat.side == side)
    for sheet in (EMPTY, make_order_addition(user, "all: forward 1")(game, EMPTY)):
        build_card(game, side, user, sheet)


def build_card(game: Game, side: str, user: int, sheet: Sheet) -> None:
    SheetView(game, StoredSheet(game.id, user, side, 1, sheet), Prospect.for_sheet(game, side, sheet.orders)).card()


def count_work(monkeypatch: pytest.MonkeyPatch, work: Callable[[], Any]) -> Counter[str]:
    """Count how often `work` plans actions and measures distances between bases."""
    calls = Counter[str]()
    with monkeypatch.context() as patched:
        for owner, name in ((ActionType, "plan_if_allowed"), *((table, measure) for measure in MEASURES)):
            patched.setattr(owner, name, _count_calls(calls, name, getattr(owner, name)))
        work()
    return calls


def _count_calls(calls: Counter[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def counting(*args: Any, **options: Any) -> Any:
        calls[name] += 1
        return call(*args, **options)

    return counting


@pytest.mark.parametrize("rules", one_a_day(sorted(SCENARIOS)))
def test_work_of_a_sheet_per_unit_does_not_grow_with_the_table(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [create_game(rules, size) for size in (FEW, MANY)]
    small, large = (count_work(monkeypatch, lambda game=game: show_sheet(game)) for game in games)
    for name in ("plan_if_allowed", *MEASURES):
        assert large[name] <= MAX_GROWTH * (MANY / FEW) * (small[name] + MANY), (name, small, large)


def test_completion_of_destinations_does_not_measure_pairs_of_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def complete(size: int) -> None:
        crowd = create_game("magdala", size)
        side = crowd.state.acting_sides[0]
        assert len(reachable_places(crowd, side, crowd.state.units_of(side)[0].id)) > size

    small, large = (count_work(monkeypatch, lambda size=size: complete(size)) for size in (FEW, MANY))
    for name in MEASURES:
        assert large[name] <= MAX_GROWTH * (MANY / FEW) * (small[name] + MANY), (name, small, large)


@pytest.mark.parametrize("rules", sorted(SCENARIOS))
def test_the_spatial_index_finds_all_units_nearby(rules: str) -> None:
    system, state = create_crowded_table(rules, 20)
    placement, units = system.battles.file_type.ways.placement, state.all_on_table
    for unit in units:
        base = placement.base(unit)
        near = {other.id for other in placement.units_perhaps_within(unit, units, 5.0)}
        assert (
            {other.id for other in units if table.is_within(base, placement.base(other), 5.0)} <= near < {*state.units}
        )
        first = sorted(units, key=lambda other: placement.gap(unit, other))[:3]
        assert placement.nearest_units(unit, units, 3) == tuple(first)


def test_the_best_foe_is_searched_only_among_changed_units() -> None:
    pairs = list[tuple[str, float]]()

    def worth(unit: str, foe: float) -> float:
        pairs.append((unit, foe))
        return -abs(foe - len(unit))

    best, foes = BestFoeSearch[Any](worth), [1.5, 7.5, 4.5]
    assert best.find_best_foe("four", group_foes(foes)) == (-0.5, 4.5)
    moved = [foes[0], 4.25, foes[2]]
    assert best.find_best_foe("four", group_foes(moved)) == (-0.25, 4.25)
    assert [foe for _, foe in pairs] == [1.5, 7.5, 4.5, 4.25]
    assert best.find_best_foe("four", group_foes(foes)) == (-0.5, 4.5), "who is gone is the best no longer"
    twin = [foes[0], 3.5, foes[2]]
    assert best.find_best_foe("four", group_foes(twin)) == (-0.5, 3.5), "of equals the first"
    assert best.find_best_foe("four", group_foes([])) == (0.0, None)


def test_a_table_without_positions_offers_every_enemy() -> None:
    system, state = create_crowded_table("magdala", 5)
    nowhere: TableState[Any] = state.with_unit(
        *(unit.model_copy(update={"place": None}) for unit in state.units.values())
    )
    unit = nowhere.units_of(nowhere.active)[0]
    placement = system.battles.file_type.ways.placement
    assert placement.units_perhaps_within(unit, nowhere.enemies(unit.side), 1.0) == nowhere.enemies(unit.side)
