"""Expected against thrown: what the dice owe each side."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

from .dice import Throw
from .model import Model, Viewer

USUAL = 6
"""Sides of the die whose faces are counted."""


class Luck(Model):
    """A side's dice: how many, their sum, the sum to be expected, and how often each face of a D6 came up.

    `variance` is that of the sum, by which its distance from the expected is to be judged.
    """

    side: Viewer
    dice: int
    total: int
    expected: Fraction
    variance: Fraction
    faces: Mapping[int, int]

    @property
    def deviations(self) -> float:
        """How many standard deviations the sum is above (or below) the expected; 0 without dice."""
        return float(self.total - self.expected) / sqrt(self.variance) if self.variance else 0.0


def luck(throws: Iterable[tuple[Viewer, Throw]]) -> tuple[Luck, ...]:
    """The luck of every side that threw, in the order in which they first did."""
    by_side: dict[Viewer, list[Throw]] = {}
    for side, throw in throws:
        by_side.setdefault(side, []).append(throw)
    return tuple(_of(side, thrown) for side, thrown in by_side.items())


def _of(side: Viewer, throws: list[Throw]) -> Luck:
    usual = [die for throw in throws if throw.sides == USUAL for die in throw.dice]
    return Luck(
        side=side,
        dice=sum(len(throw.dice) for throw in throws),
        total=sum(throw.total for throw in throws),
        expected=sum((len(throw.dice) * Fraction(throw.sides + 1, 2) for throw in throws), Fraction(0)),
        variance=sum((len(throw.dice) * Fraction(throw.sides**2 - 1, 12) for throw in throws), Fraction(0)),
        faces={face: usual.count(face) for face in range(1, USUAL + 1)},
    )
