"""Menus of a column's orders: their headings, what is in force, and the forms that ask for more."""

from typing import Any

import pytest

from rules.campaign.menus import CampaignMenus
from rules.campaign.model import CampaignState

from .country import OPEN, country, day, make_map
from .worlds import SYSTEM

MENUS = CampaignMenus()


@pytest.mark.parametrize(
    ("kind", "arguments", "heading"),
    [
        ("join", {"target": "blue-foot"}, "Columns"),
        ("move", {"to": "0205", "with": ["attack"]}, ""),
        ("move", {"until": 3}, "Task"),
        ("move", {"with": ["attack"]}, "Stance"),
        ("move", {"with": ["halt on sight"]}, "When enemies come near"),
        ("move", {"with": ["scout"]}, "Task"),
        ("move", {"with": ["stay"]}, "Task"),
        ("move", {}, ""),
        ("turn_next", {"unit": None}, ""),
    ],
)
def test_each_order_stands_under_its_heading(kind: str, arguments: dict[str, Any], heading: str) -> None:
    arguments = {"unit": "blue-foot", **arguments} if "unit" not in arguments else {}
    assert MENUS.heading(SYSTEM.parse(kind, arguments)) == heading


def in_force(state: CampaignState, kind: str, **arguments: Any) -> bool:
    """Whether a menu marks an order of the blue foot as in force."""
    return MENUS.is_in_force(state, SYSTEM.parse(kind, {"unit": "blue-foot", **arguments}))


def test_orders_that_a_column_has_already_are_marked() -> None:
    state = country(make_map(OPEN), "blue foot 0203 to:0205", "blue horse 0203")
    assert in_force(state, "move", **{"with": ["hold"]})
    assert in_force(state, "move", to="0205")
    assert not in_force(state, "move", **{"with": ["attack"]})
    assert not in_force(state, "move", to="9999"), "what is refused is no order that it has"
    assert not in_force(state, "join", target="blue-horse")


def forms(state: CampaignState, unit: str) -> dict[str, list[str]]:
    """Return the forms of a column with the names of their fields."""
    return {form.words: [field.name for field in form.fields] for form in MENUS.forms(state, unit)}


def test_forms_ask_where_to_fall_back_to_and_who_is_split_off() -> None:
    lines = ("blue foot 0203", "blue mixed 0203", "blue mixed 0303 wagon", "red foot 0807")
    state = country(make_map(OPEN), *lines)
    back = {"Fall back to …": ["back"]}
    assert forms(state, "blue-foot") == back
    assert forms(state, "blue-mixed") == {**back, "Split off …": ["units", "name"]}
    assert forms(state, "blue-mixed-2") == {**back, "Split off …": ["units", "name", "wagon"]}
    (units, *_) = list(MENUS.forms(state, "blue-mixed"))[1].fields
    assert (units.choices, units.several) == (("foot", "mounted"), True)


def test_a_column_without_orders_has_no_forms() -> None:
    state, _ = day(country(make_map(OPEN), "blue mixed 0203 attack via:0204", "red foot 0204"))
    assert forms(state, "blue-mixed") == {}
    assert forms(state, "nobody") == {}
