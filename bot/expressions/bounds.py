"""Bounds of a dice expression, checked before any dice are thrown: numbers of dice, lowest and highest totals."""

from dataclasses import dataclass, replace
from typing import NamedTuple

MAX_DICE = 200
MAX_SIDES = 1000
MAX_REPEATS = 20
MAX_TOTAL = 10**12


class Span(NamedTuple):
    """Lowest and highest possible total of an expression's part."""

    low: int
    high: int

    def with_nothing(self) -> "Span":
        """Return this span extended to include 0, for a part that may be dropped."""
        return Span(min(self.low, 0), max(self.high, 0))


@dataclass(frozen=True)
class PoolBounds:
    """Bounds of one pool: number of kept dice, lowest and highest face, and all possible faces.

    `faces` is None for the parts of a bracket, whose totals may be any number.
    """

    fewest: int
    most: int
    low: int
    high: int
    sides: int
    faces: frozenset[int] | None = None

    def with_any_face(self) -> "PoolBounds":
        """Return the bounds after extra dice or rerolls: every face is possible."""
        every = None if self.faces is None else self.faces.union(range(1, self.sides + 1))
        return replace(self, low=min(self.low, 1), high=max(self.high, self.sides), faces=every)

    @property
    def total(self) -> Span:
        """Return the span of the pool's total; each die counts at least 0."""
        return Span(self.fewest * self.low, self.most * self.high)
