"""Tests that revealing a marker is reported as shown hidden information, and that a sketch reveals no marker (TA-1)."""

from typing import Any

import pytest

from rules.core.dice import Throw
from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.registry import rulesets
from rules.tanga.model import TangaState
from tests.fuzz import RandomDice

SYSTEM = rulesets()["tanga"]


class Ones:
    """Dice that always show ones."""

    def __init__(self) -> None:
        self._thrown = 0

    def throw(self, count: int, sides: int, label: str, **_: Any) -> Throw:
        self._thrown += 1
        return Throw(number=self._thrown, label=label, sides=sides, dice=(1,) * count)


def germans_to_move() -> TangaState:
    state = SYSTEM.setup("initial-assault", {}, Ones())
    return SYSTEM.act(state, SYSTEM.parse("turn_next", {"waive": True}), Ones())[0]


def perform(state: TangaState, kind: str, **fields: Any) -> TangaState:
    return SYSTEM.act(state, SYSTEM.parse(kind, fields), Ones())[0]


def test_ta_1_melee_that_reveals_a_marker_has_shown_a_hidden_fact() -> None:
    state = germans_to_move()
    for unit in ("17-fk-1", "17-fk-2"):
        state = perform(state, "set", unit=unit, field="at", value="3208")
        state = perform(state, "standing", unit=unit, order="hold")
    for unit in ("13-rajputs-a", "13-rajputs-b"):
        state = perform(state, "set", unit=unit, field="condition", value="disrupted")
    while state.phase != "melee":
        state = perform(state, "turn_next")
    attack = SYSTEM.parse("melee", {"unit": "17-fk-1", "target": "13-rajputs-a"})
    after, report = SYSTEM.act(state, attack, Ones())
    assert after.markers.keys() < state.markers.keys()
    assert report.showed_hidden


def test_ta_1_sketch_does_not_guess_the_contents_of_a_marker() -> None:
    state = perform(germans_to_move(), "set", unit="17-fk-1", field="at", value="2808")
    moves = SYSTEM.legal_actions(SYSTEM.view(state, "german"), "german", "move")
    sketches = (SYSTEM.sketch(state, "german", move) for move in moves)
    sketch = next(sketch for sketch in sketches if sketch.state.markers.keys() < state.markers.keys())
    turned_up = [step for step in sketch.report.steps if "MG marker of" in step.text]
    assert turned_up
    assert {step.verdict for step in turned_up} == {"turned up"}
    assert not sketch.report.throws


def test_ta_h_0_sketch_does_not_draw_the_previous_action() -> None:
    state = germans_to_move()
    moved = perform(state, "move", unit="17-fk-l", to="2909")
    assert moved.trails
    sketch = SYSTEM.sketch(moved, "german", SYSTEM.parse("standing", {"unit": "17-fk-1", "order": "ask"}))
    assert not sketch.state.trails


def test_ta_h_0_pass_belongs_to_no_unit() -> None:
    assert not SYSTEM.actions["turn_next"].is_unit_action


def decision_with_reveal(state: TangaState, seed: int) -> TangaState | None:
    """Return the state after the first British decision that revealed a marker, or None if no decision did."""
    dice = RandomDice(seed)
    while state.active == "british" and state.british.asked is None:
        before = state
        state, _ = SYSTEM.act(state, SYSTEM.parse("british", {"much": "decision"}), dice)
        if state.before_last is not None and not before.markers.keys() <= state.markers.keys():
            return state
    return None


@pytest.mark.parametrize("is_known", [True, False])
def test_ta_9_7_overruling_does_not_draw_a_revealed_marker_again(is_known: bool) -> None:
    start = SYSTEM.setup("initial-assault", {}, Ones())
    start = start if is_known else SYSTEM.view(start, "german")
    state = next(candidate for seed in range(20) if (candidate := decision_with_reveal(start, seed)) is not None)
    alternatives = state.decisions[-1].other_candidates
    assert alternatives
    overrule = SYSTEM.parse("overrule", {"to": alternatives[0].label})
    if is_known:
        _, report = SYSTEM.act(state, overrule, RandomDice(1))
        assert report.headline.startswith("The umpire overrules")
        return
    assert not list(SYSTEM.legal_actions(state, UMPIRE, "overrule"))
    with pytest.raises(Refused, match="would be drawn again"):
        SYSTEM.act(state, overrule, RandomDice(1))
