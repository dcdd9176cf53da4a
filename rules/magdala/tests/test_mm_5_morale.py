"""Morale (MM-5.1 to MM-5.6): the worked examples of the rule page, then each rule."""

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE
from rules.core.ruleset import Refused
from rules.core.wording import sum_line
from rules.magdala.fighting.contact import make_contact
from rules.magdala.model import MagdalaUnit, Morale, Nation, Troop, Works
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import halt_unit
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.turn import prompts

from .field import BLUE, RED, dice, field, play_part, text_of, unit
from .morale_field import (
    CALL,
    TROOPS,
    chance,
    inflict_fire,
    make_halted_unit,
    owed_tests,
    state_under_fire,
    with_advance,
    with_casualties,
)


def test_mm_example_5_british_with_5_casualties_hold_on_a_natural_4() -> None:
    british = with_casualties(unit("british-breechloaders"), 5)
    assert chance(british) == Fraction(33, 36)
    state, report = MORALE.execute(state_under_fire(british), MoraleTest(unit="a"), dice(3, 1))
    assert state.unit("a").morale is Morale.STEADY
    assert sum_line(report.steps[0]) == (
        "2D6 [3][1] = 4, +1 British (MM-5.4) = 5 against 5 casualties: they hold (91.7% to hold)"
    )


def test_mm_example_6_british_with_13_casualties_hold_on_11_and_12_alone() -> None:
    assert chance(with_casualties(unit("british-breechloaders"), 13)) == Fraction(3, 36)


def test_mm_example_7_conscript_detachment_with_3_casualties_holds_on_5_and_6() -> None:
    detached = with_casualties(unit("egyptian-conscripts", figures=5, parent="p"), 3)
    assert chance(detached) == Fraction(2, 6)


def test_mm_example_8_advancing_24_lose_3_halt_lose_2_test_lose_1_nothing() -> None:
    state = field(with_advance(unit("british-breechloaders")))
    three = inflict_fire(state, "a", 3)
    assert (three.unit("a").morale, owed_tests(three)) == (Morale.PINNED, [])
    two = inflict_fire(state, "a", 2)
    assert (two.unit("a").morale, owed_tests(two)) == (Morale.STEADY, [Owes.UNDER_FIRE])
    after_one = inflict_fire(state, "a", 1)
    assert (after_one.unit("a").morale, owed_tests(after_one)) == (Morale.STEADY, [])


def test_mm_5_1_several_fires_of_a_turn_add_up_to_an_automatic_halt() -> None:
    state = inflict_fire(field(with_advance(unit("british-breechloaders"))), "a", 2)
    assert owed_tests(state) == [Owes.UNDER_FIRE]
    make_halted_unit = inflict_fire(state, "a", 1)
    assert (make_halted_unit.unit("a").morale, owed_tests(make_halted_unit)) == (Morale.PINNED, [])


def test_mm_5_1_the_10_percent_is_of_the_figures_when_the_turn_began() -> None:
    shrunk = with_casualties(unit("british-breechloaders"), 5)
    begun = shrunk.model_copy(update={"this_turn": shrunk.this_turn.model_copy(update={"figures_at_start": 19})})
    assert inflict_fire(field(with_advance(begun)), "a", 2).unit("a").morale is Morale.PINNED


def test_mm_5_1_exactly_10_percent_is_not_more() -> None:
    assert inflict_fire(field(with_advance(unit("egyptian-conscripts"))), "a", 2).unit("a").morale is Morale.STEADY


@pytest.mark.parametrize("troops", ["british-cavalry", "field-gun", "kommando"])
def test_mm_5_1_only_infantry_on_foot_halts_automatically(troops: str) -> None:
    assert inflict_fire(field(with_advance(unit(troops))), "a", 2).unit("a").morale is not Morale.PINNED


def test_mm_5_1_a_standing_unit_tests_however_many_it_loses() -> None:
    state = inflict_fire(field(unit("british-breechloaders")), "a", 4)
    assert (state.unit("a").morale, owed_tests(state)) == (Morale.STEADY, [Owes.UNDER_FIRE])


def test_mm_5_1_after_an_automatic_halt_there_is_no_test_that_turn() -> None:
    state = inflict_fire(inflict_fire(field(with_advance(unit("british-breechloaders"))), "a", 3), "a", 4)
    assert owed_tests(state) == []


def test_mm_5_1_attackers_halted_by_the_defenders_fire_do_not_reach_him() -> None:
    state = field(
        with_advance(unit("mahdist-spears", at=(20, 20))), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180))
    )
    state, _ = play_part(make_contact, state, "a", "b", moved=10)
    state = inflict_fire(state, "a", 4)
    assert state.unit("a").melee_with is None
    assert state.unit("b").melee_with is None
    assert state.unit("a").place.y > 20


def test_mm_5_1_attackers_halted_in_a_later_round_stay_in_their_melee() -> None:
    state = field(unit("mahdist-spears", at=(20, 20)), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180)))
    state, _ = play_part(make_contact, state, "a", "b", moved=10)
    for rounds, stays in ((1, None), (2, "b")):
        later = state.changed("a", melee_round=rounds)
        assert halt_unit(later, "a", Morale.PINNED).unit("a").melee_with == stays


@pytest.mark.parametrize(
    ("troops", "hits", "parent", "tests"),
    [
        ("british-breechloaders", 1, None, False),
        ("british-breechloaders", 2, None, True),
        ("kommando", 1, None, False),
        ("kommando", 2, None, True),
        ("british-cavalry", 1, None, True),
        ("field-gun", 1, None, True),
        ("british-breechloaders", 1, "p", True),
    ],
)
def test_mm_5_2_tests_after_2_fire_casualties_or_1_for_detachments_cavalry_guns(
    troops: str, hits: int, parent: str | None, tests: bool
) -> None:
    state = inflict_fire(field(unit(troops, figures=12, parent=parent)), "a", hits)
    assert owed_tests(state) == ([Owes.UNDER_FIRE] if tests else [])


def test_mm_5_2_one_casualty_and_one_more_in_the_same_turn_make_two() -> None:
    state = inflict_fire(inflict_fire(field(unit("british-breechloaders")), "a", 1), "a", 1)
    assert owed_tests(state) == [Owes.UNDER_FIRE]


def test_mm_5_2_tested_casualties_need_no_second_test() -> None:
    state = inflict_fire(field(unit("british-breechloaders")), "a", 2)
    state, _ = MORALE.execute(state, MoraleTest(unit="a"), dice(6, 6))
    once_more = inflict_fire(state, "a", 1)
    assert owed_tests(once_more) == []
    assert owed_tests(inflict_fire(once_more, "a", 1)) == [Owes.UNDER_FIRE]


def test_mm_5_2_test_that_is_not_owed_is_refused_before_dice() -> None:
    with pytest.raises(Refused, match="have no morale test"):
        MORALE.execute(field(unit("british-breechloaders")), MoraleTest(unit="a"), NoDice())


@pytest.mark.parametrize(("troops", "pronoun"), [("general", "his"), ("wagon", "its"), ("imam", "his")])
def test_mm_5_3_leaders_and_wagons_have_no_morale_of_their_own(troops: str, pronoun: str) -> None:
    with pytest.raises(Refused, match=f"no morale of {pronoun} own"):
        MORALE.execute(field(unit(troops)), MoraleTest(unit="a", circumstances=(CALL,)), NoDice())


@pytest.mark.parametrize(
    ("troops", "parent", "dice_count", "adds"),
    [
        ("mahdist-spears", None, 2, 0),
        ("kommando", None, 1, 2),
        ("native-cavalry", None, 1, 1),
        ("mahdist-gun", None, 1, 1),
        ("mahdist-spears", "p", 1, -1),
        ("native-cavalry", "p", 1, -1),
    ],
)
def test_mm_5_3_dice_by_arm(troops: str, parent: str | None, dice_count: int, adds: int) -> None:
    state = state_under_fire(unit(troops, parent=parent))
    _, report = MORALE.execute(state, MoraleTest(unit="a"), dice(*[4] * dice_count))
    assert report.steps[0].start == 4 * dice_count
    assert report.steps[0].score == 4 * dice_count + adds


@pytest.mark.parametrize(
    ("of", "words", "adds"),
    [
        (unit("british-breechloaders"), (), 1),
        (unit("foreign-legion"), (), 1),
        (unit("european-regulars"), (), 0),
        (unit("british-breechloaders"), ("in square",), 2),
        (unit("sudanese-regulars", in_square=True), (), 1),
        (unit("sudanese-regulars", works=Works.ZAREBA), (), 1),
        (unit("sudanese-regulars", works=Works.ZAREBA, in_square=True), (), 1),
        (unit("sudanese-regulars", works=Works.COVER), (), 0),
        (unit("mahdist-spears", works=Works.EARTHWORKS), (), 0),
        (unit("mahdist-spears"), (), 0),
        (unit("mahdist-spears"), ("advancing",), 1),
        (with_advance(unit("mahdist-spears")), (), 1),
        (with_advance(unit("zulus")), (), 0),
        (with_advance(unit("zulus")), ("fanatic",), 1),
        (unit("egyptian-conscripts"), (), -1),
        (unit("egyptian-conscripts", quality=-2), (), -2),
        (unit("sudanese-regulars"), ("inferior",), -1),
        (unit("sudanese-regulars"), ("extremely inferior",), -2),
        (unit("egyptian-conscripts"), ("inferior",), -1),
        (unit("sudanese-regulars"), ("lost a melee",), 0),
        (unit("sudanese-regulars"), ("second round lost",), -1),
        (unit("sudanese-regulars"), ("fourth round lost",), -3),
        (unit("pathan-swordsmen"), ("imam",), 1),
        (unit("sudanese-regulars"), ("umpire -1",), -1),
        (unit("sudanese-regulars"), ("umpire +1",), 1),
    ],
)
def test_mm_5_4_adjustments(of: MagdalaUnit, words: tuple[str, ...], adds: int) -> None:
    action = MoraleTest(unit="a", circumstances=(CALL, *words))
    _, report = MORALE.execute(field(of), action, dice(3, 4))
    assert report.steps[0].score == 7 + adds
    modifiers = report.steps[0].modifiers
    assert all(modifier.value and modifier.cite.rule in ("MM-5.4", "MM-A.2") for modifier in modifiers)


@pytest.mark.parametrize(("words", "adds"), [((), -1), (("at its best",), 0), (("at its best", "inferior"), -1)])
def test_mm_5_4_the_umpire_may_lift_inferior_quality_for_a_test(words: tuple[str, ...], adds: int) -> None:
    action = MoraleTest(unit="a", circumstances=(CALL, *words))
    _, report = MORALE.execute(field(unit("egyptian-conscripts")), action, dice(3, 4))
    assert report.steps[0].score == 7 + adds


def test_mm_5_4_modifiers_missing_in_print_are_marked_as_rulings() -> None:
    action = MoraleTest(unit="a", circumstances=(CALL, "umpire +1", "second round lost"))
    _, report = MORALE.execute(field(unit("sudanese-regulars", parent="p")), action, dice(4))
    assert [str(modifier.cite) for modifier in report.steps[0].modifiers] == [
        "MM-5.3, ruling",
        "MM-5.4, ruling",
        "MM-5.4, ruling",
    ]


def test_mm_5_6_odds_work_for_a_unit_without_an_owed_test() -> None:
    state, action = field(with_casualties(unit("mahdist-spears"), 8)), MoraleTest(unit="a")
    supposed = MORALE.odds_of(state, action)
    assert supposed.question == "A: morale under fire, if it tested now"
    assert supposed.outcomes[0].chance == Fraction(15, 36)
    with pytest.raises(Refused, match="have no morale test"):
        MORALE.execute(state, action, NoDice())


def test_mm_5_6_odds_in_melee_assume_a_lost_next_round() -> None:
    of = with_casualties(unit("sudanese-regulars", melee_lost_in_a_row=1), 8)
    state, _ = play_part(make_contact, field(of, unit("zulus", "b", BLUE)), "b", "a", moved=12)
    state = state.with_unit(state.unit("a").model_copy(update={"melee_lost_in_a_row": 1}))
    supposed = MORALE.odds_of(state, MoraleTest(unit="a"))
    assert supposed.question == "A: morale after losing a melee, if it tested now"
    assert [modifier.reason for modifier in supposed.steps[0].modifiers] == ["2 rounds lost in a row"]


def test_mm_5_7_odds_of_a_halted_unit_are_for_its_test_to_go_on() -> None:
    assert "if it tested now" not in MORALE.odds_of(field(make_halted_unit(1)), MoraleTest(unit="a")).question


@pytest.mark.parametrize(("apart", "adds"), [(7.0, 1), (9.0, 0)])
def test_mm_5_4_an_imam_heartens_within_6_inches(apart: float, adds: int) -> None:
    swordsmen, imam = unit("pathan-swordsmen", at=(20, 20)), unit("imam", "i", at=(20, 20 + apart))
    action = MoraleTest(unit="a", circumstances=(CALL,))
    _, report = MORALE.execute(field(swordsmen, imam), action, dice(3, 4))
    assert report.steps[0].score == 7 + adds


def test_mm_5_4_secret_quality_counts_and_only_the_umpire_sees_it() -> None:
    state = state_under_fire(with_casualties(unit("sudanese-regulars", secret_quality=-2), 5))
    after, report = MORALE.execute(state, MoraleTest(unit="a"), dice(3, 3))
    assert after.unit("a").morale is Morale.HALTED
    assert report.view_for(UMPIRE).steps[0].score == 4
    public = report.view_for(PUBLIC)
    line = sum_line(public.steps[0])
    assert "umpire's modifier" in line
    assert "-2" not in line
    assert "= 4" not in line
    assert "%" not in line
    assert MORALE.odds_of(state, MoraleTest(unit="a")).view_for(RED) is None


def test_mm_5_4_a_revealed_quality_is_a_sum_like_any_other() -> None:
    state = state_under_fire(with_casualties(unit("sudanese-regulars", secret_quality=-2, secret_known=True), 5))
    _, report = MORALE.execute(state, MoraleTest(unit="a"), dice(3, 3))
    assert report.view_for(PUBLIC).steps[0].score == 4


def test_mm_5_4_natural_pass_does_not_reveal_the_secret() -> None:
    state = state_under_fire(with_casualties(unit("sudanese-regulars", secret_quality=-2), 9))
    _, report = MORALE.execute(state, MoraleTest(unit="a"), dice(6, 5))
    assert "always" not in text_of(report)


@pytest.mark.parametrize(
    ("troops", "faces"), [("british-breechloaders", (6, 5)), ("kommando", (6,)), ("field-gun", (6,))]
)
def test_mm_5_5_a_natural_11_or_12_or_6_on_one_die_always_passes(troops: str, faces: tuple[int, ...]) -> None:
    wrecked = with_casualties(unit(troops, figures=40), 19)
    state, report = MORALE.execute(state_under_fire(wrecked), MoraleTest(unit="a"), dice(*faces))
    assert state.unit("a").morale is Morale.STEADY
    assert "always does" in text_of(report)


def test_mm_5_6_passes_when_score_equals_casualties() -> None:
    state, _ = MORALE.execute(
        state_under_fire(with_casualties(unit("mahdist-spears"), 7)), MoraleTest(unit="a"), dice(3, 4)
    )
    assert state.unit("a").morale is Morale.STEADY


def test_mm_5_6_fails_when_score_is_one_less() -> None:
    state, _ = MORALE.execute(
        state_under_fire(with_casualties(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(3, 4)
    )
    assert state.unit("a").morale is Morale.HALTED


def test_mm_5_owed_tests_come_with_a_button() -> None:
    item = prompts(inflict_fire(field(unit("british-breechloaders")), "a", 2))[0]
    assert item.required
    assert (item.offers[0].kind, dict(item.offers[0].args)) == ("morale", {"unit": "a"})


def test_mm_5_a_secret_test_is_for_its_own_side_alone() -> None:
    _, report = MORALE.execute(state_under_fire(unit("mahdist-spears")), MoraleTest(unit="a", secret=True), dice(3, 3))
    assert report.view_for(BLUE) is None
    assert report.view_for(PUBLIC) is None
    assert report.view_for(RED) is not None


@pytest.mark.parametrize(("troops", "casualties", "parent"), [*product(TROOPS, (0, 1, 3, 5, 9, 12, 15), (None, "p"))])
def test_mm_5_6_chances_equal_icepool(troops: str, casualties: int, parent: str | None) -> None:
    of = with_casualties(unit(troops, figures=30, parent=parent), casualties)
    single = parent is not None or troops in ("kommando", "british-cavalry", "field-gun")
    adds = {"kommando": 2, "british-cavalry": 1, "field-gun": 1}.get(troops, 0) if parent is None else -1
    adds += of.nation is Nation.BRITISH
    adds += of.quality
    die = icepool.d6 if single else 2 @ icepool.d6
    always = 6 if single else 11
    passes = die.map(lambda roll: roll >= always or roll + adds >= casualties)
    assert chance(of) == passes.probability(True)


@given(
    troops=st.sampled_from(TROOPS),
    casualties=st.integers(0, 28),
    quality=st.integers(-2, 0),
    square=st.booleans(),
    parent=st.sampled_from((None, "p")),
)
def test_mm_5_6_one_more_casualty_never_raises_the_chance(
    troops: str, casualties: int, quality: int, square: bool, parent: str | None
) -> None:
    of = unit(troops, figures=30, quality=quality, in_square=square, parent=parent)
    assert chance(with_casualties(of, casualties + 1)) <= chance(with_casualties(of, casualties))


@given(of=st.sampled_from(TROOPS), casualties=st.integers(0, 28))
def test_mm_5_6_odds_add_up_and_match_the_throw(of: str, casualties: int) -> None:
    state = state_under_fire(with_casualties(unit(of, figures=30), casualties))
    odds = MORALE.odds_of(state, MoraleTest(unit="a"))
    assert sum(outcome.chance for outcome in odds.outcomes) == 1
    assert sum(share for _, share in odds.distribution) == 1
    faces = (4,) if unit(of).troop in (Troop.KOMMANDO, Troop.REGULAR_CAVALRY, Troop.FIELD_ARTILLERY) else (2, 2)
    _, report = MORALE.execute(state, MoraleTest(unit="a"), dice(*faces, 1, 1))
    assert report.steps[0].chance == odds.outcomes[0].chance
