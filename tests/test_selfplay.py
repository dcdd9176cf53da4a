"""Whole games of Tanga, the card against the simple player, with saving and loading (TA-0 to TA-H)."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from rules.core.report import Report
from rules.core.state import Action
from rules.tanga.model import BRITISH, GERMAN, TangaState
from rules.tanga.scenarios import SCENARIOS

from .fuzz import get_daily_seed
from .selfplay import Result, play

QUICK = "initial-assault"
GAMES = {"initial-assault": 4, "invasion": 1, "big-push": 1, "campaign": 1}
"""Number of games in the soak, by scenario."""


def iterate_games() -> Iterator[Any]:
    """Yield one game with the day's seed; the soak adds fixed seeds, and one game of every scenario."""
    for scenario, count in GAMES.items():
        for seed in (get_daily_seed(), *range(count)):
            short = scenario == QUICK and seed == get_daily_seed()
            yield pytest.param(scenario, seed, marks=() if short else pytest.mark.soak)


def drop_seconds(result: Result) -> Result:
    """Return the result without its seconds."""
    return dataclasses.replace(result, seconds=0)


def test_every_scenario_is_played() -> None:
    assert list(GAMES) == list(SCENARIOS.all)


@pytest.mark.parametrize(("scenario", "seed"), list(iterate_games()))
def test_ta_h_11_a_game_stays_valid_and_somebody_wins(scenario: str, seed: int) -> None:
    ended: list[TangaState] = []
    kinds = set[str]()

    def watch(_before: TangaState, action: Action, after: TangaState, _report: Report) -> None:
        ended[:] = [after]
        kinds.add(action.kind)

    result = play(scenario, seed, watch)
    (last,) = ended
    assert result.winner in {BRITISH, GERMAN}
    assert result.turn == last.turns
    assert {"british", "move", "fire", "turn_next"} <= kinds


@pytest.mark.soak
def test_the_same_seed_plays_the_same_game() -> None:
    headlines: list[list[str]] = [[], []]
    first, second = (
        play(
            "initial-assault",
            7,
            lambda _before, _action, _after, report, game_headlines=game_headlines: game_headlines.append(
                report.headline
            ),
        )
        for game_headlines in headlines
    )
    assert drop_seconds(first) == drop_seconds(second)
    assert headlines[0] == headlines[1]
