"""Play a player's own game in tests: the card plays the British, arbitrary answers stand for the player's box."""

import json
from functools import cache
from typing import Any

from rules.core.model import PUBLIC, UMPIRE
from rules.core.sealed_dice import SEED_BYTES, SealedDice
from rules.core.tests.scripted import ScriptedDice
from rules.tanga.british import Answer, BritishStep
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState
from rules.tanga.own.reading import read_scenario
from rules.tanga.ruleset import Tanga

from .test_ta_own_reading import EXAMPLE

MOST_STEPS = 400
LAND = sorted(hex_.label for hex_ in read_scenario(EXAMPLE.read_bytes())[1].land)


@cache
def system() -> Tanga:
    """Return the Tanga rule system."""
    return Tanga()


def set_up(document: dict[str, Any] | None = None, *dice: int) -> TangaState:
    """Set up a document, or the example; by default the dice put the battalion's MG under the second marker."""
    text = EXAMPLE.read_bytes() if document is None else json.dumps(document).encode()
    return system().own_battles.set_up(text, {}, ScriptedDice(dice or (2,)))


def reload(state: TangaState) -> TangaState:
    """Save and load the state, and check that nothing changed."""
    reloaded = TangaState.model_validate_json(state.model_dump_json())
    assert reloaded == state
    return reloaded


def require_showable(state: TangaState) -> None:
    """Check the state's consistency, and that its views, rosters, scenes and prompts can be built."""
    system().require_valid_state(state)
    for viewer in (UMPIRE, PUBLIC, BRITISH, GERMAN):
        view = system().view(state, viewer)
        system().roster(view, viewer)
        system().scene(view, viewer)
    system().prompts(state)


def british_turn(state: TangaState, seed: int) -> TangaState:
    """Play the British turn to its end with arbitrary answers, saving and loading after each step."""
    dice = SealedDice(bytes([seed] * SEED_BYTES), "own", 1, 1)
    for step in range(MOST_STEPS):
        if state.phase != Phase.BRITISH.value:
            return state
        question = state.british.asked
        action = (
            BritishStep()
            if question is None
            else Answer(word=question.answers[(seed + step) % len(question.answers)][0])
        )
        state, _ = system().act(reload(state), action, dice)
        system().require_valid_state(state)
    raise AssertionError("the British turn does not end")
