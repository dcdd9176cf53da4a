"""Tests of the bot as German player: imagined markers, proposed actions, estimates, and no use of hidden facts."""

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets
from rules.tanga.candidates import guess_hidden_guns
from rules.tanga.german.fight import Fire, Melee
from rules.tanga.model import GERMAN, Phase, TangaState

from .field import marker, state_of

SYSTEM = rulesets()["tanga"]
OPEN = {"*": "open"}


def chosen_action(state: TangaState, level: Level, seed: str = "a") -> object:
    thought = DecisionMaker(SYSTEM, GERMAN, level, seed).decide(state)
    return thought.action if thought else None


def german_state(phase: Phase, *lines: str, **fields: object) -> TangaState:
    return state_of(*lines, on=OPEN, phase=phase.value, active=GERMAN, **fields)


def test_ta_1_opponent_assumes_an_unseen_mg_under_one_of_the_markers() -> None:
    companies = ("13 A 3010", "13 C 3110", "61 A 3210", "61 C 3310")
    markers = [marker(unit_id) for unit_id in ("13-a", "13-c", "61-a", "61-c")]
    state = state_of(*companies, "13 mg off", "61 mg 3410", markers=markers)
    supposed = [guess_hidden_guns(state, SeededDice(str(seed))).markers for seed in range(20)]
    assert all(sum(bool(supposition[f"13-{letter}-marker"].real) for letter in "ac") == 1 for supposition in supposed)
    assert {supposition["13-a-marker"].real for supposition in supposed} == {True, False}
    assert not any(supposition[f"61-{letter}-marker"].real for supposition in supposed for letter in "ac")


@pytest.mark.parametrize("level", Level)
def test_ta_1_contents_of_markers_change_no_decision(level: Level) -> None:
    lines = ("13 A 2810", "13 C 2910", "13 mg off", "17.FK 1 2511", "17.FK 2 2512", "17.FK 3 2613")
    results = [
        chosen_action(german_state(Phase.MOVE, *lines, markers=[marker("13-a", real), marker("13-c", not real)]), level)
        for real in (True, False)
    ]
    assert results[0] == results[1] is not None


@pytest.mark.parametrize("level", Level)
def test_ta_h_5_opponent_fires_if_it_can(level: Level) -> None:
    state = german_state(Phase.FIRE, "13 A 2810", "17.FK 1 2811", objectives={"embankment": 1})
    assert chosen_action(state, level) == Fire(unit="17.fk-1", target="13-a")


@pytest.mark.parametrize("level", Level)
def test_ta_h_7_opponent_attacks_a_weak_enemy_on_a_victory_hex(level: Level) -> None:
    lines = ("13 A 2612 disrupted", "17.FK 1 2512", "17.FK 2 2512", "17.FK 3 2512")
    state = german_state(Phase.MELEE, *lines, objectives={"embankment": 1})
    assert isinstance(chosen_action(state, level), Melee)
