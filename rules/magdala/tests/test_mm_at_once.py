"""Automatic actions happen together with their cause, in the order of their causes (MM-4 to MM-6)."""

import pytest

from rules.core import glance
from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.umpire import SetField
from rules.magdala.engagement import start_melee
from rules.magdala.fighting.melee import Melee
from rules.magdala.firing.fire import Fire
from rules.magdala.model import MagdalaState, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.generals import DeclineOffer, GeneralRisk, Reroll
from rules.magdala.morale.retreat import Retire
from rules.magdala.morale.testing import MoraleTest
from rules.magdala.moving.marching import Move
from rules.magdala.ruleset import Magdala
from rules.magdala.stored_prompts import add_prompt
from rules.magdala.turn import TurnNext

from .field import BLUE, RED, dice, field, text_of, unit, with_memory

SYSTEM = Magdala()
FIRER = unit("british-breechloaders", "f", figures=24, at=(30, 30))
FOE = unit("mahdist-spears", "a", BLUE, figures=30, at=(30, 22, 180))
FRIEND = unit("mahdist-spears", "c", BLUE, figures=30, at=(40, 20, 180))


def perform(state: MagdalaState, action: Action, *faces: int) -> tuple[MagdalaState, Report]:
    """Do the action with exactly these dice."""
    script = dice(*faces)
    after, report = SYSTEM.act(state, action, script)
    assert not script.left, "the script has dice over"
    return after, report


def prompted_units(state: MagdalaState) -> list[tuple[str, bool]]:
    return [(prompt.unit, prompt.required) for prompt in SYSTEM.prompts(state)]


def fire_volley(*units, hits: int = 2, later_faces: tuple[int, ...] = (), **fields) -> tuple[MagdalaState, Report]:
    """Fire a volley of eight dice at `a` with `hits` hits. `then` are the faces of later throws."""
    state = field(FIRER, *units, **{"at_once": True, **fields})
    return perform(state, Fire(unit="f", target="a"), *[6] * hits, *[1] * (8 - hits), *later_faces)


def test_mm_5_2_targets_test_is_thrown_with_the_fire_by_its_side() -> None:
    after, report = fire_volley(FOE.model_copy(update={"casualties": 4}), later_faces=(2, 5))
    assert after.unit("a").morale is Morale.STEADY
    assert [(throw.side, len(throw.dice)) for throw in report.throws] == [(RED, 8), (BLUE, 2)]
    assert report.headline == "F fire at A: 2 hits."
    assert report.side == RED
    assert (report.prompts, prompted_units(after)) == ((), [])
    assert [step.verdict for step in report.steps if step.throws] == ["2 hits", "they hold"]


def test_mm_5_6_certain_pass_is_stated_unless_a_modifier_is_secret() -> None:
    _, report = fire_volley(FOE)
    assert len(report.throws) == 1
    assert "they hold automatically" in text_of(report)
    (stated,) = [glance.step_in_words(step) for step in report.steps if "automatically" in step.verdict]
    assert stated.endswith("they hold automatically · MM-5.6"), "its chance is not told as well"
    _, report = fire_volley(FOE.model_copy(update={"casualties": 1, "secret_quality": 2}), later_faces=(1, 1))
    assert len(report.throws) == 2
    by_press, _ = fire_volley(FOE, at_once=False)
    assert perform(by_press, MoraleTest(unit="a"), 1, 1)[1].throws


def test_mm_5_7_outcome_tells_the_last_state_of_each_unit_once() -> None:
    weak = FOE.model_copy(update={"casualties": 8})
    after, report = fire_volley(weak, later_faces=(1, 2))
    assert after.unit("a").morale is Morale.HALTED
    assert report.whole_outcome.count("A: ") == 1
    assert "halted" in report.whole_outcome


def test_mm_5_10_reactions_follow_the_order_of_their_causes() -> None:
    """A unit at half strength retreats and both friends test. Then it moves in its own turn, without a button."""
    weak = FOE.model_copy(update={"casualties": 14})
    enemy = unit("mahdist-spears", "d", BLUE, figures=30, at=(20, 20, 180))
    after, report = fire_volley(weak, FRIEND, enemy, hits=2, later_faces=(6, 3))
    assert [throw.label for throw in report.throws][1:] == ["C: reaction", "D: reaction"]
    assert prompted_units(after)[0] == ("a", False)
    start = after.unit("a").place
    after, report = perform(after.model_copy(update={"active": RED}), TurnNext(), 6, 6)
    assert after.unit("a").place != start
    assert report.headline == after.turn_title + "."
    assert report.throws
    assert {throw.side for throw in report.throws} == {BLUE}


def test_mm_6_failed_test_waits_for_the_general_and_then_continues() -> None:
    led = FOE.model_copy(update={"casualties": 8, "general": "g"})
    general = unit("native-commander", "g", BLUE, at=(30, 22, 180))
    after, report = fire_volley(led, general, later_faces=(1, 1))
    assert [prompt.unit for prompt in report.prompts] == ["a"]
    assert {offer.kind for offer in report.prompts[0].offers} == {"reroll", "decline"}
    assert not [*SYSTEM.actions_without_choice(after)]
    assert perform(after, DeclineOffer(unit="a"))[0].unit("a").morale is Morale.HALTED
    assert perform(after, Reroll(unit="a"), 6, 6)[0].unit("a").morale is Morale.STEADY


def test_mm_6_generals_earlier_risk_is_thrown_first() -> None:
    led = FOE.model_copy(update={"general": "g"})
    general = unit("native-commander", "g", BLUE, at=(30, 22, 180))
    after, report = fire_volley(led, general, hits=3, later_faces=(1, 1, 6, 6))
    assert [throw.label for throw in report.throws][1:] == ["G: risk", "A: morale under fire"]
    assert not after.unit("g").on_table


def test_mm_6_risk_needs_no_places_and_is_thrown_while_tests_wait() -> None:
    zulus = unit("zulus", general="g", casualties=5)
    state = field(zulus, unit("native-commander", "g"), unit("zulus", "b", BLUE), at_once=True)
    state = add_prompt(add_prompt(state, "g", Owes.GENERAL_RISK, by="b"), "a", Owes.UNDER_FIRE)
    after, report = perform(state, MoraleTest(unit="a"), 6, 6, 4, 4)
    assert [throw.label for throw in report.throws] == ["A: morale under fire", "G: risk"]
    state = add_prompt(after, "a", Owes.UNDER_FIRE)
    after, _ = perform(state, TurnNext(waive=True))
    assert [action.kind for action in SYSTEM.actions_without_choice(state)] == ["morale"]
    assert SYSTEM.next_forced_action(state) is None


def test_unplaced_unit_delays_only_its_own_test() -> None:
    after, report = fire_volley(
        FOE.model_copy(update={"casualties": 4}), FRIEND.model_copy(update={"place": None}), later_faces=(2, 5)
    )
    assert [step.verdict for step in report.steps if step.throws] == ["2 hits", "they hold"]
    state = add_prompt(after, "c", Owes.REACTION)
    assert SYSTEM.next_forced_action(state) is None, "its own waits until somebody says what is near"
    assert SYSTEM.next_forced_action(add_prompt(after, "a", Owes.REACTION)) is not None


def test_headline_is_that_of_the_requested_action() -> None:
    tried = (unit.model_copy(update={"casualties": 5}) for unit in (FIRER, FOE))
    state = add_prompt(add_prompt(field(*tried, at_once=True), "a", Owes.UNDER_FIRE), "f", Owes.UNDER_FIRE)
    _, report = perform(state, MoraleTest(unit="f"), 6, 6, 5, 5)
    assert report.headline == "F: morale under fire: they hold."
    assert [throw.label for throw in report.throws] == ["F: morale under fire", "A: morale under fire"]
    assert [report.whole_outcome.count(f"{name}: ") for name in "FA"] == [1, 1]


def test_option_makes_each_test_wait_for_its_button() -> None:
    after, report = fire_volley(FOE, at_once=False)
    assert [prompt.unit for prompt in report.prompts] == ["a"]
    assert [*SYSTEM.actions_without_choice(after)] == [MoraleTest(unit="a")]


def test_umpires_correction_and_secret_test_trigger_nothing() -> None:
    tried = FIRER.model_copy(update={"casualties": 5})
    state = add_prompt(field(tried, FOE, at_once=True), "a", Owes.UNDER_FIRE)
    after, report = perform(state, SetField(unit="f", field="prone", value="yes"))
    assert (report.throws, prompted_units(after)) == ((), [("a", True)])
    state = add_prompt(state, "f", Owes.UNDER_FIRE)
    after, _ = perform(state, MoraleTest(unit="f", secret=True), 6, 6)
    assert prompted_units(after) == [("a", True)]


def test_mm_6_secret_failure_without_a_general_is_not_accepted_automatically() -> None:
    state = add_prompt(field(FIRER, FOE, at_once=True), "a", Owes.UNDER_FIRE, failed=True, secret=True)
    assert [*SYSTEM.actions_without_choice(state)] == [DeclineOffer(unit="a", secret=True)]
    assert SYSTEM.next_forced_action(state) is None


def test_mm_5_7_voluntary_retreat_moves_at_once() -> None:
    halted = with_memory(FOE, halted=True).model_copy(update={"morale": Morale.HALTED, "side": RED, "held_turns": 1})
    enemy = unit("british-breechloaders", "e", BLUE, at=(30, 40))
    after, report = perform(field(halted, enemy, at_once=True), Retire(unit="a"), 6, 6)
    assert report.headline == "A retreat."
    assert after.unit("a").place != halted.place
    assert prompted_units(after) == []


def charge(**fields) -> tuple[MagdalaState, Report]:
    """Move spearmen into contact with a unit that may fire."""
    spears = unit("mahdist-spears", "a", RED, figures=30, at=(30, 20, 180))
    target = unit("british-breechloaders", "f", BLUE, figures=24, at=(30, 28))
    return perform(field(spears, target, at_once=True, **fields), Move(unit="a", to="towards f"), 6, 6)


def test_mm_4_1_defender_chooses_his_fire_and_attacker_the_round() -> None:
    after, _ = charge()
    assert [prompt.side for prompt in SYSTEM.prompts(after)] == [BLUE, RED]
    assert not [*SYSTEM.actions_without_choice(after)]
    with pytest.raises(Refused, match="cannot pass yet") as refused:
        SYSTEM.act(after, TurnNext(), NoDice())
    assert refused.value.prompts[0].side == BLUE


def state_in_melee(*units, **fields) -> MagdalaState:
    """Return two units in the first round of a melee."""
    ours = unit("british-breechloaders", "f", RED, figures=30, at=(30, 30))
    theirs = unit("mahdist-spears", "a", BLUE, figures=30, at=(30, 28, 180), **fields)
    return start_melee(field(ours, theirs, *units, at_once=True), "a", "f")


def test_mm_4_5_end_of_the_turn_fights_the_remaining_rounds() -> None:
    state = state_in_melee()
    assert [prompt.side for prompt in SYSTEM.prompts(state)] == [RED]
    after, report = perform(state, TurnNext(), *[3] * 20)
    assert report.headline == "Turn 1, Blue."
    assert (after.active, after.ending) == (BLUE, False)
    assert [throw.side for throw in report.throws] == [BLUE, RED]
    assert "even" in text_of(report) or "no losses" in text_of(report)


def test_mm_4_5_turn_waits_for_a_generals_choice_after_a_lost_round() -> None:
    general = unit("native-commander", "g", BLUE, at=(30, 28, 180))
    away = (unit("mahdist-spears", unit_id, BLUE, at=(6, 6 + 30 * far)) for far, unit_id in enumerate("de"))
    state = state_in_melee(general, *away, general="g", casualties=9)
    after, report = perform(state, TurnNext(), *[1] * 7, *[6] * 7, 6, 6, 1, 1)
    assert report.headline == "The Red end their turn."
    assert (after.active, after.ending) == (RED, True)
    assert [offer.kind for prompt in report.prompts for offer in prompt.offers] == ["reroll", "decline"]
    assert SYSTEM.awaited_viewers(after) == {BLUE}
    last, report = perform(after, DeclineOffer(unit="a"), 6, 6)
    assert report.throws[-1].label == "A: move"
    assert (last.active, last.ending) == (BLUE, False)
    assert report.headline.startswith("A accept")
    assert report.outcome == "A flee.", "the message names the turn itself"


def test_mm_4_5_a_round_may_be_fought_before_the_end() -> None:
    after, _ = perform(state_in_melee(), Melee(unit="f", target="a"), *[3] * 20)
    assert prompted_units(after) == []
    assert perform(after, TurnNext())[0].active == BLUE


def test_round_without_places_needs_a_button_before_the_turn_ends() -> None:
    state = state_in_melee()
    state = state.with_unit(*(unit.model_copy(update={"place": None}) for unit in state.units.values()))
    with pytest.raises(Refused, match="cannot pass yet"):
        SYSTEM.act(state, TurnNext(), NoDice())


def test_a_game_that_ends_throws_no_more() -> None:
    last = FOE.model_copy(update={"figures": 2})
    after, report = fire_volley(last, hits=2)
    assert after.over is not None
    assert len(report.throws) == 1


def test_sketch_leaves_out_automatic_actions() -> None:
    state = field(FIRER, FOE, at_once=True)
    sketch = SYSTEM.sketch(state, RED, Fire(unit="f", target="a"))
    assert not [step for step in sketch.report.steps if "morale" in step.text]


def test_automatic_risk_is_the_owed_one() -> None:
    state = add_prompt(field(unit("zulus", general="g"), unit("native-commander", "g")), "g", Owes.GENERAL_RISK)
    assert [*SYSTEM.actions_without_choice(state)] == [GeneralRisk(unit="g")]
