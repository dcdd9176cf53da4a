"""What a throw came to, and how that is said."""

from dataclasses import dataclass
from enum import IntEnum

from rules.core.dice import Throw
from rules.core.wording import counted


class Unit(IntEnum):
    """What a number counts; of two that are put together, the greater."""

    POINTS = 0
    SUCCESSES = 1
    LESS_FAILURES = 2


@dataclass(frozen=True)
class Value:
    """Part of an expression after the throw: its total, and how it is written with the dice that fell."""

    total: int
    text: str


@dataclass(frozen=True)
class Thrown:
    """A roll after the throw: what was typed, and what came of it, in dice and in words."""

    formula: str
    total: int
    text: str
    unit: Unit
    throws: tuple[Throw, ...] = ()

    @property
    def words(self) -> str:
        """`8`, `3 successes`."""
        return in_words(self.total, self.unit)

    def __str__(self) -> str:
        return f"{self.text}{' = ' if self.unit is Unit.POINTS else ': '}{self.words}"


def in_words(total: int, unit: Unit) -> str:
    """`8`, `3 successes`, `no success`, `1 success less than failures`."""
    if unit is Unit.POINTS:
        return str(total)
    if total == 0:
        return "no success" if unit is Unit.SUCCESSES else "as many successes as failures"
    many = counted(abs(total), "success", "successes")
    if total > 0:
        return many
    return f"{many} less than failures" if unit is Unit.LESS_FAILURES else f"{many} too few"
