"""Effects of move options shown in menus and completion, with the rules' own figures."""

from fractions import Fraction
from typing import Any

import pytest

from bot.order_sheets.menu_options import list_order_options, option_effect
from bot.order_sheets.preview import Prospect
from rules.core.automaton.own_dice import SeededDice
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.registry import rulesets

from .sheet_desk import create_game


def begin_game(rules: str, scenario: str) -> tuple[Ruleset[Any], State]:
    system = rulesets()[rules]
    return system, system.setup(scenario, {}, SeededDice("setup"))


def describe_effect(
    system: Ruleset[Any], state: State, unit: str, to: str | None = None, words: str | None = None
) -> str:
    return system.effect_on_move(state, system.parse("move", {"unit": unit, "to": to, "with": words}))


def test_a_change_of_formation_takes_half_the_move_in_charge() -> None:
    system, state = begin_game("charge", "bridge")
    assert describe_effect(system, state, "kleist", words="column") == 'takes 3" of 6"'
    assert describe_effect(system, state, "kleist", "forward 6") == ""
    options = state.options.model_copy(update={"change_of_formation": Fraction(1, 3)})
    dear = state.model_copy(update={"options": options})
    assert describe_effect(system, dear, "kleist", words="column") == 'takes 2" of 6"'


def test_moves_by_dice_show_minimum_and_maximum_in_magdala() -> None:
    system, state = begin_game("magdala", "suakin-1885")
    assert describe_effect(system, state, "amarar", "towards 1st Berkshires") == 'they may go 4" to 14"'
    assert describe_effect(system, state, "amarar", words="lie down") == ""


@pytest.mark.parametrize(("free", "effect"), [(False, 'takes 3" of 6", 3" left after it'), (True, "")])
def test_a_change_takes_half_the_move_in_empire_unless_the_test_gave_it_freely(free: bool, effect: str) -> None:
    system, state = begin_game("empire", "el-teb-1884")
    turn = state.units["gordons"].this_turn
    tested = turn.model_copy(update={"tested": True, "allowed": 6.0, "result": "advance", "free_change": free})
    ready = state.changed("gordons", this_turn=tested).model_copy(update={"phase": "movement of units"})
    assert describe_effect(system, ready, "gordons", words="square") == effect


def test_the_menu_of_a_sheet_shows_the_effect() -> None:
    system, state = begin_game("charge", "bridge")
    prospect = Prospect.for_sheet(create_game(system, state), "prussians", ())
    effects = {option.words: option_effect(prospect, option) for option in list_order_options(prospect, ("kleist",))}
    assert effects["column"] == 'four abreast; takes 3" of 6"'
    assert effects["forward 6"] == ""
