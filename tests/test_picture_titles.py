"""Titles of pictures: the turn of a running game, the winner of a finished one."""

from typing import Any

import pytest

from bot.jobs import pictures
from rules.core.model import PUBLIC
from rules.core.ruleset import Ruleset
from rules.core.state import State, Verdict
from rules.registry import rulesets

from .opponents import SeededDice

EVERY = [pytest.param(system, next(iter(system.scenarios)), id=system.id) for system in rulesets().values()]


def end_scenario(system: Ruleset[Any], scenario: str, *, won: bool = True) -> tuple[State, State]:
    """Return a scenario's start, and the same state as a victory of the side that does not move first."""
    state: State = system.setup(scenario, {}, SeededDice("ended"))
    winner = next(side.id for side in state.sides if side.id != state.active) if won else None
    return state, state.model_copy(update={"over": Verdict(winner=winner, why="They hold the ground.")})


@pytest.mark.parametrize(("system", "scenario"), EVERY)
def test_the_title_of_a_finished_game_names_the_winner_and_no_side_to_come(system: Ruleset[Any], scenario: str) -> None:
    state, over = end_scenario(system, scenario)
    going_on, last = (system.scene(shown_state, PUBLIC) for shown_state in (state, over))
    battle = going_on.title.partition(" — ")[0]
    winner = next(side.name for side in over.sides if over.over is not None and side.id == over.over.winner)
    assert state.turn_name.lower() in going_on.title.lower()
    assert last.title == f"{battle} — the game is over, the {winner} have won"
    assert last.alt.startswith(last.title)
    assert pictures.draw_table(system, over).words == last.alt


def test_a_draw_is_won_by_nobody() -> None:
    system = rulesets()["great_war"]
    _, over = end_scenario(system, "trench", won=False)
    assert system.scene(over, PUBLIC).title == "The trench line — the game is over, nobody has won"
