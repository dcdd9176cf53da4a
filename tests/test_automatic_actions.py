"""Automatic actions in random games of every system: the sides of their throws, and their order."""

import random
from typing import Any

import pytest

from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.registry import rulesets

from .fuzz import RandomDice, choose_random_action, get_daily_seed, scale_pass_chance

SCENARIOS = {"magdala": "atbara-1898", "empire": "isandlwana-1879", "tanga": "initial-assault"}
FEW, MANY = 60, 400
"""Number of actions: for a quick game, and for one in which several tests are often pending together."""


class RecordingDice(RandomDice):
    """Random dice that record the side and label of each throw."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown: list[Throw] = []

    def throw(self, count: int, sides: int, label: str, *, side: Viewer | None = None, hidden: bool = False) -> Throw:
        self.thrown.append(super().throw(count, sides, label, side=side, hidden=hidden))
        return self.thrown[-1]


def find_named_sides(state: State, label: str) -> set[str]:
    """Return the sides of units and formations whose name begins the throw's label."""
    things = (*state.units.values(), *getattr(state, "formations", {}).values())
    matches = [thing for thing in things if label.startswith(thing.name)]
    longest = max((len(match.name) for match in matches), default=0)
    return {match.side for match in matches if len(match.name) == longest}


@pytest.mark.parametrize("actions", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", SCENARIOS)
def test_automatic_throws_belong_to_the_right_side_and_keep_their_order(
    name: str, actions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    system: Ruleset[Any] = rulesets()[name]
    waiting: list[Action] = []
    choose_next = system.next_forced_action

    def watched(state: State) -> Action | None:
        now = [] if state.over is not None else [*system.actions_without_choice(state)]
        assert [action for action in waiting if action in now] == [action for action in now if action in waiting], (
            "out of order"
        )
        waiting[:] = now
        visible = [action for action in now if system.knows_all_facts(state, action) and not action.secret]
        chosen = choose_next(state)
        assert chosen in (None, *visible[:1]), "not the first"
        return chosen

    monkeypatch.setattr(system, "next_forced_action", watched)
    seed = get_daily_seed()
    chance, dice, state = random.Random(seed), RecordingDice(seed), system.setup(SCENARIOS[name], {}, RandomDice(seed))
    for _ in range(actions):
        if state.over is not None:
            break
        waiting.clear()
        before, first = state, len(dice.thrown)
        state, _ = system.act(
            state, choose_random_action(system, state, chance, scale_pass_chance(system, SCENARIOS[name])), dice
        )
        for throw in dice.thrown[first:]:
            sides = find_named_sides(before, throw.label) or {side.id for side in state.sides}
            assert throw.side in sides, f"{throw.label} (seed {seed})"
    assert dice.thrown
