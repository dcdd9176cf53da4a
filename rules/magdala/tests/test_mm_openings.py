"""Sensible decisions in the opening of Suakin. Whole turns: `tests/test_openings.py`."""

import pytest

from rules.core.automaton.levels import Level
from rules.magdala.model import MagdalaState
from rules.magdala.ruleset import Magdala
from tests.opponent_choices import list_choices

from .suakin import suakin_state

SYSTEM = Magdala()
FOOT = ("hadendoa-tamai", "hadendoa-sinkat", "hadendoa-erkowit", "amarar", "arteiga", "ashraf")
RIFLEMEN = ("rifles-hashin", "rifles-tokar")


def british_turn(turn: int) -> MagdalaState:
    """Return the British half of `turn`, with all units in their deployment."""
    return suakin_state().model_copy(update={"active": "british", "turn": turn})


@pytest.mark.parametrize("unit", ["g-battery", "scottish-battery"])
def test_guns_do_not_save_rounds_that_they_cannot_use(unit: str) -> None:
    actions = list_choices(SYSTEM, british_turn(1), unit, "1234", [Level.EASY])
    assert {action.kind for action in actions} == {"fire"}


@pytest.mark.parametrize("unit", ["berkshires", "marines"])
def test_the_garrison_moves_out_for_the_wells_once_its_attackers_are_gone(unit: str) -> None:
    """Guard correct behaviour: works must not keep units in that have ground to take."""
    state = british_turn(4)
    for foe in (*FOOT, *RIFLEMEN):
        state = state.changed(foe, casualties=state.unit(foe).figures)
    assert {action.kind for action in list_choices(SYSTEM, state, unit)} == {"move"}
