"""Whole campaigns of the bot against itself: `python -m tests.campaigns suakin-1884 --campaigns 12`.

Every battle is fought on its table by the bot at the level `easy`. Campaigns are balanced by what it prints.
"""

import argparse
from collections import Counter
from time import process_time

from bot.campaigns.fights import fight_battle
from bot.journal.codec import pack_state
from rules.campaign.model import CampaignState
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import Chooser
from rules.core.automaton.own_dice import OwnDice
from rules.registry import rulesets

MOST = 3000
"""Actions of a campaign, after which it has stalled."""


def play(scenario: str, seed: int) -> tuple[CampaignState, Counter[str]]:
    """Return the state in which a campaign ends, and how many battles each power won."""
    system = rulesets()["campaign"]
    dice = OwnDice(f"campaign {seed}")
    state = system.setup(scenario, {}, dice)
    choosers = {side.id: Chooser(system, side.id, Level.EASY, "") for side in state.sides}
    won = Counter[str]()
    for number in range(MOST):
        if state.over is not None:
            return state, won
        if state.battles:
            battle = next(iter(state.battles.values()))
            args = fight_battle(pack_state(system, state), battle.at.label, Level.EASY)
            won[args["field"]] += 1
            state, _ = system.act(state, system.parse("battle_result", dict(args)), dice)
            continue
        chooser = choosers[min(system.waits_for(state))]
        chooser.seed = f"{seed}:{number}"
        thought = chooser.decide(state)
        assert thought is not None
        state, _ = system.act(state, thought.action, dice)
    raise AssertionError(f"{scenario}, seed {seed}: no end after {MOST} actions")


def main() -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(description="Plays campaigns of the bot against itself.")
    parser.add_argument("scenario", choices=list(rulesets()["campaign"].scenarios))
    parser.add_argument("--campaigns", type=int, default=6)
    given = parser.parse_args()
    results, battles = Counter[str](), Counter[str]()
    for seed in range(given.campaigns):
        began = process_time()
        state, won = play(given.scenario, seed)
        assert state.over is not None
        winner = state.over.winner or "draw"
        results[winner] += 1
        battles += won
        print(f"{seed}: {winner}, day {state.turn}, {state.over.why} {dict(won)} {process_time() - began:.0f} s")
    print(dict(results), "battles", dict(battles))


if __name__ == "__main__":
    main()
