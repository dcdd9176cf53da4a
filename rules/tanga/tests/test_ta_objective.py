"""Tests of choosing an objective (TA-9.A, TA-9.B): each row of the Objective chart, and the rulings."""

import pytest

from rules.tanga.automaton.moving import choose_objective, is_building_ordered
from rules.tanga.automaton.stacks import victory_hex_keeper
from rules.tanga.charts import priority_chart
from rules.tanga.options import TangaOptions
from rules.tanga.priorities import Measure
from rules.tanga.scenarios import SCENARIOS

from .field import formation, hex_at, hexes, state_of, unit

OPEN = {"*": "open"}
FIRST = {"embankment": 1, "european town": 2}
SECOND = {"european town": 4}
CAMPAIGN = {"key building": 4}
IN_TOWN = formation("13", entry=hex_at("2516"), entered=True)
TO_TOWN = formation("13", entry=hex_at("2516"))


def game(*lines, objectives=FIRST, formations=(IN_TOWN,), on=OPEN, **fields):
    """Build a game of the first scenario, in which the British have entered the 13th's entry hex."""
    return state_of(*lines, objectives=objectives, formations=formations, on=on, **fields)


def decide(state, *units: str):
    """Return the objective decision of the units."""
    return choose_objective(state, tuple(state.units[unit] for unit in units or ("13-a",)))


def deciding_row(decision) -> str:
    """Return the row whose hexes were chosen."""
    return next(row.row for row in decision.rows if not row.skipped)


# A. Entry hex.


def test_ta_9_a_the_entry_hex_comes_before_every_objective() -> None:
    decision = decide(game("13 A 2711", formations=(TO_TOWN,)))
    assert (decision.chosen, decision.candidates, decision.cite.rule) == (hex_at("2516"), hexes("2516"), "TA-9.A")
    assert not is_building_ordered(decision)


def test_ta_9_a_once_the_british_entered_it_stacks_choose() -> None:
    decision = decide(game("13 A 2711"))
    assert decision.cite.rule == "TA-9.B"
    assert decision.chosen != hex_at("2516")


def test_ta_9_a_company_leaves_a_victory_hex_before_the_entry_hex_is_taken() -> None:
    assert decide(game("13 A 2612", formations=(TO_TOWN,))).chosen == hex_at("2516")


def test_ta_9_a_formation_without_an_entry_marker_stays() -> None:
    decision = decide(game("13 A 2711", formations=()))
    assert decision.chosen is None
    assert "no entry hex yet" in decision.why


# B. Row by row.


def test_ta_9_b_row_1_a_company_in_a_victory_hex_builds() -> None:
    state = game("13 A 2612")
    decision = decide(state)
    assert (deciding_row(decision), decision.chosen, is_building_ordered(decision)) == ("1", hex_at("2612"), True)


def test_ta_9_b_row_1_is_for_infantry() -> None:
    decision = decide(game("13 MG 2612"), "13-mg")
    assert deciding_row(decision) == "5"
    assert not is_building_ordered(decision)


def test_ta_9_b_row_1_one_company_stays_and_the_rest_choose_on() -> None:
    state = game("13 A 2612", "13 B 2612", "13 MG 2612")
    assert victory_hex_keeper(state, hex_at("2612")) == state.units["13-a"]
    stack = decide(state, "13-a", "13-b", "13-mg")
    assert (stack.units, stack.chosen) == (("13-a",), hex_at("2612"))
    second = decide(state, "13-b", "13-mg")
    assert (deciding_row(second), second.chosen) == ("6", hex_at("2310"))


def test_ta_9_b_row_1_a_disrupted_company_keeps_nothing() -> None:
    state = game("13 A 2612 disrupted", "13 B 2612")
    assert victory_hex_keeper(state, hex_at("2612")) == state.units["13-b"]


def test_ta_9_b_row_1_company_stays_after_it_has_built() -> None:
    decision = decide(game("13 A 2612", improved=hexes("2612")))
    assert decision.chosen == hex_at("2612")
    assert decision.why.endswith("its improved position stands")


def test_ta_9_b_row_1_victory_hexes_are_those_of_the_scenario() -> None:
    decision = decide(game("13 A 2612", objectives=SECOND))
    assert (deciding_row(decision), decision.chosen) == ("6", hex_at("2310"))


def test_ta_9_b_row_2_a_staff_in_a_beach_hex_builds() -> None:
    state = game("IS HQ 4006", "IS art 4006", formations=())
    decision = decide(state, "is-hq", "is-art")
    assert (deciding_row(decision), decision.chosen, is_building_ordered(decision)) == ("2", hex_at("4006"), True)


def test_ta_9_b_row_2_staff_builds_once() -> None:
    decision = decide(game("IS HQ 4006", formations=(), improved=hexes("4006")), "is-hq")
    assert (deciding_row(decision), decision.chosen, is_building_ordered(decision)) == ("4", hex_at("4006"), False)


def test_ta_9_b_row_2_guns_alone_do_not_build() -> None:
    decision = decide(game("IS art 4006", formations=()), "is-art")
    assert (deciding_row(decision), decision.chosen, is_building_ordered(decision)) == ("4", hex_at("4006"), False)


def test_ta_9_b_row_2_is_for_staffs() -> None:
    decision = decide(game("13 A 4006"))
    assert deciding_row(decision) == "5"


@pytest.mark.parametrize("letter", ["G", "H"])
def test_ta_9_b_row_3_companies_g_and_h_go_for_germans_near_a_beach(letter: str) -> None:
    lines = (f"13 {letter} 3510", "13 A 3512", "17.FK 1 3708")
    for formations in ((IN_TOWN,), (TO_TOWN,)):
        state = game(*lines, formations=formations)
        decision = decide(state, f"13-{letter.lower()}")
        assert (deciding_row(decision), decision.chosen) == ("3", hex_at("3708"))
        assert decide(state, "13-a").chosen != hex_at("3708")


def test_ta_9_b_row_3_does_not_apply_to_a_mixed_stack() -> None:
    state = game("13 G 3510", "13 H 3510", "13 A 3510", "17.FK 1 3708")
    assert decide(state, "13-g", "13-h").chosen == hex_at("3708")
    assert decide(state, "13-a", "13-g").chosen != hex_at("3708")


def test_ta_9_b_row_3_the_option_says_how_near() -> None:
    far = hex_at("3708").distance(hex_at("4006"))
    lines = ("13 G 3510", "17.FK 1 3708")
    for within, hunts in ((far, True), (far - 1, False)):
        decision = decide(game(*lines, options=TangaOptions(near_a_beach=within)), "13-g")
        assert (decision.chosen == hex_at("3708")) is hunts


def test_ta_9_b_row_3_a_german_leader_alone_is_a_unit() -> None:
    decision = decide(game("13 G 3510", "17.FK L 3708"), "13-g")
    assert (deciding_row(decision), decision.chosen) == ("3", hex_at("3708"))


def test_ta_9_5_lone_machine_gun_chooses_no_hex_next_to_germans() -> None:
    """2310, the nearest hex, is next to a German: a company goes there, a lone machine gun to the next nearest hex."""
    germans = "17.FK 1 2210"
    company = decide(game("13 A 2412", germans, objectives=SECOND))
    assert company.chosen == hex_at("2310")
    gun = decide(game("13 MG 2412", germans, objectives=SECOND), "13-mg")
    beside = {hex_at("2210"), *hex_at("2210").neighbours()}
    assert hex_at("2310") in beside
    assert gun.chosen not in beside
    assert not beside & {*gun.candidates}


def test_ta_9_5_lone_machine_gun_stays_if_every_hex_is_next_to_germans() -> None:
    germans = [f"17.FK {n} {label}" for n, label in enumerate(["2610", "2613", "2616", "2608"], 1)]
    state = game("13 MG 3013", *germans, objectives={"embankment": 1})
    assert decide(state, "13-mg").chosen is None
    assert decide(game("13 A 3013", *germans, objectives={"embankment": 1})).chosen is not None


def test_ta_9_b_row_4_a_staff_goes_for_the_nearest_beach() -> None:
    state = game("IS HQ 3905", formations=())
    decision = decide(state, "is-hq")
    assert deciding_row(decision) == "4"
    nearest = min(hex_at("3905").distance(beach) for beach in hexes("3804 3903 4006"))
    assert hex_at("3905").distance(decision.chosen) == nearest


def test_ta_9_b_row_4_excludes_a_beach_of_another_formation() -> None:
    state = game("IS HQ 3905", "13 A 4006", "13 B 3903", formations=())
    assert decide(state, "is-hq").chosen == hex_at("3804")


def test_ta_9_b_row_5_the_embankment_though_the_town_is_nearer() -> None:
    decision = decide(game("13 A 2410"))
    assert (deciding_row(decision), decision.chosen) == ("5", hex_at("2609"))
    decision = decide(game("13 A 2410", objectives=SECOND))
    assert (deciding_row(decision), decision.chosen) == ("6", hex_at("2309"))


def test_ta_9_b_row_5_is_skipped_while_other_british_hold_any_embankment() -> None:
    assert deciding_row(decide(game("13 A 2410", "13 B 2617"))) == "6"
    assert deciding_row(decide(game("13 A 2410", "13 B 2617 disrupted"))) == "5"
    assert deciding_row(decide(game("13 A 2410", "13 L 2617"))) == "5"


def test_ta_9_b_row_6_the_european_town() -> None:
    decision = decide(game("13 A 2412", objectives=SECOND))
    assert (deciding_row(decision), decision.chosen) == ("6", hex_at("2310"))


def test_ta_9_b_row_7_a_key_building_in_the_campaign() -> None:
    decision = decide(game("13 A 2410", objectives=CAMPAIGN))
    assert (deciding_row(decision), decision.chosen) == ("7", hex_at("2109"))
    skipped = {row.row: row.skipped for row in decision.rows if row.skipped}
    assert skipped["5"] == skipped["6"] == "no victory hexes of this scenario"


def test_ta_9_b_row_8_of_equally_near_hexes_the_lowest_number() -> None:
    decision = decide(game("13 A 2810"))
    assert hex_at("2810").distance(hex_at("2609")) == hex_at("2810").distance(hex_at("2610")) == 2
    assert decision.chosen == hex_at("2609")
    assert [row.row for row in decision.rows if row.out][-1] == "8"


# B. The nearest hex, and candidates.


def test_ta_9_b_nearest_hex_is_measured_along_open_paths() -> None:
    wall = {f"27{row:02}": "sea" for row in range(1, 23) if row != 16}
    assert decide(game("13 A 2810")).chosen == hex_at("2609")
    assert decide(game("13 A 2810", on=OPEN | wall)).chosen == hex_at("2616")


def test_ta_9_b_germans_in_the_way_are_gone_round() -> None:
    assert decide(game("13 A 2811")).chosen == hex_at("2610")
    assert decide(game("13 A 2811", "17.FK 1 2710", "17.FK 2 2711")).chosen == hex_at("2609")


def test_ta_9_b_a_german_held_hex_is_a_candidate() -> None:
    lines = [f"17.FK {n} {label}" for n, label in enumerate(["2608", "2609"], 1)]
    assert decide(game("13 A 2708", *lines)).chosen == hex_at("2608")


def test_ta_9_b_held_victory_hexes_are_no_candidates() -> None:
    lines = ["13 B 2310", "61 A 2309"]
    decision = decide(game("13 A 2410", *lines, objectives=SECOND))
    assert not {hex_at("2310"), hex_at("2309")} & set(decision.candidates)
    assert decision.chosen == hex_at("2209")


def test_ta_9_5_hex_of_another_formation_is_no_candidate() -> None:
    decision = decide(game("13 A 2410", "61 A 2310 disrupted", objectives=SECOND))
    assert hex_at("2310") not in decision.candidates


def test_ta_9_b_stack_without_objectives_stays() -> None:
    town = [hex_at(f"{column:02}{row:02}") for column in range(17, 23) for row in range(8, 11)] + [
        hex_at("2309"),
        hex_at("2310"),
    ]
    lines = [f"13 {'ABCDEFGH'[n % 8]} {hex_.label}" for n, hex_ in enumerate(town)]
    units = [unit(line, id=f"holder-{n}") for n, line in enumerate(lines)]
    decision = decide(game("61 A 2410", *units, objectives=SECOND, formations=(formation("61", entered=True),)), "61-a")
    assert (decision.chosen, decision.candidates) == (None, ())


def test_ta_9_b_rows_5_to_7_are_of_the_shipped_scenarios() -> None:
    words = ("scenario 1", "scenario 1, 2, 3", "campaign")
    kinds = (Measure.EMBANKMENT, Measure.EUROPEAN_TOWN, Measure.KEY_BUILDING)
    assert [(row.measure, row.scenarios) for row in priority_chart("objective").rows if row.scenarios] == list(
        zip(kinds, words, strict=True)
    )
    assert {name: set(scenario.objectives) for name, scenario in SCENARIOS.all.items()} == {
        "initial-assault": {"embankment", "european town"},
        "invasion": {"european town"},
        "big-push": {"european town"},
        "campaign": {"key building"},
    }
