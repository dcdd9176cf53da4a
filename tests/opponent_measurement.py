"""Resumable measurement of the bot's opponents: `python -m tests.opponent_measurement [--processes 2] [SYSTEM …]`.

Each game is a line in its scenario's file, whose name contains a hash of the rules. A second run continues the first,
and only changed scenarios are played again. `--shown` only prints results. A draw counts half. If the system itself
plays a side, sides cannot be swapped: both players play the same scenario and dice, and the better result wins.
"""

import argparse
import gc
import hashlib
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from pathlib import Path
from time import process_time

from pydantic import TypeAdapter

from rules.registry import rulesets

from .measurement_rows import MEAN_DECISION_TIME, MEAN_TURN_TIME, Match, Result, Times, group_results
from .opponents import PlayedGame, assign_players, play
from .opponents_tanga import score_game

MATCHES = (("hard", "random", 100), ("easy", "random", 100), ("hard", "easy", 200))
"""Levels of both players, and the number of games."""
GAMES_PER_SCENARIO = 40
"""Games of hard against hard per scenario."""
ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks" / "opponents"
"""Stored in the repository: the games take hours, and anybody can replay each by its seed."""
YEAR = re.compile(r"-\d{4}$")
LINE = TypeAdapter(Result)


def plan_matches(systems: Sequence[str]) -> Iterator[Match]:
    """Yield all games, up to ten of each match in turn, so that partial results are a fair sample."""
    systems_by_id = rulesets()
    rows = [_games(name, [*systems_by_id[name].scenarios], match) for name in systems for match in _matches(name)]
    while any(batch := [[*islice(row, 10)] for row in rows]):
        yield from (game for games in batch for game in games)


def _matches(system: str) -> list[tuple[str, str, int]]:
    scenarios = len(rulesets()[system].scenarios)
    return [*MATCHES, ("hard", "hard", GAMES_PER_SCENARIO * scenarios)]


def _games(system: str, scenarios: Sequence[str], match: tuple[str, str, int]) -> Iterator[Match]:
    first, second, games = match
    for number in range(games):
        swapped = first != second and number // len(scenarios) % 2 == 1
        yield Match(system, scenarios[number % len(scenarios)], number, first, second, swapped)


def play_matches(matches: Sequence[Match]) -> list[Result]:
    """Play matches of the same scenario and seed.

    Where the system plays the other side, each level's game is played once for all its matches.
    """
    system, scenario, seed = rulesets()[matches[0].system], matches[0].scenario, matches[0].seed

    @cache
    def game(**players: str) -> PlayedGame:
        return play(system, scenario, seed, players)

    return [_result(match, game) for match in matches]


def _result(match: Match, play_once: Callable[..., PlayedGame]) -> Result:
    """Return the result of a match, with the traceback if its game failed."""
    system, start = rulesets()[match.system], process_time()
    swapped = match.swapped and system.played_by_bot is None
    players = assign_players(system, match.scenario, match.one, match.other, swapped=swapped)
    first = next(iter(players))
    try:
        game = play_once(**players)
    except Exception:
        fault = traceback.format_exc(limit=-3)
        return Result(match, first, None, 0.0, {}, {}, process_time() - start, fault)
    better = 0.5 if game.winner is None else float(game.winner == first)
    if system.played_by_bot is not None and match.one != match.other:
        opposed = play_once(**{first: match.other})
        better = (1 + sign(score_game(game.state) - score_game(opposed.state))) / 2
    kinds = (game.decisions, MEAN_DECISION_TIME), (game.turns, MEAN_TURN_TIME)
    times = [
        {level: _sum_times(seconds, target) for level, seconds in seconds_by_level.items()}
        for seconds_by_level, target in kinds
    ]
    return Result(match, first, game.winner, better, *times, round(process_time() - start, 2))


def _sum_times(times: Sequence[float], target: float) -> Times:
    longer = sum(seconds > target for seconds in times)
    return len(times), round(sum(times), 3), round(max(times), 3), longer


def sign(number: float) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def load_results(systems: Iterable[str]) -> list[Result]:
    """Load the results of all games played so far."""
    files = [find_result_file(system, scenario) for system in systems for scenario in rulesets()[system].scenarios]
    return [LINE.validate_json(line) for file in files if file.exists() for line in file.read_text().splitlines()]


def measure(systems: Sequence[str], processes: int, limit: int | None = None) -> list[Result]:
    """Play the missing games, at most `limit`, and store their results. Return all results."""
    results = load_results(systems)
    finished = {result.match for result in results}
    together: dict[tuple[str, str, int], list[Match]] = {}
    for match in islice((match for match in plan_matches(systems) if match not in finished), limit):
        together.setdefault((match.system, match.scenario, match.seed), []).append(match)
    FOLDER.mkdir(exist_ok=True)
    with ProcessPoolExecutor(processes, initializer=_look_less_often_for_garbage) as pool:
        for games in pool.map(play_matches, together.values()):
            with find_result_file(games[0].match.system, games[0].match.scenario).open("a") as out:
                out.writelines(LINE.dump_json(result).decode() + "\n" for result in games)
            results += games
    return results


def _look_less_often_for_garbage() -> None:
    """Collect garbage less often, as in the bot's workers: the opponent decides a seventh quicker."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@cache
def find_result_file(system: str, scenario: str) -> Path:
    """Return the result file of a scenario.

    Its name contains a hash of all rules, except other scenarios and the book.
    """
    other_scenarios = {name for name in rulesets()[system].scenarios if name != scenario}
    seal = hashlib.sha256()
    for path in sorted(path for part in ("core", system) for path in (ROOT / "rules" / part).rglob("*")):
        is_a_rule = path.suffix in (".py", ".toml", ".txt") and "tests" not in path.parts
        is_told_alone = path.name.endswith("book.toml")
        if (
            is_a_rule
            and not is_told_alone
            and not (path.suffix != ".py" and _scenarios_named_by(path) & other_scenarios)
        ):
            seal.update(path.read_bytes())
    return FOLDER / f"{system}-{scenario}-{seal.hexdigest()[:12]}.jsonl"


def _scenarios_named_by(path: Path) -> set[str]:
    """Return the scenarios that a file name may mean: `1_el_teb.toml` means `el-teb`, with or without its year."""
    name = YEAR.sub("", path.stem.lstrip("0123456789_").replace("_", "-"))
    return {
        scenario for system in rulesets().values() for scenario in system.scenarios if YEAR.sub("", scenario) == name
    }


def main() -> None:
    """Read the command line, play the missing games and print the results."""
    names = [name for name, system in rulesets().items() if system.values]
    parser = argparse.ArgumentParser(description="Measures the opponents.")
    parser.add_argument("systems", nargs="*", default=names, metavar="SYSTEM", help=", ".join(names))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, help="games to play now")
    parser.add_argument("--shown", action="store_true", help="play nothing")
    options = parser.parse_args()
    results = (
        load_results(options.systems) if options.shown else measure(options.systems, options.processes, options.most)
    )
    print("\n".join(map(str, group_results(results))))


if __name__ == "__main__":
    main()
