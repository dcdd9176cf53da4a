"""Tests of actions possible at any moment: correcting, resuming, playing by hand, loading a game."""

from typing import Any

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.umpire import SetField
from rules.registry import rulesets
from rules.tanga import validation
from rules.tanga.british import BritishStep
from rules.tanga.model import BRITISH, FireOrder, TangaState
from rules.tanga.progress import BritishTurn

from .acting import seeded_dice
from .field import hex_at

GUN_UNDER = "13-rajputs-a"


def begin(scenario: str = "initial-assault") -> TangaState:
    """Set up a new game."""
    state = rulesets()["tanga"].setup(scenario, {}, seeded_dice(1))
    assert isinstance(state, TangaState)
    return state


def test_ta_h_0_automatic_turn_can_be_continued_by_hand() -> None:
    system, dice = rulesets()["tanga"], seeded_dice(2)
    state, report = system.act(begin("big-push"), BritishStep(much="turn"), dice)
    assert not report.prompts
    assert [prompt.offers[0].label for prompt in system.prompts(state)] == ["Play on the British turn"]


def test_ta_h_0_british_wait_after_a_part_of_the_turn() -> None:
    system, dice = rulesets()["tanga"], seeded_dice(2)
    state, _ = system.act(begin("big-push"), BritishStep(much="turn"), dice)
    next_action = system.next_automatic_action(state)
    assert next_action is not None
    state, _ = system.act(state, next_action, dice)
    assert system.next_automatic_action(state) is not None
    state, _ = system.act(state, BritishStep(much="decision"), dice)
    assert system.next_automatic_action(state) is None


def test_ta_1_a_company_under_a_marker_keeps_its_formation() -> None:
    with pytest.raises(Refused, match="MG marker"):
        rulesets()["tanga"].act(begin(), SetField(unit=GUN_UNDER, field="formation", value="61-pioneers"), NoDice())


def test_ta_1_id_of_a_marker_from_outside_must_match_its_key() -> None:
    state = begin()
    validation.check_state(state)
    key, marker = next(iter(state.markers.items()))
    markers = {**state.markers, key: marker.model_copy(update={"id": "another"})}
    with pytest.raises(Refused, match="another id"):
        validation.check_state(state.model_copy(update={"markers": markers}))


def paused_turn() -> TangaState:
    """Return a British turn paused by a question to the German player during a march."""
    system, dice, state = rulesets()["tanga"], seeded_dice(3), begin("big-push")
    asks = (
        unit.model_copy(update={"standing": FireOrder.ASK}) for unit in state.units.values() if unit.side != BRITISH
    )
    state = state.with_unit(*asks)
    for _ in range(200):
        if state.british.asked is not None and state.british.march is not None:
            return state
        order = ("british", {"much": "turn"}) if state.active == BRITISH else ("turn_next", {})
        state, _ = system.act(state, system.parse(*order), dice)
    raise AssertionError("nobody is asked")


def test_ta_h_0_refused_pass_shows_the_open_question() -> None:
    system, state = rulesets()["tanga"], paused_turn()
    with pytest.raises(Refused) as refused:
        system.act(state, system.parse("turn_next", {}), NoDice())
    assert [offer.label for prompt in refused.value.prompts for offer in prompt.offers] == ["Fire", "Hold fire"]


@pytest.mark.parametrize(
    ("march", "question", "why"),
    [
        ({"way": ()}, {}, "on any way"),
        ({"way": (hex_at("0101"),)}, {}, "leaves the land"),
        ({}, {"answers": (("dance", "Dance"),)}, "mean nothing"),
        ({}, {"answers": ()}, "nobody could answer"),
        ({}, {"at": None}, "no land hex"),
        (None, {}, "nobody marches"),
    ],
)
def test_ta_h_0_british_turn_from_outside_can_be_continued(march: Any, question: Any, why: str) -> None:
    state = paused_turn()
    validation.check_state(state)
    now = state.british
    assert now.march is not None
    assert now.asked is not None
    marching = None if march is None else now.march.model_copy(update=march)
    broken = now.model_copy(update={"march": marching, "asked": now.asked.model_copy(update=question)})
    with pytest.raises(Refused, match=why):
        validation.check_state(state.model_copy(update={"british": broken}))


def test_ta_2_actor_of_a_turn_from_outside_must_be_a_formation() -> None:
    with pytest.raises(Refused, match="no formation"):
        validation.check_state(begin().model_copy(update={"british": BritishTurn(formation="")}))


def test_ta_h_system_has_no_questions_without_a_game() -> None:
    with pytest.raises(Refused, match="Tanga's fire and melee hang on the map"):
        rulesets()["tanga"].ad_hoc.set_up("fire", {})
