"""Tests of a stack's next hex (TA-9.5): rows of the Move chart, prohibited hexes, halts.

From 3010 two equally short steps lead to 2610: 2909 and 2910. By number alone 2909 would be chosen.
"""

import pytest

from rules.tanga.model import FireOrder
from rules.tanga.progress import March
from rules.tanga.ways import can_enter, choose_next_hex, guns_left_behind, passable_hexes

from .field import formation, hex_at, hexes, state_of

OPEN = {"*": "open"}


def strait(*labels: str):
    """Return ground with sea everywhere except in these hexes."""
    return {"*": "sea"} | dict.fromkeys(labels, "open")


def step(*lines, to="2610", left=4, on=OPEN, way="", units=("13-a",), retreats=False, **fields):
    """Return the next step of company A, or of other units, towards a hex."""
    state = state_of(*lines, on=on, **fields)
    start = state.units[units[0]].at
    march = March(units=units, goal=hex_at(to), left=left, way=(*hexes(way), start), retreats=retreats)
    return choose_next_hex(state, march)


def chosen_by_row(decision) -> tuple[str, str]:
    """Return the chosen hex, and the row that excluded the last other hex."""
    return decision.chosen.label, [row.row for row in decision.rows if row.out][-1]


# The Move chart.


def test_ta_9_5_row_1_a_hex_that_cannot_be_fired_at() -> None:
    decision = step("13 A 3010", "17.FK 1 2906")
    assert decision.candidates == hexes("2909 2910")
    assert chosen_by_row(decision) == ("2910", "1")


@pytest.mark.parametrize("harmless", ["fired", "disrupted", "bp"])
def test_ta_9_5_row_1_ignores_germans_that_cannot_fire(harmless: str) -> None:
    assert chosen_by_row(step("13 A 3010", f"17.FK 1 2906 {harmless}")) == ("2909", "4")


def test_ta_9_5_row_1_ignores_germans_without_sight() -> None:
    assert chosen_by_row(step("13 A 3010", "17.FK 1 2906", on=OPEN | {"2907": "bush"})) == ("2909", "4")


@pytest.mark.parametrize("standing", FireOrder)
def test_ta_9_5_row_1_standing_orders_are_unknown_to_the_british(standing: FireOrder) -> None:
    state = state_of("13 A 3010", "17.FK 1 2906", on=OPEN)
    state = state.with_unit(state.units["17.fk-1"].model_copy(update={"standing": standing, "fires_within": 1}))
    march = March(units=("13-a",), goal=hex_at("2610"), left=4, way=(hex_at("3010"),))
    assert chosen_by_row(choose_next_hex(state, march)) == ("2910", "1")


def test_ta_9_5_row_1_is_skipped_if_every_step_is_under_fire() -> None:
    decision = step("13 A 3010", "17.FK mg 2908")
    assert decision.rows[0].skipped
    assert decision.chosen == hex_at("2909")


def test_ta_9_5_row_2_most_protection() -> None:
    assert chosen_by_row(step("13 A 3010", improved=hexes("2910"))) == ("2910", "2")
    assert chosen_by_row(step("13 A 3010", on=OPEN | {"2910": "palms"})) == ("2910", "2")


def test_ta_9_5_row_3_least_mf() -> None:
    assert chosen_by_row(step("13 A 3010", on=OPEN | {"2909": "mangrove"})) == ("2910", "3")


def test_ta_9_5_row_4_lowest_number() -> None:
    decision = step("13 A 3010")
    assert chosen_by_row(decision) == ("2909", "4")
    assert decision.why == "2909 towards 2610: row 4, lowest hex number"
    assert decision.cite.rule == "TA-9.5"


# The shortest path.


def test_ta_9_5_shortest_path_counts_hexes_not_cost() -> None:
    decision = step("13 A 3010", to="3007", on=OPEN | {"3009": "mangrove"})
    assert decision.candidates == hexes("3009")


def test_ta_9_5_step_over_the_mf_is_not_taken() -> None:
    assert step("13 A 3010", left=2, on=OPEN | {"2909": "mangrove"}).chosen == hex_at("2910")
    both = OPEN | {"2909": "mangrove", "2910": "mangrove"}
    halted = step("13 A 3010", left=2, on=both)
    assert halted.chosen is None
    assert "2 MF left there are too few" in halted.why
    assert step("13 A 3010", left=0).chosen is None


def test_ta_9_5_a_retreat_counts_hexes() -> None:
    both = OPEN | {"2909": "mangrove", "2910": "mangrove"}
    assert step("13 A 3010 disrupted", left=1, on=both, retreats=True).chosen == hex_at("2909")
    assert step("13 A 3010 disrupted", left=0, retreats=True).chosen is None


def test_ta_9_5_stack_halts_at_its_goal() -> None:
    assert step("13 A 2610").why == "halts in 2610: it is there"


def test_ta_9_5_path_goes_round_germans() -> None:
    decision = step("13 A 3010", "17.FK 1 2909 fired", "17.FK 2 2910 fired")
    assert decision.chosen == hex_at("3009")


def test_ta_9_5_stack_halts_beside_germans_in_its_goal() -> None:
    assert step("13 A 2810", "17.FK 1 2610").chosen in hexes("2709 2710")
    halted = step("13 A 2710", "17.FK 1 2610")
    assert halted.chosen is None
    assert halted.why == "halts in 2710: no legitimate path leads nearer 2610"


def test_ta_9_5_stack_without_a_legal_path_goes_as_near_as_possible() -> None:
    on = strait("2812", "2811", "2810", "2808", "2807", "2813")
    assert step("13 A 2812", to="2807", on=on).chosen == hex_at("2811")
    assert step("13 A 2810", to="2807", on=on).chosen is None


# Prohibited hexes.


def is_barred(state, hex_: str, *units: str, ending: bool = False):
    """Whether the hex is closed to the units, either for entering or, with `ending`, for staying."""
    stack = tuple(state.units[unit] for unit in units or ("13-a",))
    return not can_enter(state, stack, hex_at(hex_)) if ending else hex_at(hex_) not in passable_hexes(state, stack)


def test_ta_9_5_the_sea_and_germans_are_prohibited() -> None:
    state = state_of("13 A 3010", "17.FK 1 3009 disrupted", "17.FK L 3011", on=OPEN | {"2909": "sea"})
    assert is_barred(state, "2909")
    assert is_barred(state, "3009")
    assert not is_barred(state, "2910")
    assert not is_barred(state, "3011"), "leaders alone bar no hex (ruling)"


def test_ta_9_5_other_formations_and_full_hexes_are_prohibited_to_stay_in() -> None:
    state = state_of("13 A 3010", "61 A 2909", "13 B 2910", "13 C 2910", "13 MG 2910", on=OPEN)
    for full in ("2909", "2910"):
        assert not is_barred(state, full)
        assert is_barred(state, full, ending=True)
    assert not is_barred(state, "2909", "13-a")


def test_ta_9_6_command_officers_stack_with_any_formation() -> None:
    state = state_of("13 A 3010", "61 A 2909", "IS CO 2910", on=OPEN)
    assert not is_barred(state, "2909", "is-co", ending=True)
    assert not is_barred(state, "2910", "13-a", ending=True)


def test_ta_3_beaches_are_prohibited_after_leaving_them() -> None:
    ashore = formation("13", beach="A")
    state = state_of("13 A 3907", "13 B 3906 landing", "IS HQ 3905 inland", formations=(ashore,))
    for beach in ("4006", "3906", "3903", "3804"):
        assert is_barred(state, beach)
        assert not is_barred(state, beach, "is-hq")
    assert not is_barred(state, "4006", "13-b")
    assert not is_barred(state, "3906", "13-b")
    assert is_barred(state, "3804", "13-b")


def test_ta_9_5_a_machine_gun_shuns_hexes_next_to_germans() -> None:
    state = state_of("13 A 3010", "13 MG 3010", "13 L1 3010", "17.FK 1 2908", on=OPEN)
    assert is_barred(state, "2909", "13-mg")
    assert is_barred(state, "2909", "13-mg", "13-l1")
    assert not is_barred(state, "2909")
    assert not is_barred(state, "2909", "13-a", "13-mg")
    guns = guns_left_behind(state, (state.units["13-a"], state.units["13-mg"]), hex_at("2909"))
    assert [gun.id for gun in guns] == ["13-mg"]
    assert guns_left_behind(state, (state.units["13-mg"],), hex_at("2910")) == ()


# Paths of machine guns.


def test_ta_9_5_machine_gun_takes_a_detour_its_company_does_not() -> None:
    lines = ("13 A 3010", "13 MG 3010", "17.FK 1 2908 fired")
    assert step(*lines).chosen == hex_at("2909")
    gun = step(*lines, units=("13-mg",), left=3)
    assert gun.chosen == hex_at("2910")
    near = step("13 MG 2910", *lines[2:], units=("13-mg",), left=3)
    assert near.chosen == hex_at("2810")


def test_ta_9_5_a_machine_gun_next_to_germans_moves_away() -> None:
    decision = step("13 MG 3010", "17.FK 1 2910 fired", units=("13-mg",), left=3)
    assert decision.chosen in hexes("3009 3011 3109 3110")
    assert decision.chosen.distance(hex_at("2910")) == 2


def test_ta_9_5_stack_leaves_no_gun_in_a_prohibited_hex() -> None:
    on = strait("2812", "2811", "2810", "2809", "2808", "2708")
    state_lines = ("13 A 2812", "13 MG 2812", "61 A 2811", "17.FK 1 2809 fired")
    assert step(*state_lines, to="2810", on=on, units=("13-a", "13-mg")).chosen is None
    assert step(*state_lines, to="2810", on=on).chosen == hex_at("2811")


# Friends on the path.


def test_ta_9_5_stack_passes_through_friends_if_it_can_go_on() -> None:
    on = strait("2812", "2811", "2810")
    assert step("13 A 2812", "61 A 2811", to="2810", on=on).chosen == hex_at("2811")
    assert step("13 A 2812", "61 A 2811", to="2810", left=1, on=on).chosen is None
    halted = step("13 A 2812", "61 A 2811", to="2811", on=on)
    assert halted.chosen is None
    assert "no room to stay" in halted.why


def test_ta_9_5_stack_passes_through_friends_only_out_of_fire() -> None:
    on = strait("2812", "2811", "2810", "2712", "2808")
    assert step("13 A 2812", "61 A 2811", "17.FK 1 2808", to="2810", on=on).chosen is None
    assert step("13 A 2812", "17.FK 1 2808", to="2810", on=on).chosen == hex_at("2811")


def test_ta_9_5_stack_steps_aside_if_friends_bar_the_way() -> None:
    friends = ("61 A 2811", "61 B 2711", "61 C 2911")
    decision = step("13 A 2812", *friends, to="2808", left=1, on=OPEN)
    assert decision.chosen is None
    decision = step("13 A 2812", *friends[:1], to="2808", left=1, on=OPEN)
    assert decision.chosen in hexes("2711 2911")
    assert step("13 A 2812", *friends[:1], to="2808", left=1, way="2711 2911").chosen is None


def test_ta_9_5_stack_halts_beside_a_full_goal() -> None:
    assert step("13 A 2812", "61 A 2811", to="2811").chosen is None


def test_ta_9_5_closest_hex_must_allow_staying() -> None:
    on = strait("2812", "2811", "2810", "2807")
    assert step("13 A 2812", "61 A 2810", to="2807", on=on).chosen == hex_at("2811")
    halted = step("13 A 2811", "61 A 2810", to="2807", on=on)
    assert halted.why == "halts in 2811: no legitimate path leads nearer 2807"


# Routing units.


def test_ta_9_5_routing_units_go_round_firm_friends() -> None:
    routed = formation("13", collapsed=True)
    straight = step("13 A 2812", "61 A 2811", to="2809", left=6, retreats=True)
    assert straight.chosen == hex_at("2811")
    shy = step("13 A 2812", "61 A 2811", to="2809", left=6, retreats=True, formations=(routed,))
    assert shy.chosen == hex_at("2711")
    narrow = strait("2812", "2811", "2810", "2809")
    only = step("13 A 2812", "61 A 2811", to="2809", left=6, on=narrow, retreats=True, formations=(routed,))
    assert only.chosen == hex_at("2811")
