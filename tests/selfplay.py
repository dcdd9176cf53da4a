"""Whole games of Tanga played by the card against a plain player of the Germans, saved and loaded as they go.

    python -m tests.selfplay --games 200 [--scenario initial-assault]

prints a table of who won, with the seeds of games that crashed, stalled or broke a rule of the map; it fails on any.
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

from .fuzz import RandomDice, saved

ENOUGH = 20000
"""Actions after which a game that has not ended never will."""
SAVED_EVERY = 7
"""Actions between savings: of both sides, and of every phase in its turn."""
FORMATION = "formation"

Watch = Callable[[TangaState, Action, TangaState, Report], None]


@dataclass(frozen=True)
class Result:
    """How a game ended: the winner's side id, the turn, what it took."""

    scenario: str
    seed: int
    winner: str | None
    turn: int
    actions: int
    seconds: float
    fault: str = ""
    """Why it was not played to its end."""


class StalledError(AssertionError):
    """A game that does not end."""


def next_action(system: Ruleset[Any], state: TangaState) -> Action:
    """What the card does next, or the plain player; a question is answered by firing."""
    if state.british.asked is not None:
        word = state.british.asked.answers[0][0]
        return system.parse("answer", {"word": word})
    if state.phase == Phase.BRITISH.value:
        return system.parse("british", {"much": FORMATION})
    return choose(system.view(state, GERMAN))


def sound(state: TangaState) -> None:
    """Nobody stands where nobody may, no hex holds both sides or two formations.

    No stack is too high, but by an MG turned up there (TA-1).
    """
    board = board_of(state)
    for hex_, units in state.stacks.by_hex.items():
        assert hex_ in board.land, hex_
        assert len({unit.side for unit in units}) == 1, hex_
        combat = [unit for unit in units if unit.is_combat]
        limited = [unit for unit in combat if not unit.turned_up]
        assert len(limited) <= state.options.stack_limit, (hex_, [unit.id for unit in units])
        assert len({unit.formation for unit in combat}) <= 1, (hex_, [unit.id for unit in units])
        if hex_ in board.landing:
            assert all(unit.side != BRITISH or _may_land(state, unit.formation) or not unit.inland for unit in units)


def _may_land(state: TangaState, formation: str) -> bool:
    return state.formation(formation).kind.value == "staff"


def play(scenario: str, seed: int, *watches: Watch, system: Ruleset[Any] | None = None) -> Result:
    """Plays one game to its end, saved and loaded as it goes. Raises AssertionError on a stall or an unsound map."""
    system = system or rulesets()["tanga"]
    dice: Dice = RandomDice(seed)
    began, actions = perf_counter(), 0
    state = system.setup(scenario, {}, dice)
    while state.over is None:
        action = next_action(system, state)
        after, report = system.act(state, action, dice)
        for watch in watches:
            watch(state, action, after, report)
        sound(after)
        actions += 1
        if actions >= ENOUGH:
            raise StalledError(f"no end after {ENOUGH} actions")
        state = after if actions % SAVED_EVERY else saved(system, after, report)
    return Result(scenario, seed, state.over.winner, state.turn, actions, perf_counter() - began)


def _play(game: tuple[str, int]) -> Result:
    try:
        return play(*game)
    except Exception as error:
        return Result(*game, None, 0, 0, 0, fault=f"{type(error).__name__}: {error}")


def many(scenarios: Iterable[str], games: int) -> Iterable[Result]:
    """So many games of each scenario, on all processors."""
    with ProcessPoolExecutor() as pool:
        yield from pool.map(_play, [(scenario, seed) for scenario in scenarios for seed in range(games)])


def main() -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--scenario", action="append")
    given = parser.parse_args()
    scenarios = given.scenario or list(rulesets()["tanga"].scenarios)
    faulty = [fault for scenario in scenarios for fault in _table(list(many([scenario], given.games)))]
    print("\n".join(faulty))
    if faulty:
        raise SystemExit(1)


def _table(results: Sequence[Result]) -> list[str]:
    """Prints the line of a scenario; the faults of its games, each with its seed."""
    ended = [result for result in results if not result.fault]
    won, ends = Counter(result.winner for result in ended), max(1, len(ended))
    faults = [f"{one.scenario}, seed {one.seed}: {one.fault}" for one in results if one.fault]
    stalled = sum(StalledError.__name__ in fault for fault in faults)
    print(
        f"{results[0].scenario}: {len(results)} games,",
        *(f"{side} {won[side]} ({100 * won[side] / ends:.0f}%)," for side in (BRITISH, GERMAN)),
        f"{sum(one.turn for one in ended) / ends:.0f} turns,",
        f"{sum(one.actions for one in ended) / ends:.0f} actions,",
        f"{len(faults) - stalled} crashes, {stalled} stalls,",
        f"{sum(one.seconds for one in ended) / ends:.1f} s a game",
        flush=True,
    )
    return faults


if __name__ == "__main__":
    main()
