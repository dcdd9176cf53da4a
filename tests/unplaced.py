"""Games without positions, played at random: whatever is asked is answered as people at a real table would."""

import random
from collections import Counter
from itertools import chain, islice
from typing import Any

from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.positions import place_fields

from .fuzz import LOOKED_AT, RandomDice, written

NONE = {"positions": "none"}
FURTHEST = 30
"""Inches to the furthest enemy."""
OF_PROMPTS = 0.6
"""How often a button is pressed before anything else is done."""


def set_up_unplaced(system: Ruleset[Any], scenario: str) -> TableState[Any]:
    """Set up a scenario without positions."""
    state: TableState[Any] = system.setup(scenario, NONE, RandomDice(1))
    return state


def with_answers(system: Ruleset[Any], state: TableState[Any], action: Action, chance: random.Random) -> Action:
    """Return the action with random answers to what it asks."""
    asked = system.facts_to_ask(state, action)
    if asked is None:
        return action
    said: dict[str, Any] = {}
    if asked.targets:
        said["target"] = chance.choice(asked.targets)
    if "range" in asked.fields:
        said["range"] = chance.randint(0, FURTHEST)
    if "to" in asked.needed:
        said["to"] = f"{getattr(action, 'to', '')} {chance.randint(1, 6)}"
    if asked.words and chance.random() < OF_PROMPTS:
        said["with"] = [*action.circumstances, chance.choice(asked.words)]
    return system.parse(action.kind, {**action.model_dump(by_alias=True, exclude_defaults=True), **said})


def choose_action(system: Ruleset[Any], state: TableState[Any], chance: random.Random) -> Action:
    """Choose an action that somebody may do now: a button's, or any other."""
    offers = [system.parse(offer.kind, offer.args) for one in system.open_prompts(state) for offer in one.offers]
    if offers and chance.random() < OF_PROMPTS:
        return chance.choice(offers)
    kinds = [kind for kind, action in system.actions.items() if not action.umpire_only]
    units = [*state.units, None]
    chance.shuffle(kinds)
    for kind in kinds:
        for unit in chance.sample(units, len(units)):
            found = chain(system.legal(state, UMPIRE, kind, unit), system.actions_to_measure(state, UMPIRE, kind, unit))
            if some := list(islice(found, LOOKED_AT)):
                return chance.choice(some)
    return chance.choice(offers)


def play(system: Ruleset[Any], scenario: str, seed: int, most: int) -> tuple[TableState[Any], Counter[str]]:
    """So many tries at most: how it stands then, and how often each kind of action was done. Nobody gets a place."""
    state, chance, dice, done = set_up_unplaced(system, scenario), random.Random(seed), RandomDice(seed), Counter[str]()
    for _ in range(most):
        if state.over is not None:
            break
        action = with_answers(system, state, choose_action(system, state, chance), chance)
        try:
            state, _report = system.act(state, action, dice)
        except Refused:
            continue
        placed = [unit.name for unit in state.every_unit.values() if place_fields(unit)]
        assert not placed, (placed, written(action))
        done[action.kind] += 1
        state = system.state_type.model_validate_json(state.model_dump_json(by_alias=True))
        system.check(state)
    return state, done
