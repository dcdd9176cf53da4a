"""Tests of landing: drawing a beach, waves, occupied places (TA-3).

Beaches and beachheads: A 4006, 3906; B 3903, 3904; C 3804, 3805.
"""

import pytest

from rules.tanga.progress import BritishTurn, Stage

from .acting import run
from .field import formation, marker, state_of, unit

COMPANIES = [f"13 {letter} off landing" for letter in "ABCDEFGH"]


def test_ta_3_the_beach_is_drawn_at_random_and_kept() -> None:
    ran = run(state_of(*COMPANIES), Stage.DEBARK, 2)
    assert ran.state.formation("13").beach == "B"
    assert ran.steps[0].throws[0].sides == 3
    assert ran.steps[0].verdict == "beach B"


def test_ta_3_four_combat_units_a_wave_two_on_the_beachhead_two_on_the_beach() -> None:
    ran = run(state_of(*COMPANIES, "13 L1 off landing", "13 L2 off landing"), Stage.DEBARK, 1)
    assert [ran.at(f"13-{letter}") for letter in "abcdef"] == ["3906", "3906", "4006", "4006", "off", "off"]
    assert (ran.at("13-l1"), ran.at("13-l2")) == ("3906", "4006")
    assert ran.state.british.waved == ("A",)


def test_ta_3_the_next_wave_lands_at_the_same_beach_without_a_draw() -> None:
    rajputs = formation("13", beach="C")
    first = [f"13 {letter} 3601" for letter in "ABCD"]
    later = [f"13 {letter} off landing" for letter in "EFGH"]
    ran = run(
        state_of(*[line.replace("3601", "3509") for line in first[:2]], *later, formations=(rajputs,)), Stage.DEBARK
    )
    assert [ran.at(f"13-{letter}") for letter in "efgh"] == ["3805", "3805", "3804", "3804"]


def test_ta_3_a_beach_that_another_formation_holds_is_drawn_again() -> None:
    ran = run(state_of(*COMPANIES, "61 A 3906 landing"), Stage.DEBARK, 1, 2)
    assert ran.state.formation("13").beach == "C"
    assert [step.verdict for step in ran.steps[:2]] == ["beach A is held: again", "beach C"]


@pytest.mark.parametrize("place", ["3906", "4006"])
def test_ta_3_germans_hold_a_beach_but_not_by_a_leader_alone(place: str) -> None:
    result = run(state_of(*COMPANIES, f"17.FK 1 {place}"), Stage.DEBARK, 1, 2)
    assert result.state.formation("13").beach == "C"
    ran = run(state_of(*COMPANIES, f"17.FK L {place}"), Stage.DEBARK, 1)
    assert ran.state.formation("13").beach == "A"
    assert ran.at("17.fk-l") == "off"


@pytest.mark.parametrize(("letters", "lands"), [("AB", ["3906", "4006", "4006"]), ("ABC", ["off", "off", "off"])])
def test_ta_3_landing_keeps_the_stacking_limit(letters: str, lands: list[str]) -> None:
    ashore = [f"13 {letter} 3906 landing" for letter in letters]
    waiting = [f"13 {letter} off landing" for letter in "FGH"]
    ran = run(state_of(*ashore, *waiting, formations=(formation("13", beach="A"),)), Stage.DEBARK)
    assert [ran.at(f"13-{letter}") for letter in "fgh"] == lands


def test_ta_3_a_beach_with_a_wave_this_turn_takes_no_second() -> None:
    state = state_of(*COMPANIES, british=BritishTurn(waved=("A", "B")))
    ran = run(state, Stage.DEBARK, 3)
    assert ran.state.formation("13").beach == "C"


def test_ta_3_formation_waits_without_a_draw_if_all_beaches_are_held() -> None:
    state = state_of(*COMPANIES, "61 A 3906 landing", "63 A 3903 landing", "98 A 3805 landing")
    ran = run(state, Stage.DEBARK)
    assert ran.state.formation("13").beach == ""
    assert ran.at("13-a") == "off"


def test_ta_3_formation_lands_one_wave_a_turn() -> None:
    ran = run(state_of(*COMPANIES), Stage.DEBARK, 1)
    second_run = run(ran.state, Stage.DEBARK)
    assert second_run.at("13-e") == "off"


def test_ta_3_a_formation_that_is_not_due_yet_does_not_land() -> None:
    ran = run(state_of(*COMPANIES, formations=(formation("13", arrives=2),)), Stage.DEBARK)
    assert ran.at("13-a") == "off"


def test_ta_3_a_hidden_machine_gun_lands_under_its_marker() -> None:
    markers = tuple(marker(f"13-{letter}", real=letter == "c") for letter in "aceg")
    ran = run(state_of(*COMPANIES, "13 mg off", markers=markers), Stage.DEBARK, 1)
    assert ran.at("13-mg") == "off"
    assert len(ran.state.markers) == 4


def test_ta_3_staffs_land_at_their_own_beach() -> None:
    staff = [f"IEF {word} off" for word in ("hq", "art", "CO1", "stev")]
    ran = run(state_of(*staff), Stage.DEBARK, formation="IEF")
    assert {ran.at(f"ief-{word}") for word in ("hq", "art", "co1", "stev")} == {"3804"}


def test_ta_3_staff_lands_after_the_battalions() -> None:
    staff = ["IS hq off", "IS art off"]
    assert run(state_of(*staff, "61 H off landing"), Stage.DEBARK, formation="IS").at("is-hq") == "off"
    assert run(state_of(*staff, "61 H 3309"), Stage.DEBARK, formation="IS").at("is-hq") == "4006"


def test_ta_3_two_units_land_on_the_beachhead_beside_a_staff() -> None:
    rajputs = formation("13", beach="A")
    ran = run(state_of(*COMPANIES, "IS hq 4006", formations=(rajputs,)), Stage.DEBARK)
    assert [ran.at(f"13-{letter}") for letter in "abcd"] == ["3906", "3906", "off", "off"]


def test_ta_3_germans_may_fire_at_landing_units() -> None:
    watch = unit("17.FK 1 3806", fires_within=2)
    ran = run(
        state_of("13 A off landing", watch, on={"*": "open"}, formations=(formation("13", beach="A"),)),
        Stage.DEBARK,
        1,
        2,
    )
    assert "fires at 13 A" in ran.said


def test_ta_3_landed_units_may_leave_by_the_beachhead_and_never_come_back() -> None:
    rajputs = formation("13", beach="A", entry=None)
    ran = run(
        state_of("13 A 3906 landing", formations=(rajputs.model_copy(update={"entry": None}),)), Stage.RECOVER, 3, 4
    )
    ran = run(ran.state, Stage.MOVE)
    assert ran.at("13-a") not in ("3906", "4006")
    assert ran.state.units["13-a"].inland
