"""Choices of the bot's opponent for one unit of a position, for tests of its judgement."""

from collections.abc import Iterable
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State

SEEDS = "12"
"""Seeds of the private dice; tests require equal choices with all seeds."""


def choose(system: Ruleset[Any], state: State, unit: str, level: Level, seed: str) -> Action:
    """Return the opponent's action for `unit` (an id). Passing means that the unit should do nothing.

    All other units have finished the phase.
    """
    rejected = [(state.turn, state.phase, other) for other in (*state.units, "") if other != unit]
    thought = DecisionMaker(system, state.units[unit].side, level, seed, rejected).decide(state)
    assert thought is not None, f"{unit} has nothing to decide"
    return thought.action


def list_choices(
    system: Ruleset[Any], state: State, unit: str, seeds: Iterable[str] = SEEDS, levels: Iterable[Level] = Level
) -> list[Action]:
    """Return the opponent's action for `unit` with each seed at each level."""
    return [choose(system, state, unit, level, seed) for level in levels for seed in seeds]


def is_pass(action: Action) -> bool:
    """Whether the action ends the turn or phase."""
    return action.kind == PASS
