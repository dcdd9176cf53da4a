"""Results of a failed test: halts, retreats and routs (MM-5.7, MM-5.8)."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.arms import never_routs
from rules.magdala.fighting.contact import make_contact
from rules.magdala.model import MagdalaState, Morale, Works
from rules.magdala.model import Test as Owes
from rules.magdala.morale.forced_moves import fall_back
from rules.magdala.morale.retreat import RETIRE, Retire
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.placement import base
from rules.magdala.stored_prompts import add_prompt, prompts_of

from .field import BLUE, dice, field, play_part, text_of, unit, with_memory
from .morale_field import inflict_fire, make_halted_unit, owed_tests, state_under_fire, with_casualties


def test_mm_5_7_failed_under_fire_halts_and_fires_at_half_effect() -> None:
    state, report = MORALE.execute(
        state_under_fire(with_casualties(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(1, 1)
    )
    of = state.unit("a")
    assert (of.morale, of.half_effect_next_fire, of.held_turns) == (Morale.HALTED, True, 0)
    assert "half effect" in text_of(report)


def test_mm_5_7_a_halted_unit_may_retreat_at_once() -> None:
    state, _ = MORALE.execute(
        state_under_fire(with_casualties(unit("mahdist-spears"), 8)), MoraleTest(unit="a"), dice(1, 1)
    )
    state, _ = RETIRE.execute(state, Retire(unit="a"), NoDice())
    assert state.unit("a").morale is Morale.RETREATING
    assert owed_tests(state) == [Owes.RETREAT]
    seeing = add_prompt(field(make_halted_unit(0)), "a", Owes.WITNESS)
    assert RETIRE.execute(seeing, Retire(unit="a"), NoDice())[0].unit("a").morale is Morale.RETREATING
    with pytest.raises(Refused, match="still have to settle"):
        RETIRE.execute(add_prompt(seeing, "a", Owes.UNDER_FIRE), Retire(unit="a"), NoDice())


def test_mm_5_7_a_steady_unit_does_not_retire() -> None:
    with pytest.raises(Refused, match="not halted"):
        RETIRE.execute(field(unit("mahdist-spears")), Retire(unit="a"), NoDice())


def test_mm_5_7_halted_unit_tests_to_go_on_after_a_whole_turn() -> None:
    with pytest.raises(Refused, match="1 whole turn"):
        MORALE.execute(field(make_halted_unit(0)), MoraleTest(unit="a"), NoDice())
    state, _ = MORALE.execute(field(make_halted_unit(1)), MoraleTest(unit="a"), dice(6, 5))
    assert (state.unit("a").morale, state.unit("a").half_effect_next_fire) == (Morale.STEADY, False)


def test_mm_5_7_halted_unit_tests_to_go_on_once_in_its_own_turn() -> None:
    with pytest.raises(Refused, match="own turn"):
        MORALE.execute(field(make_halted_unit(1), active=BLUE), MoraleTest(unit="a"), NoDice())
    state, _ = MORALE.execute(field(make_halted_unit(1)), MoraleTest(unit="a"), dice(1, 1, 3, 3))
    with pytest.raises(Refused, match="this turn"):
        MORALE.execute(state, MoraleTest(unit="a"), NoDice())


def test_mm_5_7_failing_to_go_on_falls_back_half_a_move_halts_and_loses_1() -> None:
    enemy = unit("british-magazine", "b", BLUE, at=(20, 10, 180))
    state, report = MORALE.execute(field(make_halted_unit(1), enemy), MoraleTest(unit="a"), dice(1, 1, 3, 5))
    of = state.unit("a")
    assert of.place.y == pytest.approx(25, abs=0.01)
    assert (of.casualties, of.morale, of.held_turns) == (9, Morale.HALTED, 0)
    assert "A fall back half a move, 5 inches||" in text_of(report)
    went = field(with_memory(make_halted_unit(1), moved=3.0), enemy)
    assert play_part(fall_back, went, "a", Cite(rule="MM-5.7"), using=dice(3, 5))[0].unit("a").this_turn.moved == 8


def test_mm_5_7_unit_without_room_to_fall_back_keeps_its_cover() -> None:
    enemy = unit("british-magazine", "b", BLUE, at=(20, 10, 180))
    column = [unit("mahdist-spears", f"c{n}", at=(20, 21 + n)) for n in range(6)]
    for behind, works in ((column, Works.EARTHWORKS), ([], Works.NONE)):
        state = field(unit("mahdist-spears", at=(20, 20), works=Works.EARTHWORKS), enemy, *behind)
        of = play_part(fall_back, state, "a", Cite(rule="MM-5.7"), using=dice(3, 5))[0].unit("a")
        assert of.works is works


@pytest.mark.parametrize(
    ("at", "enemy", "axis"),
    [((20, 46), (20, 30), "y"), ((20, 2), (20, 18), "y"), ((2, 20), (18, 20), "x"), ((70, 20), (54, 20), "x")],
)
def test_mm_5_7_unit_that_falls_back_stays_on_the_table(
    at: tuple[float, float], enemy: tuple[float, float], axis: str
) -> None:
    state = field(unit("mahdist-spears", at=at), unit("british-magazine", "b", BLUE, at=enemy))
    of = play_part(fall_back, state, "a", Cite(rule="MM-5.7"), using=dice(6, 6))[0].unit("a")
    unit_base = base(of)
    assert unit_base is not None
    west, north, east, south = unit_base.outline.bounds
    first, last = (north, 48 - south) if axis == "y" else (west, 72 - east)
    assert min(first, last) == pytest.approx(0, abs=0.01)


def test_mm_5_7_attackers_who_fail_under_the_defenders_fire_halt_short_of_him() -> None:
    state = field(unit("mahdist-spears", at=(20, 20)), unit("british-magazine", "b", BLUE, at=(20, 18.5, 180)))
    state, _ = play_part(make_contact, state, "a", "b", moved=10)
    state, _ = MORALE.execute(inflict_fire(state, "a", 3), MoraleTest(unit="a"), dice(1, 1))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.HALTED, None)


def state_after_lost_melee(troops: str, figures: int = 8, **fields: object) -> MagdalaState:
    loser = with_casualties(unit(troops, at=(20, 20), **fields), figures)
    state = field(loser, unit("zulus", "b", BLUE, at=(20, 18.2, 180)))
    state, _ = play_part(make_contact, state, "b", "a", moved=12)
    return add_prompt(state.model_copy(update={"prompts": ()}), "a", Owes.MELEE_LOST, by="b", lost_in_a_row=1)


def test_mm_5_8_failed_after_a_lost_melee_is_a_rout() -> None:
    state, _ = MORALE.execute(state_after_lost_melee("sudanese-regulars"), MoraleTest(unit="a"), dice(1, 1))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.ROUTED, None)
    assert [prompt.test for prompt in prompts_of(state, "b")] == [Owes.PURSUIT]


def test_mm_5_8_passed_the_melee_goes_on() -> None:
    state, _ = MORALE.execute(state_after_lost_melee("sudanese-regulars"), MoraleTest(unit="a"), dice(6, 6))
    assert (state.unit("a").morale, state.unit("a").melee_with) == (Morale.STEADY, "b")


@pytest.mark.parametrize("troops", ["british-breechloaders", "foreign-legion"])
def test_mm_5_8_british_infantry_and_the_legion_fall_back_and_lose_1_instead(troops: str) -> None:
    state, _ = MORALE.execute(state_after_lost_melee(troops), MoraleTest(unit="a"), dice(1, 1))
    of = state.unit("a")
    assert (of.morale, of.casualties, of.melee_with) == (Morale.STEADY, 9, None)
    assert of.place.y == pytest.approx(23, abs=0.01)
    assert prompts_of(state, "b") == ()


@pytest.mark.parametrize("square", [{"in_square": True}, {}])
def test_mm_5_8_square_fights_on_in_place(square: dict[str, bool]) -> None:
    action = MoraleTest(unit="a", circumstances=() if square else ("in square",))
    state, _ = MORALE.execute(state_after_lost_melee("british-breechloaders", **square), action, dice(1, 1))
    of = state.unit("a")
    assert (of.casualties, of.melee_with, of.place.y) == (8, "b", 20)


@pytest.mark.parametrize(
    ("troops", "stands"),
    [("british-breechloaders", True), ("foreign-legion", True), ("british-cavalry", False), ("indian-regulars", False)],
)
def test_mm_5_8_troops_that_never_rout(troops: str, stands: bool) -> None:
    assert never_routs(unit(troops)) is stands
