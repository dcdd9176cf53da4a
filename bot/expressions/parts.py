"""The parts of an expression around its dice: numbers, sums, comparisons, labels."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from typing_extensions import override

from rules.core.refusal import Refused

from .bounds import TotalSpan
from .cup import DiceCup
from .dice_choice import COMPARISONS
from .pool import Pool
from .value import ThrownValue, TotalUnit


class Part(Protocol):
    """A part of an expression."""

    @property
    def dice_count(self) -> int:
        """The number of dice thrown, without extra dice."""

    @property
    def span(self) -> TotalSpan:
        """The lowest and the highest possible total."""

    @property
    def unit(self) -> TotalUnit:
        """The unit of the total: points or successes."""

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw the part's dice, and return its value."""


MODULO = "%"
OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "//": operator.floordiv,
    MODULO: operator.mod,
}
DIVIDING = ("/", "//", MODULO)


@dataclass(frozen=True)
class NumberPart(Part):
    """A literal number."""

    number: int
    dice_count: int = 0
    unit: TotalUnit = TotalUnit.POINTS

    @property
    def span(self) -> TotalSpan:
        """The span whose lowest and highest total are the number."""
        return TotalSpan(self.number, self.number)

    @override
    def throw(self, cup: DiceCup) -> ThrownValue:
        """Return the number; nothing is thrown."""
        return ThrownValue(self.number, str(self.number))


@dataclass(frozen=True)
class Operation:
    """Two parts joined by an arithmetic operator. The left part is thrown first."""

    left: Part
    sign: str
    right: Part

    def __post_init__(self) -> None:
        if self.sign in DIVIDING and self.right.span.low < 1:
            raise Refused("Nothing can be divided by 0. Divide by 1 or more.")

    @property
    def dice_count(self) -> int:
        """The number of dice in both parts."""
        return self.left.dice_count + self.right.dice_count

    @cached_property
    def span(self) -> TotalSpan:
        """The lowest and the highest possible total. The lowest remainder of a division is 0."""
        if self.sign == MODULO:
            return TotalSpan(0, self.right.span.high - 1)
        ends = [OPERATORS[self.sign](left, right) for left in self.left.span for right in self.right.span]
        return TotalSpan(min(ends), max(ends))

    @property
    def unit(self) -> TotalUnit:
        """The higher unit of both parts: if either part counts dice, the total counts dice."""
        return max(self.left.unit, self.right.unit)

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw both parts, and apply the operator to their totals."""
        left, right = self.left.throw(cup), self.right.throw(cup)
        return ThrownValue(OPERATORS[self.sign](left.total, right.total), f"{left.text} {self.sign} {right.text}")


@dataclass(frozen=True)
class TotalComparison:
    """A comparison of two totals, which counts as 1 success if it is true, otherwise as 0."""

    left: Part
    compare: str
    right: Part
    unit: TotalUnit = TotalUnit.SUCCESSES

    @property
    def span(self) -> TotalSpan:
        """The span from 0 to 1 success."""
        return TotalSpan(0, 1)

    @property
    def dice_count(self) -> int:
        """The number of dice in both parts."""
        return self.left.dice_count + self.right.dice_count

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw both parts, and compare their totals."""
        left, right = self.left.throw(cup), self.right.throw(cup)
        total = int(COMPARISONS[self.compare](left.total, right.total))
        sign = "==" if self.compare == "=" else self.compare
        return ThrownValue(total, f"{_text_with_total(self.left, left)} {sign} {_text_with_total(self.right, right)}")


def _text_with_total(part: Part, value: ThrownValue) -> str:
    """Return the text of a part's value, with the total unless the part is a plain number."""
    return value.text if isinstance(part, NumberPart) else f"{value.text} = {value.total}"


@dataclass(frozen=True)
class WrappedPart:
    """A part around an inner `part`, such as a label. It has the inner part's dice, unit and span."""

    part: Part

    @property
    def dice_count(self) -> int:
        """The number of dice."""
        return self.part.dice_count

    @property
    def unit(self) -> TotalUnit:
        """The unit of the total."""
        return self.part.unit

    @property
    def span(self) -> TotalSpan:
        """The span of the total."""
        return self.part.span


class NegativePart(WrappedPart):
    """A part with a leading minus sign."""

    @property
    def span(self) -> TotalSpan:
        """The span of the total, with the sign reversed."""
        return TotalSpan(-self.part.span.high, -self.part.span.low)

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw the part, and return its value with the sign reversed."""
        value = self.part.throw(cup)
        return ThrownValue(-value.total, f"-{value.text}")


@dataclass(frozen=True)
class LabelledPart(WrappedPart):
    """A part with a label: `2d6[fire]`."""

    label: str

    def throw(self, cup: DiceCup) -> ThrownValue:
        """Throw the part, and return its value with the label."""
        value = self.part.throw(cup)
        return ThrownValue(value.total, f"{value.text} {self.label}")


def apply_advantage(part: Part, best: str) -> Part:
    """Return the part with its first die thrown twice, keeping the HIGHEST or LOWEST (`best`).

    Raises Refused if the part does not begin with a single die.
    """
    match part:
        case Pool():
            return part.with_advantage(best)
        case Operation(left=first) | TotalComparison(left=first):
            return replace(part, left=apply_advantage(first, best))
        case LabelledPart(part=inner):
            return replace(part, part=apply_advantage(inner, best))
        case _:
            raise Refused("adv and dis are for one die at the beginning. Write it like d20+5 adv.")
