"""Tests of staffs: stevedores supply ammunition (TA-8), staffs stay at their beach and build (TA-9.B)."""

import pytest

from rules.tanga.progress import Stage

from .acting import run
from .field import hex_at, state_of


def test_ta_8_stevedores_in_their_beach_hex_fill_the_artillery_to_four_rounds() -> None:
    ran = run(state_of("IS art 3805 rounds1", "IS stev 4006"), Stage.RECOVER, formation="IS")
    assert ran.state.units["is-art"].rounds == 4
    assert "4 rounds" in ran.said


@pytest.mark.parametrize("place", ["3906", "off"])
def test_ta_8_stevedores_outside_their_beach_hex_bring_no_rounds(place: str) -> None:
    ran = run(state_of("IS art 3805 rounds1", f"IS stev {place}"), Stage.RECOVER, formation="IS")
    assert ran.state.units["is-art"].rounds == 1


def test_ta_8_full_artillery_needs_nothing() -> None:
    assert run(state_of("IS art 3805", "IS stev 4006"), Stage.RECOVER, formation="IS").steps == ()


def test_ta_9_b_row_2_a_staff_in_a_beach_hex_builds_once_and_stays() -> None:
    ran = run(state_of("IS hq 4006"), Stage.MOVE, formation="IS")
    assert ran.state.improved == (hex_at("4006"),)
    second_run = run(ran.state, Stage.MOVE, formation="IS")
    assert second_run.state.improved == (hex_at("4006"),)
    assert second_run.at("is-hq") == "4006"


def test_ta_9_b_row_4_a_staff_inland_goes_to_a_beach_hex() -> None:
    assert run(state_of("IS hq 3906"), Stage.MOVE, formation="IS").at("is-hq") == "4006"
