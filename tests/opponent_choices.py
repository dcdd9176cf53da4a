"""What the opponent does with one unit of a position, for the tests of its judgement."""

from collections.abc import Iterable
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

SEEDS = "12"
"""Seeds of the private dice; a choice must hold with all of them."""


def choose(system: Ruleset[Any], state: State, unit: str, level: Level, seed: str) -> Action:
    """Return the opponent's action for `unit` (an id); passing if the unit had better do nothing.

    All other units are through with the phase.
    """
    others = [(state.turn, state.phase, each) for each in (*state.units, "") if each != unit]
    thought = Chooser(system, state.units[unit].side, level, seed, others).decide(state)
    assert thought is not None, f"{unit} has nothing to decide"
    return thought.action


def choices(
    system: Ruleset[Any], state: State, unit: str, seeds: Iterable[str] = SEEDS, levels: Iterable[Level] = Level
) -> list[Action]:
    """Return the opponent's action for `unit` with each seed at each level."""
    return [choose(system, state, unit, level, seed) for level in levels for seed in seeds]


def is_pass(action: Action) -> bool:
    """Whether the action ends the turn or phase."""
    return action.kind == PASS
