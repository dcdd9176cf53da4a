"""Morale (MM-5.1 to MM-5.8): first the worked examples of the rule page, then each rule."""

from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import NoDice
from rules.core.model import PUBLIC, UMPIRE, Cite
from rules.core.ruleset import Refused
from rules.core.wording import sum_line
from rules.magdala.arms import fights_on
from rules.magdala.fighting.contact import contact
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Nation, Troop, Works
from rules.magdala.model import Test as Owes
from rules.magdala.morale.effects import How, hold_back, inflict
from rules.magdala.morale.retreat import RETIRE, Retire
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.morale.way_back import fall_back
from rules.magdala.placement import base
from rules.magdala.stored_prompts import call_for, prompts_of
from rules.magdala.turn import prompts

from .field import BLUE, RED, dice, field, lines, played, seen, unit

CALL = "umpire's call"
TROOPS = ("british-breechloaders", "kommando", "british-cavalry", "field-gun", "mahdist-spears", "egyptian-conscripts")


def chance(of: MagdalaUnit, *words: str) -> Fraction:
    return MORALE.odds_of(field(of), MoraleTest(unit=of.id, circumstances=(CALL, *words))).outcomes[0].chance


def lost(of: MagdalaUnit, figures: int) -> MagdalaUnit:
    return of.model_copy(update={"casualties": figures})


def advancing(of: MagdalaUnit) -> MagdalaUnit:
    return of.model_copy(update={"this_turn": of.this_turn.model_copy(update={"advanced": True})})


def shot(state: MagdalaState, target: str, hits: int) -> MagdalaState:
    return played(inflict, state, target, hits, "b", How.FIRE)[0]


def owing(state: MagdalaState, unit_id: str = "a") -> list[Owes]:
    return [prompt.test for prompt in prompts_of(state, unit_id)]


def under_fire(of: MagdalaUnit, **more: object) -> MagdalaState:
    return call_for(field(of, **more), of.id, Owes.UNDER_FIRE)


def test_mm_example_5_british_with_5_casualties_hold_on_a_natural_4() -> None:
    british = lost(unit("british-breechloaders"), 5)
    assert chance(british) == Fraction(33, 36)
    state, report = MORALE.done(under_fire(british), MoraleTest(unit="a"), dice(3, 1))
    assert state.unit("a").morale is Morale.STEADY
    assert sum_line(report.steps[0]) == (
        "2D6 [3][1] = 4, +1 British (MM-5.4) = 5 against 5 casualties: they hold (91.7% to hold)"
    )


def test_mm_example_6_british_with_13_casualties_hold_on_11_and_12_alone() -> None:
    assert chance(lost(unit("british-breechloaders"), 13)) == Fraction(3, 36)


def test_mm_example_7_conscript_detachment_with_3_casualties_holds_on_5_and_6() -> None:
    detached = lost(unit("egyptian-conscripts", figures=5, parent="p"), 3)
    assert chance(detached) == Fraction(2, 6)


def test_mm_example_8_advancing_24_lose_3_halt_lose_2_test_lose_1_nothing() -> None:
    state = field(advancing(unit("british-breechloaders")))
    three = shot(state, "a", 3)
    assert (three.unit("a").morale, owing(three)) == (Morale.PINNED, [])
    two = shot(state, "a", 2)
    assert (two.unit("a").morale, owing(two)) == (Morale.STEADY, [Owes.UNDER_FIRE])
    one = shot(state, "a", 1)
    assert (one.unit("a").morale, owing(one)) == (Morale.STEADY, [])


def test_mm_5_1_several_fires_of_a_turn_add_up_to_an_automatic_halt() -> None:
    state = shot(field(advancing(unit("british-breechloaders"))), "a", 2)
    assert owing(state) == [Owes.UNDER_FIRE]
    halted = shot(state, "a", 1)
    assert (halted.unit("a").morale, owing(halted)) == (Morale.PINNED, [])


def test_mm_5_1_the_10_percent_is_of_the_figures_when_the_turn_began() -> None:
    shrunk = lost(unit("british-breechloaders"), 5)
    begun = shrunk.model_copy(update={"this_turn": shrunk.this_turn.model_copy(update={"figures_at_start": 19})})
    assert shot(field(advancing(begun)), "a", 2).unit("a").morale is Morale.PINNED


def test_mm_5_1_exactly_10_percent_is_not_more() -> None:
    assert shot(field(advancing(unit("egyptian-conscripts"))), "a", 2).unit("a").morale is Morale.STEADY


@pytest.mark.parametrize("troops", ["british-cavalry", "field-gun", "kommando"])
def test_mm_5_1_only_infantry_on_foot_halts_automatically(troops: str) -> None:
    assert shot(field(advancing(unit(troops))), "a", 2).unit("a").morale is not Morale.PINNED


def test_mm_5_1_a_standing_unit_tests_however_many_it_loses() -> None:
    state = shot(field(unit("british-breechloaders")), "a", 4)
    assert (state.unit("a").morale, owing(state)) == (Morale.STEADY, [Owes.UNDER_FIRE])


def test_mm_5_1_after_an_automatic_halt_there_is_no_test_that_turn() -> None:
    state = shot(shot(field(advancing(unit("british-breechloaders"))), "a", 3), "a", 4)
    assert owing(state) == []


def test_mm_5_1_attackers_halted_by_the_defenders_fire_do_not_reach_him() -> None:
    state = field(
        advancing(unit("mahdist-spears", at=(20, 20))), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180))
    )
    state, _ = played(contact, state, "a", "b", moved=10)
    state = shot(state, "a", 4)
    assert state.unit("a").melee_with is None
    assert state.unit("b").melee_with is None
    assert state.unit("a").place.y > 20


def test_mm_5_1_attackers_halted_in_a_later_round_stay_in_their_melee() -> None:
    state = field(unit("mahdist-spears", at=(20, 20)), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180)))
    state, _ = played(contact, state, "a", "b", moved=10)
    for rounds, stays in ((1, None), (2, "b")):
        later = state.changed("a", melee_round=rounds)
        assert hold_back(later, "a", Morale.PINNED).unit("a").melee_with == stays


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
    state = shot(field(unit(troops, figures=12, parent=parent)), "a", hits)
    assert owing(state) == ([Owes.UNDER_FIRE] if tests else [])


def test_mm_5_2_one_casualty_and_one_more_in_the_same_turn_make_two() -> None:
    state = shot(shot(field(unit("british-breechloaders")), "a", 1), "a", 1)
    assert owing(state) == [Owes.UNDER_FIRE]


def test_mm_5_2_casualties_a_test_has_answered_for_do_not_call_for_another() -> None:
    state = shot(field(unit("british-breechloaders")), "a", 2)
    state, _ = MORALE.done(state, MoraleTest(unit="a"), dice(6, 6))
    once_more = shot(state, "a", 1)
    assert owing(once_more) == []
    assert owing(shot(once_more, "a", 1)) == [Owes.UNDER_FIRE]


def test_mm_5_2_nothing_owed_is_refused_before_any_die() -> None:
    with pytest.raises(Refused, match="have no morale test"):
        MORALE.done(field(unit("british-breechloaders")), MoraleTest(unit="a"), NoDice())


@pytest.mark.parametrize(("troops", "whose"), [("general", "his"), ("wagon", "its"), ("imam", "his")])
def test_mm_5_3_leaders_and_wagons_have_no_morale_of_their_own(troops: str, whose: str) -> None:
    with pytest.raises(Refused, match=f"no morale of {whose} own"):
        MORALE.done(field(unit(troops)), MoraleTest(unit="a", circumstances=(CALL,)), NoDice())


@pytest.mark.parametrize(
    ("troops", "parent", "thrown", "adds"),
    [
        ("mahdist-spears", None, 2, 0),
        ("kommando", None, 1, 2),
        ("native-cavalry", None, 1, 1),
        ("mahdist-gun", None, 1, 1),
        ("mahdist-spears", "p", 1, -1),
        ("native-cavalry", "p", 1, -1),
    ],
)
def test_mm_5_3_dice_by_arm(troops: str, parent: str | None, thrown: int, adds: int) -> None:
    state = under_fire(unit(troops, parent=parent))
    _, report = MORALE.done(state, MoraleTest(unit="a"), dice(*[4] * thrown))
    assert report.steps[0].start == 4 * thrown
    assert report.steps[0].score == 4 * thrown + adds


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
        (advancing(unit("mahdist-spears")), (), 1),
        (advancing(unit("zulus")), (), 0),
        (advancing(unit("zulus")), ("fanatic",), 1),
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
    asked = MoraleTest(unit="a", circumstances=(CALL, *words))
    _, report = MORALE.done(field(of), asked, dice(3, 4))
    assert report.steps[0].score == 7 + adds
    told = report.steps[0].modifiers
    assert all(modifier.value and modifier.cite.rule in ("MM-5.4", "MM-A.2") for modifier in told)


@pytest.mark.parametrize(("words", "adds"), [((), -1), (("at its best",), 0), (("at its best", "inferior"), -1)])
def test_mm_5_4_the_umpire_may_lift_inferior_quality_for_a_test(words: tuple[str, ...], adds: int) -> None:
    asked = MoraleTest(unit="a", circumstances=(CALL, *words))
    _, report = MORALE.done(field(unit("egyptian-conscripts")), asked, dice(3, 4))
    assert report.steps[0].score == 7 + adds


def test_mm_5_4_what_print_leaves_open_is_marked_as_a_ruling() -> None:
    asked = MoraleTest(unit="a", circumstances=(CALL, "umpire +1", "second round lost"))
    _, report = MORALE.done(field(unit("sudanese-regulars", parent="p")), asked, dice(4))
    assert [str(each.cite) for each in report.steps[0].modifiers] == [
        "MM-5.3, ruling",
        "MM-5.4, ruling",
        "MM-5.4, ruling",
    ]


def test_mm_5_6_odds_are_told_of_a_unit_that_owes_nothing() -> None:
    state, asked = field(lost(unit("mahdist-spears"), 8)), MoraleTest(unit="a")
    supposed = MORALE.odds_of(state, asked)
    assert supposed.question == "A: morale under fire, if it tested now"
    assert supposed.outcomes[0].chance == Fraction(15, 36)
    with pytest.raises(Refused, match="have no morale test"):
        MORALE.done(state, asked, NoDice())


def test_mm_5_6_odds_of_who_is_in_melee_are_those_after_losing_the_next_round() -> None:
    of = lost(unit("sudanese-regulars", melee_lost_in_a_row=1), 8)
    state, _ = played(contact, field(of, unit("zulus", "b", BLUE)), "b", "a", moved=12)
    state = state.with_unit(state.unit("a").model_copy(update={"melee_lost_in_a_row": 1}))
    supposed = MORALE.odds_of(state, MoraleTest(unit="a"))
    assert supposed.question == "A: morale after losing a melee, if it tested now"
    assert [modifier.reason for modifier in supposed.steps[0].modifiers] == ["2 rounds lost in a row"]


def test_mm_5_7_odds_of_who_may_test_to_go_on_are_of_that_test() -> None:
    assert "if it tested now" not in MORALE.odds_of(field(halted(1)), MoraleTest(unit="a")).question


@pytest.mark.parametrize(("apart", "adds"), [(7.0, 1), (9.0, 0)])
def test_mm_5_4_an_imam_heartens_within_6_inches(apart: float, adds: int) -> None:
    swordsmen, imam = unit("pathan-swordsmen", at=(20, 20)), unit("imam", "i", at=(20, 20 + apart))
    asked = MoraleTest(unit="a", circumstances=(CALL,))
    _, report = MORALE.done(field(swordsmen, imam), asked, dice(3, 4))
    assert report.steps[0].score == 7 + adds


def test_mm_5_4_a_secret_quality_counts_but_only_the_umpire_reads_it() -> None:
    state = under_fire(lost(unit("sudanese-regulars", secret_quality=-2), 5))
    after, report = MORALE.done(state, MoraleTest(unit="a"), dice(3, 3))
    assert after.unit("a").morale is Morale.HALTED
    assert report.seen_by(UMPIRE).steps[0].score == 4
    public = report.seen_by(PUBLIC)
    line = sum_line(public.steps[0])
    assert "umpire's modifier" in line
    assert "-2" not in line
    assert "= 4" not in line
    assert "%" not in line
    assert MORALE.odds_of(state, MoraleTest(unit="a")).seen_by(RED) is None


def test_mm_5_4_a_revealed_quality_is_a_sum_like_any_other() -> None:
    state = under_fire(lost(unit("sudanese-regulars", secret_quality=-2, secret_known=True), 5))
    _, report = MORALE.done(state, MoraleTest(unit="a"), dice(3, 3))
    assert report.seen_by(PUBLIC).steps[0].score == 4


def test_mm_5_4_a_pass_by_the_natural_roll_does_not_tell_the_secret() -> None:
    state = under_fire(lost(unit("sudanese-regulars", secret_quality=-2), 9))
    _, report = MORALE.done(state, MoraleTest(unit="a"), dice(6, 5))
    assert "always" not in lines(report)


@pytest.mark.parametrize(
    ("troops", "faces"), [("british-breechloaders", (6, 5)), ("kommando", (6,)), ("field-gun", (6,))]
)
def test_mm_5_5_a_natural_11_or_12_or_6_on_one_die_always_passes(troops: str, faces: tuple[int, ...]) -> None:
    wrecked = lost(unit(troops, figures=40), 19)
    state, report = MORALE.done(under_fire(wrecked), MoraleTest(unit="a"), dice(*faces))
    assert state.unit("a").morale is Morale.STEADY
    assert "always does" in lines(report)


def test_mm_5_6_passes_when_score_equals_casualties() -> None:
    state, _ = MORALE.done(under_fire(lost(unit("mahdist-spears"), 7)), MoraleTest(unit="a"), dice(3, 4))
    assert state.unit("a").morale is Morale.STEADY


def test_mm_5_6_fails_when_score_is_one_less() -> None:
    state, _ = MORALE.done(under_fire(lost(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(3, 4))
    assert state.unit("a").morale is Morale.HALTED


def halted(turns: int) -> MagdalaUnit:
    of = lost(unit("mahdist-spears", at=(20, 20)), 8)
    return of.model_copy(update={"morale": Morale.HALTED, "half_effect_next_fire": True, "held_turns": turns})


def test_mm_5_7_failed_under_fire_halts_and_fires_at_half_effect() -> None:
    state, report = MORALE.done(under_fire(lost(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(1, 1))
    of = state.unit("a")
    assert (of.morale, of.half_effect_next_fire, of.held_turns) == (Morale.HALTED, True, 0)
    assert "half effect" in lines(report)


def test_mm_5_7_a_halted_unit_may_retreat_at_once() -> None:
    state, _ = MORALE.done(under_fire(lost(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(1, 1))
    state, _ = RETIRE.done(state, Retire(unit="a"), NoDice())
    assert state.unit("a").morale is Morale.RETREATING
    assert owing(state) == [Owes.RETREAT]
    seeing = call_for(field(halted(0)), "a", Owes.WITNESS)
    assert RETIRE.done(seeing, Retire(unit="a"), NoDice())[0].unit("a").morale is Morale.RETREATING
    with pytest.raises(Refused, match="still have to settle"):
        RETIRE.done(call_for(seeing, "a", Owes.UNDER_FIRE), Retire(unit="a"), NoDice())


def test_mm_5_7_a_steady_unit_does_not_retire() -> None:
    with pytest.raises(Refused, match="not halted"):
        RETIRE.done(field(unit("mahdist-spears")), Retire(unit="a"), NoDice())


def test_mm_5_7_it_tests_to_go_on_only_after_a_whole_turn() -> None:
    with pytest.raises(Refused, match="1 whole turn"):
        MORALE.done(field(halted(0)), MoraleTest(unit="a"), NoDice())
    state, _ = MORALE.done(field(halted(1)), MoraleTest(unit="a"), dice(6, 5))
    assert (state.unit("a").morale, state.unit("a").half_effect_next_fire) == (Morale.STEADY, False)


def test_mm_5_7_it_tests_to_go_on_in_its_own_turn_and_once() -> None:
    with pytest.raises(Refused, match="own turn"):
        MORALE.done(field(halted(1), active=BLUE), MoraleTest(unit="a"), NoDice())
    state, _ = MORALE.done(field(halted(1)), MoraleTest(unit="a"), dice(1, 1, 3, 3))
    with pytest.raises(Refused, match="this turn"):
        MORALE.done(state, MoraleTest(unit="a"), NoDice())


def test_mm_5_7_failing_to_go_on_falls_back_half_a_move_halts_and_loses_1() -> None:
    enemy = unit("british-magazine", "b", BLUE, at=(20, 10, 180))
    state, report = MORALE.done(field(halted(1), enemy), MoraleTest(unit="a"), dice(1, 1, 3, 5))
    of = state.unit("a")
    assert of.place.y == pytest.approx(25, abs=0.01)
    assert (of.casualties, of.morale, of.held_turns) == (9, Morale.HALTED, 0)
    assert "A fall back half a move, 5 inches||" in lines(report)
    went = field(seen(halted(1), moved=3.0), enemy)
    assert played(fall_back, went, "a", Cite(rule="MM-5.7"), using=dice(3, 5))[0].unit("a").this_turn.moved == 8


def test_mm_5_7_who_has_no_room_to_fall_back_keeps_its_cover() -> None:
    enemy = unit("british-magazine", "b", BLUE, at=(20, 10, 180))
    column = [unit("mahdist-spears", f"c{n}", at=(20, 21 + n)) for n in range(6)]
    for behind, works in ((column, Works.EARTHWORKS), ([], Works.NONE)):
        state = field(unit("mahdist-spears", at=(20, 20), works=Works.EARTHWORKS), enemy, *behind)
        of = played(fall_back, state, "a", Cite(rule="MM-5.7"), using=dice(3, 5))[0].unit("a")
        assert of.works is works


@pytest.mark.parametrize(
    ("at", "enemy", "axis"),
    [((20, 46), (20, 30), "y"), ((20, 2), (20, 18), "y"), ((2, 20), (18, 20), "x"), ((70, 20), (54, 20), "x")],
)
def test_mm_5_7_who_falls_back_halts_on_the_table(
    at: tuple[float, float], enemy: tuple[float, float], axis: str
) -> None:
    state = field(unit("mahdist-spears", at=at), unit("british-magazine", "b", BLUE, at=enemy))
    of = played(fall_back, state, "a", Cite(rule="MM-5.7"), using=dice(6, 6))[0].unit("a")
    here = base(of)
    assert here is not None
    west, north, east, south = here.outline.bounds
    first, last = (north, 48 - south) if axis == "y" else (west, 72 - east)
    assert min(first, last) == pytest.approx(0, abs=0.01)


def test_mm_5_7_attackers_who_fail_under_the_defenders_fire_halt_short_of_him() -> None:
    state = field(unit("mahdist-spears", at=(20, 20)), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180)))
    state, _ = played(contact, state, "a", "b", moved=10)
    state, _ = MORALE.done(shot(state, "a", 3), MoraleTest(unit="a"), dice(1, 1))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.HALTED, None)


def beaten(troops: str, figures: int = 8, **more: object) -> MagdalaState:
    loser = lost(unit(troops, at=(20, 20), **more), figures)
    state = field(loser, unit("zulus", "b", BLUE, at=(20, 18.2, 180)))
    state, _ = played(contact, state, "b", "a", moved=12)
    return call_for(state.model_copy(update={"prompts": ()}), "a", Owes.MELEE_LOST, by="b", lost_in_a_row=1)


def test_mm_5_8_failed_after_a_lost_melee_is_a_rout() -> None:
    state, _ = MORALE.done(beaten("sudanese-regulars"), MoraleTest(unit="a"), dice(1, 1))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.ROUTED, None)
    assert [prompt.test for prompt in prompts_of(state, "b")] == [Owes.PURSUIT]


def test_mm_5_8_passed_the_melee_goes_on() -> None:
    state, _ = MORALE.done(beaten("sudanese-regulars"), MoraleTest(unit="a"), dice(6, 6))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.STEADY, "b")


@pytest.mark.parametrize("troops", ["british-breechloaders", "foreign-legion"])
def test_mm_5_8_british_infantry_and_the_legion_fall_back_and_lose_1_instead(troops: str) -> None:
    state, _ = MORALE.done(beaten(troops), MoraleTest(unit="a"), dice(1, 1))
    of = state.unit("a")
    assert (of.morale, of.casualties, of.melee_with) == (Morale.STEADY, 9, None)
    assert of.place.y == pytest.approx(23, abs=0.01)
    assert prompts_of(state, "b") == ()


@pytest.mark.parametrize("square", [{"in_square": True}, {}])
def test_mm_5_8_in_square_they_fight_on_where_they_are(square: dict[str, bool]) -> None:
    asked = MoraleTest(unit="a", circumstances=() if square else ("in square",))
    state, _ = MORALE.done(beaten("british-breechloaders", **square), asked, dice(1, 1))
    of = state.unit("a")
    assert (of.casualties, of.melee_with, of.place.y) == (8, "b", 20)


@pytest.mark.parametrize(
    ("troops", "stands"),
    [("british-breechloaders", True), ("foreign-legion", True), ("british-cavalry", False), ("indian-regulars", False)],
)
def test_mm_5_8_who_never_routs(troops: str, stands: bool) -> None:
    assert fights_on(unit(troops)) is stands


def test_mm_5_owed_tests_come_with_a_button() -> None:
    item = prompts(shot(field(unit("british-breechloaders")), "a", 2))[0]
    assert item.required
    assert (item.offers[0].kind, dict(item.offers[0].args)) == ("morale", {"unit": "a"})


def test_mm_5_a_secret_test_is_for_its_own_side_alone() -> None:
    _, report = MORALE.done(under_fire(unit("mahdist-spears")), MoraleTest(unit="a", secret=True), dice(3, 3))
    assert report.seen_by(BLUE) is None
    assert report.seen_by(PUBLIC) is None
    assert report.seen_by(RED) is not None


@pytest.mark.parametrize(("troops", "casualties", "parent"), [*product(TROOPS, (0, 1, 3, 5, 9, 12, 15), (None, "p"))])
def test_mm_5_6_chances_equal_icepool(troops: str, casualties: int, parent: str | None) -> None:
    of = lost(unit(troops, figures=30, parent=parent), casualties)
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
    assert chance(lost(of, casualties + 1)) <= chance(lost(of, casualties))


@given(of=st.sampled_from(TROOPS), casualties=st.integers(0, 28))
def test_mm_5_6_the_odds_add_up_and_are_those_thrown_against(of: str, casualties: int) -> None:
    state = under_fire(lost(unit(of, figures=30), casualties))
    asked = MORALE.odds_of(state, MoraleTest(unit="a"))
    assert sum(outcome.chance for outcome in asked.outcomes) == 1
    assert sum(share for _, share in asked.spread) == 1
    faces = (4,) if unit(of).troop in (Troop.KOMMANDO, Troop.REGULAR_CAVALRY, Troop.FIELD_ARTILLERY) else (2, 2)
    _, report = MORALE.done(state, MoraleTest(unit="a"), dice(*faces, 1, 1))
    assert report.steps[0].chance == asked.outcomes[0].chance
