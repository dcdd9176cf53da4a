"""Whole campaigns of the bot against itself: `python -m tests.campaigns suakin-1884 --campaigns 60 --quick`.

The results serve to balance campaigns: each power should win 30 to 70 % of the decided ones. The bot fights every
battle on its table at level `easy`. `--quick` settles battles by a formula (`tests/quick_battles.py`), `--compare` does
both.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from time import process_time
from typing import Any, TypeAlias

from bot.campaigns.battle_jobs import fight_battle
from bot.journal.codec import pack_state
from rules.campaign.day import held_value_by_power
from rules.campaign.model import CampaignState
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.own_dice import SeededDice
from rules.registry import rulesets

from .quick_battles import settle

MAX_ACTIONS = 3000
"""Maximum number of actions; a longer campaign counts as endless."""
DRAW = "draw"

Fight: TypeAlias = Callable[[CampaignState, str], Mapping[str, Any]]


@dataclass(frozen=True)
class PlayedCampaign:
    """A finished campaign: last state, number of battles won by power, and seconds."""

    state: CampaignState
    battles: Counter[str]
    seconds: float

    @property
    def winner(self) -> str:
        """Return the name of the power that won, or `draw`."""
        over = self.state.over
        return self.state.power_of(over.winner).name if over is not None and over.winner is not None else DRAW

    @property
    def why(self) -> str:
        """Return the reason for the campaign's end."""
        return self.state.over.why if self.state.over is not None else ""


def fight(state: CampaignState, place: str) -> Mapping[str, Any]:
    """Let the bot fight a battle on its table. Return the arguments of the action that ends the battle."""
    return fight_battle(pack_state(rulesets()["campaign"], state), place, Level.EASY)


class Comparison:
    """Battles both fought and settled by the formula, to count how often the winner is the same."""

    def __init__(self) -> None:
        self.same = self.battles = 0
        self.won = {"table": Counter[str](), "formula": Counter[str]()}

    def fight(self, state: CampaignState, place: str) -> Mapping[str, Any]:
        """Fight a battle on its table and by the formula. Return the table's result."""
        fought, settled = fight(state, place), settle(state, place)
        self.battles += 1
        self.same += fought["field"] == settled["field"]
        self.won["table"][fought["field"]] += 1
        self.won["formula"][settled["field"]] += 1
        return fought


def play(scenario: str, seed: int, fights: Fight = fight) -> PlayedCampaign:
    """Play a campaign. Raises AssertionError if it is endless."""
    system, start = rulesets()["campaign"], process_time()
    dice = SeededDice(f"campaign {seed}")
    state = system.setup(scenario, {}, dice)
    choosers = {side.id: DecisionMaker(system, side.id, Level.EASY, "") for side in state.sides}
    won = Counter[str]()
    for number in range(MAX_ACTIONS):
        if state.over is not None:
            return PlayedCampaign(state, won, process_time() - start)
        if state.battles:
            args = fights(state, next(iter(state.battles.values())).at.label)
            won[args["field"]] += 1
            state, _ = system.act(state, system.parse("battle_result", dict(args)), dice)
            continue
        chooser = choosers[min(system.awaited_viewers(state))]
        chooser.seed = f"{seed}:{number}"
        thought = chooser.decide(state)
        assert thought is not None
        state, _ = system.act(state, thought.action, dice)
    raise AssertionError(f"{scenario}, seed {seed}: no end after {MAX_ACTIONS} actions")


def sum_up(played: Sequence[PlayedCampaign]) -> str:
    """Return a summary of wins, points and length."""
    won = Counter(campaign.winner for campaign in played)
    decided = sum(number for name, number in won.items() if name != DRAW)
    values = [held_value_by_power(campaign.state) for campaign in played]
    days = mean(campaign.state.turn for campaign in played)
    lines = [f"{len(played)} campaigns, {won[DRAW]} drawn, {days:.1f} days on average"]
    for power in played[0].state.powers:
        share = f"{100 * won[power.name] / decided:.0f} % of the decided" if decided else "none decided"
        points = mean(values[power.id] for values in values)
        battles = sum(campaign.battles[power.name] for campaign in played)
        lines.append(f"{power.name}: won {won[power.name]} ({share}), {points:.1f} points, {battles} battles won")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(description="Plays campaigns of the bot against itself.")
    parser.add_argument("scenario", choices=list(rulesets()["campaign"].scenarios))
    parser.add_argument("--campaigns", type=int, default=6)
    parser.add_argument("--first", type=int, default=0, help="the first campaign's seed")
    parser.add_argument("--quick", action="store_true", help="settle battles by a formula")
    parser.add_argument("--compare", action="store_true", help="fight battles both ways")
    options = parser.parse_args()
    comparison = Comparison()
    fights = settle if options.quick else comparison.fight if options.compare else fight
    played = []
    for seed in range(options.first, options.first + options.campaigns):
        played.append(campaign := play(options.scenario, seed, fights))
        battles = ", ".join(f"{name} {number}" for name, number in campaign.battles.items())
        end = f"{campaign.winner}, day {campaign.state.turn}. {campaign.why}"
        print(f"{seed}: {end} Battles: {battles}. {campaign.seconds:.0f} s", flush=True)
    print(sum_up(played))
    if options.compare:
        won = {way: dict(counts) for way, counts in comparison.won.items()}
        print(f"The same power held the field in {comparison.same} of {comparison.battles} battles: {won}")


if __name__ == "__main__":
    main()
