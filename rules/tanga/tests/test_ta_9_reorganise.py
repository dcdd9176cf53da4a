"""Tests of reorganising: one leader, two infantry and one MG per hex, if possible (TA-9.1)."""

from typing import Any

import pytest

from rules.tanga.progress import Question, Stage

from .acting import StageResult, run
from .field import formation, hex_at, hexes, state_of

OPEN = {"*": "open"}
RAJPUTS = formation("13", entry=hex_at("2516"))


def reorganise(*lines: str, **fields: Any) -> StageResult:
    return run(state_of(*lines, on=OPEN, formations=(RAJPUTS,), **fields), Stage.REORGANISE)


def test_ta_9_1_single_companies_join_and_the_lead_stays() -> None:
    ran = reorganise("13 A 3305", "13 B 3307")
    assert (ran.at("13-a"), ran.at("13-b")) == ("3305", "3305")


def test_ta_9_1_two_companies_to_a_hex_and_no_third() -> None:
    ran = reorganise("13 A 3305", "13 B 3305", "13 C 3306")
    assert ran.at("13-c") == "3306"
    assert ran.decisions == ()


def test_ta_9_1_third_company_joins_a_single_one() -> None:
    ran = reorganise("13 A 3305", "13 B 3305", "13 C 3305", "13 D 3307")
    assert (ran.at("13-a"), ran.at("13-b"), ran.at("13-c"), ran.at("13-d")) == ("3305", "3305", "3307", "3307")


def test_ta_9_1_unit_out_of_reach_stays() -> None:
    assert reorganise("13 A 3305", "13 B 3310").at("13-b") == "3310"


def test_ta_9_1_unit_stays_if_the_shortest_way_costs_too_much() -> None:
    """B is two hexes from A: 5 MF through mangroves, 4 MF around. A march takes the shorter path."""
    ground = {"3313": "mangrove", "3312": "palms", "3314": "palms"}
    state = state_of("13 A 3312", "13 B 3314", on=OPEN | ground, formations=(RAJPUTS,))
    ran = run(state, Stage.REORGANISE)
    assert (ran.decisions, ran.at("13-a"), ran.at("13-b")) == ((), "3312", "3314")
    moved = run(ran.state, Stage.MOVE)
    entry = hex_at("2516")
    assert [entry.distance(hex_at(moved.at(unit_id))) for unit_id in ("13-a", "13-b")] == [4, 4], (
        "each goes on with its 4 MF"
    )


CAUSEWAY = {"*": "sea", **{f"33{row:02}": "open" for row in range(1, 23)}, "2516": "open"}


@pytest.mark.parametrize(
    ("germans", "joins"), [((), True), (("17.FK 1 3302",), False), (("17.FK 1 3302 fired",), True)]
)
def test_ta_9_1_unit_stays_if_there_is_no_room_on_the_way(germans: tuple[str, ...], joins: bool) -> None:
    """Another formation stands in between; B passes only if no German can fire."""
    lines = ("13 A 3304", "61 A 3305", "13 B 3306", *germans)
    ran = run(state_of(*lines, on=CAUSEWAY, formations=(RAJPUTS,)), Stage.REORGANISE)
    assert (ran.at("13-b") == "3304") is joins
    assert bool(ran.decisions) is joins


def test_ta_9_1_unit_joins_the_stack_that_it_can_reach() -> None:
    """C's hex has the fullest stack, but the 61st blocks the path; D's hex is in reach."""
    lines = ("13 A 3304", "13 L1 3304", "61 A 3305", "13 B 3306", "13 D 3308 moved4", "17.FK 1 3302")
    assert run(state_of(*lines, on=CAUSEWAY, formations=(RAJPUTS,)), Stage.REORGANISE).at("13-b") == "3308"


def test_ta_9_1_unit_joins_the_nearer_of_two_equal_stacks() -> None:
    assert reorganise("13 A 3309", "13 B 3305", "13 C 3308").at("13-c") == "3309"


def test_ta_9_1_move_chart_decides_between_equally_near_stacks() -> None:
    """Both 3306 and 3308 are one hex from C in 3307 and lack a company: the lower number decides."""
    ran = reorganise("13 A 3308", "13 B 3306", "13 C 3307")
    (decision,) = (
        decision for decision in ran.decisions if decision.question is Question.STACK and decision.units == ("13-c",)
    )
    assert decision.candidates == hexes("3306 3308")
    assert decision.chosen == hex_at("3306")
    assert decision.rows[-1].row == "4"


def test_ta_9_1_a_machine_gun_joins_companies() -> None:
    assert reorganise("13 A 3305", "13 B 3305", "13 mg 3306").at("13-mg") == "3305"


def test_ta_9_1_a_leader_without_a_stack_joins_the_nearest_without_a_leader() -> None:
    ran = reorganise("13 A 3305", "13 B 3305", "13 L1 3305", "13 C 3309", "13 D 3309", "13 L2 3305")
    assert (ran.at("13-l1"), ran.at("13-l2")) == ("3305", "3309")


def test_ta_9_1_lone_leader_joins_a_lone_company_before_an_mg_does() -> None:
    """A has no MF left."""
    ran = reorganise("13 A 3305 moved4", "13 L1 3307", "13 mg 3307", "13 L2 3309")
    assert [decision.units for decision in ran.decisions if decision.question is Question.STACK] == [
        ("13-l2",),
        ("13-mg",),
    ]
    assert (ran.at("13-l1"), ran.at("13-l2"), ran.at("13-mg")) == ("3307", "3305", "3305")


def test_ta_9_1_leader_stays_with_disrupted_units() -> None:
    assert reorganise("13 A 3305 disrupted", "13 L1 3305", "13 C 3306", "13 D 3306").at("13-l1") == "3305"


def test_ta_9_1_mf_spent_in_joining_reduces_the_march() -> None:
    """B spends 2 of 4 MF to join A, so the stack marches two hexes."""
    ran = reorganise("13 A 3305", "13 B 3307")
    moved = run(ran.state, Stage.MOVE)
    assert hex_at("3305").distance(hex_at(moved.at("13-a"))) == 2
    assert moved.at("13-a") == moved.at("13-b")


def test_ta_9_b_row_1_company_in_a_victory_hex_does_not_reorganise() -> None:
    lines, rajputs = ("13 A 2608", "13 B 2709"), RAJPUTS.model_copy(update={"entered": True})
    state = state_of(*lines, on=OPEN, formations=(rajputs,), objectives={"embankment": 1})
    ran = run(state, Stage.REORGANISE)
    assert (ran.at("13-a"), ran.at("13-b")) == ("2608", "2709")
    on_the_way = reorganise(*lines, objectives={"embankment": 1})
    assert (on_the_way.at("13-a"), on_the_way.at("13-b")) == ("2608", "2608"), "it keeps none before its entry hex"


# TA-9.1: which units stay, and which join


def test_ta_9_1_other_units_join_the_fullest_hex() -> None:
    """A is the lead, but B has a leader and the MG."""
    ran = reorganise("13 A 3305", "13 B 3307", "13 L1 3307", "13 mg 3307")
    assert {ran.at(f"13-{key}") for key in ("a", "b", "l1", "mg")} == {"3307"}


def test_ta_9_1_unit_prefers_the_fullest_hex_to_a_nearer_one() -> None:
    ran = reorganise("13 A 3306", "13 B 3308", "13 L1 3308", "13 C 3305")
    (decision,) = (decision for decision in ran.decisions if decision.question is Question.STACK)
    assert (decision.units, decision.chosen) == (("13-c",), hex_at("3308"))


def test_ta_9_1_leader_and_mg_are_not_left_alone() -> None:
    """B has a leader and the MG, or only a leader; A has a leader, and stays with that leader."""
    ran = reorganise("13 A 3305", "13 L2 3305", "13 B 3307", "13 L1 3307", "13 mg 3307")
    assert ran.at("13-b") == ran.at("13-l1") == ran.at("13-mg")
    stays = reorganise("13 A 3305", "13 L2 3305", "13 B 3307", "13 L1 3307")
    assert (stays.at("13-a"), stays.at("13-b"), stays.at("13-l1")) == ("3305", "3307", "3307")


def test_ta_9_1_a_company_comes_to_a_leader_and_an_mg_without_one() -> None:
    ran = reorganise("13 A 3305", "13 L1 3307", "13 mg 3307")
    assert {ran.at(f"13-{key}") for key in ("a", "l1", "mg")} == {"3307"}


def test_ta_9_1_mg_and_leader_join_a_company_that_cannot_move() -> None:
    """A has no MF left."""
    ran = reorganise("13 A 3305 moved4", "13 L1 3307", "13 mg 3307")
    assert {ran.at(f"13-{key}") for key in ("a", "l1", "mg")} == {"3305"}


def test_ta_9_1_unit_does_not_leave_a_victory_hex_to_join() -> None:
    """C would join D at 2709, because A already keeps 2608."""
    rajputs = RAJPUTS.model_copy(update={"entered": True})
    lines = ("13 A 2608", "13 C 2608", "13 D 2709")
    state = state_of(*lines, on=OPEN, formations=(rajputs,), objectives={"embankment": 1})
    ran = run(state, Stage.REORGANISE)
    assert (ran.at("13-a"), ran.at("13-c"), ran.at("13-d")) == ("2608", "2608", "2709")
    plain = run(state.model_copy(update={"objectives": {}}), Stage.REORGANISE)
    assert plain.decisions == ()
