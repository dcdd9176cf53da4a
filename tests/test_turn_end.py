"""Warnings before a turn is passed while a side could still act, in every system and phase."""

from typing import Any

import pytest

from bot.games.pass_action import SIDE
from rules.core.automaton.own_dice import SeededDice
from rules.core.phases import PASS
from rules.core.turn_end import forfeits_actions
from rules.registry import rulesets

MOST_PHASES = 30


def find_first_side(system: Any, state: Any) -> str:
    """Return the human side that acts first in the game's first turn."""
    return next(side for side in state.acting_sides if side != system.played_by_bot)


@pytest.mark.parametrize(
    ("rules", "scenario", "asked_in"),
    [
        ("magdala", "suakin-1885", [""]),
        ("charge", "bridge", ["fire"]),
        ("great_war", "trench", ["orders"]),
        ("empire", "el-teb-1884", ["rifle and machine gun fire"]),
        ("tanga", "initial-assault", ["rally"]),
    ],
)
def test_passing_a_whole_turn_asks_in_one_phase(rules: str, scenario: str, asked_in: list[str]) -> None:
    system = rulesets()[rules]
    state, dice = system.setup(scenario, {}, SeededDice("setup")), SeededDice("walk")
    while state.active == system.played_by_bot:
        state, _ = system.act(
            state, system.next_automatic_action(state) or system.parse("british", {"much": "turn"}), dice
        )
    side, turn, phases = find_first_side(system, state), state.turn, list[str]()
    for _ in range(MOST_PHASES):
        own = {SIDE: side} if SIDE in system.actions[PASS].model_fields else {}
        passing = system.parse(PASS, own)
        if side in state.acting_sides and forfeits_actions(system, system.view(state, side), side, passing):
            phases.append(state.phase)
        required = [prompt for prompt in system.open_prompts(state) if prompt.required]
        offer = required[0].offers[0] if required else None
        action = passing if side in state.acting_sides else system.parse(PASS, own and {SIDE: state.acting_sides[0]})
        state, _ = system.act(state, system.parse(offer.kind, offer.args) if offer else action, dice)
        if state.turn != turn or (phases and side not in state.acting_sides):
            break
    assert phases == asked_in, phases
