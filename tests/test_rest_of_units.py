"""Orders for a side's remaining units, and for all units with exceptions."""

from types import SimpleNamespace

import pytest

from bot.order_sheets.preview import Prospect
from bot.order_sheets.typed_lines import add_order_lines
from rules.core.refusal import Refused
from rules.core.side_units import SideUnitFinder

from .suakin import MAGDALA, get_order_book, set_field, set_up_suakin

OWN = SideUnitFinder(MAGDALA, MAGDALA.view(set_up_suakin(), "mahdists"), "mahdists").own_names


def list_ordered_units(*lines: str) -> list[set[str]]:
    """Return the units ordered by each order that the lines make on an empty sheet."""
    prospect = Prospect.for_sheet(SimpleNamespace(ruleset=MAGDALA, state=set_up_suakin()), "mahdists")
    assert add_order_lines(prospect, lines) == ()
    return [{OWN[unit] for unit in forecast.order.units} for forecast in prospect.forecasts]


@pytest.mark.parametrize("words", ["the rest", "The others", "all the others", "everyone else", "all other units"])
def test_the_rest_are_the_units_without_an_order(words: str) -> None:
    first, second, rest = list_ordered_units("Amarar, Ashraf: forward 2", "Arteiga: forward 1", f"{words}: forward 1")
    assert (first, second) == ({"Amarar", "Ashraf"}, {"Arteiga"})
    assert rest
    assert rest.isdisjoint(first | second)
    assert rest | first | second == list_ordered_units("all: forward 1")[0]


def test_on_an_empty_sheet_the_rest_is_everyone() -> None:
    assert list_ordered_units("the rest: forward 1") == list_ordered_units("all: forward 1")


@pytest.mark.parametrize(
    "words", ["all except Amarar", "everyone but Amarar", "all, except for the Amarar", "all other than Amarar"]
)
def test_units_that_are_excepted_get_no_order(words: str) -> None:
    assert list_ordered_units(f"{words}: forward 1") == [list_ordered_units("all: forward 1")[0] - {"Amarar"}]


def test_several_units_and_kinds_are_excepted() -> None:
    (hadendoa,) = list_ordered_units("all Hadendoa: forward 1")
    (some,) = list_ordered_units("all Hadendoa but Hadendoa of Tamai: forward 1")
    assert some == hadendoa - {"Hadendoa of Tamai"} != hadendoa
    (remaining,) = list_ordered_units("all but all Hadendoa: forward 1")  # their leader moves on his own
    assert remaining == (list_ordered_units("all: forward 1")[0] - hadendoa) | {"Osman Digna"}


@pytest.mark.parametrize("words", ["Amarar except Amarar", "all but all"])
def test_an_exception_that_leaves_nobody_is_refused(words: str) -> None:
    units = SideUnitFinder(MAGDALA, MAGDALA.view(set_up_suakin(), "mahdists"), "mahdists")
    with pytest.raises(Refused, match="leaves no unit"):
        units.find_listed_units(words)


def test_nobody_is_left_once_all_have_orders() -> None:
    units = SideUnitFinder(MAGDALA, MAGDALA.view(set_up_suakin(), "mahdists"), "mahdists", ordered=frozenset(OWN))
    with pytest.raises(Refused, match="“the rest” leaves no unit"):
        units.find_listed_units("the rest")


def test_without_a_sheet_of_orders_there_is_no_rest() -> None:
    units = SideUnitFinder(MAGDALA, MAGDALA.view(set_up_suakin(), "mahdists"), "mahdists")
    with pytest.raises(Refused, match="means the units without an order on an order sheet"):
        units.find_listed_units("the rest")


def test_the_rest_are_read_after_the_other_lines() -> None:
    assert list_ordered_units("the rest: forward 1", "Amarar: forward 2") == list_ordered_units(
        "Amarar: forward 2", "the rest: forward 1"
    )


@pytest.mark.parametrize(("name", "words"), [("Forrest's Cavalry", "the rest"), ("Brothers of Tokar", "the others")])
def test_a_unit_whose_name_contains_the_words_is_not_meant(name: str, words: str) -> None:
    state = set_field(set_up_suakin(), "ashraf", "name", name)
    units = SideUnitFinder(MAGDALA, MAGDALA.view(state, "mahdists"), "mahdists", ordered=frozenset())
    assert len(units.find_listed_units(words)) == len(OWN)
    assert units.find_listed_units(name) == ("ashraf",)


@pytest.mark.parametrize("name", ["Nothing but Trouble", "All but Dead", "The Rest but One", "Then Again", "If Only"])
def test_names_that_contain_rest_or_except_are_read_whole(name: str) -> None:
    state = set_field(set_up_suakin(), "ashraf", "name", name)
    orders = get_order_book(state)
    (order,) = orders.read(f"Amarar, {name}: forward 1")
    assert (order.units, order.then) == (("amarar", "ashraf"), False)
    assert orders.read(orders.write(order)) == (order,)
    (alone,) = orders.read(f"{name}: forward 1")
    assert (alone.units, alone.then) == (("ashraf",), False)


def test_remaining_units_that_cannot_obey_get_no_order() -> None:
    assert list_ordered_units("the rest but Ashraf: forward 1") == list_ordered_units("all but Ashraf: forward 1")
