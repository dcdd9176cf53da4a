"""The measurement of opponents: it resumes, and reports shortfalls; the soak plays all games."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rules.registry import rulesets
from tests import opponent_measurement
from tests.measurement_rows import Match, Result, group_results

GAME = Match("great_war", "tanks", 1, "easy", "random", swapped=False)
WON = Result(GAME, "british", "british", 1.0, {}, {}, 1.0)


@pytest.mark.soak
def test_the_measurement_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        opponent_measurement, "find_result_file", lambda system, scenario: tmp_path / f"{system} {scenario}.jsonl"
    )
    games = [GAME, replace(GAME, seed=2, swapped=True)]
    monkeypatch.setattr(opponent_measurement, "plan_matches", lambda systems: iter(games))
    first = opponent_measurement.measure(["great_war"], processes=1, limit=1)
    assert [result.match for result in first] == games[:1]
    both = opponent_measurement.measure(["great_war"], processes=1)
    assert both[0] == first[0]
    assert [result.match for result in both] == games
    assert [result.first for result in both] == ["british", "germans"]
    assert all(not result.fault and "easy" in result.decisions for result in both)


def test_a_changed_scenario_alone_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a changed rule, all scenarios of its system are played again."""
    rules = tmp_path / "rules" / "great_war"
    for name in ("battle.py", "tanks.py", "scenarios/2_village.toml", "scenarios/3_tanks.toml", "data/tanks.txt"):
        (rules / name).parent.mkdir(parents=True, exist_ok=True)
        (rules / name).write_text("as it was")
    monkeypatch.setattr(opponent_measurement, "ROOT", tmp_path)

    def after(changed: str) -> list[Path]:
        (rules / changed).write_text("changed again " + changed)
        opponent_measurement.find_result_file.cache_clear()
        return [opponent_measurement.find_result_file("great_war", scenario) for scenario in ("village", "tanks")]

    before = after("battle.py")
    village, tanks = after("scenarios/3_tanks.toml")
    assert village == before[0]
    assert tanks != before[1]
    village, still = after("data/tanks.txt")
    assert village == before[0]
    assert still != tanks
    assert not {village, still} & {*after("tanks.py")}
    opponent_measurement.find_result_file.cache_clear()


@pytest.mark.parametrize(
    ("system", "changed", "second_scenario"),
    [("empire", "1_isandlwana", "el-teb-1884"), ("magdala", "02_suakin_1885", "north-west-frontier")],
)
def test_a_scenario_with_its_year_is_known_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, changed: str, second_scenario: str
) -> None:
    (file := tmp_path / "rules" / system / "scenarios" / f"{changed}.toml").parent.mkdir(parents=True)
    monkeypatch.setattr(opponent_measurement, "ROOT", tmp_path)
    names = []
    for text in ("as it was", "changed"):
        file.write_text(text)
        opponent_measurement.find_result_file.cache_clear()
        names.append(opponent_measurement.find_result_file(system, second_scenario))
    opponent_measurement.find_result_file.cache_clear()
    assert names[0] == names[1]


def test_the_issue_s_games_are_planned_each_once() -> None:
    """Sides are swapped and scenarios mixed, except between equal players."""
    games = [*opponent_measurement.plan_matches(["great_war"])]
    assert len(set(games)) == len(games) == 100 + 100 + 200 + 3 * 40
    swapped = [game for game in games if (game.one, game.other) == ("hard", "easy") and game.swapped]
    assert len(swapped) == 99
    assert {game.swapped for game in games if game.one == game.other} == {False}


def test_a_level_plays_a_scenario_and_seed_once_against_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games_played: list[Mapping[str, str]] = []

    def play(system: object, scenario: str, seed: int, players: Mapping[str, str]) -> SimpleNamespace:
        games_played.append(players)
        return SimpleNamespace(winner=None, state=players["german"], decisions={}, turns={})

    monkeypatch.setattr(opponent_measurement, "play", play)
    monkeypatch.setattr(opponent_measurement, "score_game", ["random", "easy", "hard"].index)
    results = opponent_measurement.play_matches(
        [game for game in opponent_measurement.plan_matches(["tanga"]) if game.seed == 5]
    )
    assert {(result.match.one, result.match.other): result.better for result in results} == {
        ("hard", "hard"): 0.5,
        ("hard", "random"): 1.0,
        ("easy", "random"): 1.0,
        ("hard", "easy"): 1.0,
    }
    assert sorted(players["german"] for players in games_played) == ["easy", "hard", "random"]


@pytest.mark.parametrize(
    ("results", "shortfall"),
    [
        ([WON] * 17 + [replace(WON, winner="germans", better=0.0)] * 3, ""),
        ([WON] * 16 + [replace(WON, winner="germans", better=0.0)] * 4, "80.0%, where 85% is asked"),
        ([WON] * 16 + [replace(WON, winner=None, better=0.5)] * 4, ""),
        ([WON, replace(WON, fault="Traceback")], "Traceback"),
        ([replace(WON, match=replace(GAME, one="hard", other="hard"))] * 5, "100.0%, where 30% is asked"),
        ([replace(WON, decisions={"hard": (10, 4.0, 0.5, 9)}, turns={"hard": (2, 4.0, 2.5, 1)})], "slower than 0.3 s"),
        (
            [replace(WON, decisions={"hard": (10, 2.0, 0.5, 1)}, turns={"hard": (2, 4.0, 11.0, 1)})],
            "10.0 s the longest",
        ),
        ([replace(WON, decisions={"hard": (10, 2.0, 0.5, 1)}, turns={"hard": (2, 4.0, 2.5, 1)})], ""),
    ],
)
def test_shortfalls_are_reported(results: list[Result], shortfall: str) -> None:
    (row,) = group_results(results)
    assert shortfall in str(row)
    assert ("SHORT" in str(row)) == bool(shortfall)


@pytest.mark.soak
def test_opponents_reach_their_targets() -> None:
    """Plays the missing games of the measurement: three hours on two cores."""
    results = opponent_measurement.measure([name for name, system in rulesets().items() if system.values], processes=2)
    assert [words for row in group_results(results) for words in row.list_shortfalls()] == []
