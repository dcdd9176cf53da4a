"""Tests that cached lookups of a state stay in their process: pickling a state omits them."""

import pickle

from rules.core.hexboard.stacks import LOOKED_UP
from rules.core.model import PUBLIC
from rules.tanga.ruleset import Tanga
from tests.fuzz import RandomDice


def test_pickled_state_is_equal_without_its_cached_lookups() -> None:
    tanga = Tanga()
    state = tanga.setup(next(iter(tanga.scenarios)), {}, RandomDice(1))
    found = state.stacks
    there = pickle.loads(pickle.dumps(state))
    assert LOOKED_UP not in there.__dict__
    assert there == state
    assert state.stacks is found
    assert tanga.scene(there, PUBLIC) == tanga.scene(state, PUBLIC)
