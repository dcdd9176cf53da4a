"""`/order`: an order for a unit in words."""

from .table import Table, text
from .toy_game import begin, new_bot, new_bots

__all__ = ["new_bot", "new_bots"]


async def test_an_order_completes_with_the_units_legal_actions(table: Table) -> None:
    await begin(table)
    assert await table.complete(table.umpire, "order", "action", unit="r1") == ["march", "spring"]
    assert await table.complete(table.umpire, "order", "action", "sp", unit="Red Guards") == ["spring"]
    assert await table.complete(table.umpire, "order", "action", unit="b1") == []
    assert await table.complete(table.onlooker, "order", "action", unit="r1") == []


async def test_target_place_and_more_complete_for_the_order(table: Table) -> None:
    await begin(table)
    fields = {"unit": "r1", "action": "spring"}
    assert await table.complete(table.umpire, "order", "target", **fields) == ["b1"]
    assert await table.complete(table.umpire, "order", "to", **fields) == ["the ditch"]
    assert await table.complete(table.umpire, "order", "more", unit="r1", action="march") == ["steps: 1"]


async def test_an_order_is_carried_out(table: Table) -> None:
    await begin(table)
    marched = await table.give(table.british, "order", unit="Red Guards", action="March", more="steps: 3")
    assert "Red Guards march 3" in text(marched.announced)
    sprung = await table.give(table.british, "order", unit="r1", action="spring", to="the ditch", target="Blue Guards")
    assert "It was" in text(sprung.announced)


NONSENSE = [
    ({"action": "juggle"}, "There is no order “juggle” here. There are: "),
    ({"action": "hex"}, "no order"),
    ({"action": "british"}, "no order"),
    ({"action": "march", "more": "steps: 9"}, "march 6 at most"),
    ({"action": "march", "more": "steps"}, "has no name"),
    ({"action": "march", "target": "b1"}, "takes no “target”"),
]


async def test_a_nonsensical_order_is_refused_privately(table: Table) -> None:
    await begin(table)
    for options, hint in NONSENSE:
        assert hint in (await table.give(table.umpire, "order", unit="r1", **options)).private_text


async def test_an_onlooker_orders_nothing(table: Table) -> None:
    await begin(table)
    assert "You are an onlooker" in (await table.give(table.onlooker, "order", unit="r1", action="march")).private_text
