"""Legibility of every picture of every scenario: at least 8 pixels on a telephone in Discord."""

from collections.abc import Iterable

import pytest

from rules.registry import rulesets
from tests.daily_choice import one_a_day
from tests.fuzz import get_daily_seed

from .legibility import (
    Kind,
    iterate_charts,
    iterate_game_pictures,
    iterate_other_pictures,
    iterate_start_pictures,
    measure_texts,
)

EVERY = [(name, scenario) for name, system in rulesets().items() for scenario in system.scenarios]
LEGIBLE = 8
"""Minimum text height in pixels on a telephone."""
FEW_ACTIONS, MANY_ACTIONS = 8, 60
"""Number of actions before the pictures of a game: in the quick test, and in the soak."""


def find_small_texts(kinds: Iterable[Kind]) -> list[tuple[str, str, float]]:
    """Return kind, text and size of every text that is too small."""
    measured = [(kind.name, smallest) for kind in kinds for smallest in measure_texts(kind.draw)]
    assert measured, "nothing was drawn"
    return [(name, smallest.text, round(smallest.size, 1)) for name, smallest in measured if smallest.size < LEGIBLE]


@pytest.mark.parametrize("battle", one_a_day(EVERY), ids=" ".join)
def test_a_game_begins_with_legible_pictures(battle: tuple[str, str]) -> None:
    name, scenario = battle
    assert find_small_texts(iterate_start_pictures(rulesets()[name], scenario)) == []


@pytest.mark.soak
@pytest.mark.parametrize("battle", one_a_day(EVERY, since=1), ids=" ".join)
def test_a_game_goes_on_with_legible_pictures(battle: tuple[str, str]) -> None:
    name, scenario = battle
    assert (
        find_small_texts(iterate_game_pictures(rulesets()[name], scenario, get_daily_seed(), FEW_ACTIONS, FEW_ACTIONS))
        == []
    )


@pytest.mark.soak
@pytest.mark.parametrize(("name", "scenario"), EVERY)
def test_a_longer_game_has_legible_pictures(name: str, scenario: str) -> None:
    assert (
        find_small_texts(
            iterate_game_pictures(rulesets()[name], scenario, get_daily_seed(), MANY_ACTIONS, MANY_ACTIONS // 6)
        )
        == []
    )


@pytest.mark.parametrize("name", one_a_day([name for name, system in rulesets().items() if system.charts]))
def test_every_chart_is_legible(name: str) -> None:
    assert find_small_texts(iterate_charts(rulesets()[name])) == []


def test_dice_and_photographs_grids_are_legible() -> None:
    assert find_small_texts(iterate_other_pictures()) == []
