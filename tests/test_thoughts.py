"""Decisions of the bot depend only on its side's view, and are reproducible, in every system with values."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker, OpponentDecision, UnitInPhase
from rules.core.automaton.own_dice import SeededDice
from rules.core.automaton.reasons import explain_candidates
from rules.core.automaton.weighing import MINIMUM_GAIN
from rules.core.fields import secret_fields, unit_type
from rules.core.model import Viewer
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.great_war.ruleset import GreatWar
from rules.registry import rulesets

from .daily_choice import one_a_day
from .fuzz import choose_random_action, get_daily_seed

WITH_VALUES = [name for name, system in rulesets().items() if system.values]
SYSTEMS = pytest.mark.parametrize("name", one_a_day(WITH_VALUES))
RANDOMLY, DECISIONS, WORLDS = 25, 3, 2
"""Actions before the first decision, number of decisions, and number of equivalent states."""
REPLACEMENTS: Mapping[type, Sequence[Any]] = {bool: (True, False), int: (-2, -1, 0, 1, 2)}
"""Replacement values for hidden fields, by type; other types draw from hidden values of the same kind."""


class Moment(NamedTuple):
    """A decision: state, side, name of its dice, memory before, and result."""

    state: State
    side: str
    seed: str
    through: tuple[UnitInPhase, ...]
    thought: OpponentDecision


def begin(system: Ruleset[Any], seed: int) -> State:
    """Return a random game in progress, with its secrets drawn."""
    chance, dice = random.Random(seed), SeededDice(f"game {seed}")
    scenario = chance.choice([*system.scenarios])
    state = system.setup(scenario, {}, SeededDice(f"setup {seed}"))
    for unit in state.units.values():
        values = {name: chance.choice((-2, -1, 1, 2)) for name in secret_fields(unit_type(type(state)))}
        state = state.changed(unit.id, **values) if values else state
    for _ in range(RANDOMLY):
        state = state if state.over else system.act(state, choose_random_action(system, state, chance), dice)[0]
    return state


def iterate_decisions(system: Ruleset[Any], seed: int, level: Level) -> Iterator[Moment]:
    """Yield successive decisions of the sides to act, each executed; the card plays its own turns."""
    state, dice, through = begin(system, seed), SeededDice(f"then {seed}"), dict[str, set[UnitInPhase]]()
    for number in range(400):
        if state.over is not None:
            return
        action = system.next_automatic_action(state)
        if action is None:
            owing_sides = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
            side = next(iter(owing_sides or sorted(system.awaited_viewers(state))))
            before = tuple(sorted(through.get(side, ())))
            chooser = DecisionMaker(system, side, level, f"{seed}:{number}", before)
            thought = chooser.decide(state)
            assert thought is not None, "it has something to do, and does nothing"
            through[side] = chooser.through
            yield Moment(state, side, chooser.seed, before, thought)
            action = thought.action
        state, _ = system.act(state, action, dice)


def decide_again(system: Ruleset[Any], at: Moment, level: Level, state: State) -> OpponentDecision | None:
    """Repeat the decision on a state with a fresh system and player."""
    return DecisionMaker(type(system)(), at.side, level, at.seed, at.through).decide(state)


@SYSTEMS
def test_a_repeated_decision_has_the_same_values(name: str) -> None:
    system, level = rulesets()[name], Level.HARD
    for at in islice(iterate_decisions(system, get_daily_seed(), level), DECISIONS):
        assert decide_again(system, at, level, system.read_state(system.write_state(at.state))) == at.thought
        assert at.thought.best[0].action == at.thought.action
        values = [candidate.value - sum(candidate.brings.values()) for candidate in at.thought.best]
        assert values == pytest.approx([values[0]] * len(values), abs=2 * MINIMUM_GAIN), (
            "each is told beside how it stood"
        )


@pytest.mark.soak
def test_a_process_with_another_hash_seed_decides_the_same() -> None:
    ran = [sys.executable, "-c", "from tests import test_thoughts; print(test_thoughts.describe_first_decisions())"]
    with_seed = {**os.environ, "PYTHONHASHSEED": str(get_daily_seed() % 1000)}
    output = subprocess.run(ran, env=with_seed, check=True, capture_output=True, text=True).stdout
    assert output.strip() == describe_first_decisions()


def describe_first_decisions() -> str:
    """Return a hard decision of every system with its full reasoning, as text."""
    return repr([next(iterate_decisions(rulesets()[name], 1, Level.HARD)).thought for name in WITH_VALUES])


def test_rejected_actions_are_worth_no_more_than_passing() -> None:
    passes = (at.thought for at in iterate_decisions(GreatWar(), 1, Level.HARD) if at.thought.action.kind == PASS)
    thought = next(candidate for candidate in passes if len(candidate.best) > 1)
    assert all(action.value <= thought.best[0].value for action in thought.best)


@pytest.mark.parametrize("name", [name for name, system in rulesets().items() if system.has_secrets])
def test_scrambling_hidden_facts_changes_no_decision_or_reason(name: str) -> None:
    system, level, scrambled = rulesets()[name], Level.HARD, 0
    for at in islice(iterate_decisions(system, get_daily_seed(), level), DECISIONS):
        for state in islice(scramble_hidden(system, at.state, at.side, random.Random(at.seed)), WORLDS):
            scrambled += 1
            assert decide_again(system, at, level, state) == at.thought
            reasons = [explain_candidates(system, world, at.side, at.thought) for world in (state, at.state)]
            assert reasons[0] == reasons[1]
    assert scrambled


def scramble_hidden(system: Ruleset[Any], state: State, side: Viewer, chance: random.Random) -> Iterator[State]:
    """Yield states that look the same to the side: hidden values are replaced by other possible ones."""
    view = system.view(state, side)
    document, view_document = (json.loads(system.write_state(source)) for source in (state, view))
    hidden = dict(iterate_differences(document, view_document))
    for _ in range(10 if hidden else 0):
        changed = json.loads(json.dumps(document))
        for path, value in hidden.items():
            alternatives = [hidden_value for place, hidden_value in hidden.items() if place[-1] == path[-1]]
            set_value(changed, path, chance.choice(REPLACEMENTS.get(type(value), alternatives)))
        try:
            scrambled = system.read_state(json.dumps(changed))
        except ValueError:  # the drawn value is not allowed
            continue
        if scrambled != state and system.view(scrambled, side) == view:
            yield scrambled


Path = tuple[str | int, ...]


def iterate_differences(first: Any, second: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each path at which `first` has a value that `second` lacks or has differently, with the value."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        for key in first:
            yield from iterate_differences(first[key], second.get(key), (*path, key))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for place, value in enumerate(first):
            yield from iterate_differences(value, second[place], (*path, place))
    elif first != second:
        yield path, first


def set_value(document: Any, path: Path, value: Any) -> None:
    """Set the value at a path of the document."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value
