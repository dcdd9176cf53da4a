"""Tests of leaders outside full stacks (TA-9.6)."""

import pytest

from rules.tanga.automaton import sequence
from rules.tanga.progress import Question, Stage

from .acting import StageResult, run, with_british_turn
from .field import dice, formation, hex_at, hexes, play_part, state_of

OPEN = {"*": "open"}


def leader_path(*lines: str, formation_id: str = "13") -> StageResult:
    return run(state_of(*lines, on=OPEN), Stage.LEADERS, formation=formation_id)


def test_ta_9_6_leader_goes_to_the_nearest_disrupted_leaderless_unit() -> None:
    ran = leader_path("13 L1 3305", "13 A 3308 disrupted", "13 B 3306", "61 A 3304 disrupted")
    assert ran.at("13-l1") == "3308"
    assert ran.decisions[0].question is Question.LEADER


def test_ta_9_6_leader_does_not_go_to_units_with_a_leader() -> None:
    ran = leader_path("13 L1 3305", "13 L2 3306", "13 A 3306 disrupted", "13 B 3309 disrupted")
    assert (ran.at("13-l1"), ran.at("13-l2")) == ("3309", "3306")


def test_ta_9_6_leader_of_a_stack_in_good_order_stays_with_it() -> None:
    assert leader_path("13 L1 3305", "13 A 3305", "13 B 3307 disrupted").at("13-l1") == "3305"


def test_ta_9_6_leader_that_has_moved_stays() -> None:
    assert leader_path("13 L1 3305 moved1", "13 A 3307 disrupted").at("13-l1") == "3305"


def test_ta_9_6_leader_goes_to_the_nearest_unit_if_none_is_disrupted() -> None:
    assert leader_path("13 L1 3305", "13 A 3308", "13 B 3309").at("13-l1") == "3308"


def test_ta_9_6_move_chart_decides_between_equally_near_hexes() -> None:
    ran = leader_path("13 L1 3306", "13 A 3308 disrupted", "13 B 3304 disrupted")
    assert ran.decisions[0].candidates == hexes("3304 3308")
    assert ran.decisions[0].chosen == hex_at("3304")


@pytest.mark.parametrize(
    ("stage", "lines", "why"),
    [
        (Stage.LEADERS, ("13 L1 3306", "13 A 3308 disrupted", "13 B 3304 disrupted"), "to units at 3308"),
        (Stage.REORGANISE, ("13 A 3308", "13 B 3306", "13 C 3307"), "to join A"),
    ],
)
def test_ta_9_6_and_9_1_umpire_may_overrule_the_destination(stage: Stage, lines: tuple[str, ...], why: str) -> None:
    state = state_of(*lines, on=OPEN, formations=(formation("13", entry=hex_at("2516")),))
    after, _, stepped = play_part(
        sequence.play_step, with_british_turn(state, formation="13", stage=stage), dice(), hex_at("3308")
    )
    assert (stepped.decision.chosen, stepped.decision.overruled) == (hex_at("3308"), True)
    assert (after.british.march.goal, after.british.march.why) == (hex_at("3308"), why)


def test_ta_9_6_command_officers_go_to_the_disrupted_of_any_formation() -> None:
    ran = leader_path("IS CO1 3805", "IS hq 4006", "13 A 3803 disrupted", "13 B 3505 disrupted", formation_id="IS")
    assert ran.at("is-co1") == "3803"


def test_ta_9_6_command_officers_leave_their_staff_for_disrupted_units() -> None:
    """Command officers, unlike a formation's own leaders, are not used for stacking."""
    assert leader_path("IS CO1 4006", "IS hq 4006", "13 A 3708 disrupted", formation_id="IS").at("is-co1") == "3708"
    assert (
        leader_path("IS CO1 4006", "IS hq 4006", "13 A 3708 disrupted", "13 L1 3708", formation_id="IS").at("is-co1")
        == "4006"
    )


def test_ta_9_6_other_command_officers_return_to_their_staff() -> None:
    assert leader_path("IS CO1 3606", "IS hq 3906", "13 A 3605", formation_id="IS").at("is-co1") == "3906"


def test_ta_h_3_command_officer_does_not_hinder_other_formations() -> None:
    rajputs = formation("13", entry=hex_at("2516"))
    state = state_of("13 A 3305", "13 B 3306", "IS CO1 3305", on=OPEN, formations=(rajputs,))
    assert run(state, Stage.REORGANISE).at("13-b") == "3305"
