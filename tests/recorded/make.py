"""Records the current behaviour of the rules: `python -m tests.recorded.make [system …]`.

Later changes are tested against the recordings. So record only at the commit from which such a change starts, or after
an intended change of a rule, once every failure of the old recordings has been examined. Never record to make a failing
test pass. Uncommitted changes under `rules/` are refused.

`--starts` records only the starts of scenarios, if nothing but scenarios changed. `--changed` records only the
parts that the current rules play differently, each from its own first state. Other parts stay as they are.
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
from .dice import Deviation, RecordingDice, ReplayingDice
from .player import RandomPlayer, vary_options
from .replay import replay_decisions, replay_game, replay_starts
from .words import read_decisions

ROOT = Path(__file__).parents[2]
OWN_GAME = ROOT / "docs" / "own-game.example.json"
GAMES = 20
"""Games of each system. The first game of each scenario is long, the others are short."""
LONG, SHORT = 600, 200
"""Maximum actions of a long and of a short game."""
PART_LENGTH = 100
"""Actions of a part. Games are split into parts, each with its own first state."""
STATE_EVERY = 5
"""Actions between two recorded states. A divisor of PART_LENGTH, so that every part ends with a state."""
VARIED_OPTIONS = 6
"""Options changed in every other game."""
STARTS_NOTE = "; starts of "
CHANGES_NOTE = "; what changed, of "
STARTS_PER_ANSWER = 3
"""Recorded starts for each scenario and each answer to its choices."""


def play_starts(system: Ruleset[Any]) -> Iterator[Line]:
    """Set up every scenario, with each answer to its choices; yield the starts as lines."""
    yield {"version": system.version}
    for name, scenario in system.scenarios.items():
        answers: list[dict[str, str]] = [{}]
        answers += [{choice.name: option} for choice in scenario.choices for option in choice.options]
        for choices, seed in product(answers, range(STARTS_PER_ANSWER)):
            dice = RecordingDice(RandomDice(seed))
            state = system.setup(name, choices, dice)
            text = system.write_state(state)
            yield {"scenario": name, "choices": choices, "throws": dice.throws, "state": text}


def play_game(system: Ruleset[Any], scenario: str, seed: int, max_actions: int) -> list[Line]:
    """Play up to `max_actions` actions and return the lines. Games with odd seeds have varied options."""
    chance, source = random.Random(f"start of {seed}"), RandomDice(seed)
    state = _set_up(system, scenario, chance, seed)
    if seed % 2:
        state = vary_options(system, state, chance, VARIED_OPTIONS)
    return continue_game(system, state, RandomPlayer(system, scenario, seed), source, max_actions)


def continue_game(
    system: Ruleset[Any], state: State, player: RandomPlayer, source: Dice, max_actions: int
) -> list[Line]:
    """Play up to `max_actions` actions from a state; return the lines, the state first."""
    number = 0
    lines: list[Line] = [{"version": system.version, "state": system.write_state(state)}]
    while number < max_actions and state.over is None:
        steps = list(_play_next_action(system, state, player, source))
        lines += [line for line, _ in steps]
        state, number = steps[-1][1], number + 1
        if number % STATE_EVERY == 0 or number == max_actions or state.over is not None:
            lines[-1]["state"] = system.write_state(state)
    return lines


def _play_next_action(
    system: Ruleset[Any], state: State, player: RandomPlayer, source: Dice
) -> Iterator[tuple[Line, State]]:
    """Yield refused actions and then an allowed action, each with the state afterwards."""
    for action in player.suggest_actions(state):
        dice = RecordingDice(source)
        args = dump_action(action)
        line = {"kind": args.pop("kind"), "args": args}
        try:
            after, report = system.act(state, action, dice)
        except Refused as refused:
            yield {**line, "refused": str(refused)}, state
            continue
        player.count_action(action)
        yield {**line, "throws": dice.throws, "headline": report.headline}, after
        return
    raise AssertionError(f"{system.id}, {state.scenario}: a legal action was refused")


def split_game(lines: list[Line]) -> list[list[Line]]:
    """Split a game into parts. Each part begins with the last state of the part before."""
    parts, length = [lines[:1]], 0
    for line in lines[1:]:
        if length == PART_LENGTH:
            parts.append([{**lines[0], "state": parts[-1][-1]["state"]}])
            length = 0
        parts[-1].append(line)
        length += "throws" in line
    return parts


def _set_up(system: Ruleset[Any], scenario: str, chance: random.Random, seed: int) -> State:
    """Return a start with random answers to the scenario's choices."""
    if scenario not in system.scenarios:
        return system.own_battles.set_up(OWN_GAME.read_bytes(), {}, RandomDice(seed))
    choices = system.scenarios[scenario].choices
    return system.setup(scenario, {choice.name: chance.choice(choice.options) for choice in choices}, RandomDice(seed))


def _record_game(system: str, scenario: str, number: int, seed: int) -> Parts:
    """Play a game; return its parts by name."""
    lines = play_game(rulesets()[system], scenario, seed, SHORT if number else LONG)
    return {f"{archive.GAMES}/{scenario}-{number}-{place:02}": part for place, part in enumerate(split_game(lines))}


def list_jobs(system: Ruleset[Any]) -> Iterator[Callable[[], Parts]]:
    """Yield functions that record a system, one function per game."""
    scenarios = [*system.scenarios, *(["own-game"] if system.own_battles.schema is not None else [])]
    games = -(-GAMES // len(scenarios))
    for place, (scenario, number) in enumerate(product(scenarios, range(games))):
        yield partial(_record_game, system.id, scenario, number, place)
    if system.played_by_bot is not None:
        yield from british.list_jobs()


def describe_commit() -> str:
    """Return the last commit of the rules as one line. Raises SystemExit if changes are uncommitted."""
    if _git("status", "--porcelain", "--", "rules"):
        raise SystemExit("There are uncommitted changes under rules/. Commit them first: a recording names its commit.")
    return _git("log", "-1", "--format=%H %s", "--", "rules")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def record(system: Ruleset[Any], commit: str) -> None:
    """Record a system on two processors and print a summary."""
    parts: Parts = {archive.STARTS + "/all": list(play_starts(system))}
    with ProcessPoolExecutor(2) as pool:
        for job in [pool.submit(job) for job in list_jobs(system)]:
            parts |= (game_parts := job.result())
            print(f"  {', '.join(game_parts)}", flush=True)
    if decisions := {name: part for name, part in parts.items() if name.startswith(f"{archive.DECISIONS}/")}:
        parts[archive.FEW_DECISIONS] = british.select_decisions(decisions)
    archive.write(system.id, parts, commit)
    _print_summary(system, parts.values())


def record_starts(system: Ruleset[Any], commit: str) -> None:
    """Record the starts of a system's scenarios again. Keep all other parts."""
    parts = {name: archive.read(system.id, name) for name in archive.list_names(system.id)}
    base = archive.read_base(system.id).split(STARTS_NOTE)[0]
    archive.write(
        system.id, {**parts, archive.STARTS + "/all": list(play_starts(system))}, f"{base}{STARTS_NOTE}{commit}"
    )


def record_changed(system: Ruleset[Any], commit: str) -> None:
    """Record the parts again that the current rules play differently, and print their names. Keep all other parts."""
    parts = {name: archive.read(system.id, name) for name in archive.list_names(system.id)}
    changed: Parts = {}
    for name, lines in parts.items():
        if (updated := _update_part(system, name, lines)) != lines:
            changed[name] = updated
            print(f"  {name}", flush=True)
    base = archive.read_base(system.id).split(CHANGES_NOTE)[0]
    archive.write(system.id, {**parts, **changed}, f"{base}{CHANGES_NOTE}{commit}")
    _print_summary(system, changed.values())


def _update_part(system: Ruleset[Any], name: str, lines: list[Line]) -> list[Line]:
    """Return a part unchanged if the current rules replay it, else played again."""
    kind = name.split("/")[0]
    if kind == archive.GAMES:
        return lines if _can_replay(replay_game, system, lines) else _play_again(system, name, lines)
    if kind == archive.STARTS:
        return lines if _can_replay(replay_starts, system, lines) else list(play_starts(system))
    if all(_can_replay(replay_decisions, system, [lines[0], line]) for line in lines[1:]):
        return lines
    numbered = enumerate(lines[1:])
    decisions = (_decide_again(system, [lines[0], line], f"{name} {number}") for number, line in numbered)
    return [{"version": system.version}, *decisions]


def _can_replay(replay: Callable[[Ruleset[Any], list[Line]], None], system: Ruleset[Any], lines: list[Line]) -> bool:
    """Whether the current rules replay the lines without a Deviation."""
    try:
        replay(system, lines)
    except Deviation:
        return False
    return True


def _play_again(system: Ruleset[Any], name: str, lines: list[Line]) -> list[Line]:
    """Play as many new actions from the first state of a game's part."""
    state, actions = system.read_state(lines[0]["state"]), sum("throws" in line for line in lines)
    seed = random.Random(f"again {name}").randrange(1 << 16)
    return continue_game(system, state, RandomPlayer(system, state.scenario, seed), RandomDice(seed), actions)


def _decide_again(system: Ruleset[Any], lines: list[Line], dice: str) -> Line:
    """Return a decision made again in its position, with new dice if the decision differs now."""
    version, line = lines[0]["version"], lines[1]
    source: Dice = RandomDice(random.Random(dice).randrange(1 << 16))
    if _can_replay(replay_decisions, system, lines):
        source = ReplayingDice(line["throws"])
    before, recording = system.read_state(line["before"]), RecordingDice(source)
    action = system.read_action(line["kind"], line["args"], version)
    after, report = system.act(before, action, recording)
    position = british.Position(before, action, recording.throws, after, report, tuple(read_decisions(system, after)))
    return british.make_line(system, position)


def _print_summary(system: Ruleset[Any], parts: Iterable[list[Line]]) -> None:
    kinds = Counter(line["kind"] for lines in parts for line in lines if "throws" in line and "kind" in line)
    unused = sorted(system.actions.keys() - kinds.keys())
    size = archive.get_path(system.id).stat().st_size
    print(f"{system.id}: {size / 1e6:.2f} MB; {dict(kinds.most_common())}; unused kinds: {', '.join(unused) or 'none'}")


def main() -> None:
    """Parse the command line and record the systems."""
    parser = argparse.ArgumentParser(
        description="Record the current behaviour of the rules, at the commit from which a change starts."
    )
    parser.add_argument("systems", nargs="*", default=list(rulesets()), metavar="system")
    parser.add_argument("--starts", action="store_true", help="record only the starts of scenarios")
    parser.add_argument(
        "--changed", action="store_true", help="record only the parts that the rules play differently now"
    )
    options, commit = parser.parse_args(), describe_commit()
    for system in options.systems:
        (record_starts if options.starts else record_changed if options.changed else record)(rulesets()[system], commit)


if __name__ == "__main__":
    main()
