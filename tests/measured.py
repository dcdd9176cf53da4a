"""The whole measurement of the opponents, resumable: `python -m tests.measured [--processes 2] [SYSTEM …]`.

Each game is a line of its scenario's file, named for the rules as they stand, so that a second run goes on where the
first stopped, and a changed scenario alone is played again; `--shown` only prints what there is. A draw counts half.
Where the system itself plays a side, sides cannot be swapped: the same scenario and dice are played by both players,
and who comes off better has won.
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

from .measured_rows import DECISION, TURN, Match, Result, Times, rows
from .opponents import Played, play, seated
from .opponents_tanga import margin

MATCHES = (("hard", "random", 100), ("easy", "random", 100), ("hard", "easy", 200))
"""Who plays whom, and how many games."""
EACH = 40
"""Games of hard against hard in a scenario."""
ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks" / "opponents"
"""Kept with the code: hours of games, each of which anybody can play again by its seed."""
YEAR = re.compile(r"-\d{4}$")
LINE = TypeAdapter(Result)


def planned(systems: Sequence[str]) -> Iterator[Match]:
    """Every game of the measurement, a few of each match in turn, so that what is there is a fair sample."""
    known = rulesets()
    rows = [_games(one, [*known[one].scenarios], match) for one in systems for match in _matches(one)]
    while any(batch := [[*islice(row, 10)] for row in rows]):
        yield from (game for games in batch for game in games)


def _matches(system: str) -> list[tuple[str, str, int]]:
    scenarios = len(rulesets()[system].scenarios)
    return [*MATCHES, ("hard", "hard", EACH * scenarios)]


def _games(system: str, scenarios: Sequence[str], match: tuple[str, str, int]) -> Iterator[Match]:
    one, other, games = match
    for number in range(games):
        swapped = one != other and number // len(scenarios) % 2 == 1
        yield Match(system, scenarios[number % len(scenarios)], number, one, other, swapped)


def play_matches(matches: Sequence[Match]) -> list[Result]:
    """Those games, all of one scenario and one seed.

    Where the system plays the other side, what a level makes of them is played once for all its matches.
    """
    system, scenario, seed = rulesets()[matches[0].system], matches[0].scenario, matches[0].seed

    @cache
    def game(**players: str) -> Played:
        return play(system, scenario, seed, players)

    return [_result(match, game) for match in matches]


def _result(match: Match, play_once: Callable[..., Played]) -> Result:
    """How it ended, with its fault where it was not played to its end."""
    system, began = rulesets()[match.system], process_time()
    swapped = match.swapped and system.played_by_bot is None
    players = seated(system, match.scenario, match.one, match.other, swapped=swapped)
    first = next(iter(players))
    try:
        game = play_once(**players)
    except Exception:
        fault = traceback.format_exc(limit=-3)
        return Result(match, first, None, 0.0, {}, {}, process_time() - began, fault)
    better = 0.5 if game.winner is None else float(game.winner == first)
    if system.played_by_bot is not None and match.one != match.other:
        other = play_once(**{first: match.other})
        better = (1 + sign(margin(game.state) - margin(other.state))) / 2
    kinds = (game.decisions, DECISION), (game.turns, TURN)
    times = [{level: _summed(every, asked) for level, every in by.items()} for by, asked in kinds]
    return Result(match, first, game.winner, better, *times, round(process_time() - began, 2))


def _summed(times: Sequence[float], asked: float) -> Times:
    longer = sum(one > asked for one in times)
    return len(times), round(sum(times), 3), round(max(times), 3), longer


def sign(number: float) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def kept(systems: Iterable[str]) -> list[Result]:
    """The games played so far."""
    files = [file_of(system, scenario) for system in systems for scenario in rulesets()[system].scenarios]
    return [LINE.validate_json(line) for file in files if file.exists() for line in file.read_text().splitlines()]


def measure(systems: Sequence[str], processes: int, most: int | None = None) -> list[Result]:
    """Plays what is not there yet, at the `most` so many games, and keeps it. All that is there then."""
    results = kept(systems)
    done = {result.match for result in results}
    together: dict[tuple[str, str, int], list[Match]] = {}
    for match in islice((match for match in planned(systems) if match not in done), most):
        together.setdefault((match.system, match.scenario, match.seed), []).append(match)
    FOLDER.mkdir(exist_ok=True)
    with ProcessPoolExecutor(processes, initializer=_look_less_often_for_garbage) as pool:
        for games in pool.map(play_matches, together.values()):
            with file_of(games[0].match.system, games[0].match.scenario).open("a") as out:
                out.writelines(LINE.dump_json(result).decode() + "\n" for result in games)
            results += games
    return results


def _look_less_often_for_garbage() -> None:
    """As in the bot's workers: an opponent thinks a seventh quicker."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


@cache
def file_of(system: str, scenario: str) -> Path:
    """Where the games of a scenario are kept: named for all that may decide them, not other scenarios or the book."""
    others = {one for one in rulesets()[system].scenarios if one != scenario}
    seal = hashlib.sha256()
    for path in sorted(path for part in ("core", system) for path in (ROOT / "rules" / part).rglob("*")):
        is_a_rule = path.suffix in (".py", ".toml", ".txt") and "tests" not in path.parts
        is_told_alone = path.name.endswith("book.toml")
        if is_a_rule and not is_told_alone and not (path.suffix != ".py" and _named_for(path) & others):
            seal.update(path.read_bytes())
    return FOLDER / f"{system}-{scenario}-{seal.hexdigest()[:12]}.jsonl"


def _named_for(path: Path) -> set[str]:
    """The scenarios that a file may be named for: `1_el_teb.toml` for `el-teb`, with or without its year."""
    name = YEAR.sub("", path.stem.lstrip("0123456789_").replace("_", "-"))
    return {one for system in rulesets().values() for one in system.scenarios if YEAR.sub("", one) == name}


def main() -> None:
    """Reads the command line, plays what is missing and prints."""
    known = [one for one, system in rulesets().items() if system.values]
    parser = argparse.ArgumentParser(description="Measures the opponents.")
    parser.add_argument("systems", nargs="*", default=known, metavar="SYSTEM", help=", ".join(known))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--most", type=int, help="games to play now")
    parser.add_argument("--shown", action="store_true", help="play nothing")
    given = parser.parse_args()
    results = kept(given.systems) if given.shown else measure(given.systems, given.processes, given.most)
    print("\n".join(map(str, rows(results))))


if __name__ == "__main__":
    main()
