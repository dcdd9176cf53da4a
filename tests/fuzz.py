"""Random play of legal actions to the end of a game. A failing game is dumped to a file.

Each state is saved and loaded. Works with any rule system: `legal` lists allowed actions, `prompts` the required ones.
"""

import json
import os
import random
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from rules.core.dice import Throw
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Action, State, Verdict

FAILURE_FOLDER = Path("failing-games")
MAX_ACTIONS = 5000
"""Maximum number of actions in a game; a longer game counts as endless."""
CANDIDATES_PER_KIND = 8
"""Maximum number of legal actions per kind, from which one is taken."""
PASS_CHANCE, REFERENCE_TURNS = 0.1, 12
"""Probability of an action without a unit, for example to pass the turn; turns of a game to which it applies.

Longer games use a higher probability.
"""
SKETCHES_PER_SIDE = 40
"""Actions per side to sketch each time."""
DISPLAY_INTERVAL = 25
"""Number of actions between two drawings of the game's roster and picture."""


class RandomDice:
    """Dice with a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._next = 1

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        number, self._next = self._next, self._next + 1
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        return Throw(number=number, label=label, sides=sides, dice=faces, side=side)


@dataclass
class RandomGame:
    """A finished or stopped random game: verdict, all actions, and number of actions by kind.

    The verdict is None if the game was stopped.
    """

    verdict: Verdict | None
    actions: list[dict[str, Any]] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)


def dump_action(action: Action) -> dict[str, Any]:
    """Return the action as the journal stores it."""
    return {"kind": action.kind, **action.model_dump(mode="json", by_alias=True, exclude_defaults=True)}


def list_prompt_actions(ruleset: Ruleset[Any], state: State) -> list[Action]:
    """Return the actions of all buttons under required prompts."""
    prompts = [prompt for prompt in ruleset.prompts(state) if prompt.required]
    return [ruleset.parse(offer.kind, offer.args) for prompt in prompts for offer in prompt.offers]


def shuffle_units(state: State, chance: random.Random) -> State:
    """Return the state with its units in random order, since `legal` lists actions in the order of units."""
    units = list(state.units.items())
    chance.shuffle(units)
    return state.model_copy(update={"units": dict(units)})


def scale_pass_chance(ruleset: Ruleset[Any], scenario: str) -> float:
    """Return the probability of an action without a unit, higher in scenarios of many turns."""
    turns = ruleset.scenarios[scenario].turns or REFERENCE_TURNS
    return PASS_CHANCE * max(turns / REFERENCE_TURNS, 1)


def choose_random_action(
    ruleset: Ruleset[Any], state: State, chance: random.Random, wholesale_at: float = PASS_CHANCE
) -> Action:
    """Choose a random action: a required one, or a legal one of a random kind and side.

    Kinds without a unit, such as passing the turn, are chosen last, or with probability `wholesale_at` in their turn.
    """
    answers = list_prompt_actions(ruleset, state)
    if answers and chance.random() < 0.5:
        return chance.choice(answers)
    kinds = [kind for kind, action in ruleset.actions.items() if not action.umpire_only]
    chance.shuffle(kinds)
    sides = [side.id for side in state.sides]
    mixed = shuffle_units(state, chance)
    wholesale = None
    for kind in kinds:
        for side in chance.sample(sides, len(sides)):
            actions = list(islice(ruleset.legal_actions(mixed, side, kind), chance.randint(1, CANDIDATES_PER_KIND)))
            if not actions:
                continue
            if actions[-1].unit is not None or chance.random() < wholesale_at:
                return actions[-1]
            wholesale = actions[-1]
    if wholesale is not None:
        return wholesale
    if answers:
        return chance.choice(answers)
    raise AssertionError("the game is not over, but nobody may do anything")


def save_and_load(ruleset: Ruleset[Any], state: State, report: Report) -> State:
    """Save and load the state and the report. Check that both are unchanged, and return the state."""
    assert ruleset.read_report(report.model_dump_json(), ruleset.version) == report
    loaded: State = ruleset.read_state(ruleset.write_state(state))
    assert loaded == state
    return loaded


def sketch_legal_actions(ruleset: Ruleset[Any], state: State) -> int:
    """Label and sketch actions of each side from its view. Return the number of sketches drawn."""
    words, sketched = state.model_dump_json(), 0
    ids = [unit for unit in state.units if "-" in unit]
    for side in state.sides:
        view = ruleset.view(state, side.id)
        for action in islice(ruleset.legal_actions(view, side.id), SKETCHES_PER_SIDE):
            if not action.is_unit_action:
                continue
            label = ruleset.label(view, action)
            assert not any(unit in label for unit in ids), f"“{label}” says an id in place of a name"
            with suppress(Refused):
                sketch = ruleset.sketch(state, side.id, action)
                ruleset.scene(sketch.state, side.id, sketch.before)
                sketched += 1
    assert state.model_dump_json() == words, "a sketch changed the game"
    return sketched


def show_game(ruleset: Ruleset[Any], state: State, before: State) -> None:
    """Build the roster and the scene for the umpire, the public and one side."""
    for viewer in (UMPIRE, PUBLIC, state.sides[0].id):
        ruleset.roster(state, viewer)
        ruleset.scene(ruleset.view(state, viewer), viewer, before)


def assert_nothing_to_press(ruleset: Ruleset[Any], state: State) -> None:
    """Assert that no action is waiting that the rules could already execute without a decision."""
    if state.over is None and state.throws_at_once:
        waits = [action for action in ruleset.actions_without_choice(state) if ruleset.knows_all_facts(state, action)]
        assert not waits, f"it waits for what has no choice: {waits}"


def assert_required_prompts_match(ruleset: Ruleset[Any], state: State) -> None:
    """Assert that `required_prompts` returns the required ones of all open prompts, in the same order."""
    required = tuple(prompt for prompt in ruleset.open_prompts(state) if prompt.required)
    assert ruleset.required_prompts(state) == required


def get_daily_seed() -> int:
    """Return the seed that all random games of a run share: FUZZ_SEED, by default the date."""
    return int(os.environ["FUZZ_SEED"])


def play_random(ruleset: Ruleset[Any], scenario: str, seed: int, at_most: int = MAX_ACTIONS) -> RandomGame:
    """Play one game to its verdict, or its first `at_most` actions. Raises AssertionError if the game is endless.

    On any failure the game is written to `failing-games/`.
    """
    chance, dice = random.Random(f"choices of {seed}"), RandomDice(seed)
    state = ruleset.setup(scenario, {}, dice)
    actions: list[dict[str, Any]] = []
    kinds: dict[str, int] = {}
    try:
        while state.over is None and len(actions) < at_most:
            action = choose_random_action(ruleset, state, chance, scale_pass_chance(ruleset, scenario))
            actions.append(dump_action(action))
            assert len(actions) < MAX_ACTIONS, f"no end after {MAX_ACTIONS} actions"
            before_words = state.model_dump_json()
            after, report = ruleset.act(state, action, dice)
            assert state.model_dump_json() == before_words, "act changed its argument"
            assert {throw.side for throw in report.throws} <= {side.id for side in state.sides}, "a throw is nobody's"
            assert_nothing_to_press(ruleset, after)
            assert_required_prompts_match(ruleset, after)
            if len(actions) % DISPLAY_INTERVAL == 0:
                show_game(ruleset, after, state)
                sketch_legal_actions(ruleset, after)
            state = save_and_load(ruleset, after, report)
            kinds[action.kind] = kinds.get(action.kind, 0) + 1
    except Exception:
        FAILURE_FOLDER.mkdir(exist_ok=True)
        game = {
            "ruleset": ruleset.id,
            "scenario": scenario,
            "seed": seed,
            "error": traceback.format_exc(),
            "actions": actions,
            "state": json.loads(state.model_dump_json()),
        }
        (FAILURE_FOLDER / f"{ruleset.id}-{scenario}-{seed}.json").write_text(
            json.dumps(game, indent=1), encoding="utf-8"
        )
        raise
    return RandomGame(state.over, actions, kinds)
