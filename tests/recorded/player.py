"""The player whose games are recorded: random, but fond of what is seldom done; with the umpire's words in between."""

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

LOOKED_AT = 12
"""Legal actions of a kind looked at, before one is taken."""
OWED, BY_ITSELF, UMPIRES, OLD = 0.5, 0.5, 0.04, 0.08
"""How often: what is owed, what the system would do by itself, an umpire's word, and an order of long ago is tried."""
TOWARDS = "towards"
"""The word for moves that bring the sides together."""


class RandomPlayer:
    """Plays one game. Every other of them has options varied, and prefers kinds of action that it has seldom done."""

    def __init__(self, system: Ruleset[Any], scenario: str, seed: int) -> None:
        self._system = system
        self._chance = random.Random(f"recorded {seed}")
        self._prefers_seldom = seed % 2 == 1
        self._wholesale = fuzz.scale_pass_chance(system, scenario) if scenario in system.scenarios else fuzz.PASS_CHANCE
        self._kinds: Counter[str] = Counter()
        self._done: list[Action] = []

    def attempts(self, state: State) -> Iterator[Action]:
        """What to try, the last of which is legal; any before may be refused."""
        if self._done and self._chance.random() < OLD:
            yield self._chance.choice(self._done)
        if self._chance.random() < UMPIRES:
            yield from self._umpires_word(state)
        next_one = self._system.next_by_itself(state)
        if next_one is not None and self._chance.random() < BY_ITSELF:
            yield next_one
        if self._prefers_seldom:
            yield from self._seldom(state)
        yield fuzz.choose_random_action(self._system, state, self._chance, self._wholesale)

    def did(self, action: Action) -> None:
        """Takes note of what was done."""
        self._kinds[action.kind] += 1
        self._done.append(action)

    def _seldom(self, state: State) -> Iterator[Action]:
        """Something of the kind done least; passing the turn on comes last but for one time in so many."""
        owing = fuzz.list_prompt_actions(self._system, state)
        if owing and self._chance.random() < OWED:
            yield self._chance.choice(owing)
        kinds = [kind for kind, action in self._system.actions.items() if not action.umpire_only]
        self._chance.shuffle(kinds)
        passing = self._chance.random() < self._wholesale
        kinds.sort(key=lambda kind: (kind == "turn_next" and not passing, self._kinds[kind]))
        mixed = fuzz.shuffle_units(state, self._chance)
        for kind in kinds:
            for side in self._chance.sample([side.id for side in state.sides], len(state.sides)):
                found = list(islice(self._system.legal(mixed, side, kind), LOOKED_AT))
                self._chance.shuffle(found)
                found.sort(key=lambda action: TOWARDS not in str(getattr(action, "to", "")))
                yield from found[:1]

    def _umpires_word(self, state: State) -> Iterator[Action]:
        """A correction, an option, a secret, a unit put on or taken off, or what the umpire alone may do besides."""
        unit = self._chance.choice(list(state.units))
        field = self._chance.choice(list(self._system.editable))
        side = self._chance.choice(state.sides).id
        other = getattr(state.units[self._chance.choice(list(state.units))], field)
        words: list[tuple[str, dict[str, Any]]] = [
            ("set", {"unit": unit, "field": field, "value": fields.value_in_words(other)}),
            ("option", varied_option(self._system, state, self._chance)),
            *(("secret", {"unit": unit, "field": name, "value": "1"}) for name in self._system.secrets),
            ("reveal", {"unit": unit}),
            ("add_unit", {"troop": self._chance.choice(list(self._system.troops)), "side": side, "name": "Latecomers"}),
            ("remove_unit", {"unit": unit}),
        ]
        kind, args = self._chance.choice(words)
        may = [one for one in islice(self._system.legal(state, UMPIRE), 200) if one.kind not in self._kinds]
        yield self._chance.choice(may) if may else self._system.parse(kind, args)


def varied_option(system: Ruleset[Any], state: State, chance: random.Random) -> dict[str, str]:
    """An option and another value for it, as the umpire says them. It may be out of the option's bounds."""
    name = chance.choice(list(system.option_fields))
    words = fields.values(system.option_fields[name])
    value = getattr(state.options, name)
    if not words:
        words = tuple(fields.value_in_words(one) for one in (value + 1, value - 1, value * 2, *_half(value)))
    return {"name": name, "value": chance.choice(words)}


def _half(value: Any) -> Iterator[Any]:
    if not isinstance(value, int):
        yield value / 2


def vary(system: Ruleset[Any], state: State, chance: random.Random, times: int) -> State:
    """The state with so many options changed, those left out that are refused."""
    for _ in range(times):
        try:
            state, _report = system.act(state, system.parse("option", varied_option(system, state, chance)), NoDice())
        except Refused:
            continue
    return state
