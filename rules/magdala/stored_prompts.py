"""The prompts that a state keeps until they are settled: tests, moves and answers that units owe."""

from collections.abc import Iterable
from typing import Any

from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.ruleset import Refused

from .model import MagdalaState, StoredPrompt, Test

MOVES = (Test.RETREAT, Test.PURSUIT_MOVE)
"""Prompts for moves in a unit's own turn; a unit caught in melee meanwhile owes them no more (ruling)."""

SETTLE_FIRST = tuple(test for test in Test if test not in (Test.WITNESS, Test.DEFENSIVE_FIRE))
"""Tests that a unit settles before it obeys any order."""


def add_prompt(state: MagdalaState, unit: str, test: Test, **fields: Any) -> MagdalaState:
    """Return the state with a further prompt; `fields` sets other fields of `StoredPrompt`."""
    prompt = new_prompt(state, unit, test, **fields)
    return state.model_copy(update={"prompts": (*state.prompts, prompt), "events": state.events + 1})


def new_prompt(state: MagdalaState, unit: str, test: Test, **fields: Any) -> StoredPrompt:
    """Return a new prompt for the unit, with the state's next key."""
    return StoredPrompt(key=f"{test.name.lower()}:{unit}:{state.events + 1}", unit=unit, test=test, **fields)


def prompts_of(state: MagdalaState, unit: str, *tests: Test) -> tuple[StoredPrompt, ...]:
    """Return the unit's prompts, oldest first; if `tests` are given, only prompts for these."""
    return tuple(prompt for prompt in state.prompts if prompt.unit == unit and (not tests or prompt.test in tests))


def oldest_prompt(state: MagdalaState, unit: str, *tests: Test) -> StoredPrompt | None:
    """Return the unit's oldest prompt for these tests (or for any test), or None."""
    return next(iter(prompts_of(state, unit, *tests)), None)


def remove_prompts(state: MagdalaState, *settled: StoredPrompt) -> MagdalaState:
    """Return the state without the `settled` prompts."""
    keys = {prompt.key for prompt in settled}
    return state.model_copy(update={"prompts": tuple(prompt for prompt in state.prompts if prompt.key not in keys)})


def change_prompt(state: MagdalaState, prompt: StoredPrompt, **changes: Any) -> MagdalaState:
    """Return the state with one prompt changed; the prompt keeps its key and its position."""
    changed = prompt.model_copy(update=changes)
    return state.model_copy(update={"prompts": tuple(changed if d.key == prompt.key else d for d in state.prompts)})


def forget_prompts(state: MagdalaState, unit: str, tests: Iterable[Test] | None = None) -> MagdalaState:
    """Return the state without the unit's prompts for `tests`, or for any test if None. `WITNESS` prompts stay."""
    prompts = prompts_of(state, unit, *tests) if tests else prompts_of(state, unit)
    return remove_prompts(state, *(prompt for prompt in prompts if prompt.test is not Test.WITNESS))


def secret_test_audience(state: MagdalaState, prompt: StoredPrompt) -> frozenset[Viewer]:
    """Return the viewers who know of a test thrown in secret: the unit's side and the umpire."""
    return frozenset((state.unit(prompt.unit).side, UMPIRE))


def refusal_for_prompt(state: MagdalaState, prompt: StoredPrompt, cite: Cite) -> Refused:
    """Return a refusal naming the unsettled prompt."""
    unit = state.unit(prompt.unit)
    why = f"{unit.name} still {unit.verb('have')} to settle: {prompt.test}. Do that first."
    return Refused(why, cite, keys=(prompt.key,))
