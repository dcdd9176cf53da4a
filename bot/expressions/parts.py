"""The parts of an expression around its dice: numbers, sums, comparisons, labels."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from typing_extensions import override

from rules.core.refusal import Refused

from .bounds import Span
from .cup import Cup
from .dice_choice import COMPARISONS
from .pool import Pool
from .value import TotalUnit, Value


class Part(Protocol):
    """A part of an expression."""

    @property
    def dice(self) -> int:
        """Number of dice thrown, without extra dice."""
        ...

    @property
    def span(self) -> Span:
        """Return the lowest and highest possible total."""
        ...

    @property
    def unit(self) -> TotalUnit:
        """Return the unit of the total."""
        ...

    def throw(self, cup: Cup) -> Value:
        """Throw the part's dice, and return its value."""
        ...


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
    dice: int = 0
    unit: TotalUnit = TotalUnit.POINTS

    @property
    def span(self) -> Span:
        """Return the number as both bounds."""
        return Span(self.number, self.number)

    @override
    def throw(self, cup: Cup) -> Value:
        """Return the number; nothing is thrown."""
        return Value(self.number, str(self.number))


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
    def dice(self) -> int:
        """Return the number of dice in both parts."""
        return self.left.dice + self.right.dice

    @cached_property
    def span(self) -> Span:
        """Return the span of the result. Extreme results come from the ends of both spans, except for a remainder."""
        if self.sign == MODULO:
            return Span(0, self.right.span.high - 1)
        ends = [OPERATORS[self.sign](left, right) for left in self.left.span for right in self.right.span]
        return Span(min(ends), max(ends))

    @property
    def unit(self) -> TotalUnit:
        """Return the unit of the part that counts dice, else points."""
        return max(self.left.unit, self.right.unit)

    def throw(self, cup: Cup) -> Value:
        """Throw both operands and apply the operator."""
        left, right = self.left.throw(cup), self.right.throw(cup)
        return Value(OPERATORS[self.sign](left.total, right.total), f"{left.text} {self.sign} {right.text}")


@dataclass(frozen=True)
class Compared:
    """A comparison of two totals: 1 success if true, else 0."""

    left: Part
    compare: str
    right: Part
    unit: TotalUnit = TotalUnit.SUCCESSES

    @property
    def span(self) -> Span:
        """Return the span from 0 to 1 success."""
        return Span(0, 1)

    @property
    def dice(self) -> int:
        """Return the number of dice in both parts."""
        return self.left.dice + self.right.dice

    def throw(self, cup: Cup) -> Value:
        """Throw both parts, and compare their totals."""
        left, right = self.left.throw(cup), self.right.throw(cup)
        total = int(COMPARISONS[self.compare](left.total, right.total))
        sign = "==" if self.compare == "=" else self.compare
        return Value(total, f"{_with_total(self.left, left)} {sign} {_with_total(self.right, right)}")


def _with_total(part: Part, value: Value) -> str:
    """Return a value's text, with its total unless the part is a plain number."""
    return value.text if isinstance(part, NumberPart) else f"{value.text} = {value.total}"


@dataclass(frozen=True)
class Wrapper:
    """A part with further notation, such as a label. By default it has the dice, unit and span of the inner part."""

    part: Part

    @property
    def dice(self) -> int:
        """Return the number of dice."""
        return self.part.dice

    @property
    def unit(self) -> TotalUnit:
        """Return the unit of the total."""
        return self.part.unit

    @property
    def span(self) -> Span:
        """Return the span of the total."""
        return self.part.span


class Negative(Wrapper):
    """A part with a leading minus sign."""

    @property
    def span(self) -> Span:
        """Return the span with the sign reversed."""
        return Span(-self.part.span.high, -self.part.span.low)

    def throw(self, cup: Cup) -> Value:
        """Throw the part, and return its value with the sign reversed."""
        value = self.part.throw(cup)
        return Value(-value.total, f"-{value.text}")


@dataclass(frozen=True)
class Labelled(Wrapper):
    """A part with a label: `2d6[fire]`."""

    label: str

    def throw(self, cup: Cup) -> Value:
        """Throw the part, and return its value with the label."""
        value = self.part.throw(cup)
        return Value(value.total, f"{value.text} {self.label}")


def apply_advantage(part: Part, best: str) -> Part:
    """Return the part with its first die thrown twice. `best` is HIGHEST or LOWEST: that die is kept.

    Raises Refused if advantage does not apply to the part.
    """
    match part:
        case Pool():
            return part.with_advantage(best)
        case Operation(left=first) | Compared(left=first):
            return replace(part, left=apply_advantage(first, best))
        case Labelled(part=inner):
            return replace(part, part=apply_advantage(inner, best))
        case _:
            raise Refused("adv and dis are for one die at the beginning. Write it like d20+5 adv.")
