"""Whole games of Tanga: the printed card plays the British, a simple player the Germans.

Games are saved and loaded during play.

    python -m tests.selfplay --games 200 [--scenario initial-assault]

prints a table of wins, with the seeds of games that crashed, stalled or broke a rule of the map. Any such game makes
the run fail.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from rules.core.dice import Dice
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.registry import rulesets
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState
from rules.tanga.tests.player import choose

from .fuzz import RandomDice, save_and_load

MAX_ACTIONS = 20000
"""Maximum number of actions in a game; a longer game counts as endless."""
SAVE_INTERVAL = 7
"""Number of actions between savings; odd, so that both sides and all phases are saved in turn."""
FORMATION = "formation"

Watch = Callable[[TangaState, Action, TangaState, Report], None]


@dataclass(frozen=True)
class Result:
    """Result of a game: id of the winning side, last turn, number of actions, seconds."""

    scenario: str
    seed: int
    winner: str | None
    turn: int
    actions: int
    seconds: float
    fault: str = ""
    """Traceback or reason if the game did not finish."""


class StalledError(AssertionError):
    """Raised for an endless game."""


def choose_action(system: Ruleset[Any], state: TangaState) -> Action:
    """Return the next action of the card or the simple player. The British answer every question by firing."""
    if state.british.asked is not None:
        word = state.british.asked.answers[0][0]
        return system.parse("answer", {"word": word})
    if state.phase == Phase.BRITISH.value:
        return system.parse("british", {"much": FORMATION})
    return choose(system.view(state, GERMAN))


def check_stacks(state: TangaState) -> None:
    """Check the map: units stand on allowed hexes, and no hex holds both sides or two formations.

    No stack exceeds the limit, unless an MG was turned up in it (TA-1).
    """
    board = board_of(state)
    for hex_, units in state.stacks.by_hex.items():
        assert hex_ in board.land, hex_
        assert len({unit.side for unit in units}) == 1, hex_
        combat = [unit for unit in units if unit.is_combat]
        limited = [unit for unit in combat if not unit.turned_up]
        assert len(limited) <= state.options.stack_limit, (hex_, [unit.id for unit in units])
        assert len({unit.formation for unit in combat}) <= 1, (hex_, [unit.id for unit in units])
        if hex_ in board.landing_hexes:
            assert all(unit.side != BRITISH or _may_land(state, unit.formation) or not unit.inland for unit in units)


def _may_land(state: TangaState, formation: str) -> bool:
    return state.formation(formation).kind.value == "staff"


def play(scenario: str, seed: int, *watches: Watch, system: Ruleset[Any] | None = None) -> Result:
    """Play one game to its end, with saving and loading. Raises AssertionError if it stalls or the map is wrong."""
    system = system or rulesets()["tanga"]
    dice: Dice = RandomDice(seed)
    start, actions = perf_counter(), 0
    state = system.setup(scenario, {}, dice)
    while state.over is None:
        action = choose_action(system, state)
        after, report = system.act(state, action, dice)
        for watch in watches:
            watch(state, action, after, report)
        check_stacks(after)
        actions += 1
        if actions >= MAX_ACTIONS:
            raise StalledError(f"no end after {MAX_ACTIONS} actions")
        state = after if actions % SAVE_INTERVAL else save_and_load(system, after, report)
    return Result(scenario, seed, state.over.winner, state.turn, actions, perf_counter() - start)


def _play(game: tuple[str, int]) -> Result:
    try:
        return play(*game)
    except Exception as error:
        return Result(*game, None, 0, 0, 0, fault=f"{type(error).__name__}: {error}")


def play_many(scenarios: Iterable[str], games: int) -> Iterable[Result]:
    """Play `games` games of each scenario on all processors."""
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_play, [(scenario, seed) for scenario in scenarios for seed in range(games)])


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--scenario", action="append")
    options = parser.parse_args()
    scenarios = options.scenario or list(rulesets()["tanga"].scenarios)
    faulty = [fault for scenario in scenarios for fault in _print_table(list(play_many([scenario], options.games)))]
    print("\n".join(faulty))
    if faulty:
        raise SystemExit(1)


def _print_table(results: Sequence[Result]) -> list[str]:
    """Print the line of a scenario. Return the faults of its games, each with its seed."""
    ended = [result for result in results if not result.fault]
    won, ends = Counter(result.winner for result in ended), max(1, len(ended))
    faults = [f"{result.scenario}, seed {result.seed}: {result.fault}" for result in results if result.fault]
    stalled = sum(StalledError.__name__ in fault for fault in faults)
    print(
        f"{results[0].scenario}: {len(results)} games,",
        *(f"{side} {won[side]} ({100 * won[side] / ends:.0f}%)," for side in (BRITISH, GERMAN)),
        f"{sum(result.turn for result in ended) / ends:.0f} turns,",
        f"{sum(result.actions for result in ended) / ends:.0f} actions,",
        f"{len(faults) - stalled} crashes, {stalled} stalls,",
        f"{sum(result.seconds for result in ended) / ends:.1f} s a game",
        flush=True,
    )
    return faults


if __name__ == "__main__":
    main()
