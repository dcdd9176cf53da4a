"""The parts of an expression that stand around its dice: numbers, sums, comparisons, labels."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

from typing_extensions import override

from rules.core.refusal import Refused

from .bounds import Span
from .cup import Cup
from .pool import Pool
from .rolled_dice import COMPARISONS
from .value import Unit, Value


class Part(Protocol):
    """A part of an expression."""

    @property
    def dice(self) -> int:
        """Number of dice thrown, without extra dice."""
        ...

    @property
    def span(self) -> Span:
        """Between what its total lies."""
        ...

    @property
    def unit(self) -> Unit:
        """What it counts."""
        ...

    def thrown(self, cup: Cup) -> Value:
        """Throws it."""
        ...


class Work(NamedTuple):
    """Arithmetic of one operator: the result and its span."""

    total: Callable[[int, int], int]
    span: Callable[[Span, Span], Span]


WORKS: Mapping[str, Work] = {
    "+": Work(operator.add, Span.plus),
    "-": Work(operator.sub, Span.less),
    "*": Work(operator.mul, Span.times),
    "/": Work(operator.floordiv, Span.over),
    "//": Work(operator.floordiv, Span.over),
    "%": Work(operator.mod, Span.rest),
}
DIVIDING = ("/", "//", "%")


@dataclass(frozen=True)
class Number(Part):
    """A literal number."""

    number: int
    dice: int = 0
    unit: Unit = Unit.POINTS

    @property
    def span(self) -> Span:
        """Itself."""
        return Span(self.number, self.number)

    @override
    def thrown(self, cup: Cup) -> Value:
        """Return the number; nothing is thrown."""
        return Value(self.number, str(self.number))


@dataclass(frozen=True)
class Both:
    """Two parts with a sign between them, the left thrown first."""

    left: Part
    sign: str
    right: Part

    def __post_init__(self) -> None:
        if self.sign in DIVIDING and self.right.span.low < 1:
            raise Refused("Nothing can be divided by 0. Divide by 1 or more.")

    @property
    def dice(self) -> int:
        """Of both."""
        return self.left.dice + self.right.dice

    @cached_property
    def span(self) -> Span:
        """Return the span of the operation's result."""
        return WORKS[self.sign].span(self.left.span, self.right.span)

    @property
    def unit(self) -> Unit:
        """That of whichever counts anything."""
        return max(self.left.unit, self.right.unit)

    def thrown(self, cup: Cup) -> Value:
        """Throw both operands and apply the operator."""
        one, other = self.left.thrown(cup), self.right.thrown(cup)
        return Value(WORKS[self.sign].total(one.total, other.total), f"{one.text} {self.sign} {other.text}")


@dataclass(frozen=True)
class Compared:
    """The totals of two parts compared: 1 success, or none."""

    left: Part
    compare: str
    right: Part
    unit: Unit = Unit.SUCCESSES

    @property
    def span(self) -> Span:
        """None, or one."""
        return Span(0, 1)

    @property
    def dice(self) -> int:
        """Of both."""
        return self.left.dice + self.right.dice

    def thrown(self, cup: Cup) -> Value:
        """Throws both, and compares."""
        one, other = self.left.thrown(cup), self.right.thrown(cup)
        total = int(COMPARISONS[self.compare](one.total, other.total))
        sign = "==" if self.compare == "=" else self.compare
        return Value(total, f"{_reckoned(self.left, one)} {sign} {_reckoned(self.right, other)}")


def _reckoned(part: Part, value: Value) -> str:
    """Return a value's text, with its total unless the part is a plain number."""
    return value.text if isinstance(part, Number) else f"{value.text} = {value.total}"


@dataclass(frozen=True)
class Around:
    """A part wrapped in further notation."""

    part: Part

    @property
    def dice(self) -> int:
        """Of the part."""
        return self.part.dice

    @property
    def unit(self) -> Unit:
        """Of the part."""
        return self.part.unit

    @property
    def span(self) -> Span:
        """Of the part."""
        return self.part.span


class Negative(Around):
    """A part with a leading minus sign."""

    @property
    def span(self) -> Span:
        """Of the part, with its sign turned."""
        return Span(-self.part.span.high, -self.part.span.low)

    def thrown(self, cup: Cup) -> Value:
        """Throws the part."""
        value = self.part.thrown(cup)
        return Value(-value.total, f"-{value.text}")


@dataclass(frozen=True)
class Labelled(Around):
    """A part with a label: `2d6[fire]`."""

    label: str

    def thrown(self, cup: Cup) -> Value:
        """Throws the part."""
        value = self.part.thrown(cup)
        return Value(value.total, f"{value.text} {self.label}")


def favoured(part: Part, best: str) -> Part:
    """Return the expression with two dice for its first one, of which the best or worst counts. Raises Refused."""
    match part:
        case Pool():
            return part.favoured(best)
        case Both(left=first) | Compared(left=first):
            return replace(part, left=favoured(first, best))
        case Labelled(part=inner):
            return replace(part, part=favoured(inner, best))
        case _:
            raise Refused("adv and dis are for one die at the beginning. Write it like d20+5 adv.")
