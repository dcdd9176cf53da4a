"""Records what the rules do now: `python -m tests.recorded.make [system …]`.

What is recorded is what later changes are held to. So it is run only at a commit that is meant as the base of such a
change, before it begins, or once a rule has been changed on purpose and every failure of the old recordings has been
looked at; never to make a failing test pass. It refuses while anything under `rules/` is not committed. Where only
scenarios were drawn up anew, `--starts` records how they begin, and leaves the games as they are. Where a rule was
changed on purpose, `--changed` records anew the parts that come out otherwise, each from its own first state, and
leaves all else as it is.
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

from rules.core.dice import Dice
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import State
from rules.registry import rulesets
from tests.fuzz import RandomDice, dump_action

from . import archive, british
from .archive import Line, Parts
from .dice import Changed, HandedDice, NotingDice
from .player import RandomPlayer, vary
from .replay import replay_decisions, replay_game, replay_starts
from .words import decided

ROOT = Path(__file__).parents[2]
OWN_GAME = ROOT / "docs" / "own-game.example.json"
GAMES = 20
"""Games of each system: the first of each scenario to its end or nearly, the others over some turns."""
LONG, SHORT = 600, 200
"""Actions of such games, if they have not ended before."""
PART = 100
"""Actions of a part: a game is cut into parts, each with its own first state."""
STATE_EVERY = 5
"""Actions between the states that are recorded; a part's last is among them."""
VARIED = 6
"""Options changed in every other game."""
STARTS_OF = "; starts of "
CHANGED_AT = "; what changed, of "
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


def game(system: Ruleset[Any], scenario: str, seed: int, most: int) -> list[Line]:
    """A game of so many actions by its lines. Every other one has options varied."""
    chance, rolled = random.Random(f"start of {seed}"), RandomDice(seed)
    state = _begin(system, scenario, chance, seed)
    if seed % 2:
        state = vary(system, state, chance, VARIED)
    return play_on(system, state, RandomPlayer(system, scenario, seed), rolled, most)


def play_on(system: Ruleset[Any], state: State, player: RandomPlayer, rolled: Dice, most: int) -> list[Line]:
    """Play up to `most` actions from a state and return them by their lines, the state first."""
    number = 0
    lines: list[Line] = [{"version": system.version, "state": system.write_state(state)}]
    while number < most and state.over is None:
        tried = list(_tried(system, state, player, rolled))
        lines += [line for line, _ in tried]
        state, number = tried[-1][1], number + 1
        if number % STATE_EVERY == 0 or number == most or state.over is not None:
            lines[-1]["state"] = system.write_state(state)
    return lines


def _tried(system: Ruleset[Any], state: State, player: RandomPlayer, rolled: Dice) -> Iterator[tuple[Line, State]]:
    """The next thing done, after what was refused, each with the state after it."""
    for action in player.attempts(state):
        dice = NotingDice(rolled)
        args = dump_action(action)
        line = {"kind": args.pop("kind"), "args": args}
        try:
            after, report = system.act(state, action, dice)
        except Refused as refused:
            yield {**line, "refused": str(refused)}, state
            continue
        player.did(action)
        yield {**line, "throws": dice.thrown, "headline": report.headline}, after
        return
    raise AssertionError(f"{system.id}, {state.scenario}: what is legal was refused")


def parts_of(lines: list[Line]) -> list[list[Line]]:
    """A game cut into parts, each beginning with the state that the one before ended with."""
    parts, done = [lines[:1]], 0
    for line in lines[1:]:
        if done == PART:
            parts.append([{**lines[0], "state": parts[-1][-1]["state"]}])
            done = 0
        parts[-1].append(line)
        done += "throws" in line
    return parts


def _begin(system: Ruleset[Any], scenario: str, chance: random.Random, seed: int) -> State:
    """A start with any answer to what the scenario leaves open."""
    if scenario not in system.scenarios:
        return system.own_battles.set_up(OWN_GAME.read_bytes(), {}, RandomDice(seed))
    asked = system.scenarios[scenario].choices
    return system.setup(scenario, {one.name: chance.choice(one.options) for one in asked}, RandomDice(seed))


def _game(system: str, scenario: str, number: int, seed: int) -> Parts:
    """The parts of a game by name."""
    lines = game(rulesets()[system], scenario, seed, SHORT if number else LONG)
    return {f"{archive.GAMES}/{scenario}-{number}-{place:02}": part for place, part in enumerate(parts_of(lines))}


def jobs(system: Ruleset[Any]) -> Iterator[Callable[[], Parts]]:
    """Everything that is to be recorded of a system, a game each."""
    scenarios = [*system.scenarios, *(["own-game"] if system.own_battles.schema is not None else [])]
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
    parts: Parts = {archive.STARTS + "/all": list(starts(system))}
    with ProcessPoolExecutor(2) as pool:
        for done in [pool.submit(job) for job in jobs(system)]:
            parts |= (of_a_game := done.result())
            print(f"  {', '.join(of_a_game)}", flush=True)
    if decisions := {name: part for name, part in parts.items() if name.startswith(f"{archive.DECISIONS}/")}:
        parts[archive.FEW_DECISIONS] = british.few(decisions)
    archive.write(system.id, parts, of)
    _tell(system, parts.values())


def record_starts(system: Ruleset[Any], of: str) -> None:
    """Records anew how the scenarios of a system begin, and keeps all else."""
    kept = {name: archive.read(system.id, name) for name in archive.names(system.id)}
    base = archive.base(system.id).split(STARTS_OF)[0]
    archive.write(system.id, {**kept, archive.STARTS + "/all": list(starts(system))}, f"{base}{STARTS_OF}{of}")


def record_changed(system: Ruleset[Any], of: str) -> None:
    """Record anew the parts of a system that today's rules play otherwise, and keep all else. Print their names."""
    kept = {name: archive.read(system.id, name) for name in archive.names(system.id)}
    found: Parts = {}
    for name, lines in kept.items():
        if (anew := _anew(system, name, lines)) != lines:
            found[name] = anew
            print(f"  {name}", flush=True)
    base = archive.base(system.id).split(CHANGED_AT)[0]
    archive.write(system.id, {**kept, **found}, f"{base}{CHANGED_AT}{of}")
    _tell(system, found.values())


def _anew(system: Ruleset[Any], name: str, lines: list[Line]) -> list[Line]:
    """Return a part as today's rules have it, or as it is if they play it as they did."""
    kind = name.split("/")[0]
    if kind == archive.GAMES:
        return lines if _plays(replay_game, system, lines) else _again(system, name, lines)
    if kind == archive.STARTS:
        return lines if _plays(replay_starts, system, lines) else list(starts(system))
    if all(_plays(replay_decisions, system, [lines[0], line]) for line in lines[1:]):
        return lines
    each = enumerate(lines[1:])
    made = (_decided(system, [lines[0], line], f"{name} {number}") for number, line in each)
    return [{"version": system.version}, *made]


def _plays(replay: Callable[[Ruleset[Any], list[Line]], None], system: Ruleset[Any], lines: list[Line]) -> bool:
    """Whether today's rules do what they did."""
    try:
        replay(system, lines)
    except Changed:
        return False
    return True


def _again(system: Ruleset[Any], name: str, lines: list[Line]) -> list[Line]:
    """Play as many actions from the first state of a game's part."""
    state, actions = system.read_state(lines[0]["state"]), sum("throws" in line for line in lines)
    seed = random.Random(f"again {name}").randrange(1 << 16)
    return play_on(system, state, RandomPlayer(system, state.scenario, seed), RandomDice(seed), actions)


def _decided(system: Ruleset[Any], lines: list[Line], dice: str) -> Line:
    """Return a decision in today's form, made again in its position: with other dice if it is another now."""
    version, line = lines[0]["version"], lines[1]
    rolled: Dice = RandomDice(random.Random(dice).randrange(1 << 16))
    if _plays(replay_decisions, system, lines):
        rolled = HandedDice(line["throws"])
    before, noting = system.read_state(line["before"]), NotingDice(rolled)
    action = system.read_action(line["kind"], line["args"], version)
    after, report = system.act(before, action, noting)
    position = british.Position(before, action, noting.thrown, after, report, tuple(decided(system, after)))
    return british.line(system, position)


def _tell(system: Ruleset[Any], parts: Iterable[list[Line]]) -> None:
    done = Counter(line["kind"] for lines in parts for line in lines if "throws" in line and "kind" in line)
    never = sorted(system.actions.keys() - done.keys())
    size = archive.file_of(system.id).stat().st_size
    print(f"{system.id}: {size / 1e6:.2f} MB; {dict(done.most_common())}; never done: {', '.join(never) or 'none'}")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Records what the rules do now, at a commit meant as a base.")
    parser.add_argument("systems", nargs="*", default=list(rulesets()), metavar="system")
    parser.add_argument("--starts", action="store_true", help="only how scenarios begin")
    parser.add_argument("--changed", action="store_true", help="only the parts that come out otherwise")
    given, of = parser.parse_args(), base()
    for system in given.systems:
        (record_starts if given.starts else record_changed if given.changed else record)(rulesets()[system], of)


if __name__ == "__main__":
    main()
