"""Orders in words: what is told of them, what is offered, and every refusal (CA-1.3 to CA-1.8)."""

from typing import Any

import pytest

from rules.campaign.columns import Arrival
from rules.campaign.model import Battle, CampaignState
from rules.campaign.orders import CHANGES, MOVE, Move, OrderPlan
from rules.core.refusal import Refused

from .country import OPEN, country, hex_at, make_map, with_terrain
from .worlds import SYSTEM

FOUR = "0302 (impulse 3), 0402 (impulse 6), 0502 (impulse 9), 0603"
NAMED = make_map(OPEN, "name 0205: Tokar", "name 0203: El Teb", "name 0505: Wells")


def plan(state: CampaignState, **arguments: Any) -> OrderPlan:
    """Return the settled orders of the blue foot."""
    return MOVE.plan(state, Move.model_validate({"unit": "blue-foot", **arguments}))


def begun(**fields: Any) -> CampaignState:
    return country(NAMED, "blue foot 0203", "red foot 0907", **fields)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"to": "Tokar", "with": ["attack"]}, "to 0205 (Tokar), attack"),
        ({"with": ["halt on sight"]}, "stays, hold, halt on sight of the enemy"),
        ({"back": "0201"}, "stays, hold, on sight of the enemy back to 0201"),
        ({"until": 3}, "stays, hold, wait until day 3"),
        ({"with": ["avoid", "dig in"]}, "stays, avoid, dig in"),
        ({"with": ["force the march"]}, "stays, hold, force the march"),
        ({"with": ["carry on", "no task", "stay"]}, "stays, hold"),
    ],
)
def test_1_3_orders_in_words(arguments: dict[str, Any], words: str) -> None:
    state = begun()
    assert str(MOVE.caption(state, plan(state, **arguments))) == f"blue foot: {words}"
    _, report = SYSTEM.act(state, SYSTEM.parse("move", {"unit": "blue-foot", **arguments}), None)  # type: ignore[arg-type]
    assert report.headline == f"blue foot: {words}."
    assert report.audience == {"blue"}
    assert report.units == ("blue-foot",)


@pytest.mark.parametrize(
    ("to", "effect", "march"),
    [
        ("Tokar", "there today, impulse 6", "Today: 0204 (impulse 3), 0205 (Tokar) (impulse 6)."),
        (
            "0200 0100",
            "there today, impulse 12",
            "Today: 0202 (impulse 3), 0201 (impulse 6), 0200 (impulse 9), 0100 (impulse 12).",
        ),
        (
            "0703",
            "there tomorrow, impulse 3",
            f"Today: {FOUR} (impulse 12). Tomorrow: 0703 (impulse 3).",
        ),
    ],
)
def test_2_3_when_a_column_comes_to_its_goal(to: str, effect: str, march: str) -> None:
    state = begun()
    settled = plan(state, to=to)
    assert MOVE.effect_on_move(state, settled) == effect
    assert MOVE.expected_course(state, settled) == march


def test_2_3_a_long_march_is_foreseen_for_three_days() -> None:
    rough = country(make_map(with_terrain("M", *(f"02{row:02}" for row in range(8)))), "blue foot 0200")
    settled = plan(rough, to="0201 0202 0203 0204 0205")
    assert MOVE.effect_on_move(rough, settled) == "there after day 3"
    assert (
        MOVE.expected_course(rough, settled)
        == "Today: 0201 (impulse 9). Tomorrow: 0202 (impulse 9). Day 3: 0203 (impulse 9). Then on to 0205."
    )
    assert MOVE.effect_on_move(rough, plan(rough, **{"with": ["attack"]})) == ""
    assert MOVE.expected_course(rough, plan(rough, **{"with": ["attack"]})) == ""


def test_1_6_a_march_that_waits_is_foreseen_from_its_day() -> None:
    state = begun()
    assert MOVE.expected_course(state, plan(state, to="Tokar", until=2)) == (
        "Tomorrow: 0204 (impulse 3), 0205 (Tokar) (impulse 6)."
    )
    assert MOVE.effect_on_move(state, plan(state, to="Tokar", until=4)) == ""
    last = begun(turn=14)
    assert MOVE.effect_on_move(last, plan(last, to="0207 0107")) == "there after today"


SAY = "Say what blue foot is to do: a goal (to:), a stance or a task (with:), a place to fall back to (back:)."


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, SAY),
        ({"to": "0205", "with": ["stay"]}, "Say one of them: to: and stay contradict each other."),
        (
            {"back": "0205", "with": ["carry on"]},
            "Say one of them: back: and what else it does on sight of the enemy contradict each other.",
        ),
        ({"until": 3, "with": ["scout"]}, "Say one of them: until: and another task contradict each other."),
        ({"with": ["attack", "hold"]}, "“hold” contradicts what stands before it. Give one of them."),
        ({"with": ["by road"]}, "Say where to go by road."),
        (
            {"to": "0205", "with": ["rest"]},
            "blue foot would stay where it is. Order the march now, and the task when the column is there.",
        ),
        ({"until": 1}, "Day 1 is not to come. Give a later day."),
        ({"to": "0203"}, "blue foot is in 0203 (El Teb) already."),
    ],
)
def test_1_8_refusals_say_what_is_wrong(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused) as refused:
        plan(begun(), **arguments)
    assert str(refused.value).startswith(f"{why} (CA-1.")


def test_1_8_columns_off_the_map_or_in_a_battle_have_no_orders() -> None:
    state = begun()
    with pytest.raises(Refused, match="blue foot is not on the map yet. Choose another column.") as refused:  # noqa: RUF043
        plan(state.changed("blue-foot", at=None, arrives=Arrival(day=3, at=hex_at("0203"))), to="0205")
    assert refused.value.cite is not None
    assert refused.value.cite.rule == "CA-8.4"
    fight = Battle(id="battle", at=hex_at("0203"), day=1, columns=("blue-foot",))
    with pytest.raises(Refused, match="blue foot is in a battle. Choose another column."):  # noqa: RUF043
        plan(state.model_copy(update={"battles": {"battle": fight}}), to="0205")


def test_1_8_ways_that_do_not_lead_there_are_told_apart() -> None:
    lake = make_map(with_terrain("o", *(f"03{row:02}" for row in range(8) if row != 7)), "road: 0203 0204")
    marsh = make_map(with_terrain("m", *(f"03{row:02}" for row in range(8))))
    cases = {
        (lake, "blue foot 0203", "0303", ()): "blue foot cannot go from 0203 to 0303: it is lake.",
        (lake, "blue foot 0203", "0301", ()): "blue foot cannot enter 0301: it is lake.",
        (marsh, "blue guns 0103", "0503", ()): "No way leads blue guns from 0103 to 0503: it marches as wheeled.",
        (marsh, "blue guns 0103", "0303", ()): "blue guns cannot enter 0303: wheels enter marsh by road only.",
        (lake, "blue foot 0203", "0205", ("by road",)): (
            "No road leads blue foot from 0203 to 0205. Without “by road” it takes the quickest way."
        ),
    }
    for (name, line, to, words), why in cases.items():
        state = country(name, line)
        with pytest.raises(Refused) as refused:
            MOVE.plan(state, Move.model_validate({"unit": state.columns[0].id, "to": to, "with": words}))
        assert str(refused.value).startswith(f"{why} (CA-1.")
    with pytest.raises(Refused) as refused:
        plan(country(lake, "blue foot 0203"), back="0301")
    assert str(refused.value).startswith("blue foot cannot enter 0301: it is lake. (CA-1.8")


def test_1_3_a_road_is_kept_to_even_by_the_next_hex() -> None:
    state = country(make_map(OPEN, "road: 0203 0303 0304 0204"), "blue foot 0203")
    by_road = plan(state, to="0303 0204", **{"with": ["by road"]}).orders.way
    assert [hex_.label for hex_ in by_road] == ["0303", "0304", "0204"]
    assert [hex_.label for hex_ in plan(state, to="0204").orders.way] == ["0204"]


def test_1_3_each_named_place_each_conduct_and_three_days_are_offered() -> None:
    orders = [*MOVE.suggest_actions(begun(turn=9))]
    assert {order.unit for order in orders} == {"blue-foot", "red-foot"}
    mine = [order for order in orders if order.unit == "blue-foot"]
    assert [order.to for order in mine if order.to] == ["Tokar", "Wells"], "not where it is"
    assert [order.circumstances[0] for order in mine if order.circumstances] == [*CHANGES]
    assert [order.until for order in mine if order.until] == [10, 11, 12]
    assert [
        order.until for order in MOVE.suggest_actions(begun(turn=12)) if order.until and order.unit == "blue-foot"
    ] == [
        13,
        14,
    ]
    assert {order.unit for order in MOVE.suggest_actions(begun(done=("blue",)))} == {"red-foot"}
