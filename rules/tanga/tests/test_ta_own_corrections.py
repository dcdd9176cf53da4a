"""Tests of a player's own game corrected by hand: counters move to legal places, and the game goes on."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.refusal import Refused
from rules.core.sealed_dice import SEED_BYTES, SealedDice
from rules.core.state import Action
from rules.core.tests.scripted import ScriptedDice
from rules.core.umpire import RemoveUnit, SetField
from rules.tanga.british import Answer, BritishStep
from rules.tanga.model import GERMAN, Condition, Phase, TangaState
from rules.tanga.own.reading import read_scenario
from rules.tanga.turn import TurnNext

from .field import hex_at
from .own_play import LAND, british_turn, require_showable, set_up, system
from .test_ta_own_reading import EXAMPLE, example

FEW = settings.default.max_examples // 5
"""Number of examples for tests that set up a game per example."""


def correct(state: TangaState, unit: str, field: str, value: str) -> TangaState:
    """Set a field of a unit as the umpire, and check the state."""
    after, _ = system().act(state, SetField(unit=unit, field=field, value=value), ScriptedDice(()))
    require_showable(after)
    return after


def test_ta_own_counter_is_moved_to_its_hex_on_the_players_board() -> None:
    state = correct(set_up(), "13-a", "at", "2810")
    assert state.unit("13-a").at == hex_at("2810")
    state = correct(state, "13-a", "condition", "disrupted")
    assert state.unit("13-a").is_disrupted
    state = correct(state, "13-a", "condition", "eliminated")
    assert state.unit("13-a").at is None
    state = correct(state, "6sch-1", "at", "2012")
    assert state.unit("6sch-1").at == hex_at("2012")
    british_turn(state, 2)


def test_ta_own_a_staff_taken_off_a_map_without_beaches_stays_aboard() -> None:
    document = example()
    document["map"]["beaches"] = {}
    del document["formations"][1]["beach"]
    for unit in document["formations"][1]["units"]:
        unit["at"] = "2908"
    state = correct(set_up(document), "imperial-hq", "at", "none")
    assert british_turn(state, 1).unit("imperial-hq").at is None


@pytest.mark.parametrize(
    ("hex_", "reason"),
    [("2006", "no land hex"), ("4141", "no land hex"), ("2612", "The enemy is in 2612"), ("26", "no hex of this map")],
)
def test_ta_own_counter_is_not_moved_to_an_illegal_hex(hex_: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        correct(set_up(), "13-a", "at", hex_)


SCENARIO, _ = read_scenario(EXAMPLE.read_bytes())
COUNTERS = sorted(formation.unit_id(unit) for formation in SCENARIO.formations for unit in formation.units)


@settings(max_examples=FEW)
@given(
    corrections=st.lists(
        st.tuples(
            st.sampled_from(COUNTERS),
            st.one_of(
                st.tuples(st.just("at"), st.sampled_from([*LAND, "none", "2006"])),
                st.tuples(st.just("condition"), st.sampled_from([str(condition.value) for condition in Condition])),
            ),
        ),
        min_size=1,
        max_size=6,
    ),
    seed=st.integers(0, 255),
)
def test_ta_own_corrections_keep_the_game_sound(corrections: list[tuple[str, tuple[str, str]]], seed: int) -> None:
    state = set_up()
    for unit, (field, value) in corrections:
        try:
            state = correct(state, unit, field, value)
        except Refused:
            continue
    british_turn(state, seed)


def test_ta_own_correction_drops_the_question_about_its_counter() -> None:
    dice = ScriptedDice((3, 4))
    state, _ = system().act(set_up(), BritishStep(), dice)
    question = state.british.asked
    assert question is not None
    state = correct(state, question.unit, "at", "none")
    assert state.british.asked is None
    after, _ = system().act(state, BritishStep(), dice)
    assert after.british.asked is None or after.british.asked.unit != question.unit
    corrected = correct(after, "6sch-1", "name", "Reserve") if after.british.asked else after
    assert corrected.british == after.british


@settings(max_examples=FEW)
@given(st.integers(0, 2**32))
def test_ta_own_game_continues_after_corrections_at_any_moment(seed: int) -> None:
    chance, state = random.Random(seed), set_up()
    dice = SealedDice(bytes([seed % 256] * SEED_BYTES), "own", 1, 1)
    for _ in range(100):
        if state.over is not None or state.turn > 3:
            break
        action = next_action(state, chance)
        try:
            state, _ = system().act(state, action, dice)
        except Refused:
            assert action.umpire_only, "what is asked or legal is never refused"
        system().require_valid_state(state)


def next_action(state: TangaState, chance: random.Random) -> Action:
    """Choose a random correction, answer or legal action."""
    if chance.random() < 0.25:
        unit = chance.choice(sorted(state.units))
        at, condition = chance.choice([*LAND, "none"]), chance.choice(list(Condition)).value
        changes = (("at", at), ("condition", condition))
        if chance.random() < 0.1 and len(state.units) > len(COUNTERS) // 2:
            return RemoveUnit(unit=unit)
        field, value = chance.choice(changes)
        return SetField(unit=unit, field=field, value=value)
    if (question := state.british.asked) is not None:
        return Answer(word=chance.choice(question.answers)[0])
    if state.phase == Phase.BRITISH.value:
        return BritishStep(much=chance.choice(("formation", "decision")))
    legal = [
        action for action in system().legal_actions(state, GERMAN) if action.kind in ("fire", "melee", "rally", "move")
    ]
    return chance.choice(legal) if legal and chance.random() < 0.6 else TurnNext()
