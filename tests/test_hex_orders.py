"""Orders by direction and towards a goal on maps of hexes, for several units and for later phases."""

from types import SimpleNamespace

import pytest

from bot.order_sheets.preview import Prospect
from bot.order_sheets.typed_lines import add_order_lines
from rules.registry import rulesets

from .fuzz import RandomDice


def create_prospect(system_id: str, scenario: str, side: str) -> Prospect:
    """Return the prospect of a side at the beginning of a scenario."""
    system = rulesets()[system_id]
    state = system.setup(scenario, {}, RandomDice(1))
    return Prospect.for_sheet(SimpleNamespace(ruleset=system, state=state), side)


def test_each_unit_goes_to_its_own_hex() -> None:
    prospect = create_prospect("tanga", "initial-assault", "german")
    assert add_order_lines(prospect, ["1st Platoon 17. FK, 2nd Platoon 17. FK: north 1"]) == ()
    goals = {forecast.order.units: forecast.order.args["to"] for forecast in prospect.forecasts}
    assert goals == {("17-fk-1",): "2608", ("17-fk-2",): "2610"}


@pytest.mark.parametrize("line", ["in moves: 1st Essex: towards The farm", "1st Essex: towards The farm"])
def test_a_goal_is_judged_in_the_movement_phase(line: str) -> None:
    prospect = create_prospect("great_war", "trench", "british")
    assert prospect.state.phase != "moves"
    assert add_order_lines(prospect, [line]) == ()
    assert [forecast.words for forecast in prospect.forecasts] == ["1st Essex order", "in moves: 1st Essex: 0203"]


@pytest.mark.parametrize("line", ["Deborah: order, then Deborah: 0304", "Deborah order then 0304", "Deborah: 0304"])
def test_a_line_that_orders_a_unit_and_moves_it_orders_it_once(line: str) -> None:
    prospect = create_prospect("great_war", "trench", "british")
    assert add_order_lines(prospect, [line]) == ()
    assert [(forecast.order.kind, forecast.order.phase, forecast.prevented) for forecast in prospect.forecasts] == [
        ("order", "", ()),
        ("move", "moves", ()),
    ]
