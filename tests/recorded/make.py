"""Records what the rules do now: `python -m tests.recorded.make [system …]`.

What is recorded is what later changes are held to. So it is run only at a commit that is meant as the base of such a
change, before it begins, or once a rule has been changed on purpose and every failure of the old recordings has been
looked at; never to make a failing test pass. It refuses while anything under `rules/` is not committed.
"""

import argparse
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from rules.core.ruleset import Refused, Ruleset
from rules.core.state import State
from rules.registry import rulesets
from tests.fuzz import RandomDice, written

from . import archive, british
from .archive import Line
from .dice import NotingDice
from .player import RandomPlayer, vary

ROOT = Path(__file__).parents[2]
OWN_GAME = ROOT / "docs" / "own-game.example.json"
GAMES = 48
"""Games of each system: of each scenario the first are recorded from their start, the others from later on."""
FROM_THE_START, AT_MOST = 2, 700
"""Games of a scenario recorded as a whole, and actions of such a game if it has not ended before."""
PART = 100
"""Actions of a game that is recorded in part."""
LATER = (20, 60, 120, 200, 300, 400)
"""Actions after which such a part begins."""
STATE_EVERY = 6
"""Actions between states recorded of a part; of a whole game three times as many."""
VARIED = 6
"""Options changed in every other game."""
DRAWN = 3
"""Starts recorded of each scenario and each answer to what it leaves open."""


def starts(system: Ruleset[Any]) -> Iterator[Line]:
    """Every scenario's start, with each answer to each question that it leaves open."""
    yield {"version": system.version}
    for name, scenario in system.scenarios.items():
        answers: list[dict[str, str]] = [{}]
        answers += [{choice.name: option} for choice in scenario.choices for option in choice.options]
        for choices, seed in product(answers, range(DRAWN)):
            dice = NotingDice(RandomDice(seed))
            state = system.setup(name, choices, dice)
            text = system.write_state(state)
            yield {"scenario": name, "choices": choices, "throws": dice.thrown, "state": text}


def game(system: Ruleset[Any], scenario: str, seed: int, skipped: int, most: int, every: int) -> list[Line]:
    """A game by its lines, from so many actions after its start and over so many."""
    chance = random.Random(f"start of {seed}")
    state = _begin(system, scenario, chance, seed)
    if seed % 2:
        state = vary(system, state, chance, VARIED)
    player = RandomPlayer(system, scenario, seed)
    lines: list[Line] = []
    rolled, number = RandomDice(seed), 0
    while number < skipped + most and state.over is None:
        if number == skipped:
            lines = [{"version": system.version, "state": system.write_state(state)}]
        for action in player.attempts(state):
            dice = NotingDice(rolled)
            line = written(action)
            line = {"kind": line.pop("kind"), "args": line}
            try:
                after, report = system.act(state, action, dice)
            except Refused as refused:
                lines.append({**line, "refused": str(refused)})
                continue
            state = after
            player.did(action)
            number += 1
            lines.append({**line, "throws": dice.thrown, "headline": report.headline})
            if number % every == 0:
                lines[-1]["state"] = system.write_state(state)
            break
        else:
            raise AssertionError(f"{system.id}, {scenario}, seed {seed}: what is legal was refused")
    while "refused" in lines[-1]:
        lines.pop()
    lines[-1]["state"] = system.write_state(state)
    return lines


def _begin(system: Ruleset[Any], scenario: str, chance: random.Random, seed: int) -> State:
    """A start with any answer to what the scenario leaves open."""
    if scenario not in system.scenarios:
        return system.setup_uploaded(OWN_GAME.read_bytes(), {}, RandomDice(seed))
    asked = system.scenarios[scenario].choices
    return system.setup(scenario, {one.name: chance.choice(one.options) for one in asked}, RandomDice(seed))


def _game(system: str, scenario: str, number: int, seed: int) -> tuple[str, list[Line]]:
    """The name and the lines of a game. One that ends before its part begins is recorded from earlier on."""
    rules = rulesets()[system]
    if number < FROM_THE_START:
        lines = game(rules, scenario, seed, 0, AT_MOST, STATE_EVERY * 3)
        return f"{archive.GAMES}/{scenario}-{number}-from-the-start", lines
    later = LATER[number % len(LATER)]
    while len(lines := game(rules, scenario, seed, later, PART, STATE_EVERY)) < 2 or "version" not in lines[0]:
        later //= 2
    return f"{archive.GAMES}/{scenario}-{number}-after-{later}", lines


def jobs(system: Ruleset[Any]) -> Iterator[Callable[[], tuple[str, list[Line]]]]:
    """Everything that is to be recorded of a system, each a part."""
    scenarios = [*system.scenarios, *(["own-game"] if system.scenario_schema() is not None else [])]
    each = -(-GAMES // len(scenarios))
    for place, (scenario, number) in enumerate(product(scenarios, range(each))):
        yield partial(_game, system.id, scenario, number, place)
    if system.played_by_bot is not None:
        yield from british.jobs()


def base() -> str:
    """The last commit of the rules, in a line. Raises SystemExit when something of them is not committed."""
    if _git("status", "--porcelain", "--", "rules"):
        raise SystemExit(
            "There are changes under rules/ that are not committed: what is recorded would be of no commit."
        )
    return _git("log", "-1", "--format=%H %s", "--", "rules")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def record(system: Ruleset[Any], of: str) -> None:
    """Records a system on two processors and prints what is in it."""
    parts: dict[str, list[Line]] = {archive.STARTS + "/all": list(starts(system))}
    with ProcessPoolExecutor(2) as pool:
        for done in [pool.submit(job) for job in jobs(system)]:
            name, lines = done.result()
            parts[name] = lines
            print(f"  {name}: {len(lines) - 1}", flush=True)
    archive.write(system.id, parts, of)
    _tell(system, parts.values())


def _tell(system: Ruleset[Any], parts: Iterable[list[Line]]) -> None:
    done = Counter(line["kind"] for lines in parts for line in lines if "throws" in line and "kind" in line)
    never = sorted(system.actions.keys() - done.keys())
    size = archive.file_of(system.id).stat().st_size
    print(f"{system.id}: {size / 1e6:.2f} MB; {dict(done.most_common())}; never done: {', '.join(never) or 'none'}")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Records what the rules do now, at a commit meant as a base.")
    parser.add_argument("systems", nargs="*", default=list(rulesets()), metavar="system")
    of = base()
    for system in parser.parse_args().systems:
        record(rulesets()[system], of)


if __name__ == "__main__":
    main()
