"""Random legal games with the day's seed, saved and loaded after each action; and the fuzzer itself.

Each day starts one scenario of every system; `make soak` plays all to their end.
"""

import json
from pathlib import Path

import pytest

from rules.core.report import Report
from rules.registry import rulesets

from . import fuzz
from .daily_choice import one_a_day
from .fuzz import get_daily_seed, play_random
from .toy import Toy

SEEDS = range(10)
TODAY = get_daily_seed()
SCENARIOS = [(system.id, name) for system in rulesets().values() for name in system.scenarios]
ONE_OF_EACH = [
    pytest.param(system.id, *name.values, marks=name.marks)
    for system in rulesets().values()
    for name in one_a_day(list(system.scenarios))
]
BEGINNING = 40
"""Number of actions: one or two turns, with all kinds of actions; the seed changes daily."""


@pytest.mark.parametrize("seed", [TODAY])
@pytest.mark.parametrize(("ruleset", "scenario"), ONE_OF_EACH)
def test_every_scenario_is_begun(ruleset: str, scenario: str, seed: int) -> None:
    begun = play_random(rulesets()[ruleset], scenario, seed, BEGINNING)
    assert len(begun.actions) == BEGINNING or begun.verdict


@pytest.mark.soak
@pytest.mark.parametrize("seed", [TODAY, 100])
@pytest.mark.parametrize(("ruleset", "scenario"), SCENARIOS)
def test_every_scenario_is_played_to_its_end(ruleset: str, scenario: str, seed: int) -> None:
    verdict = play_random(rulesets()[ruleset], scenario, seed).verdict
    assert verdict is not None
    assert verdict.why


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_atbara_is_played_to_its_end(seed: int) -> None:
    played = play_random(rulesets()["magdala"], "atbara-1898", seed)
    assert {"move", "fire", "melee", "turn_next"} <= set(played.kinds)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_el_teb_is_played_to_its_end(seed: int) -> None:
    played = play_random(rulesets()["empire"], "el-teb-1884", seed)
    assert {"conduct", "move", "fire", "turn_next"} <= set(played.kinds)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_the_bridge_is_played_to_its_end(seed: int) -> None:
    played = play_random(rulesets()["charge"], "bridge", seed)
    assert {"move", "fire", "turn_next"} <= set(played.kinds)


def test_the_same_seed_plays_the_same_game() -> None:
    system = rulesets()["magdala"]
    first, second = (play_random(system, "suakin-1885", 7, BEGINNING // 3) for _ in range(2))
    assert first == second


def test_a_failing_game_is_dumped_with_its_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Toy):
        """A toy system that fails after five steps."""

        def act(self, state, action, dice):
            after, report = super().act(state, action, dice)
            if any(unit.steps > 5 for unit in after.units.values()):
                raise ZeroDivisionError("the toy is broken")
            return after, report

    monkeypatch.setattr(fuzz, "FAILURE_FOLDER", tmp_path / "failing-games")
    system = Broken()
    scenario = next(iter(system.scenarios))
    with pytest.raises(ZeroDivisionError):
        play_random(system, scenario, 3)
    (file,) = (tmp_path / "failing-games").iterdir()
    game = json.loads(file.read_text(encoding="utf-8"))
    assert (game["scenario"], game["seed"]) == (scenario, 3)
    assert "the toy is broken" in game["error"]
    assert game["actions"][-1]["kind"] in system.actions
    assert system.state_type.model_validate(game["state"])


def test_data_lost_by_saving_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report(headline="as it was")
    system = rulesets()["magdala"]
    state = system.setup("suakin-1885", {}, fuzz.RandomDice(1))
    assert fuzz.save_and_load(system, state, report) == state
    monkeypatch.setattr(type(system), "read_report", lambda *_: Report(headline="something else"))
    with pytest.raises(AssertionError):
        fuzz.save_and_load(system, state, report)
