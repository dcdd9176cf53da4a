"""Tests of automatic progress without a player's decision: British turn, empty phases, turns at sea (TA-H.0)."""

import pytest

from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.tanga.british import BritishStep, Pause
from rules.tanga.german.fight import Fire
from rules.tanga.model import GERMAN, Phase, TangaState
from rules.tanga.progress import OpenQuestion, QuestionKind
from rules.tanga.ruleset import Tanga
from rules.tanga.turn import TurnNext
from tests.fuzz import RandomDice

from .field import dice, formation, hex_at, state_of, text_of

OPEN = {"*": "open"}
SYSTEM = Tanga()
AT_SEA = formation("13", arrives=4)
WITHOUT_AUTOMATION = {"throw_at_once": False}
LINES = ("17.FK 1 2510", "13 A off")


def at(phase: Phase, *lines: str, **fields: object) -> TangaState:
    return state_of(*lines, **{"phase": phase.value, "active": GERMAN, "on": OPEN, "turns": 9, **fields})


def act(state: TangaState, action: Action, *faces: int) -> tuple[TangaState, Report]:
    script = dice(*faces)
    after, report = SYSTEM.act(state, action, script)
    assert not script.left
    return after, report


def button_labels(state: TangaState) -> list[str]:
    return [offer.label for prompt in SYSTEM.prompts(state) for offer in prompt.offers]


def test_ta_h_0_british_turn_begins_automatically() -> None:
    after, report = act(at(Phase.RALLY, "17.FK 1 2510", "13 A 3210"), TurnNext())
    assert (after.turn, after.phase) == (2, Phase.BRITISH.value)
    assert SYSTEM.next_automatic_action(after) == BritishStep(much="turn")
    assert report.prompts == ()
    paused, _ = act(after, Pause())
    assert SYSTEM.next_automatic_action(paused) is None


def test_ta_h_0_option_makes_the_british_turn_wait_for_its_button() -> None:
    after, report = act(at(Phase.RALLY, "17.FK 1 2510", "13 A 3210", options=WITHOUT_AUTOMATION), TurnNext())
    assert SYSTEM.next_automatic_action(after) is None
    assert [prompt.text for prompt in report.prompts] == ["British turn: press Play"]


def test_ta_h_0_british_turn_at_sea_is_skipped_with_a_line() -> None:
    after, report = act(at(Phase.RALLY, *LINES, formations=(AT_SEA,)), TurnNext())
    assert (after.turn, after.phase, after.british.running) == (2, Phase.MOVE.value, False)
    assert "The British phase: the British have nothing to do" in text_of(report)
    pressed, _ = act(at(Phase.RALLY, *LINES, formations=(AT_SEA,), options=WITHOUT_AUTOMATION), TurnNext())
    assert pressed.phase == Phase.BRITISH.value


def test_ta_h_0_the_germans_wait_until_the_british_come_in_one_press() -> None:
    state = at(Phase.MOVE, *LINES, formations=(AT_SEA,))
    assert button_labels(state) == ["On to rally", "Wait until something happens"]
    after, report = act(state, TurnNext(wait=True))
    assert (after.turn, after.phase, after.british.running) == (4, Phase.BRITISH.value, True)
    assert [step.text for step in report.steps] == ["Turns 1 to 3: the Germans wait"]
    assert report.headline.startswith("Turn 4 of 9, British")


def test_ta_h_11_germans_wait_until_reinforcements_arrive() -> None:
    coming = formation("16.FK", arrives=2)
    lines = (*LINES, "16.FK 1 off")
    after, report = act(at(Phase.RALLY, *lines, formations=(AT_SEA, coming)), TurnNext(wait=True))
    assert (after.turn, after.phase) == (3, Phase.MOVE.value)
    assert [step.text.split(" arrives")[0] for step in report.steps] == ["Turns 1 to 2: the Germans wait", "16.FK"]


def test_ta_h_0_turns_are_skipped_without_germans_on_the_map() -> None:
    coming = formation("16.FK", arrives=3)
    state = at(Phase.RALLY, "16.FK 1 off", "13 A off", formations=(formation("13", arrives=6), coming))
    after, report = act(state, TurnNext())
    assert (after.turn, after.phase) == (4, Phase.MOVE.value)
    assert "arrives" in text_of(report)


def test_ta_h_0_turns_are_skipped_until_the_british_come() -> None:
    after, _ = act(at(Phase.RALLY, "13 A off", formations=(formation("13", arrives=3),)), TurnNext())
    assert (after.turn, after.phase, after.british.running) == (3, Phase.BRITISH.value, True)
    after, report = act(at(Phase.RALLY, "13 A off", formations=(formation("13", arrives=6),)), TurnNext())
    assert (after.turn, after.phase, after.british.running) == (6, Phase.BRITISH.value, True)
    assert report.steps[-1].text == "Turns 3 to 5: nobody has anything to do"


def test_ta_h_0_turns_are_not_skipped_near_the_enemy_or_by_option() -> None:
    near = at(Phase.MOVE, "17.FK 1 2510", "13 A 3210")
    assert "Wait until something happens" not in button_labels(near)
    with pytest.raises(Refused, match="on the map"):
        SYSTEM.act(near, TurnNext(wait=True), NoDice())
    with pytest.raises(Refused, match="throw at once"):
        SYSTEM.act(
            at(Phase.MOVE, *LINES, formations=(AT_SEA,), options=WITHOUT_AUTOMATION), TurnNext(wait=True), NoDice()
        )


def test_ta_h_0_last_possible_shot_ends_the_phase() -> None:
    state = at(Phase.FIRE, "17.FK 1 2510 cf7", "13 A 2610")
    after, report = act(state, Fire(unit="17.fk-1", target="13-a"), 6, 6)
    assert after.phase == Phase.MELEE.value
    assert report.headline == "17.FK 1 fires at 2610: no hit"
    hit = act(state, Fire(unit="17.fk-1", target="13-a"), 1, 1)[1]
    assert hit.headline == "17.FK 1 fires at 2610: 13 A eliminated"
    assert "melee" not in report.outcome, "the message names the phase itself"
    two = at(Phase.FIRE, "17.FK 1 2510 cf7", "17.FK 2 2511 cf7", "13 A 2610")
    assert act(two, Fire(unit="17.fk-1", target="13-a"), 6, 6)[0].phase == Phase.FIRE.value


def test_ta_h_0_question_stops_automatic_progress() -> None:
    question = OpenQuestion(
        key="q-1-0",
        side=GERMAN,
        ask=QuestionKind.FIRE_RESULT,
        text="What?",
        cite={"rule": "TA-H"},
        unit="17.fk-1",
        at=hex_at("2610"),
        answers=(("none", "No effect"), ("hit", "Hit")),
    )
    state = at(Phase.FIRE, "17.FK 1 2510 fired", "13 A 3210")
    with_question = state.model_copy(update={"british": state.british.model_copy(update={"asked": question})})
    assert [*SYSTEM.actions_without_choice(state)] == [TurnNext()]
    assert [*SYSTEM.actions_without_choice(with_question)] == []


def test_the_campaign_comes_to_its_first_landing_in_three_presses() -> None:
    """Three presses suffice: begin the game, play the British turn, wait. The boats then land automatically."""
    random_dice, state = RandomDice(7), SYSTEM.setup("campaign", {}, RandomDice(7))
    for action in (BritishStep(much="turn"), TurnNext(wait=True)):
        assert SYSTEM.next_automatic_action(state) is None
        state, _ = SYSTEM.act(state, action, random_dice)
    assert (state.turn, state.phase) == (10, Phase.BRITISH.value)
    landing = SYSTEM.next_automatic_action(state)
    assert landing is not None
    _, report = SYSTEM.act(state, landing, random_dice)
    assert "land at beach" in report.headline
