"""Tests that cached lookups of a state stay in their process: pickling a state omits them."""

import pickle

from rules.core.hexboard.stacks import LOOKED_UP
from rules.core.model import PUBLIC
from rules.tanga.ruleset import Tanga
from tests.fuzz import RandomDice


def test_a_table_of_which_something_was_asked_goes_to_a_worker_and_looks_the_same_there() -> None:
    tanga = Tanga()
    state = tanga.setup(next(iter(tanga.scenarios)), {}, RandomDice(1))
    found = state.stacks
    there = pickle.loads(pickle.dumps(state))
    assert LOOKED_UP not in there.__dict__
    assert there == state
    assert state.stacks is found
    assert tanga.scene(there, PUBLIC) == tanga.scene(state, PUBLIC)
