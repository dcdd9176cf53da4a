"""Whole games of Tanga played by the card against a plain player of the Germans, saved and loaded as they go.

    python -m tests.selfplay --games 200 [--scenario initial-assault]

prints a table of who won. A game that stalls, or that breaks a rule of the map, raises AssertionError with its seed.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from rules.core.dice import Dice
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.state import Action
from rules.registry import rulesets
from rules.tanga.field import board_of, standing
from rules.tanga.german.player import choose
from rules.tanga.model import BRITISH, GERMAN, Phase, TangaState

from .fuzz import RandomDice, saved

ENOUGH = 20000
"""Actions after which a game that has not ended never will."""
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


def next_action(system: Ruleset[Any], state: TangaState) -> Action:
    """What the card does next, or the plain player; a question is answered by firing."""
    if state.british.asked is not None:
        word = state.british.asked.answers[0][0]
        return system.order("answer", {"answer": word})
    if state.phase == Phase.BRITISH.value:
        return system.order("british", {"much": FORMATION})
    return choose(system.view(state, GERMAN))


def sound(state: TangaState) -> None:
    """Nobody stands where nobody may, no stack is too high, no hex holds both sides or two formations."""
    board = board_of(state)
    for hex_, units in standing(state).stacks.items():
        assert hex_ in board.land, hex_
        assert len({unit.side for unit in units}) == 1, hex_
        combat = [unit for unit in units if unit.is_combat]
        assert len(combat) <= state.options.stack_limit, (hex_, [unit.id for unit in units])
        assert len({unit.formation for unit in combat}) <= 1, (hex_, [unit.id for unit in units])
        if hex_ in board.landing:
            assert all(unit.side != BRITISH or _may_land(state, unit.formation) or not unit.inland for unit in units)


def _may_land(state: TangaState, formation: str) -> bool:
    return state.formation(formation).kind.value == "staff"


def play(scenario: str, seed: int, *watches: Watch, system: Ruleset[Any] | None = None) -> Result:
    """Plays one game to its end, saved and loaded after each action. Raises AssertionError with the seed."""
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
        assert actions < ENOUGH, f"{scenario}, seed {seed}: no end after {ENOUGH} actions"
        if state.phase == Phase.BRITISH.value or after.turn != state.turn:
            state = TangaState.model_validate(saved(after, report))
        else:
            state = after
    return Result(scenario, seed, state.over.winner, state.turn, actions, perf_counter() - began)


def _play(game: tuple[str, int]) -> Result:
    return play(*game)


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
    for scenario in scenarios:
        results = list(many([scenario], given.games))
        won = Counter(result.winner for result in results)
        share = {side: f"{100 * won[side] / len(results):.0f}%" for side in (BRITISH, GERMAN, None) if won[side]}
        seconds = sum(result.seconds for result in results) / len(results)
        print(f"{scenario}: {len(results)} games, {share}, {seconds:.1f} s a game", flush=True)


if __name__ == "__main__":
    main()
