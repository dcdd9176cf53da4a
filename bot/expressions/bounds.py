"""Bounds of a dice expression, known before any dice are thrown: numbers of dice, lowest and highest totals."""

from dataclasses import dataclass, replace
from typing import NamedTuple

MAX_DICE = 200
MAX_SIDES = 1000
MAX_REPEATS = 20
MAX_TOTAL = 10**12


class TotalSpan(NamedTuple):
    """Lowest and highest possible total of a part of an expression."""

    low: int
    high: int

    def extended_to_zero(self) -> "TotalSpan":
        """Return the lowest and highest total if the part may also be dropped, and then adds 0."""
        return TotalSpan(min(self.low, 0), max(self.high, 0))


@dataclass(frozen=True)
class PoolBounds:
    """Bounds of one pool: the number of kept dice, and the faces that they can show.

    `faces` is None for a bracket, because its parts may have any total.
    """

    fewest: int
    most: int
    low: int
    high: int
    sides: int
    faces: frozenset[int] | None = None

    def with_any_face(self) -> "PoolBounds":
        """Return the bounds after extra dice or rerolls, which may show any face."""
        every = None if self.faces is None else self.faces.union(range(1, self.sides + 1))
        return replace(self, low=min(self.low, 1), high=max(self.high, self.sides), faces=every)

    @property
    def total_span(self) -> TotalSpan:
        """The lowest and the highest possible total of the pool."""
        return TotalSpan(self.fewest * self.low, self.most * self.high)
