"""Conduct tests of units, for tests of BE-6."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.conduct.testing import prompts as asked
from rules.empire.model import EmpireState
from rules.empire.moving.movement import prompts as moves

from .field import BLUE, contact_of, dice, field, is_allowed, legal_actions, odds, unit, with_memory
from .field import act as take

SHAKEN = {"shaken": True}


def prompts(state: EmpireState):
    return (*asked(state), *moves(state))


def may_exploit(state: EmpireState, of) -> bool:
    return is_allowed(state, ConductTest(unit=of.id))


def legal_tests(state: EmpireState, viewer: str):
    return legal_actions(state, viewer, ConductTest)


def legal_rallies(state: EmpireState, viewer: str):
    return legal_actions(state, viewer, Rally)


def throw_test(state: EmpireState, face: int, unit_id: str = "a", kind=ConductTest, circumstances=()):
    """Throw a unit's conduct test. Return the unit after it, and the report."""
    after, report = take(state, kind(unit=unit_id, circumstances=circumstances), dice(face))
    return after.unit(unit_id), report


def turn_after_test(of, face: int, circumstances=(), **fields):
    return throw_test(field(of, **fields), face, circumstances=circumstances)[0].this_turn


def chances(state: EmpireState, circumstances=(), kind=ConductTest) -> dict[str, Fraction]:
    odds_ = odds(state, kind(unit="a", circumstances=circumstances))
    assert sum(outcome.chance for outcome in odds_.outcomes) == 1
    return {outcome.label: outcome.chance for outcome in odds_.outcomes}


def refusal(state: EmpireState, kind=ConductTest, unit_id: str | None = "a", circumstances=()) -> str:
    action = kind(unit=unit_id, circumstances=circumstances)
    with pytest.raises(Refused) as refused_odds:
        odds(state, action)
    with pytest.raises(Refused) as refused:
        take(state, action, NoDice())
    assert str(refused_odds.value) == str(refused.value)
    return str(refused.value)


def exploiter(**fields):
    return with_memory(
        unit("dervishes", **fields), tested=True, opponent_gave_way=True, allowed=9.0, spent=9.0, moved=9.0
    )


def in_melee(of, enemy: str = "british-regulars", **fields) -> EmpireState:
    return field(of, unit(enemy, "b", BLUE), contacts=(contact_of("b", "a"),), **fields)
