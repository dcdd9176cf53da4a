"""Luck: the difference between each side's throws and the average."""

from fractions import Fraction
from math import sqrt

import pytest

from rules.core.dice import Throw, compute_luck


def throw(*dice: int, sides: int = 6) -> Throw:
    return Throw(number=1, label="", sides=sides, dice=dice)


def test_sides_are_listed_in_the_order_of_their_first_throws() -> None:
    blue, red = compute_luck([("blue", throw(6, 6)), ("red", throw(1)), ("blue", throw(10, sides=10))])
    assert (blue.side, blue.dice, blue.total) == ("blue", 3, 22)
    assert blue.expected == 7 + Fraction(11, 2)
    assert blue.variance == 2 * Fraction(35, 12) + Fraction(99, 12)
    assert (red.side, red.dice, red.total, red.expected, red.variance) == (
        "red", 1, 1, Fraction(7, 2), Fraction(35, 12)
    )  # fmt: skip


def test_the_faces_of_d6_alone_are_counted() -> None:
    (luck,) = compute_luck([("red", throw(6, 1, 6)), ("red", throw(6, sides=10))])
    assert luck.faces == {1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 2}


def test_luck_is_measured_in_standard_deviations() -> None:
    (luck,) = compute_luck([("red", throw(6, 6))])
    assert luck.standard_deviations == pytest.approx(5 / sqrt(35 / 6))
    (coin,) = compute_luck([("red", throw(1, sides=1))])
    assert coin.standard_deviations == 0
