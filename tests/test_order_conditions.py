"""Orders with a condition, and orders one after the other: read, written the same, and judged on what a side sees."""

from typing import Any

import pytest

from bot.journal.game import Actor
from bot.order_sheets.conditions import find_unmet
from bot.order_sheets.model import SheetOrder
from bot.order_sheets.preview import Prospect
from cogs.kit.order_sheets.display import write_orders
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets

from .fuzz import RandomDice
from .sheet_desk import Desk, seated

MAGDALA = rulesets()["magdala"]


def suakin(**places: str) -> State:
    """Return the beginning of Suakin 1885, with some units at other places."""
    state = MAGDALA.setup("suakin-1885", {}, RandomDice(1))
    for unit, where in places.items():
        fields = {"unit": unit, "field": "place", "value": where}
        state, _ = MAGDALA.act(state, MAGDALA.parse("set", fields), RandomDice(1))
    return state


def book(state: State, side: str = "mahdists", system: Ruleset[Any] = MAGDALA) -> OrderBook[Any]:
    """Return the order book of a side."""
    return OrderBook(system, system.view(state, side), side)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Amarar: forward 4 if an enemy is within 12", "if an enemy is within 12"),
        ('Amarar: forward 4 if enemy within 12"', "if an enemy is within 12"),
        ("Amarar: forward 4, if any enemies come within 12 inches", "if an enemy is within 12"),
        ("Amarar: forward 4 unless an enemy is within 12", "if no enemy is within 12"),
        ("Amarar: forward 4 if no enemy is within 12", "if no enemy is within 12"),
        ("If an enemy comes within 12: Amarar forward 4", "if an enemy is within 12"),
        ("when 1st Berkshires are within 9, Amarar: forward 4", "if 1st Berkshires are within 9"),
        ("Amarar fire at 1st Berkshires unless the target is routed", "if the target is not routed"),
        ("Amarar fire at 1st Berkshires only if the target is routing", "if the target is routed"),
        ("Amarar: forward 4 if charged", "if it is charged"),
        ("Amarar: forward 4 as long as they are not charged", "if it is not charged"),
        ("Amarar: forward 4 if 1st Berkshires are in sight", "if 1st Berkshires are in sight"),
        ("Riflemen of Tokar fire 1st Berkshires if the chance is at least 50%", "if the chance is at least 50%"),
        (
            "Amarar: forward 4 if Ashraf are halted and no enemy is within 6",
            "if Ashraf are halted and no enemy is within 6",
        ),
    ],
)
def test_a_condition_is_read_as_people_write_it_and_written_so_that_it_reads_the_same(typed: str, written: str) -> None:
    orders = book(suakin()).read(typed)
    line = book(suakin()).write(orders[0])
    assert line.endswith(written)
    assert book(suakin()).read(line) == orders


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("Amarar: forward 4 if it rains", "is not understood"),
        ("Amarar: forward 4 unless the target is hungry", "Units here are .*routed"),
        ("Amarar: forward 4 if Gordon is within 6", "No unit here is called"),
        ("Amarar: forward 4 unless charged and an enemy is within 6", "takes one condition"),
    ],
)
def test_a_condition_that_is_not_understood_is_refused(typed: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        book(suakin()).read(typed)


def test_then_gives_two_orders_to_the_same_units_with_the_same_condition() -> None:
    first, second = book(suakin()).read("Riflemen of Tokar fire 1st Berkshires, then forward 3 if no enemy is within 6")
    assert (first.kind, second.kind) == ("fire", "move")
    assert first.units == second.units
    first, second = book(suakin()).read("If no enemy is within 6: Amarar forward 3, then Ashraf: forward 3")
    assert (first.units, second.units) == (("amarar",), ("ashraf",))
    assert first.conditions == second.conditions != ()


def unmet(state: State, line: str, side: str = "mahdists") -> str:
    """Return why the order of a line is left undone now."""
    (order,) = book(state, side).read(line)
    return find_unmet(MAGDALA, state, side, order)


def test_each_condition_is_judged_as_the_table_stands() -> None:
    near = suakin(amarar="43,25,180")
    gap = MAGDALA.places.distance(near, "amarar", "marines")
    assert gap is not None
    assert not unmet(near, f"Amarar: forward 1 if an enemy is within {gap + 0.2:.1f}")
    told = unmet(near, f"Amarar: forward 1 if an enemy is within {gap - 0.2:.1f}")
    assert told.startswith("Left undone: this does not hold now: an enemy is within")
    assert unmet(near, "Amarar: forward 1 if charged")
    assert not unmet(near, "Amarar: forward 1 unless charged")
    assert unmet(near, "Amarar: forward 1 if Royal Marine Light Infantry is routed")
    assert not unmet(near, "Amarar: forward 1 unless Royal Marine Light Infantry is routed")
    assert not unmet(near, "Riflemen of Tokar fire 1st Berkshires if the chance is at least 1%")
    assert unmet(near, "Riflemen of Tokar fire 1st Berkshires if the chance is at least 100%")


def carried_out(state: State, *lines: str) -> tuple[State, list[SheetOrder]]:
    """Return the state after a sheet with these lines was carried out by a press, and what is left of the sheet."""
    game = seated(MAGDALA, state)
    (player,) = [Actor(seat.user, seat.name) for seat in game.seats if seat.side == "mahdists"]
    desk = Desk(game, player)
    desk.sheet = write_orders(player.id, "\n".join(lines))(game, desk.sheet)
    desk.do_all()
    return desk.game.state, list(desk.sheet.orders)


def test_what_does_not_hold_is_left_undone_without_stopping_the_rest() -> None:
    before = suakin()
    after, left = carried_out(before, "Amarar: forward 3 if an enemy is within 3", "Ashraf: forward 3")
    assert after.units["amarar"] == before.units["amarar"]
    assert after.units["ashraf"] != before.units["ashraf"]
    (order,) = left
    assert order.unmet
    assert order.why.startswith("Left undone")


def test_the_preview_says_what_would_be_left_undone() -> None:
    game = seated(MAGDALA, suakin())
    prospect = Prospect.of(game, "mahdists")
    assert not prospect.add_lines(["Amarar: forward 3 if an enemy is within 3"])
    (forecast,) = prospect.forecasts
    assert forecast.unmet[0].startswith("Left undone")
    assert not prospect.acts, "no arrow"


def test_a_hidden_enemy_changes_nothing() -> None:
    seen = suakin(amarar="43,25,180")
    marines = seen.units["marines"]
    hidden = seen.model_copy(
        update={
            "units": {unit: one for unit, one in seen.units.items() if unit != "marines"},
            "hidden": {"marines": marines},
        }
    )
    without = hidden.model_copy(update={"hidden": {}})
    for line in ("Amarar: forward 1 if an enemy is within 9", "Amarar: forward 1 if charged"):
        assert unmet(hidden, line) == unmet(without, line)
    with pytest.raises(Refused, match="No unit here is called"):
        unmet(hidden, "Amarar: forward 1 if Royal Marine Light Infantry is within 30")
