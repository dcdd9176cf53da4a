"""How much may be thrown, and between what an expression can come to, reckoned before anything is thrown."""

from dataclasses import dataclass
from typing import NamedTuple

MAX_DICE = 200
MAX_SIDES = 1000
MAX_REPEATS = 20
MAX_TOTAL = 10**12


class Span(NamedTuple):
    """The least and the greatest that a part of an expression can come to."""

    low: int
    high: int

    def plus(self, other: "Span") -> "Span":
        """Of both added."""
        return Span(self.low + other.low, self.high + other.high)

    def less(self, other: "Span") -> "Span":
        """Of the other taken from this one."""
        return Span(self.low - other.high, self.high - other.low)

    def times(self, other: "Span") -> "Span":
        """Of both multiplied."""
        corners = [one * by for one in self for by in other]
        return Span(min(corners), max(corners))

    def over(self, other: "Span") -> "Span":
        """Of this one divided, rounded down, by another that is never under 1."""
        corners = [one // by for one in self for by in other]
        return Span(min(corners), max(corners))

    def rest(self, other: "Span") -> "Span":
        """Of what is left over by a division."""
        return Span(0, other.high - 1)

    def with_nothing(self) -> "Span":
        """Of this one, where it may also be left out."""
        return Span(min(self.low, 0), max(self.high, 0))


@dataclass(frozen=True)
class Extent:
    """What can lie on the table of dice thrown together: how many count, and what each can show."""

    fewest: int
    most: int
    low: int
    high: int
    sides: int

    @property
    def total(self) -> Span:
        """Of all added up; no die counts less than 0."""
        return Span(self.fewest * self.low, self.most * self.high)
