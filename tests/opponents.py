"""Whole games between the bot's opponents, or against random play: `python -m tests.opponents great_war hard easy`.

Sides are swapped and scenarios mixed; a draw counts half. Values and scenarios are tuned by what it prints.
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping
from time import perf_counter
from typing import Any

from rules.core.automaton.chooser import Chooser, Level
from rules.core.automaton.own_dice import OwnDice
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.registry import rulesets

RANDOM = "random"
MOST = 4000
"""Actions of a game, after which it is given up as a draw."""


def play(system: Ruleset[Any], scenario: str, seed: int, players: Mapping[str, str], spent: list[float]) -> State:
    """A game to its end; `players` has the level of each side, or random. The time of each decision is added."""
    dice, state = OwnDice(f"game {seed}"), system.setup(scenario, {}, OwnDice(f"setup {seed}"))
    choosers = {side: Chooser(system, side, Level(one), "") for side, one in players.items() if one != RANDOM}
    for number in range(MOST):
        if state.over is not None:
            break
        owed = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
        side = (owed or sorted(system.waits_for(state)))[0]
        began = perf_counter()
        action = _chosen(system, state, side, choosers.get(side), f"{seed}:{number}")
        spent.append(perf_counter() - began)
        state, _ = system.act(state, action, dice)
    return state


def _chosen(system: Ruleset[Any], state: State, side: str, chooser: Chooser[Any] | None, seed: str) -> Action:
    """What that player does next; without a chooser anything at random."""
    if chooser is not None:
        chooser.seed = seed
        thought = chooser.decide(state)
        if thought is not None:
            return thought.action
    actions = [one for one in system.legal(system.view(state, side), side) if not one.umpire_only]
    return random.Random(seed).choice(actions)


def match(system: Ruleset[Any], one: str, other: str, games: int) -> tuple[Counter[str], list[float]]:
    """So many games of one player against another, by who won, and the time of every decision in seconds."""
    won, spent = Counter[str](), list[float]()
    scenarios = [*system.scenarios]
    for number in range(games):
        scenario = scenarios[number % len(scenarios)]
        sides = [side.id for side in system.setup(scenario, {}, OwnDice("sides")).sides]
        first, second = sides if number // len(scenarios) % 2 == 0 else sides[::-1]
        state = play(system, scenario, number, {first: one, second: other}, spent)
        winner = state.over.winner if state.over is not None else None
        won["one" if winner == first else "other" if winner == second else "draw"] += 1
        won[f"{scenario}: {winner or 'draw'}"] += 1
    return won, spent


def main() -> None:
    """Reads the command line, plays and prints."""
    parser = argparse.ArgumentParser(description="Plays opponents against each other.")
    parser.add_argument("system", choices=[one for one, system in rulesets().items() if system.values])
    parser.add_argument("one", choices=[RANDOM, *Level])
    parser.add_argument("other", choices=[RANDOM, *Level])
    parser.add_argument("--games", type=int, default=12)
    given = parser.parse_args()
    won, spent = match(rulesets()[given.system], given.one, given.other, given.games)
    share = (won["one"] + won["draw"] / 2) / given.games
    print(f"{given.one} against {given.other}: {share:.1%} of {given.games}; {dict(sorted(won.items()))}")
    print(f"a decision: {sum(spent) / len(spent) * 1000:.0f} ms, the longest {max(spent) * 1000:.0f} ms")


if __name__ == "__main__":
    main()
