"""Random play of games without positions, with random answers to every question about the real table."""

import random
from collections import Counter
from itertools import chain, islice
from typing import Any

from rules.core.model import UMPIRE
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.positions import position_field_names

from .fuzz import CANDIDATES_PER_KIND, RandomDice, dump_action

NO_POSITIONS = {"positions": "none"}
MAX_RANGE = 30
"""Largest range in inches."""
PROMPT_CHANCE = 0.6
"""Probability of pressing an offered button rather than choosing another action."""


def set_up_without_positions(system: Ruleset[Any], scenario: str) -> TableState[Any]:
    """Set up a scenario without positions."""
    state: TableState[Any] = system.setup(scenario, NO_POSITIONS, RandomDice(1))
    return state


def add_answers(system: Ruleset[Any], state: TableState[Any], action: Action, chance: random.Random) -> Action:
    """Return the action with random answers to the facts it needs."""
    facts = system.facts_to_ask(state, action)
    if facts is None:
        return action
    answers: dict[str, Any] = {}
    if facts.targets:
        answers["target"] = chance.choice(facts.targets)
    if "range" in facts.fields:
        answers["range"] = chance.randint(0, MAX_RANGE)
    if "to" in facts.needed:
        answers["to"] = f"{getattr(action, 'to', '')} {chance.randint(1, 6)}"
    if facts.words and chance.random() < PROMPT_CHANCE:
        answers["with"] = [*action.circumstances, chance.choice(facts.words)]
    return system.parse(action.kind, {**action.model_dump(by_alias=True, exclude_defaults=True), **answers})


def choose_action(system: Ruleset[Any], state: TableState[Any], chance: random.Random) -> Action:
    """Choose a random action: one offered by a button, or any other legal one."""
    offers = [system.parse(offer.kind, offer.args) for prompt in system.open_prompts(state) for offer in prompt.offers]
    if offers and chance.random() < PROMPT_CHANCE:
        return chance.choice(offers)
    kinds = [kind for kind, action in system.actions.items() if not action.umpire_only]
    units = [*state.units, None]
    chance.shuffle(kinds)
    for kind in kinds:
        for unit in chance.sample(units, len(units)):
            legal = chain(
                system.legal_actions(state, UMPIRE, kind, unit), system.unmeasured_actions(state, UMPIRE, kind, unit)
            )
            if some := list(islice(legal, CANDIDATES_PER_KIND)):
                return chance.choice(some)
    return chance.choice(offers)


def play_randomly(system: Ruleset[Any], scenario: str, seed: int, count: int) -> tuple[TableState[Any], Counter[str]]:
    """Try `count` random actions. Return the last state and the number of actions by kind.

    Checks that no unit ever gets a position.
    """
    state, chance, dice, counts = (
        set_up_without_positions(system, scenario),
        random.Random(seed),
        RandomDice(seed),
        Counter[str](),
    )
    for _ in range(count):
        if state.over is not None:
            break
        action = add_answers(system, state, choose_action(system, state, chance), chance)
        try:
            state, _report = system.act(state, action, dice)
        except Refused:
            continue
        names = [unit.name for unit in state.every_unit.values() if position_field_names(unit)]
        assert not names, (names, dump_action(action))
        counts[action.kind] += 1
        state = system.state_type.model_validate_json(state.model_dump_json(by_alias=True))
        system.require_valid_state(state)
    return state, counts
