"""BE-1: reinforcements arrive by dice, if there is room."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.ruleset import Refused
from rules.empire.model import Formation, Reserve
from rules.empire.shared import find_unit_on_table
from rules.empire.turning import sequence

from .field import BLUE, RED, dice, field, play_part, two_companies, unit


def test_be_1_reinforcements_arrive_on_their_score_from_their_turn_on() -> None:
    late = unit("british-regulars", "late", RED, reserve=Reserve(turn=2, score=4, x=30, y=45))
    state = field(*two_companies(), late)
    assert play_part(sequence.throw_for_reserves, state) == (state, ())
    state = state.model_copy(update={"turn": 2})
    waits, steps = play_part(sequence.throw_for_reserves, state, with_dice=dice(3))
    assert waits.unit("late").reserve is not None
    assert (steps[0].chance, steps[0].verdict) == (Fraction(1, 2), "do not arrive yet")
    comes, _ = play_part(sequence.throw_for_reserves, state, with_dice=dice(4))
    assert comes.unit("late").on_table
    assert comes.unit("late").place is not None
    with pytest.raises(Refused, match=r"have yet to arrive\. Choose another unit"):
        find_unit_on_table(state, "late")
    with pytest.raises(Refused, match=r"have left the table\. Choose another target"):
        find_unit_on_table(comes.changed("late", destroyed=True), "late", "target")


@pytest.mark.parametrize(("score", "chance"), [(1, 1), (2, Fraction(5, 6)), (4, Fraction(1, 2)), (6, Fraction(1, 6))])
def test_be_1_the_chance_of_arrival(score: int, chance: Fraction) -> None:
    late = unit("british-regulars", "late", RED, reserve=Reserve(turn=1, score=score, x=30, y=45))
    _, (step,) = play_part(sequence.throw_for_reserves, field(*two_companies(), late), with_dice=dice(6))
    assert step.chance == chance


def test_be_1_without_dice_reinforcements_arrive_when_they_are_due() -> None:
    late = unit("british-regulars", "late", RED, reserve=Reserve(turn=1, score=6, x=30, y=45))
    state = field(*two_companies(), late, options={"reinforcements_by_dice": False})
    assert play_part(sequence.throw_for_reserves, state)[0].unit("late").on_table


def test_be_1_a_leader_with_a_reinforcement_comes_on_with_it() -> None:
    reserve = Reserve(turn=1, score=1, x=30, y=45)
    late = unit("british-regulars", "late", RED, reserve=reserve)
    leader = unit("leader", "colley", RED, reserve=reserve, attached_to="late")
    later = unit("zulus", "later", BLUE, reserve=reserve.model_copy(update={"turn": 2}))
    after, _ = play_part(sequence.throw_for_reserves, field(*two_companies(), late, leader, later), with_dice=dice(1))
    assert after.unit("colley").place == after.unit("late").place is not None
    assert after.unit("later") == later


def test_be_1_reinforcements_without_places_arrive_on_an_empty_table() -> None:
    late = unit("british-regulars", "late", RED, reserve=Reserve(turn=1, score=1, x=30, y=45))
    state = field(late).model_copy(update={"choices": {"positions": "none"}})
    after, _ = play_part(sequence.throw_for_reserves, state, with_dice=dice(1))
    assert after.unit("late").on_table
    assert after.unit("late").place is None


@given(st.integers(1, 30))
def test_be_1_reinforcements_do_not_arrive_on_other_units(stands: int) -> None:
    reserve = Reserve(turn=1, score=1, x=30, y=44)
    first = unit("british-regulars", "late", RED, stands=stands, formation=Formation.MASSED, reserve=reserve)
    second = unit("british-regulars", "later", RED, reserve=reserve)
    after, _ = play_part(sequence.throw_for_reserves, field(*two_companies(), first, second), with_dice=dice(1, 1))
    assert after.unit("late").place != after.unit("later").place


@pytest.mark.parametrize(("positions", "east"), [((30, 27, 24), True), ((30, 33, 36), False)])
def test_be_1_reinforcement_without_room_arrives_at_the_nearest_point(positions: tuple[int, ...], east: bool) -> None:
    blockers = [unit("british-regulars", f"s{x}", RED, at=(x, 44)) for x in positions]
    late = unit("british-regulars", "late", RED, reserve=Reserve(turn=1, score=1, x=30, y=44))
    place = (
        play_part(sequence.throw_for_reserves, field(*two_companies(), *blockers, late), with_dice=dice(1))[0]
        .unit("late")
        .place
    )
    assert place is not None
    assert (place.x > 30, place.y) == (east, 44)
    assert abs(place.x - 30) < 10
