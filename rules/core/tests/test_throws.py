"""The kinds of throw: their results, and the exact chance of each."""

from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.dice import Throw
from rules.core.model import Cite
from rules.core.report import Modifier
from rules.core.throws import (
    Distribution,
    ScoreThrow,
    Volley,
    chance_of_at_least,
    dice_sum_distribution,
    difference_distribution,
    sum_distribution,
)


def make_throw(*faces: int, sides: int = 6) -> Throw:
    return Throw(number=1, label="", sides=sides, dice=faces)


def adding(value: int) -> Modifier:
    return Modifier(value=Fraction(value), reason="", cite=Cite(rule="T"))


def reckoned(die: icepool.Die) -> Distribution:
    return tuple((score, Fraction(die.quantity(score), die.denominator())) for score in die.outcomes())


@given(st.integers(0, 4), st.integers(1, 10))
def test_sums_are_icepools(dice: int, sides: int) -> None:
    assert dice_sum_distribution(dice, sides) == (reckoned(dice @ icepool.d(sides)) if dice else ((0, Fraction(1)),))


def test_chance_of_a_minimum() -> None:
    distribution = dice_sum_distribution(1, 6)
    assert [chance_of_at_least(distribution, least) for least in (1, 2, 6, 7)] == [1, Fraction(5, 6), Fraction(1, 6), 0]


def test_a_test_passes_from_its_score_on() -> None:
    test = ScoreThrow(2, 6, 7, (adding(2), adding(-1)))
    assert test.adjustment == 1
    assert (test.score(make_throw(2, 4)), test.passes(make_throw(2, 4)), test.passes(make_throw(2, 3))) == (
        7,
        True,
        False,
    )
    assert (test.distribution[0], test.distribution[-1]) == ((3, Fraction(1, 36)), (13, Fraction(1, 36)))
    assert test.chance == Fraction(26, 36)
    assert ScoreThrow(2, 6, 7).chance == Fraction(21, 36)


@given(st.integers(1, 3), st.integers(-3, 3), st.integers(-2, 20))
def test_chance_of_a_test_counts_the_passing_throws(dice: int, plus: int, needed: int) -> None:
    test = ScoreThrow(dice, 6, needed, (adding(plus),))
    assert test.chance == chance_of_at_least(reckoned(dice @ icepool.d6 + plus), needed)


@pytest.mark.parametrize(
    ("needed", "chance"), [(0, 1), (1, 1), (2, Fraction(5, 6)), (6, Fraction(1, 6)), (7, 0), (9, 0)]
)
def test_each_die_of_a_volley_hits_from_its_face_on(needed: int, chance: Fraction) -> None:
    volley = Volley(3, 6, needed)
    assert volley.chance_per_die == chance
    assert volley.chance == 1 - (1 - chance) ** 3
    assert volley.count_hits(make_throw(1, 5, 6)) == sum(face >= needed for face in (1, 5, 6))


@given(st.integers(1, 5), st.integers(2, 10), st.integers(0, 11))
def test_the_hits_of_a_volley_are_icepools(dice: int, sides: int, needed: int) -> None:
    hits = dice @ (icepool.d(sides) >= needed)
    assert Volley(dice, sides, needed).distribution == tuple(pair for pair in reckoned(hits) if pair[1])
    assert sum(chance for _, chance in Volley(dice, sides, needed).distribution) == 1


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 8)), max_size=3), st.integers(1, 4), st.integers(1, 7))
def test_the_hits_of_several_volleys_are_added_up_and_compared(
    several: list[tuple[int, int]], dice: int, needed: int
) -> None:
    ours = sum_distribution(*(Volley(count, 6, least).distribution for count, least in several))
    theirs = Volley(dice, 6, needed)
    hits = sum((count @ (icepool.d6 >= least) for count, least in several), start=icepool.Die([0]))
    assert ours == tuple(pair for pair in reckoned(hits) if pair[1])
    ahead = hits - dice @ (icepool.d6 >= needed)
    assert difference_distribution(ours, theirs.distribution) == tuple(pair for pair in reckoned(ahead) if pair[1])


@given(st.integers(1, 3), st.integers(-4, 4), st.integers(1, 20), st.integers(1, 18))
def test_a_roll_that_always_passes_is_in_the_chance(dice: int, plus: int, needed: int, always: int) -> None:
    test = ScoreThrow(dice, 6, needed, (adding(plus),), always)
    pool = dice @ icepool.d6
    passes = pool.map(lambda total: total + plus >= needed or total >= always)
    assert test.chance == Fraction(passes.quantity(True), passes.denominator())
    assert test.chance == (0 if test.pass_from is None else chance_of_at_least(test.distribution, test.pass_from))


def test_throw_is_saved_when_only_an_automatic_pass_helps() -> None:
    test = ScoreThrow(2, 6, 12, (), always=10)
    assert [test.passes(make_throw(5, low)) for low in (4, 5)] == [False, True]
    assert [test.passes_unadjusted(make_throw(*dice)) for dice in ((4, 4), (5, 5), (6, 6))] == [False, True, False]
