"""Results of a throw, and their text."""

from dataclasses import dataclass
from enum import IntEnum

from rules.core.dice import Throw
from rules.core.wording import count_of


class TotalUnit(IntEnum):
    """The unit of a total, in ascending order. Two joined parts have the higher of their units."""

    POINTS = 0
    SUCCESSES = 1
    LESS_FAILURES = 2


@dataclass(frozen=True)
class ThrownValue:
    """A thrown part of an expression: its total, and its text with the thrown dice."""

    total: int
    text: str


@dataclass(frozen=True)
class ThrownRoll:
    """A finished roll: the typed expression, and its result as total, text and thrown dice."""

    formula: str
    total: int
    text: str
    unit: TotalUnit
    throws: tuple[Throw, ...] = ()

    @property
    def words(self) -> str:
        """The total in words: `8`, `3 successes`."""
        return total_in_words(self.total, self.unit)

    def __str__(self) -> str:
        return f"{self.text}{' = ' if self.unit is TotalUnit.POINTS else ': '}{self.words}"


def total_in_words(total: int, unit: TotalUnit) -> str:
    """Return a total in words: `8`, `3 successes`, `no success`, `1 success less than failures`."""
    if unit is TotalUnit.POINTS:
        return str(total)
    if total == 0:
        return "no success" if unit is TotalUnit.SUCCESSES else "as many successes as failures"
    count = count_of(abs(total), "success", "successes")
    if total > 0:
        return count
    return f"{count} less than failures" if unit is TotalUnit.LESS_FAILURES else f"{count} too few"
