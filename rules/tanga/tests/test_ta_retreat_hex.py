"""Tests of the RO hex (TA-9.C): each row of its chart with hexes that differ only in that row, and candidates."""

import pytest

from rules.tanga.ways import choose_ro_hex

from .field import formation, hex_at, hexes, state_of

OPEN = {"*": "open"}


def decide(*lines, units=("13-a",), rout: bool = False, on=OPEN, **fields):
    """Return the RO hex decision of disrupted company A, or of other units."""
    state = state_of(*lines, on=on, **fields)
    return choose_ro_hex(state, tuple(state.units[unit] for unit in units), rout=rout)


def strait(*labels: str):
    """Return ground with sea everywhere except in these hexes."""
    return {"*": "sea"} | dict.fromkeys(labels, "open")


def chosen_by_row(decision) -> tuple[str, str]:
    """Return the chosen hex, and the row that excluded the last other hex."""
    return decision.chosen.label, [row.row for row in decision.rows if row.out][-1]


def test_ta_9_c_row_1_furthest_from_all_germans() -> None:
    ground = strait("2811", "2812", "2813", "2810")
    decision = decide("13 A 2812 disrupted", "17.FK 1 2807", on=ground | {"2807": "open"})
    assert decision.candidates == hexes("2810 2811 2812 2813")
    assert chosen_by_row(decision) == ("2813", "1")


def test_ta_9_c_row_1_the_nearest_german_counts() -> None:
    ground = strait("2811", "2812", "2813", "2804", "2815")
    decision = decide("13 A 2812 disrupted", "17.FK 1 2804", "17.FK 2 2815", on=ground)
    assert chosen_by_row(decision) == ("2811", "1")


def test_ta_9_c_row_2_most_protection() -> None:
    ground = strait("2811", "2810", "2812", "2813", "2814", "3212")
    assert chosen_by_row(decide("13 A 2812 disrupted", on=ground, improved=hexes("2814"))) == ("2814", "2")
    assert chosen_by_row(decide("13 A 2812 disrupted", on=ground | {"2813": "palms"})) == ("2813", "2")


def test_ta_9_c_row_3_the_lowest_number() -> None:
    assert chosen_by_row(decide("13 A 2812 disrupted", on=strait("2811", "2812", "2813"))) == ("2811", "3")


def test_ta_9_c_three_hexes_in_retreat_six_in_rout() -> None:
    line = [f"28{row:02}" for row in range(2, 13)]
    lines = ("13 A 2812 disrupted", "17.FK 1 2814")
    on = strait(*line, "2814")
    assert decide(*lines, on=on).chosen == hex_at("2809")
    assert decide(*lines, on=on, rout=True).chosen == hex_at("2806")


def test_ta_9_c_only_reachable_hexes_are_candidates() -> None:
    decision = decide("13 A 2812 disrupted", on=strait("2812", "2811", "2809"))
    assert decision.candidates == hexes("2811 2812")


def test_ta_9_c_path_avoids_germans() -> None:
    decision = decide("13 A 2812 disrupted", "17.FK 1 2811", on=strait("2812", "2811", "2810"))
    assert (decision.candidates, decision.chosen) == (hexes("2812"), hex_at("2812"))


def test_ta_9_c_hex_full_of_friends_is_no_candidate() -> None:
    ground = strait("2812", "2811", "2810")
    assert decide("13 A 2812 disrupted", "61 A 2811", on=ground).candidates == hexes("2810 2812")
    full = ("13 B 2811", "13 C 2811", "13 D 2811")
    assert decide("13 A 2812 disrupted", *full, on=ground).candidates == hexes("2810 2812")
    assert decide("13 A 2812 disrupted", *full[:2], on=ground).candidates == hexes("2810 2811 2812")


def test_ta_3_unit_inland_does_not_retreat_to_a_beach() -> None:
    ashore = formation("13", beach="A")
    assert hex_at("4006") not in decide("13 A 3907 disrupted", formations=(ashore,)).candidates
    assert hex_at("4006") in decide("13 A 3906 disrupted landing", formations=(ashore,)).candidates


def test_ta_9_5_routing_units_avoid_firm_friends_if_possible() -> None:
    routed = formation("13", collapsed=True)
    line = strait("2812", "2811", "2810", "2813")
    decision = decide("13 A 2812", "61 A 2811", on=line, rout=True, formations=(routed,))
    assert decision.candidates == hexes("2812 2813")
    narrow = strait("2812", "2811", "2810")
    decision = decide("13 A 2812", "61 A 2811", on=narrow, rout=True, formations=(routed,))
    assert decision.candidates == hexes("2810 2812")
    fled = decide("13 A 2812", "61 A 2811 retreating", on=line, rout=True, formations=(routed,))
    assert fled.candidates == hexes("2810 2812 2813")


@pytest.mark.parametrize(
    "others", [("61 L1 2811",), ("61 A 2811 disrupted retreating", "61 L1 2811"), ("IS stev 2811",)]
)
def test_ta_9_5_leaders_and_stevedores_do_not_bar_routing_units(others: tuple[str, ...]) -> None:
    routed = formation("13", collapsed=True)
    line = strait("2812", "2811", "2810", "2813")
    decision = decide("13 A 2812", *others, on=line, rout=True, formations=(routed,))
    assert hex_at("2810") in decision.candidates


def test_ta_9_5_a_machine_gun_does_not_retreat_past_germans() -> None:
    lines = ("13 A 2812 disrupted", "13 MG 2812 disrupted", "17.FK 1 2711")
    ground = strait("2812", "2811", "2810", "2711")
    assert decide(*lines, on=ground).candidates == hexes("2810 2811 2812")
    assert decide(*lines, on=ground, units=("13-mg",)).candidates == hexes("2812")


def test_ta_9_c_germans_retreat_from_the_british() -> None:
    state = state_of("13 A 2812", "17.FK 1 2810 disrupted", on=OPEN)
    chosen = choose_ro_hex(state, (state.units["17.fk-1"],), rout=False).chosen
    assert chosen.distance(hex_at("2812")) == 5
