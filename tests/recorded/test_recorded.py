"""The current rules replay the recordings: a fixed part in quick tests, everything with `-m soak`."""

import pytest

from rules.registry import rulesets

from . import archive, make
from .archive import DECISIONS, FEW_DECISIONS, GAMES, STARTS
from .replay import replay_decisions, replay_game, replay_starts

SYSTEMS = [system for system in rulesets() if archive.get_path(system).exists()]
"""Systems with recordings."""
ALL_PARTS = {
    kind: [(system, name) for system in SYSTEMS for name in archive.list_names(system, kind)]
    for kind in (GAMES, DECISIONS)
}
FEW_GAMES = [game for system in SYSTEMS for game in [game for game in ALL_PARTS[GAMES] if game[0] == system][3::25]]
"""Games for the quick tests, which notice most errors in a few seconds."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_scenario_starts_as_recorded(system: str) -> None:
    (name,) = archive.list_names(system, STARTS)
    replay_starts(rulesets()[system], archive.read(system, name))


def test_british_decide_by_each_row_of_the_card_as_recorded() -> None:
    replay_decisions(rulesets()["tanga"], archive.read("tanga", FEW_DECISIONS))


@pytest.mark.parametrize(("system", "name"), FEW_GAMES)
def test_some_games_are_played_as_recorded(system: str, name: str) -> None:
    replay_game(rulesets()[system], archive.read(system, name))


@pytest.mark.parametrize("system", list(rulesets()))
def test_new_recording_can_be_replayed(system: str) -> None:
    rules = rulesets()[system]
    replay_game(rules, make.play_game(rules, next(iter(rules.scenarios)), 1, 20))


@pytest.mark.soak
@pytest.mark.parametrize(("system", "name"), ALL_PARTS[DECISIONS])
def test_british_make_all_decisions_as_recorded(system: str, name: str) -> None:
    replay_decisions(rulesets()[system], archive.read(system, name))


@pytest.mark.soak
@pytest.mark.parametrize(("system", "name"), ALL_PARTS[GAMES])
def test_all_games_are_played_as_recorded(system: str, name: str) -> None:
    replay_game(rulesets()[system], archive.read(system, name))


@pytest.mark.soak
def test_recordings_have_enough_games_and_decisions() -> None:
    positions = sum(len(archive.read(*part)) - 1 for part in ALL_PARTS[DECISIONS])
    assert positions >= 1000
    for system in SYSTEMS:
        assert sum(name == system for name, _ in ALL_PARTS[GAMES]) >= 40
