"""Tests of British fire and attacks in their own turn (TA-4, TA-5, worked examples 4 and 5)."""

from rules.tanga.automaton import sequence
from rules.tanga.automaton.attacking import apply_answer
from rules.tanga.options import Resolution, TangaOptions
from rules.tanga.progress import Question, Stage

from .acting import run
from .field import dice, hex_at, play_part, state_of

TOWN = {"*": "open", "2310": "european-town"}
WORKS = (hex_at("2310"),)


def test_ta_4_example_4_no_fire_with_a_tcf_under_2() -> None:
    state = state_of("63 A 2410 cf4", "17.FK 1 2310", on=TOWN, improved=WORKS)
    ran = run(state, Stage.FIRE, formation="63")
    assert not ran.state.units["63-a"].fired
    assert ran.steps[-1].verdict == "under 2, it does not fire"
    assert ran.decisions[0].chosen == hex_at("2310")


def test_ta_4_example_4_stack_with_a_tcf_of_2_fires_once() -> None:
    state = state_of("63 A 2410 cf4", "63 B 2410 cf4", "17.FK 1 2310", on=TOWN, improved=WORKS)
    ran = run(state, Stage.FIRE, 1, 2, formation="63")
    assert ran.state.units["63-a"].fired
    assert ran.state.units["63-b"].fired
    assert ran.clauses == ("A and B fire at 2310 (no hit)",)


def test_ta_5_example_4_no_melee_begins_with_a_factor_under_7() -> None:
    state = state_of("63 A 2410 cf4", "63 B 2410 cf4", "17.FK 1 2310", on=TOWN)
    ran = run(state, Stage.MELEE, formation="63")
    assert not ran.state.units["63-a"].fought
    assert ran.steps[-1].verdict == "under 7, they begin no melee"


def test_ta_5_example_4_two_companies_of_cf_5_attack_the_town_even_with_works() -> None:
    state = state_of("13 A 2410", "13 B 2410", "17.FK 1 2310", on=TOWN, improved=WORKS)
    ran = run(state, Stage.MELEE, 6, 6, 6, 6)
    assert ran.state.units["13-a"].fought
    assert ran.decisions[0].question is Question.TARGET


def test_ta_4_no_decision_without_targets() -> None:
    state = state_of("13 A 3010", "17.FK 1 2310", on=TOWN)
    assert run(state, Stage.FIRE).decisions == run(state, Stage.MELEE).decisions == ()


def test_ta_h_5_units_of_a_stack_that_did_not_support_may_fire() -> None:
    """Only the MG reaches the German MG at 2110; the companies then fire at the platoon at 2210."""
    state = state_of("13 A 2510", "13 B 2510", "13 mg 2510", "17.FK mg 2110", "17.FK 1 2210", on={"*": "open"})
    ran = run(state, Stage.FIRE, 6, 6, 6, 6)
    assert ran.clauses == ("mg fires at 2110 (no hit)", "A and B fire at 2210 (no hit)")
    assert all(ran.state.units[key].fired for key in ("13-a", "13-b", "13-mg"))


def test_ta_h_5_units_outside_a_low_tcf_may_fire_at_another_target() -> None:
    far = {"*": "open", "2110": "key-building"}
    lines = ("13 A 2510", "13 mg 2510 cf3", "17.FK mg 2110", "17.FK 1 2210")
    ran = run(state_of(*lines, on=far), Stage.FIRE, 6, 6)
    assert [decision.chosen for decision in ran.decisions] == [hex_at("2110"), hex_at("2210")]
    assert ran.clauses == ("A fires at 2210 (no hit)",)
    assert not ran.state.units["13-mg"].fired


def test_ta_h_5_own_game_asks_the_box_for_each_part_of_a_stack() -> None:
    lines = ("13 A 2510", "13 mg 2510", "17.FK mg 2110", "17.FK 1 2210")
    own = TangaOptions(resolution=Resolution.OWN)
    state = run(state_of(*lines, on={"*": "open"}, options=own), Stage.FIRE).state
    assert (state.british.asked.unit, state.british.asked.at) == ("13-mg", hex_at("2110"))
    next_state = play_part(sequence.play_step, play_part(apply_answer, state, "none", dice())[0], dice())[0]
    assert (next_state.british.asked.unit, next_state.british.asked.at) == ("13-a", hex_at("2210"))


def test_ta_4_a_unit_that_has_fired_fires_no_more() -> None:
    assert run(state_of("13 A 2410 fired", "17.FK 1 2310", on=TOWN), Stage.FIRE).decisions == ()
