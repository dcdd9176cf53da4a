"""Pursuit of a routed enemy (MM-4.6)."""

from fractions import Fraction

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.magdala.fighting.contact import make_contact
from rules.magdala.model import MagdalaState, Morale
from rules.magdala.model import Test as Owes
from rules.magdala.morale.generals import REROLL, Reroll
from rules.magdala.morale.retreat import PURSUIT, RETREAT, Pursuit, Retreat
from rules.magdala.morale.testing import MORALE, MoraleTest
from rules.magdala.stored_prompts import add_prompt, prompts_of

from .field import BLUE, dice, field, play_part, unit


def victory(troops: str, at: bool = True, **fields: object) -> MagdalaState:
    """Return the state after `a` routed `b`."""
    places = {"at": (20, 20)} if at else {}, {"at": (20, 18.3, 180)} if at else {}
    victor = unit(troops, **places[0], **fields)
    loser = unit("zulus", "b", BLUE, casualties=10, **places[1])
    state, _ = play_part(make_contact, field(victor, loser, unit("general", "g")), "a", "b", 10)
    state = add_prompt(state.model_copy(update={"prompts": ()}), "b", Owes.MELEE_LOST, by="a", lost_in_a_row=1)
    return MORALE.execute(state, MoraleTest(unit="b"), dice(1, 1))[0]


def test_mm_4_6_regular_infantry_rally_on_the_spot() -> None:
    state = victory("british-breechloaders")
    assert (state.unit("a").morale, prompts_of(state, "a")) == (Morale.STEADY, ())
    with pytest.raises(Refused, match="never pursue"):
        PURSUIT.execute(state, Pursuit(unit="a"), NoDice())
    with pytest.raises(Refused, match=r"^A have no pursuit test to make: they have routed nobody\. \(MM-4\.6\)$"):
        PURSUIT.execute(field(unit("zulus")), Pursuit(unit="a"), NoDice())


@pytest.mark.parametrize(("troops", "rallies"), [("mahdist-spears", (6,)), ("british-cavalry", (5, 6))])
def test_mm_4_6_others_pursue_unless_they_roll_6_regular_cavalry_5_or_6(troops: str, rallies: tuple[int, ...]) -> None:
    state = victory(troops)
    assert PURSUIT.odds_of(state, Pursuit(unit="a")).outcomes[0].chance == Fraction(len(rallies), 6)
    for face in range(1, 7):
        after, _ = PURSUIT.execute(state, Pursuit(unit="a"), dice(face))
        assert after.unit("a").morale is (Morale.STEADY if face in rallies else Morale.PURSUING)


def test_mm_4_6_a_pursuer_moves_on_without_a_throw() -> None:
    state = add_prompt(field(unit("mahdist-spears", morale=Morale.PURSUING)), "a", Owes.PURSUIT_MOVE)
    with pytest.raises(Refused, match="without a throw"):
        PURSUIT.odds_of(state, Pursuit(unit="a"))


def test_mm_4_6_pursuers_destroy_the_routed_enemy() -> None:
    after, _ = PURSUIT.execute(victory("mahdist-spears"), Pursuit(unit="a"), dice(1))
    assert after.unit("b").morale is Morale.OFF_TABLE


def test_mm_4_6_routed_units_without_pursuit_leave_by_the_shortest_way() -> None:
    state, _ = PURSUIT.execute(victory("mahdist-spears"), Pursuit(unit="a"), dice(6))
    assert state.unit("b").morale is Morale.ROUTED
    state = state.model_copy(update={"active": BLUE})
    after, _ = RETREAT.execute(state, Retreat(unit="b"), dice(3, 4))
    assert after.unit("b").place.y == pytest.approx(18.3 - 9, abs=0.01)


def test_mm_4_6_routed_units_without_places_leave_with_one_move() -> None:
    state, _ = PURSUIT.execute(victory("mahdist-spears", at=False), Pursuit(unit="a"), dice(6))
    after, _ = RETREAT.execute(state.model_copy(update={"active": BLUE}), Retreat(unit="b"), dice(3, 4))
    assert after.unit("b").morale is Morale.OFF_TABLE


def next_move(state: MagdalaState, *faces: int, circumstances: tuple[str, ...] = ()) -> MagdalaState:
    return PURSUIT.execute(
        add_prompt(state, "a", Owes.PURSUIT_MOVE), Pursuit(unit="a", circumstances=circumstances), dice(*faces)
    )[0]


def test_mm_4_6_regular_cavalry_rally_after_two_moves() -> None:
    state, _ = PURSUIT.execute(victory("british-cavalry"), Pursuit(unit="a"), dice(1))
    state = next_move(state)
    assert (state.unit("a").morale, state.unit("a").place.y) == (Morale.PURSUING, 8)
    rallied = next_move(state).unit("a")
    assert (rallied.morale, rallied.pursuit_moves, rallied.retreats_in_a_row) == (Morale.STEADY, 0, 0)


def test_mm_4_6_others_chase_off_the_table_and_never_rally() -> None:
    state, _ = PURSUIT.execute(victory("mahdist-spears"), Pursuit(unit="a"), dice(1))
    for _ in range(2):
        state = next_move(state, 1, 1)
    assert state.unit("a").morale is Morale.PURSUING
    assert next_move(next_move(state, 3, 3), 1, 1).unit("a").morale is Morale.OFF_TABLE


def test_mm_4_6_umpire_tells_when_unplaced_units_leave_the_table() -> None:
    state, _ = PURSUIT.execute(victory("mahdist-spears", at=False), Pursuit(unit="a"), dice(1))
    state = next_move(state, 1, 1)
    assert state.unit("a").morale is Morale.PURSUING
    assert next_move(state, 1, 1, circumstances=("left the table",)).unit("a").morale is Morale.OFF_TABLE


def test_mm_4_6_general_may_reroll_a_failed_pursuit_test() -> None:
    state, _ = PURSUIT.execute(victory("mahdist-spears", general="g"), Pursuit(unit="a"), dice(2))
    assert state.unit("a").morale is Morale.STEADY
    after, _ = REROLL.execute(state, Reroll(unit="a"), dice(6))
    assert (after.unit("a").morale, after.unit("b").on_table) == (Morale.STEADY, True)


def test_mm_4_6_unit_still_in_melee_does_not_pursue() -> None:
    loser = unit("zulus", "b", BLUE, casualties=9)
    state, _ = play_part(make_contact, field(unit("mahdist-spears"), loser, unit("zulus", "c", BLUE)), "a", "b", 10)
    state, _ = play_part(make_contact, state, "c", "a", 10)
    owing = add_prompt(state.model_copy(update={"prompts": ()}), "b", Owes.MELEE_LOST, by="a", lost_in_a_row=1)
    after, _ = MORALE.execute(owing, MoraleTest(unit="b"), dice(1, 1))
    assert after.unit("b").morale is Morale.ROUTED
    assert (after.unit("a").melee_with, prompts_of(after, "a")) == ("c", ())


def test_mm_4_6_a_pursuers_move_is_never_secret() -> None:
    state = add_prompt(field(unit("zulus", at=(20, 20), morale=Morale.PURSUING)), "a", Owes.PURSUIT_MOVE)
    with pytest.raises(Refused, match="Everyone sees A pursue"):
        PURSUIT.execute(state, Pursuit(unit="a", secret=True), NoDice())
    assert PURSUIT.execute(state, Pursuit(unit="a"), dice(3, 4))[1].audience is None
