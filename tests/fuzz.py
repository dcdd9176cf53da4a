"""Plays random legal actions to the end of a game, saving and loading after each; a game that fails is dumped.

Knows no rule system: it asks `legal` what may be done and `owed` what must be.
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

FAILING = Path("failing-games")
ENOUGH = 5000
"""Actions after which a game that has not ended never will."""
LOOKED_AT = 8
"""Legal actions of a kind looked at, before one is taken."""
WHOLESALE, AS_LONG = 0.1, 12
"""How often what concerns no unit is done before the rest, in a game of so many turns; oftener in a longer one."""
SKETCHED = 40
"""Actions of a side that are sketched each time."""
SHOWN_EVERY = 25
"""Actions between looks at the game as roster and picture."""


class RandomDice:
    """Dice of a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._next = 1

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        number, self._next = self._next, self._next + 1
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        return Throw(number=number, label=label, sides=sides, dice=faces, side=side)


@dataclass
class Played:
    """A game played: how it ended (None: it goes on), every action of it, and how often each kind was done."""

    verdict: Verdict | None
    actions: list[dict[str, Any]] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)


def written(action: Action) -> dict[str, Any]:
    """An action as the journal keeps it."""
    return {"kind": action.kind, **action.model_dump(mode="json", by_alias=True, exclude_defaults=True)}


def prompt_actions(ruleset: Ruleset[Any], state: State) -> list[Action]:
    """What the buttons under everything owed would do."""
    prompts = [prompt for prompt in ruleset.prompts(state) if prompt.required]
    return [ruleset.parse(offer.kind, offer.args) for one in prompts for offer in one.offers]


def shuffled(state: State, chance: random.Random) -> State:
    """The same state with its units in another order: what `legal` finds first is then anyone's."""
    units = list(state.units.items())
    chance.shuffle(units)
    return state.model_copy(update={"units": dict(units)})


def hurry(ruleset: Ruleset[Any], scenario: str) -> float:
    """How often to do what concerns no unit, passing the turn above all, though units could still act."""
    turns = ruleset.scenarios[scenario].turns or AS_LONG
    return WHOLESALE * max(turns / AS_LONG, 1)


def next_action(ruleset: Ruleset[Any], state: State, chance: random.Random, wholesale_at: float = WHOLESALE) -> Action:
    """Something owed, or something a side may do: first a kind, then one of that kind.

    Kinds that concern no unit (passing the turn) come last but for one time in so many, `wholesale_at`.
    """
    owing = prompt_actions(ruleset, state)
    if owing and chance.random() < 0.5:
        return chance.choice(owing)
    kinds = [kind for kind, action in ruleset.actions.items() if not action.umpire_only]
    chance.shuffle(kinds)
    sides = [side.id for side in state.sides]
    mixed = shuffled(state, chance)
    wholesale = None
    for kind in kinds:
        for side in chance.sample(sides, len(sides)):
            found = list(islice(ruleset.legal(mixed, side, kind), chance.randint(1, LOOKED_AT)))
            if not found:
                continue
            if found[-1].unit is not None or chance.random() < wholesale_at:
                return found[-1]
            wholesale = found[-1]
    if wholesale is not None:
        return wholesale
    if owing:
        return chance.choice(owing)
    raise AssertionError("the game is not over, but nobody may do anything")


def saved(ruleset: Ruleset[Any], state: State, report: Report) -> State:
    """The state after saving and loading, which changes nothing; the report goes the same way."""
    assert ruleset.read_report(report.model_dump_json(), ruleset.version) == report
    loaded: State = ruleset.read_state(ruleset.write_state(state))
    assert loaded == state
    return loaded


def sketch(ruleset: Ruleset[Any], state: State) -> int:
    """What each side could do is named and sketched from what it may see; of how many that came to a picture."""
    words, sketched = state.model_dump_json(), 0
    ids = [unit for unit in state.units if "-" in unit]
    for side in state.sides:
        seen = ruleset.view(state, side.id)
        for action in islice(ruleset.legal(seen, side.id), SKETCHED):
            if not action.by_unit:
                continue
            label = ruleset.label(seen, action)
            assert not any(unit in label for unit in ids), f"“{label}” says an id in place of a name"
            with suppress(Refused):
                found = ruleset.sketch(state, side.id, action)
                ruleset.scene(found.state, side.id, found.before)
                sketched += 1
    assert state.model_dump_json() == words, "a sketch changed the game"
    return sketched


def look(ruleset: Ruleset[Any], state: State, before: State) -> None:
    """Everything a channel shows of a game can be shown."""
    for viewer in (UMPIRE, PUBLIC, state.sides[0].id):
        ruleset.roster(state, viewer)
        ruleset.scene(ruleset.view(state, viewer), viewer, before)


def assert_nothing_to_press(ruleset: Ruleset[Any], state: State) -> None:
    """Nothing is waited for in which there is no choice, and of which the game knows all: it has been done."""
    if state.over is None and state.throws_at_once:
        waits = [action for action in ruleset.without_choice(state) if ruleset.knows_all(state, action)]
        assert not waits, f"it waits for what has no choice: {waits}"


def assert_required_prompts_alike(ruleset: Ruleset[Any], state: State) -> None:
    """The required prompts found alone are the required ones of all open prompts, in the same order."""
    required = tuple(prompt for prompt in ruleset.open_prompts(state) if prompt.required)
    assert ruleset.required_prompts(state) == required


def seed_of_the_day() -> int:
    """The seed that all random games of a run have in common; another every day, unless FUZZ_SEED names it."""
    return int(os.environ["FUZZ_SEED"])


def play_random(ruleset: Ruleset[Any], scenario: str, seed: int, at_most: int = ENOUGH) -> Played:
    """Plays one game to its verdict, or through its first actions. Raises AssertionError where it has no end.

    On any failure writes the game to `failing-games/` and raises it.
    """
    chance, dice = random.Random(f"choices of {seed}"), RandomDice(seed)
    state = ruleset.setup(scenario, {}, dice)
    actions: list[dict[str, Any]] = []
    kinds: dict[str, int] = {}
    try:
        while state.over is None and len(actions) < at_most:
            action = next_action(ruleset, state, chance, hurry(ruleset, scenario))
            actions.append(written(action))
            assert len(actions) < ENOUGH, f"no end after {ENOUGH} actions"
            before_words = state.model_dump_json()
            after, report = ruleset.act(state, action, dice)
            assert state.model_dump_json() == before_words, "act changed its argument"
            assert {throw.side for throw in report.throws} <= {side.id for side in state.sides}, "a throw is nobody's"
            assert_nothing_to_press(ruleset, after)
            assert_required_prompts_alike(ruleset, after)
            if len(actions) % SHOWN_EVERY == 0:
                look(ruleset, after, state)
                sketch(ruleset, after)
            state = saved(ruleset, after, report)
            kinds[action.kind] = kinds.get(action.kind, 0) + 1
    except Exception:
        FAILING.mkdir(exist_ok=True)
        game = {
            "ruleset": ruleset.id,
            "scenario": scenario,
            "seed": seed,
            "error": traceback.format_exc(),
            "actions": actions,
            "state": json.loads(state.model_dump_json()),
        }
        (FAILING / f"{ruleset.id}-{scenario}-{seed}.json").write_text(json.dumps(game, indent=1), encoding="utf-8")
        raise
    return Played(state.over, actions, kinds)
