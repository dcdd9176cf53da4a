"""Whole games between levels of the bot or random play: `python -m tests.opponents great_war hard easy`.

Sides are swapped and scenarios mixed; a draw counts half. The results serve to tune values and scenarios. A side that
its system plays by a printed card is always played by the card.
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.core.phases import PASS
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.registry import rulesets

from .fuzz import save_and_load

RANDOM = "random"
MAX_ACTIONS = 6000
"""Maximum number of actions; a longer game counts as endless."""
SAVE_INTERVAL = 7
"""Number of actions between savings; odd, so that both sides and all phases are saved in turn."""


class StalledError(AssertionError):
    """Raised for an endless game."""


@dataclass
class PlayedGame:
    """A finished game, with the time of each decision and turn by level, in seconds of processor time.

    A turn is a player's decisions until another player, or the card, acts.
    """

    state: State
    decisions: dict[str, list[float]] = field(default_factory=dict)
    turns: dict[str, list[float]] = field(default_factory=dict)

    @property
    def winner(self) -> str | None:
        """Id of the winning side, None for a draw."""
        return self.state.over.winner if self.state.over is not None else None


def play(system: Ruleset[Any], scenario: str, seed: int, players: Mapping[str, str]) -> PlayedGame:
    """Play a game to its end, with saving and loading. `players` gives each side's level or `random`.

    Raises Refused if an action is not allowed, and StalledError.
    """
    dice, state = SeededDice(f"game {seed}"), system.setup(scenario, {}, SeededDice(f"setup {seed}"))
    choosers = {
        side: DecisionMaker(system, side, Level(player), "") for side, player in players.items() if player != RANDOM
    }
    game, last = PlayedGame(state), ""
    for number in range(MAX_ACTIONS):
        if state.over is not None:
            return game
        action, side = system.next_automatic_action(state), ""
        if action is None:
            owing_sides = [prompt.side for prompt in system.open_prompts(state) if prompt.required]
            side = (owing_sides or sorted(system.awaited_viewers(state)))[0]
            start, level = process_time(), players[side]
            action = _choose_action(system, state, side, choosers.get(side), f"{seed}:{number}")
            game.decisions.setdefault(level, []).append(process_time() - start)
            turns = game.turns.setdefault(level, [])
            if side != last:
                turns.append(0.0)
            turns[-1] += process_time() - start
        last = side
        state, report = system.act(state, action, dice)
        dice.thrown.clear()
        game.state = state = save_and_load(system, state, report) if number % SAVE_INTERVAL == 0 else state
    raise StalledError(f"{system.id}, {scenario}, seed {seed}: no end after {MAX_ACTIONS} actions")


def _choose_action(
    system: Ruleset[Any], state: State, side: str, chooser: DecisionMaker[Any] | None, seed: str
) -> Action:
    """Return the player's next action; without a chooser, a random one."""
    if chooser is not None:
        chooser.seed = seed
        thought = chooser.decide(state)
        if thought is not None:
            return thought.action
    return _choose_randomly(system, system.view(state, side), side, random.Random(seed))


def _choose_randomly(system: Ruleset[Any], view: State, side: str, chance: random.Random) -> Action:
    """Return a random required action, or an action of a random unit, or passing."""
    required = (prompt for prompt in system.open_prompts(view) if prompt.required and prompt.side == side)
    if answers := [system.parse(offer.kind, offer.args) for prompt in required for offer in prompt.offers]:
        return chance.choice(answers)
    units = [unit.id for unit in view.units.values() if unit.side == side]
    for unit in chance.sample([*units, None], len(units) + 1):
        legal = system.legal_actions(view, side, unit=unit) if unit else system.legal_actions(view, side, PASS)
        actions = [action for action in legal if not action.umpire_only]
        if actions:
            return chance.choice(actions)
    return chance.choice([action for action in system.legal_actions(view, side) if not action.umpire_only])


def assign_players(system: Ruleset[Any], scenario: str, first: str, second: str, *, swapped: bool) -> Mapping[str, str]:
    """Return the level of each side by its id."""
    sides = [
        side.id for side in system.setup(scenario, {}, SeededDice("sides")).sides if side.id != system.played_by_bot
    ]
    return dict(zip(sides[::-1] if swapped else sides, (first, second), strict=False))


def play_match(
    system: Ruleset[Any], first_level: str, second_level: str, games: int
) -> tuple[Counter[str], list[float]]:
    """Play `games` games between two levels. Return the number of wins, and the seconds of every decision."""
    won, seconds = Counter[str](), list[float]()
    scenarios = [*system.scenarios]
    for number in range(games):
        scenario = scenarios[number % len(scenarios)]
        players = assign_players(system, scenario, first_level, second_level, swapped=number // len(scenarios) % 2 == 1)
        game = play(system, scenario, number, players)
        first = next(iter(players))
        won["one" if game.winner == first else "other" if game.winner else "draw"] += 1
        won[f"{scenario}: {game.winner or 'draw'}"] += 1
        seconds += (time for times in game.decisions.values() for time in times)
    return won, seconds


def main() -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(description="Plays opponents against each other.")
    parser.add_argument("system", choices=[name for name, system in rulesets().items() if system.values])
    parser.add_argument("one", choices=[RANDOM, *Level])
    parser.add_argument("other", choices=[RANDOM, *Level])
    parser.add_argument("--games", type=int, default=12)
    options = parser.parse_args()
    start = process_time()
    won, seconds = play_match(rulesets()[options.system], options.one, options.other, options.games)
    share = (won["one"] + won["draw"] / 2) / options.games
    print(f"{options.one} against {options.other}: {share:.1%} of {options.games}; {dict(sorted(won.items()))}")
    print(f"a decision: {sum(seconds) / len(seconds) * 1000:.0f} ms, the longest {max(seconds) * 1000:.0f} ms")
    print(f"a game: {(process_time() - start) / options.games:.1f} s of processor time")


if __name__ == "__main__":
    main()
