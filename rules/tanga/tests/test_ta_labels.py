"""Tests that every legal action has a button label, with the same chance as `/odds` if dice are thrown."""

import pytest

from rules.core.state import Action
from rules.core.wording import percent
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState

from .acting import TYPES
from .field import state_of

FK = "17.FK"


def at(phase: Phase, *lines: str) -> TangaState:
    side = BRITISH if phase is Phase.BRITISH else GERMAN
    return state_of(*lines, on={"*": "open"}, phase=phase.value, active=side)


def label(state: TangaState, action: Action) -> str:
    kind = TYPES[action.kind]
    return kind.label(state, kind.plan(state, action))


@pytest.mark.parametrize("phase", Phase)
def test_every_legal_action_has_a_label(phase: Phase) -> None:
    state = at(phase, f"{FK} 1 2510", f"{FK} 2 2510 cf9", f"{FK} L 2510", "13 A 2610")
    actions = [action for kind in TYPES.values() for action in kind.possible_actions(state, GERMAN)]
    assert actions
    assert all(label(state, action) for action in actions)


@pytest.mark.parametrize("phase", [Phase.FIRE, Phase.MELEE])
def test_chance_on_a_button_matches_the_odds(phase: Phase) -> None:
    state = at(phase, f"{FK} 1 2510", f"{FK} 2 2510 cf9", "13 A 2610")
    actions = [action for kind in TYPES.values() if kind.has_odds for action in kind.possible_actions(state, GERMAN)]
    assert actions
    for action in actions:
        good = sum(outcome.chance for outcome in TYPES[action.kind].odds_of(state, action).outcomes if outcome.good)
        assert percent(good) in label(state, action)


def test_ta_h_0_labels_of_continuing() -> None:
    step, turn = TYPES["british"], TYPES["turn_next"]
    begin = at(Phase.BRITISH, "13 A 2610")
    assert [label(begin, step.action(much=much)) for much in ("turn", "formation")] == [
        "Play the British turn",
        "Next: 13",
    ]
    assert label(begin, turn.action(waive=True)) == "Pass the British by"
    ahead = [label(at(phase, f"{FK} 1 2510"), turn.action()) for phase in (Phase.MOVE, Phase.FIRE, Phase.RALLY)]
    assert ahead == ["On to rally", "On to rally", "End the turn"], "nobody can fire or attack"
