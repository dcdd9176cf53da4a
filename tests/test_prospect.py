"""Forecasts of sheets: order upon order, for later phases, and for orders that became impossible."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.order_sheets.model import SheetOrder
from bot.order_sheets.preview import Prospect
from bot.order_sheets.typed_lines import add_order_lines
from rules.core.orders import kinds_for_orders
from rules.core.tests.scripted import ScriptedDice
from rules.core.tests.skirmish.ruleset import SkirmishRuleset
from rules.registry import rulesets

NOBODY = {"target": "nobody", "to": "towards nobody", "by": "nobody", "figures": 3, "order": "sideways"}


def begin(system: Any, scenario: str | None = None) -> Any:
    state = system.setup(scenario or next(iter(system.scenarios)), {}, ScriptedDice([3] * 200))
    return SimpleNamespace(ruleset=system, state=state)


def test_each_forecast_builds_on_the_order_before() -> None:
    game = begin(SkirmishRuleset(), "farm")
    prospect = Prospect.for_sheet(game, "red")
    assert add_order_lines(prospect, ["A Company: forward 6", "A Company: forward 6", "B Company fire Picket"]) == ()
    first, second, third = prospect.forecasts
    assert (first.about, first.prevented) == (False, ())
    assert second.prevented == ("A Company cannot act now. (SK-1, house rule)",)
    assert third.about or third.prevented
    assert prospect.state.units["a"].place.y == 28
    assert game.state.units["a"].place.y == 34


def test_later_orders_do_not_change_cached_forecasts() -> None:
    game = begin(SkirmishRuleset(), "farm")
    orders = [SheetOrder(kind="move", units=("a",), args={"to": "forward 6"})]
    prospect = Prospect.for_sheet(game, "red", orders)
    add_order_lines(prospect, ["B Company: forward 6"])
    assert len(Prospect.for_sheet(game, "red", orders).forecasts) == 1
    second_game = begin(SkirmishRuleset(), "farm")
    assert Prospect.for_sheet(second_game, "red", orders).before is second_game.state


@pytest.mark.parametrize("system", rulesets().values(), ids=lambda system: system.id)
def test_an_impossible_order_is_shown_with_the_reason(system: Any) -> None:
    game = begin(system)
    side = game.state.acting_sides[0]
    for kind in kinds_for_orders(system):
        fields = system.actions[kind].model_fields
        args = {name: value for name, value in NOBODY.items() if name in fields}
        order = SheetOrder(kind=kind, units=("nobody",), args=args)
        prospect = Prospect.for_sheet(game, side, [order])
        assert prospect.forecasts[0].prevented, kind
        assert prospect.state == prospect.before
