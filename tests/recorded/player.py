"""The random player of recorded games, who prefers rare kinds of action and sometimes acts as the umpire."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import UMPIRE
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Action, State
from tests import fuzz

EXAMINED = 12
"""Legal actions of a kind to examine before one is chosen."""
ANSWER, AUTOMATIC, UMPIRE_ACTION, REPETITION = 0.5, 0.5, 0.04, 0.08
"""Probabilities of trying a required answer, an automatic action, an umpire's action, or an earlier action again."""
TOWARDS = "towards"
"""Word in the moves that bring the sides together."""


class RandomPlayer:
    """A random player of one game. With an odd seed, the player prefers rare kinds of action."""

    def __init__(self, system: Ruleset[Any], scenario: str, seed: int) -> None:
        self._system = system
        self._chance = random.Random(f"recorded {seed}")
        self._prefers_rare = seed % 2 == 1
        self._wholesale = fuzz.scale_pass_chance(system, scenario) if scenario in system.scenarios else fuzz.PASS_CHANCE
        self._kinds: Counter[str] = Counter()
        self._done: list[Action] = []

    def suggest_actions(self, state: State) -> Iterator[Action]:
        """Yield actions to try. The last action is legal; earlier actions may be refused."""
        if self._done and self._chance.random() < REPETITION:
            yield self._chance.choice(self._done)
        if self._chance.random() < UMPIRE_ACTION:
            yield from self._suggest_umpire_action(state)
        next_one = self._system.next_automatic_action(state)
        if next_one is not None and self._chance.random() < AUTOMATIC:
            yield next_one
        if self._prefers_rare:
            yield from self._suggest_rare_actions(state)
        yield fuzz.choose_random_action(self._system, state, self._chance, self._wholesale)

    def count_action(self, action: Action) -> None:
        """Count an executed action."""
        self._kinds[action.kind] += 1
        self._done.append(action)

    def _suggest_rare_actions(self, state: State) -> Iterator[Action]:
        """Yield actions of the rarest kinds first. Ending the turn usually comes last."""
        required = fuzz.list_prompt_actions(self._system, state)
        if required and self._chance.random() < ANSWER:
            yield self._chance.choice(required)
        kinds = [kind for kind, action in self._system.actions.items() if not action.umpire_only]
        self._chance.shuffle(kinds)
        passing = self._chance.random() < self._wholesale
        kinds.sort(key=lambda kind: (kind == "turn_next" and not passing, self._kinds[kind]))
        mixed = fuzz.shuffle_units(state, self._chance)
        for kind in kinds:
            for side in self._chance.sample([side.id for side in state.sides], len(state.sides)):
                actions = list(islice(self._system.legal_actions(mixed, side, kind), EXAMINED))
                self._chance.shuffle(actions)
                actions.sort(key=lambda action: TOWARDS not in str(getattr(action, "to", "")))
                yield from actions[:1]

    def _suggest_umpire_action(self, state: State) -> Iterator[Action]:
        """Yield an unused kind of legal umpire's action; without one, a random correction, option, secret or unit."""
        unit = self._chance.choice(list(state.units))
        field = self._chance.choice(list(self._system.editable_fields))
        side = self._chance.choice(state.sides).id
        value = getattr(state.units[self._chance.choice(list(state.units))], field)
        words: list[tuple[str, dict[str, Any]]] = [
            ("set", {"unit": unit, "field": field, "value": fields.value_in_words(value)}),
            ("option", choose_option(self._system, state, self._chance)),
            *(("secret", {"unit": unit, "field": name, "value": "1"}) for name in self._system.secret_fields),
            ("reveal", {"unit": unit}),
            (
                "add_unit",
                {"troop": self._chance.choice(list(self._system.troops)), "side": side, "name": "Latecomers"},
            ),
            ("remove_unit", {"unit": unit}),
        ]
        kind, args = self._chance.choice(words)
        may = [
            action
            for action in islice(self._system.legal_actions(state, UMPIRE), 200)
            if action.kind not in self._kinds
        ]
        yield self._chance.choice(may) if may else self._system.parse(kind, args)


def choose_option(system: Ruleset[Any], state: State, chance: random.Random) -> dict[str, str]:
    """Return a random option and another value as the umpire writes them. The value may be out of bounds."""
    name = chance.choice(list(system.option_fields))
    words = fields.allowed_values(system.option_fields[name])
    value = getattr(state.options, name)
    if not words:
        words = tuple(fields.value_in_words(number) for number in (value + 1, value - 1, value * 2, *_halve(value)))
    return {"name": name, "value": chance.choice(words)}


def _halve(value: Any) -> Iterator[Any]:
    if not isinstance(value, int):
        yield value / 2


def vary_options(system: Ruleset[Any], state: State, chance: random.Random, times: int) -> State:
    """Change up to `times` random options; skip refused changes. Return the state."""
    for _ in range(times):
        try:
            state, _report = system.act(state, system.parse("option", choose_option(system, state, chance)), NoDice())
        except Refused:
            continue
    return state
