"""Parts of an order line between semicolons: new orders, or continuations of the order before."""

import pytest

from bot.order_sheets.sheet_changes import make_order_addition
from rules.registry import rulesets

from .paired_worlds import World
from .sheet_desk import FIRST_PLAYER, Desk, create_game, list_people

SYSTEM = rulesets()["campaign"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Graham's column: to El Teb by road, attack; if enemy seen: halt", [("2318", "halt on sight")]),
        ("Graham's column: to El Teb; attack; if enemy seen: halt", [("2318", "halt on sight")]),
        ("Graham's column: to El Teb; Suakin garrison: dig in", [("2318", ""), ("", "dig in")]),
    ],
)
def test_a_part_without_a_column_continues_the_order_before_it(text: str, orders: list[tuple[str, str]]) -> None:
    world = World(SYSTEM, None)
    game = create_game(SYSTEM, SYSTEM.setup("suakin-1884", {}, world.dice()))
    sheet = make_order_addition(FIRST_PLAYER, text)(game, Desk(game, list_people(game)[0]).sheet)
    assert sheet.wrong == ()
    args = [str(order.args) for order in sheet.orders]
    assert len(args) == len(orders), args
    for line, (to, task) in zip(args, orders, strict=True):
        assert task in line
        assert not to or "El Teb" in line


def test_an_unknown_part_alone_is_refused() -> None:
    world = World(SYSTEM, None)
    game = create_game(SYSTEM, SYSTEM.setup("suakin-1884", {}, world.dice()))
    sheet = make_order_addition(FIRST_PLAYER, "Graham's column: to El Teb; sing")(
        game, Desk(game, list_people(game)[0]).sheet
    )
    assert (len(sheet.orders), [line.text for line in sheet.wrong]) == (1, ["sing"])
