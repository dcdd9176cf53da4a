"""Tests that cached lookups of a state stay in their process: pickling a state omits them."""

import pickle

from rules.core.hexboard.stacks import CACHED_STACKS
from rules.core.model import PUBLIC
from rules.tanga.ruleset import Tanga
from tests.fuzz import RandomDice


def test_pickled_state_is_equal_without_its_cached_lookups() -> None:
    tanga = Tanga()
    state = tanga.setup(next(iter(tanga.scenarios)), {}, RandomDice(1))
    stacks = state.stacks
    copy = pickle.loads(pickle.dumps(state))
    assert CACHED_STACKS not in copy.__dict__
    assert copy == state
    assert state.stacks is stacks
    assert tanga.scene(copy, PUBLIC) == tanga.scene(state, PUBLIC)
