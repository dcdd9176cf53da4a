"""Tests of the whole British turn: pausing, answers, overruling, a player's own box, termination (TA-H.0)."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused
from rules.core.umpire import SetField
from rules.registry import rulesets
from rules.tanga import british, scenarios
from rules.tanga.british import Answer, BritishStep, Overrule, Pause, Resume
from rules.tanga.german.move import Move
from rules.tanga.model import GERMAN, Condition, FireOrder, Phase, TangaState, TangaUnit
from rules.tanga.options import Resolution, TangaOptions
from rules.tanga.progress import QuestionKind
from rules.tanga.questions import question_prompts
from rules.tanga.tests.player import choose

from .acting import act, require_sound, seeded_dice
from .field import dice, formation, hex_at, state_of, unit

FEW = settings.default.max_examples // 5
"""Number of examples for tests that set up a game per example."""
OPEN = {"*": "open"}
NONE = NoDice()
RAJPUTS = formation("13", entry=hex_at("2516"))
ASKS = unit("17.FK 1 2613", standing=FireOrder.ASK)
OWN = TangaOptions(resolution=Resolution.OWN)
SCENARIOS = ("initial-assault", "invasion", "big-push", "campaign")


def begin(*lines: str | TangaUnit, **fields: Any) -> TangaState:
    return state_of(*lines, on=OPEN, formations=(RAJPUTS,), turns=3, **fields)


def reload(state: TangaState) -> TangaState:
    """Save and load the state."""
    return TangaState.model_validate_json(state.model_dump_json())


# One formation per action.


def test_ta_h_0_action_plays_one_formation_and_tells_it_in_a_line() -> None:
    state, report = act(begin("13 A 3013", "13 B 3013", "61 A 3310"), BritishStep(), NONE)
    assert report.headline == "13: A and B advance to 2615 towards entry hex 2516."
    assert state.british.done == ("13",)
    assert state.phase == Phase.BRITISH.value
    assert report.offers[0].label == "Next: 61"


def test_ta_h_0_germans_follow_the_last_formation() -> None:
    state, _ = act(begin("13 A 3013", "17.FK 1 1612"), BritishStep(), NONE)
    assert (state.active, state.phase) == (GERMAN, Phase.MOVE.value)
    with pytest.raises(Refused, match="have acted"):
        act(state, BritishStep(), NONE)


def test_ta_h_0_one_decision_at_a_time() -> None:
    state = begin("13 A 3013", "61 A 3310")
    places = []
    while not state.british.done:
        state, _ = act(state, BritishStep(much="decision"), NONE)
        assert len(state.decisions) <= 1
        places.append(str(state.units["13-a"].at))
    assert places == ["3013", "2913", "2814", "2714", "2615", "2615"]


def test_ta_h_0_turn_continues_automatically_by_formation() -> None:
    state = state_of("13 A 3013", "61 A 3310", on=OPEN, formations=(RAJPUTS, formation("61", entry=hex_at("2515"))))
    assert british.next_automatic_action(state) is None
    state, _ = act(state, BritishStep(much="turn"), NONE)
    assert state.british.done == ("13",)
    next_step = british.next_automatic_action(state)
    assert isinstance(next_step, BritishStep)
    state, _ = act(state, next_step, NONE)
    assert state.active == GERMAN
    assert british.next_automatic_action(state) is None


def test_ta_h_0_pause_and_resume() -> None:
    state = state_of("13 A 3013", "61 A 3310", on=OPEN, formations=(RAJPUTS, formation("61", entry=hex_at("2515"))))
    with pytest.raises(Refused):
        act(state, Pause(), NONE)
    state, _ = act(state, BritishStep(much="turn"), NONE)
    state, _ = act(state, Pause(), NONE)
    assert british.next_automatic_action(state) is None
    state, _ = act(state, Resume(), NONE)
    assert british.next_automatic_action(state) is not None
    with pytest.raises(Refused):
        act(state, Resume(), NONE)


def test_ta_h_0_resuming_shows_the_open_question() -> None:
    state, _ = act(paused_turn(), Pause(), NONE)
    state, report = act(state, Resume(), NONE)
    assert report.headline == "The British turn goes on, once this is answered."
    assert [prompt.key for prompt in report.prompts] == ["opportunity-1-0"]


# Questions.


def paused_turn() -> TangaState:
    """Return a paused turn: A and B have marched into rifle range of a German whose player is asked."""
    state, report = act(begin("13 A 3013", "13 B 3013", ASKS), BritishStep(much="turn"), NONE)
    assert [prompt.key for prompt in report.prompts] == ["opportunity-1-0"]
    return state


def test_ta_h_6_a_standing_order_to_ask_stops_the_british_turn() -> None:
    state = paused_turn()
    assert state.british.asked is not None
    assert state.british.asked.ask is QuestionKind.OPPORTUNITY_FIRE
    assert british.next_automatic_action(state) is None
    (prompt,) = question_prompts(state)
    assert [(offer.label, offer.kind, offer.side) for offer in prompt.offers] == [
        ("Fire", "answer", GERMAN),
        ("Hold fire", "answer", GERMAN),
    ]
    with pytest.raises(Refused, match="First the answer"):
        act(state, BritishStep(), NONE)


def test_ta_h_6_answer_fire_is_thrown_and_the_rest_march_on() -> None:
    state, report = act(paused_turn(), Answer(word="fire"), dice(1, 2, 6, 6))
    assert state.units["13-a"].is_disrupted
    assert state.units["17.fk-1"].fired
    assert state.units["13-b"].at != state.units["13-a"].at
    assert "fires at" in report.headline


def test_ta_h_6_answer_hold_lasts_for_one_hex() -> None:
    state, _ = act(paused_turn(), Answer(word="Hold fire"), NONE)
    assert state.british.asked is not None
    assert state.british.asked.key == "opportunity-1-1"
    assert not state.units["17.fk-1"].fired


def test_ta_h_6_unknown_answer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match="fire, hold"):
        act(paused_turn(), Answer(word="charge"), NONE)
    with pytest.raises(Refused, match="Nothing is asked"):
        act(begin("13 A 3013"), Answer(word="fire"), NONE)


def test_ta_h_0_saved_turn_continues_as_without_a_pause() -> None:
    state = paused_turn()
    after, report = act(state, Answer(word="fire"), dice(1, 2, 6, 6))
    back, reloaded_report = act(reload(state), Answer(word="fire"), dice(1, 2, 6, 6))
    assert back == after
    assert reloaded_report == report


# The umpire's corrections.


def test_ta_9_7_the_last_decision_may_be_overruled() -> None:
    """A is in 3010, with two equally short next steps; the umpire chooses the other step."""
    state = state_of("13 A 3010", on=OPEN, formations=(formation("13", entry=hex_at("2610")),), turns=3)
    state, _ = act(state, BritishStep(much="decision"), NONE)
    state, report = act(state, BritishStep(much="decision"), NONE)
    last = state.decisions[-1]
    alternative = next(hex_ for hex_ in last.candidates if hex_ != last.chosen)
    offer = next(offer for offer in report.offers if offer.kind == "overrule")
    assert (offer.args["to"], offer.side) == (alternative.label, UMPIRE)
    action = Overrule.model_validate(offer.args)
    state, report = act(state, action, NONE)
    assert state.decisions[0].overruled
    assert state.decisions[0].chosen == alternative
    assert report.headline.startswith(f"The umpire overrules the next hex of A: {alternative.label} instead of")
    assert alternative in state.trails[0].hexes
    with pytest.raises(Refused, match="decided something else"):
        act(state, action.model_copy(update={"to": "2610"}), NONE)


def test_ta_9_7_decision_may_be_overruled_until_the_next_action() -> None:
    tanga = rulesets()["tanga"]
    state = state_of("13 A 3010", on=OPEN, formations=(formation("13", entry=hex_at("2610")),), turns=3)
    for _ in range(2):
        state, _ = tanga.act(state, BritishStep(much="decision"), NONE)
        assert british.can_overrule(state)
    corrected, _ = tanga.act(state, SetField(unit="13-a", field="name", value="Old A"), NONE)
    assert not british.can_overrule(corrected)
    alternative = next(hex_ for hex_ in state.decisions[-1].candidates if hex_ != state.decisions[-1].chosen)
    overruled, _ = tanga.act(state, Overrule(to=alternative.label), NONE)
    assert british.can_overrule(overruled)


def test_ta_9_7_the_decisions_before_the_overruled_one_are_kept() -> None:
    """Two Germans stand in the open. The card's decision is the second; the umpire chooses the first."""
    state = begin("13 A 2516", "61 A 3310", "17.FK 1 2314 bp", "17.FK 2 2414")
    state, _ = act(state, BritishStep(), dice(6, 6))
    decisions = state.decisions
    assert decisions[-1].chosen == hex_at("2414")
    state, report = act(state, Overrule(to="2314"), dice(6, 6))
    assert report.headline.startswith("The umpire overrules the target of A: 2314 instead of 2414.")
    assert state.decisions[:-1] == decisions[:-1]
    assert (state.decisions[-1].chosen, state.decisions[-1].overruled) == (hex_at("2314"), True)
    assert state.british.done == ("13",)


def test_ta_9_7_the_draw_of_a_beach_may_be_overruled_too() -> None:
    state = state_of("13 A off landing", "61 A 3310")
    state, _ = act(state, BritishStep(much="decision"), dice(1))
    assert state.formation("13").beach == "A"
    choices = [action.to for action in british.OVERRULE.possible_actions(state, UMPIRE) if isinstance(action, Overrule)]
    assert choices == ["3804", "3903"]
    assert list(british.OVERRULE.possible_actions(state, GERMAN)) == []
    state, _ = act(state, Overrule(to="3804"), dice(1, 3, 4))
    assert state.formation("13").beach == "C"


def test_ta_9_7_no_decision_is_overruled_after_the_germans_moved() -> None:
    state, _ = act(begin("13 A 3013", "17.FK 1 1612"), BritishStep(), NONE)
    action = next(iter(british.OVERRULE.possible_actions(state, UMPIRE)))
    state, _ = act(state, Move(unit="17.fk-1", to="1613"), NONE)
    with pytest.raises(Refused, match="no decision"):
        act(state, action, NONE)


def test_ta_9_7_unknown_candidate_is_refused_with_the_candidates() -> None:
    state, _ = act(begin("13 A 3013"), BritishStep(), NONE)
    with pytest.raises(Refused, match="no other candidate"):
        act(state, Overrule(to="1507"), NONE)
    with pytest.raises(Refused, match="no decision"):
        act(begin("13 A 3013"), Overrule(to="2516"), NONE)


def test_ta_0_3_state_before_the_last_decision_stores_no_earlier_one() -> None:
    state, _ = act(begin("13 A 3013", "61 A 3310"), BritishStep(), NONE)
    assert state.before_last is not None
    assert state.before_last.before_last is None
    assert state.before_last.decisions == ()


# A player's own box.


def test_ta_h_own_fire_asks_for_the_result_of_the_box() -> None:
    state = begin("13 A 2516", "17.FK 1 2314", options=OWN)
    state, report = act(state, BritishStep(), NONE)
    assert state.british.asked is not None
    assert state.british.asked.ask is QuestionKind.FIRE_RESULT
    assert [offer.label for offer in report.prompts[0].offers] == ["No effect", "Hit", "Two hits", "Eliminated"]
    after, _ = act(state, Answer(word="hit"), NONE)
    assert after.units["17.fk-1"].is_disrupted
    assert after.units["13-a"].fired
    gone, _ = act(state, Answer(word="eliminated"), NONE)
    assert gone.units["17.fk-1"].condition is Condition.ELIMINATED


def test_ta_h_own_melee_asks_for_the_winner() -> None:
    state = begin("13 A 2516 fired", "13 B 2516 fired", "17.FK 1 2416", options=OWN)
    state, _ = act(state, BritishStep(), NONE)
    assert state.british.asked is not None
    assert state.british.asked.ask is QuestionKind.MELEE_RESULT
    after, _ = act(state, Answer(word="british"), dice(1))
    assert after.units["17.fk-1"].is_disrupted
    assert after.units["17.fk-1"].at != hex_at("2416")
    beaten, _ = act(state, Answer(word="germans"), dice(1))
    assert beaten.units["13-a"].is_disrupted
    assert beaten.units["13-b"].at != hex_at("2516")


def test_ta_h_own_rally_asks_for_its_result() -> None:
    state = begin(unit("13 A 3313 disrupted", ro=hex_at("3313")), options=OWN)
    state, _ = act(state, BritishStep(), NONE)
    assert state.british.asked is not None
    assert state.british.asked.ask is QuestionKind.RALLY_RESULT
    assert act(state, Answer(word="rallies"), NONE)[0].units["13-a"].is_in_good_order
    assert act(state, Answer(word="fails"), NONE)[0].units["13-a"].is_disrupted


def test_ta_h_own_opportunity_fire_asks_for_its_result_or_to_hold() -> None:
    state, report = act(begin("13 A 3013", "13 B 3013", ASKS, options=OWN), BritishStep(), NONE)
    words = [offer.args["word"] for offer in report.prompts[0].offers]
    assert words == ["none", "hit", "twice", "eliminated", "hold"]
    after, _ = act(state, Answer(word="hit"), NONE)
    assert after.units["13-a"].is_disrupted
    assert after.units["17.fk-1"].fired


# Every turn ends, on a consistent board.


@settings(max_examples=FEW)
@given(seed=st.integers(0, 10**6), scenario=st.sampled_from(SCENARIOS), own=st.booleans(), asks=st.booleans())
def test_ta_h_0_every_british_turn_ends_on_a_legal_board(seed: int, scenario: str, own: bool, asks: bool) -> None:
    chance, fallen = random.Random(seed), seeded_dice(seed)
    state = scenarios.set_up_house_scenario(scenario, {}, fallen)
    if own:
        state = state.model_copy(update={"options": OWN})
    if asks:
        ordered = (
            unit.model_copy(update={"standing": FireOrder.ASK}) for unit in state.units.values() if unit.side == GERMAN
        )
        state = state.with_unit(*ordered)
    while state.over is None and state.turn <= 3:
        if state.british.asked is not None:
            state = reload(state)
            word = chance.choice(question_prompts(state)[0].offers).args["word"]
            state, _ = act(state, Answer(word=word), fallen)
        elif state.phase != Phase.BRITISH.value:
            state, _ = act(state, choose(state), fallen)
        else:
            state, _ = act(state, BritishStep(), fallen)
        require_sound(state)


def test_ta_h_0_umpires_correction_pauses_a_running_turn() -> None:
    system = rulesets()["tanga"]
    state, _ = system.act(begin("13 A 3013", "61 A 3310"), BritishStep(much="turn"), NONE)
    assert system.next_automatic_action(state) is not None
    corrected, report = system.act(state, system.parse("set", {"unit": "61-a", "field": "cf", "value": "4"}), NONE)
    assert system.next_automatic_action(corrected) is None
    assert [offer.label for prompt in report.prompts for offer in prompt.offers] == ["Play on the British turn"]


def test_ta_9_7_button_of_an_earlier_turn_overrules_nothing() -> None:
    state = state_of("13 A 3010", on=OPEN, formations=(formation("13", entry=hex_at("2610")),), turns=3)
    state, _ = act(state, BritishStep(much="decision"), NONE)
    state, report = act(state, BritishStep(much="decision"), NONE)
    old = Overrule.model_validate(next(offer.args for offer in report.offers if offer.kind == "overrule"))
    assert state.before_last is not None
    before = state.before_last.model_copy(update={"turn": 2})
    with pytest.raises(Refused, match="decided something else"):
        act(state.model_copy(update={"turn": 2, "before_last": before}), old, NONE)
