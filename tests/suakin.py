"""Suakin 1885 at the start of the battle, and the order books of its sides."""

from typing import Any

from rules.core.order_book import OrderBook
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets

from .fuzz import RandomDice

MAGDALA = rulesets()["magdala"]


def set_up_suakin(**places: str) -> State:
    """Return the beginning of Suakin 1885, with some units at other places."""
    state = MAGDALA.setup("suakin-1885", {}, RandomDice(1))
    for unit, place in places.items():
        state = set_field(state, unit, "place", place)
    return state


def set_field(state: State, unit: str, field: str, value: str) -> State:
    """Return the state after the umpire set a field of a unit."""
    after, _ = MAGDALA.act(state, MAGDALA.parse("set", {"unit": unit, "field": field, "value": value}), RandomDice(1))
    return after


def get_order_book(state: State, side: str = "mahdists", system: Ruleset[Any] = MAGDALA) -> OrderBook[Any]:
    """Return the order book of a side."""
    return OrderBook(system, system.view(state, side), side)
