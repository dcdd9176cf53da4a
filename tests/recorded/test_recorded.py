"""Today's rules do what they did when it was recorded: a fixed part here, all of it with `-m soak`."""

import pytest

from rules.registry import rulesets

from . import archive, make
from .archive import DECISIONS, FEW_DECISIONS, GAMES, STARTS
from .replay import replay_decisions, replay_game, replay_starts

SYSTEMS = [system for system in rulesets() if archive.file_of(system).exists()]
"""Those that there were when it was recorded."""
EVERY = {kind: [(one, name) for one in SYSTEMS for name in archive.names(one, kind)] for kind in (GAMES, DECISIONS)}
FEW_GAMES = [game for one in SYSTEMS for game in [game for game in EVERY[GAMES] if game[0] == one][3::25]]
"""What is played again every time: enough to notice most of what goes wrong, in a few seconds."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_scenario_starts_as_it_did(system: str) -> None:
    (name,) = archive.names(system, STARTS)
    replay_starts(rulesets()[system], archive.read(system, name))


def test_a_decision_of_the_british_by_each_row_of_the_card_is_what_it_was() -> None:
    replay_decisions(rulesets()["tanga"], archive.read("tanga", FEW_DECISIONS))


@pytest.mark.parametrize(("system", "name"), FEW_GAMES)
def test_some_games_are_played_as_they_were(system: str, name: str) -> None:
    replay_game(rulesets()[system], archive.read(system, name))


@pytest.mark.parametrize("system", list(rulesets()))
def test_what_is_recorded_now_is_played_again(system: str) -> None:
    rules = rulesets()[system]
    replay_game(rules, make.game(rules, next(iter(rules.scenarios)), 1, 20))


@pytest.mark.soak
@pytest.mark.parametrize(("system", "name"), EVERY[DECISIONS])
def test_all_decisions_of_the_british_are_what_they_were(system: str, name: str) -> None:
    replay_decisions(rulesets()[system], archive.read(system, name))


@pytest.mark.soak
@pytest.mark.parametrize(("system", "name"), EVERY[GAMES])
def test_all_games_are_played_as_they_were(system: str, name: str) -> None:
    replay_game(rulesets()[system], archive.read(system, name))


@pytest.mark.soak
def test_there_is_as_much_of_it_as_there_should_be() -> None:
    positions = sum(len(archive.read(*part)) - 1 for part in EVERY[DECISIONS])
    assert positions >= 1000
    for system in SYSTEMS:
        assert sum(one == system for one, _ in EVERY[GAMES]) >= 40
