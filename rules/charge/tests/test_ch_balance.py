"""The two battles are balanced: a hundred games of each, with the same simple player on both sides."""

from collections import Counter

import pytest

from tests.fuzz import RandomDice

from .player import play_game

GAMES = range(100)
LEAST = 30


@pytest.mark.soak
@pytest.mark.parametrize("scenario", ["bridge", "convoy"])
def test_either_side_wins_its_part_of_a_hundred_games(scenario: str) -> None:
    games = [play_game(scenario, seed, RandomDice(seed)).over for seed in GAMES]
    won = Counter(over.winner for over in games if over is not None)
    assert sum(won.values()) == len(GAMES)
    assert min(won["prussians"], won["austrians"]) >= LEAST, won


@pytest.mark.parametrize("scenario", ["bridge", "convoy"])
def test_the_plain_player_plays_a_game_to_its_end(scenario: str) -> None:
    verdict = play_game(scenario, 1, RandomDice(1)).over
    assert verdict is not None
    assert verdict.why
