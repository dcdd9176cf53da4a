"""Tests of British targets (TA-4, TA-5): each row of the Target chart with targets that differ only in that row.

2712 and 2813 are both next to 2812, the British hex; by number alone 2712 would be the target.
"""

import pytest

from rules.tanga.automaton.attacking import choose_target

from .field import hex_at, hexes, state_of, unit

OPEN = {"*": "open"}
BOTH = pytest.mark.parametrize("melee", [False, True], ids=["fire", "melee"])


def decide(*lines, melee: bool = False, on=OPEN, **fields):
    """Return the target decision of company A in 2812."""
    state = state_of("13 A 2812", *lines, on=on, **fields)
    return choose_target(state, (state.units["13-a"],), melee=melee)


def chosen_by_row(decision) -> tuple[str, str]:
    """Return the chosen hex, and the row that excluded the last other hex."""
    return decision.chosen.label, [row.row for row in decision.rows if row.out][-1]


@BOTH
def test_ta_5_row_1_a_machine_gun(melee: bool) -> None:
    assert chosen_by_row(decide("17.FK 1 2712", "17.FK mg 2813 cf5", melee=melee)) == ("2813", "1")


@BOTH
def test_ta_5_row_2_the_hex_with_least_protection(melee: bool) -> None:
    decision = decide("17.FK 1 2712", "17.FK 2 2813", melee=melee, improved=hexes("2712"))
    assert chosen_by_row(decision) == ("2813", "2")


@BOTH
def test_ta_5_row_2_terrain_counts_like_a_position(melee: bool) -> None:
    on = OPEN | {"2712": "embankment", "2813": "palms"}
    assert chosen_by_row(decide("17.FK 1 2712", "17.FK 2 2813", melee=melee, on=on)) == ("2813", "2")
    both = decide("17.FK 1 2712", "17.FK 2 2813", melee=melee, on=on, improved=hexes("2813"))
    assert chosen_by_row(both) == ("2712", "6")


def test_ta_5_row_3_for_fire_the_highest_cf() -> None:
    lines = ("17.FK 1 2712", "17.FK 2 2813 cf6")
    decision = decide(*lines)
    assert chosen_by_row(decision) == ("2813", "3")
    assert chosen_by_row(decide(*lines, melee=True)) == ("2712", "4")


def test_ta_5_row_4_for_melee_the_lowest_cf() -> None:
    lines = ("17.FK 1 2712", "17.FK 2 2813 cf4")
    decision = decide(*lines, melee=True)
    assert chosen_by_row(decision) == ("2813", "4")
    assert next(row for row in decision.rows if row.row == "3").skipped == "for fire only"
    assert chosen_by_row(decide(*lines)) == ("2712", "3")


@BOTH
def test_ta_5_row_5_not_black_powder(melee: bool) -> None:
    assert chosen_by_row(decide("17.FK 1 2712 bp", "17.FK 2 2813", melee=melee)) == ("2813", "5")


@BOTH
def test_ta_5_row_6_the_lowest_hex_number(melee: bool) -> None:
    assert chosen_by_row(decide("17.FK 1 2712", "17.FK 2 2813", melee=melee)) == ("2712", "6")


def test_ta_5_the_firing_unit_stands_for_its_stack() -> None:
    decision = decide("17.FK 1 2712 cf6", "17.FK 2 2813 cf6", "17.FK mg 2813 cf2")
    assert chosen_by_row(decision) == ("2813", "1")
    disrupted = decide("17.FK 1 2712 cf6", "17.FK 2 2813 cf6", "17.FK mg 2813 disrupted")
    assert chosen_by_row(disrupted) == ("2712", "6")


def test_ta_4_only_germans_in_range_and_sight_are_targets() -> None:
    assert decide("17.FK 1 2808") is None
    assert decide("17.FK 1 2809").chosen == hex_at("2809")
    assert decide("17.FK 1 2810", on=OPEN | {"2811": "bush"}) is None


def test_ta_4_a_machine_gun_of_the_stack_reaches_farther() -> None:
    state = state_of("13 A 2812", "13 MG 2812", "17.FK 1 2808", on=OPEN)
    company, gun = state.units["13-a"], state.units["13-mg"]
    assert choose_target(state, (company,), melee=False) is None
    assert choose_target(state, (company, gun), melee=False).chosen == hex_at("2808")


def test_ta_4_unit_that_has_fired_has_no_target() -> None:
    state = state_of("13 A 2812 fired", "17.FK 1 2813", on=OPEN)
    assert choose_target(state, (state.units["13-a"],), melee=False) is None
    assert choose_target(state, (state.units["13-a"],), melee=True).chosen == hex_at("2813")


def test_ta_5_only_adjacent_germans_are_attacked() -> None:
    assert decide("17.FK 1 2810", melee=True) is None
    assert decide("17.FK 1 2811", melee=True).candidates == hexes("2811")


@BOTH
def test_ta_5_a_leader_alone_is_no_firing_unit(melee: bool) -> None:
    assert decide("17.FK L 2813", melee=melee) is None


@BOTH
def test_ta_4_decision_tells_units_reason_and_rule(melee: bool) -> None:
    decision = decide("17.FK 1 2712 bp", unit("17.FK 2 2813", name="the 2nd platoon"), melee=melee)
    assert decision.units == ("13-a",)
    assert decision.candidates == hexes("2712 2813")
    assert decision.why == "the 2nd platoon in 2813: row 5, no black powder"
    assert decision.cite.rule == ("TA-5" if melee else "TA-4")
