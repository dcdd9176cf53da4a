"""Which units test conduct and when, and the second test of 4a (BE-6, BE-6d)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.model import UMPIRE
from rules.core.wording import percent, sum_line
from rules.empire.conduct.testing import ConductTest, Rally
from rules.empire.model import Conduct, Formation
from rules.empire.options import Theatre
from rules.empire.phases import Phase

from .conduct_field import (
    SHAKEN,
    exploiter,
    in_melee,
    legal_rallies,
    legal_tests,
    may_exploit,
    prompts,
    refusal,
    throw_test,
)
from .field import BLUE, RED, contact_of, dice, field, odds, unit, with_memory
from .field import act as take


def test_be_6_a_steady_unit_need_not_rally() -> None:
    assert "/conduct" in refusal(field(unit("zulus")), Rally)
    assert "without a test" in refusal(field(unit("maxim")), Rally)


def test_be_6_unit_tests_once_a_turn() -> None:
    state = field(unit("british-regulars"))
    after, _ = take(state, ConductTest(unit="a"), dice(3))
    assert "have tested their conduct this turn" in refusal(after)
    assert "They may still make the move they have." in refusal(after)
    state_after_move = after.with_unit(with_memory(after.unit("a"), spent=6.0))
    assert "They are done for this phase." in refusal(state_after_move)


def test_be_6_a_steady_unit_in_contact_fights_on() -> None:
    assert "they fight on" in refusal(in_melee(unit("zulus")))
    assert "they fight on" in refusal(field(unit("zulus")), circumstances=("in melee",))
    assert not list(legal_tests(in_melee(unit("zulus")), RED))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase not in (Phase.UNITS, Phase.EXPLOITATION)])
def test_be_6_units_test_only_in_4b_and_4a(phase: Phase) -> None:
    assert "belongs to phase 4B" in refusal(field(unit("zulus"), phase=phase))
    assert not list(legal_tests(field(unit("zulus"), phase=phase), RED))


def test_be_6_only_the_moving_side_tests() -> None:
    state = field(unit("zulus", side=BLUE))
    assert "move now" in refusal(state)
    assert not list(legal_tests(state, BLUE))


def test_be_6_pieces_and_unknown_units_have_no_conduct() -> None:
    state = field(unit("leader"), unit("zulus", "z", destroyed=True))
    assert "does not fire or fight" in refusal(state)
    assert "have left the table" in refusal(state, unit_id="z")
    assert "Name a unit" in refusal(state, unit_id=None)


def test_be_6d_unit_whose_opponent_gave_way_tests_again_in_4a_with_plus_2() -> None:
    state = field(exploiter(), phase=Phase.EXPLOITATION)
    assert may_exploit(state, state.unit("a"))
    after, report = take(state, ConductTest(unit="a"), dice(2))
    mine = after.unit("a").this_turn
    assert report.steps[0].score == 4
    assert (mine.allowed, mine.spent, mine.moved, mine.exploited) == (9, 0, 9, True)
    assert "tested once more already" in refusal(after)
    assert not may_exploit(after, after.unit("a"))


def test_be_6d_a_fanatic_charge_of_4b_lasts_through_4a() -> None:
    state = field(with_memory(exploiter(), fanatic=True), phase=Phase.EXPLOITATION)
    assert throw_test(state, 1)[0].this_turn.fanatic


def test_be_6d_other_units_make_no_exploitation_move() -> None:
    fresh = field(unit("dervishes"), phase=Phase.EXPLOITATION)
    assert "none of their opponents" in refusal(fresh)
    in_contact = field(
        exploiter(), unit("british-regulars", "b", BLUE), contacts=(contact_of("a", "b"),), phase=Phase.EXPLOITATION
    )
    assert "still in contact" in refusal(in_contact)
    guns = field(with_memory(unit("field-gun", **SHAKEN), opponent_gave_way=True), phase=Phase.EXPLOITATION)
    assert "only foot and mounted" in refusal(guns)
    for state in (fresh, in_contact, guns):
        assert not may_exploit(state, state.unit("a"))
        assert not list(prompts(state))


def test_be_6d_unit_in_melee_by_words_makes_no_exploitation_move() -> None:
    assert "they fight on" in refusal(field(exploiter(), phase=Phase.EXPLOITATION), circumstances=("in melee",))


def test_be_6_1_words_cannot_make_a_shaken_unit_recoil_after_4b() -> None:
    """The dooms of 4B are settled at its end. A recoil by words in 4a would stay open for a turn."""
    shaken = exploiter(**SHAKEN, kills=2)
    assert "they fight on" in refusal(
        field(shaken, phase=Phase.EXPLOITATION), Rally, circumstances=("mounted opponent",)
    )


def test_be_6d_a_shaken_unit_may_try_once_more_but_need_not() -> None:
    (test,) = prompts(field(exploiter(**SHAKEN), phase=Phase.EXPLOITATION))
    assert (test.offers[0].kind, test.required) == ("rally", False)


def test_be_6d_a_unit_that_has_not_moved_in_4b_may_exploit() -> None:
    state = field(with_memory(unit("dervishes"), opponent_gave_way=True), phase=Phase.EXPLOITATION)
    mine = throw_test(state, 3)[0].this_turn
    assert (mine.exploited, mine.tested) == (True, False)


def test_be_6_legal_tests() -> None:
    state = field(
        unit("zulus"),
        unit("zulus", "s", **SHAKEN),
        unit("field-gun", "g"),
        unit("maxim", "m", **SHAKEN),
        unit("zulus", "x", BLUE),
        unit("leader", "l"),
    )
    assert [action.unit for action in legal_tests(state, RED)] == ["a"]
    assert [action.unit for action in legal_rallies(state, UMPIRE)] == ["s", "m"]
    assert not [*legal_tests(state, BLUE), *legal_rallies(state, BLUE)]
    for action in (*legal_tests(state, RED), *legal_rallies(state, RED)):
        take(state, action, dice(4))


def test_be_6_company_squares_and_columns_keep_their_modifiers_in_the_report() -> None:
    _, report = throw_test(field(unit("british-regulars", formation=Formation.COLUMN)), 2)
    assert (
        sum_line(report.steps[0])
        == "D6 [2] = 2, +1 steady Imperial column (BE-6) = 3: may move 6 inches (100% to move)"
    )


@given(
    conduct=st.sampled_from(Conduct),
    theatre=st.sampled_from(Theatre),
    kills=st.integers(0, 3),
    flags=st.fixed_dictionaries({name: st.booleans() for name in ("shaken", "elite", "fragile", "disordered")}),
)
def test_be_6_the_button_of_a_test_has_the_chance_of_its_odds(conduct, theatre, kills, flags) -> None:
    state = field(unit("zulus", conduct=conduct, kills=kills, **flags), theatre=theatre)
    (test,) = prompts(state)
    kind = Rally if flags["shaken"] else ConductTest
    hoped = sum(outcome.chance for outcome in odds(state, kind(unit="a")).outcomes if outcome.good)
    assert percent(Fraction(hoped)) in test.offers[0].label
