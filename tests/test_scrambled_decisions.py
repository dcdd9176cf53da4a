"""The bot's decisions stay the same in positions where a player who sees hidden units decides otherwise.

Most positions prove nothing, since full knowledge would not change the decision. The test searches for others.
"""

import random
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import pytest

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker, OpponentDecision
from rules.core.hidden_troops import is_fully_public
from rules.core.play import AverageDice
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets

from .fuzz import get_daily_seed
from .test_thoughts import DECISIONS, WITH_VALUES, WORLDS, Moment, decide_again, iterate_decisions, scramble_hidden


def begin(name: str) -> State:
    """Set up the first battle of a system."""
    system = rulesets()[name]
    state: State = system.setup(next(iter(system.scenarios)), {}, AverageDice())
    return state


HIDING = [name for name in WITH_VALUES if not is_fully_public(rulesets()[name], begin(name))]
SYSTEMS_WITH_HIDING = [name for name in HIDING if name != "campaign"]
"""Systems whose opponent looks at enemy units; in a campaign it only uses its side's sightings."""
QUICKEST = "magdala"
GAMES, TELLING = 80, 2
"""Maximum number of games to search, and number of telling decisions required."""


class SeesAll(DecisionMaker[Any]):
    """A player who decides on the full state instead of his side's view."""

    def _view_with_assumptions(self, state: State) -> State:
        return state


def decide_as(
    player: type[DecisionMaker[Any]], system: Ruleset[Any], at: Moment, state: State
) -> OpponentDecision | None:
    """Return the decision of this kind of player in the same position."""
    return player(system, at.side, Level.HARD, at.seed, at.through).decide(state)


def find_telling_decisions(name: str) -> Iterator[tuple[Ruleset[Any], Moment, State]]:
    """Yield decisions with an equivalent state on which a player who sees all decides otherwise."""
    system = rulesets()[name]
    for seed in islice(count(get_daily_seed()), GAMES):
        for at in islice(iterate_decisions(system, seed, Level.HARD), DECISIONS):
            for state in islice(scramble_hidden(system, at.state, at.side, random.Random(at.seed)), WORLDS):
                if decide_as(SeesAll, system, at, at.state) != decide_as(SeesAll, system, at, state):
                    yield system, at, state
                    break


def test_campaigns_magdala_and_tanga_hide_something_and_the_others_nothing() -> None:
    assert sorted(HIDING) == ["campaign", "magdala", "tanga"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == QUICKEST else pytest.mark.soak) for name in SYSTEMS_WITH_HIDING]
)
def test_the_opponent_ignores_hidden_facts_that_would_change_its_decision(name: str) -> None:
    count = 0
    for system, at, state in islice(find_telling_decisions(name), TELLING):
        count += 1
        assert state != at.state
        assert system.view(state, at.side) == system.view(at.state, at.side)
        thought = decide_again(system, at, Level.HARD, state)
        assert thought is not None
        assert thought.action == at.thought.action
        assert thought.best == at.thought.best
    assert count == TELLING, "nothing was hidden that could have told"
