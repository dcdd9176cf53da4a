"""Automatic actions happen together with their cause (BE-1, BE-5 to BE-7)."""

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.conduct.testing import Rally
from rules.empire.fighting.engagement import SupportMelee
from rules.empire.firing.fire import Fire
from rules.empire.model import EmpireState, Health
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.turning.turn import TurnNext

from .field import BLUE, RED, contact_of, dice, field, text_of, unit, with_memory

SYSTEM = Empire()
REGULARS = unit("british-regulars", "a", RED, at=(30, 30))
ZULUS = unit("zulus", "b", BLUE, at=(30, 28.5, 180))
FAR = (unit("british-regulars", "c", RED, at=(60, 40)), unit("zulus", "d", BLUE, at=(6, 6, 180)))


def perform(state: EmpireState, action: Action, *faces: int) -> tuple[EmpireState, Report]:
    """Do the action with exactly these dice."""
    script = dice(*faces)
    after, report = SYSTEM.act(state, action, script)
    assert not script.left, "the script has dice over"
    return after, report


def in_melee(*units, **fields) -> EmpireState:
    """Return a melee of two units in the phase of rifles, in which no unit can act."""
    contacts = (contact_of("b", "a"),)
    start = {"phase": Phase.MELEE, "contacts": contacts, "at_once": True, **fields}
    return field(REGULARS, ZULUS, *FAR, *units, **start)


def state_with_shaken(**fields) -> EmpireState:
    ours = [unit("british-regulars", unit_id, RED, at=(10 + 20 * n, 30), shaken=True) for n, unit_id in enumerate("ac")]
    leader = unit("leader", "l", RED, at=(50, 30))
    return field(*ours, leader, FAR[1], **{"phase": Phase.COMMANDERS, "first": RED, "at_once": True, **fields})


def test_be_6_report_lists_automatic_tests_by_unit() -> None:
    after, report = perform(state_with_shaken(), TurnNext(side=RED), 5, 1)
    assert report.headline == "Turn 1, phase 4B: movement of units, Red."
    assert [throw.label for throw in report.throws] == ["A: conduct", "C: conduct"]
    assert {throw.side for throw in report.throws} == {RED}
    assert [after.unit(unit_id).shaken for unit_id in "ac"] == [False, True]
    throws = {step.text: (step.start, step.verdict) for step in report.steps if step.throws}
    assert throws == {"A, rally": (5, "rally, may move 6 inches"), "C, rally": (1, "stay shaken, hold")}
    assert not [prompt for prompt in SYSTEM.prompts(after) if prompt.required]


def without_places(state: EmpireState, *units: str) -> EmpireState:
    return state.with_unit(*(state.unit(unit_id).model_copy(update={"place": None}) for unit_id in units))


def test_be_6_shaken_units_wait_without_places_or_by_option() -> None:
    commander = unit("army-commander", "k", RED, at=(40, 30))
    led = state_with_shaken().with_unit(commander)
    for state in (state_with_shaken(at_once=False), without_places(led, "k"), without_places(led, "a", "c")):
        after, report = perform(state, TurnNext(side=RED))
        assert report.throws == ()
        assert [*SYSTEM.actions_without_choice(after)] == [Rally(unit="a"), Rally(unit="c")]


def test_be_6_unplaced_unit_does_not_delay_tests_of_other_units() -> None:
    led = state_with_shaken().with_unit(unit("army-commander", "k", RED, at=(40, 30)))
    after, report = perform(without_places(led, "a", "d"), TurnNext(side=RED), 1)
    assert [throw.label for throw in report.throws] == ["C: conduct"]
    assert [*SYSTEM.actions_without_choice(after)] == [Rally(unit="a")]


def test_be_5_melee_without_possible_support_is_fought_at_once() -> None:
    after, report = perform(in_melee(phase=Phase.RIFLES), TurnNext(side=RED), 6, 6, 1, 1, *[1] * 4)
    assert "A beaten" in text_of(report)
    assert after.unit("a").shaken
    assert "B fight A: 2 hits to 0." in report.outcome
    assert (after.turn, after.contacts[0].rounds) == (2, 1)
    assert {throw.side for throw in report.throws} == {RED, BLUE}


def melee_with_support() -> EmpireState:
    """Return a melee of two units; a friend behind one of them may support."""
    return in_melee(unit("zulus", "e", BLUE, at=(30, 27, 180)))


def test_be_5_support_is_a_choice_until_the_side_ends_the_phase() -> None:
    state = melee_with_support()
    assert not [*SYSTEM.actions_without_choice(state)]
    state, report = perform(state, TurnNext(side=RED))
    assert report.throws == ()
    assert [prompt.side for prompt in SYSTEM.prompts(state) if prompt.required] == [BLUE]
    after, report = perform(state, TurnNext(side=BLUE), *[6] * 4, *[1] * 4)
    assert after.unit("a").shaken
    assert "waived" not in text_of(report)


def test_be_5_melee_with_all_possible_support_is_fought_at_once() -> None:
    after, report = perform(melee_with_support(), SupportMelee(unit="e", target="b"), 6, 6, *[1] * 4, *[1] * 4)
    assert report.headline.startswith("E support B")
    assert "Units may fix bayonets" in report.outcome, "the message names the phase itself"
    assert "have ended" not in report.outcome
    assert after.unit("a").shaken
    assert after.turn == 2


def test_be_5_option_makes_the_phase_wait_for_the_melee() -> None:
    state = melee_with_support().model_copy(
        update={"options": melee_with_support().options.model_copy(update={"throw_at_once": False})}
    )
    side = next(prompt.side for prompt in SYSTEM.prompts(state) if prompt.required)
    with pytest.raises(Refused, match="Still to decide"):
        SYSTEM.act(state, TurnNext(side=side), NoDice())


def test_be_7_critical_hits_are_thrown_when_phase_9_begins() -> None:
    hit = with_memory(REGULARS, kills=1).model_copy(update={"kills": 1})
    leader = unit("leader", "l", RED, at=(30, 30), attached_to="a")
    state = field(hit, leader, *FAR, phase=Phase.MELEE, at_once=True)
    after, report = perform(state, TurnNext(), 1, 1)
    assert after.unit("l").health is Health.KILLED
    assert "L is killed" in report.outcome
    assert report.throws[0].side == RED
    assert after.turn == 2


def test_be_3_phase_ends_after_the_last_possible_shot() -> None:
    theirs = unit("zulus", "b", BLUE, at=(30, 22, 180))
    state = field(REGULARS, theirs, *FAR, phase=Phase.RIFLES, done=(BLUE,), at_once=True)
    after, report = perform(state, Fire(unit="a", target="b"), *[6] * 4)
    assert report.headline.startswith("A fire at B")
    assert after.unit("b").kills
    assert after.turn == 2


def test_be_1_first_mover_is_a_choice() -> None:
    state = field(REGULARS, ZULUS, phase=Phase.INITIATIVE, initiative={RED: 5, BLUE: 2}, at_once=True)
    assert not [*SYSTEM.actions_without_choice(state)]


def test_be_1_empty_table_skips_at_most_a_turn() -> None:
    after, _ = perform(field(phase=Phase.CRITICAL, at_once=True, options={"initiative_by_dice": False}), TurnNext())
    assert after.turn <= 3
