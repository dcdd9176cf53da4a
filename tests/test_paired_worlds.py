"""Games that differ only in secret actions and edits look the same to other viewers."""

from typing import Any

import pytest

from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from . import paired_worlds
from .daily_choice import one_a_day
from .fuzz import get_daily_seed
from .hidden_tables import SYSTEMS


@pytest.fixture(params=one_a_day(SYSTEMS))
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    return rulesets()[request.param]


def test_others_cannot_tell_two_worlds_apart(system: Ruleset[Any]) -> None:
    assert paired_worlds.play(system, get_daily_seed(), 10) > 0


@pytest.mark.soak
@pytest.mark.parametrize("name", SYSTEMS)
def test_others_cannot_tell_two_worlds_apart_in_longer_games(name: str) -> None:
    for seed in range(40):
        paired_worlds.play(rulesets()[name], get_daily_seed() + seed, 80)
