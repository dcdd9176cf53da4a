"""Dice expressions, read, bounded, thrown and written out: nothing is thrown before everything is checked."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

from rules.core.dice import Dice, Throw
from rules.core.refused import Refused

MAX_LENGTH = 200
MAX_NESTING = 10
MAX_DICE = 200
MAX_SIDES = 1000
MAX_REPEATS = 20
MAX_DIGITS = 6
MAX_TOTAL = 10**12
PERCENTILE = 100

EXAMPLES = "Write it like 2d6+1, 4d6kh3, 10d6>=5, 3d6!, d100 or 6x2d6."

Work = Callable[[int, int], int]
COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}


@dataclass(frozen=True)
class Value:
    """Part of an expression after the throw: its total, and how it is written with the dice that fell."""

    total: int
    text: str
    throws: tuple[Throw, ...] = ()


@dataclass(frozen=True)
class Part:
    """Part of an expression: how many dice it throws, the greatest size it can have, and how it is thrown."""

    dice: int
    most: int
    thrown: Callable[[Dice, str], Value]


@dataclass(frozen=True)
class Throwing:
    """Dice thrown together. The best or worst may be kept, those that reach a score counted, the highest explode."""

    dice: int
    sides: int
    explode: bool = False
    keep: tuple[str, int] | None = None
    hits: tuple[str, int] | None = None

    def thrown(self, dice: Dice, label: str) -> Value:
        """Throws, and throws again for each die that explodes, to 200 dice at most."""
        throws = [dice.throw(self.dice, self.sides, label)]
        while self.explode:
            room = MAX_DICE - sum(len(throw.dice) for throw in throws)
            more = min(throws[-1].dice.count(self.sides), room)
            if not more:
                break
            throws.append(dice.throw(more, self.sides, label))
        fallen = [die for throw in throws for die in throw.dice]
        kept = self._kept(fallen)
        total = sum(fallen[place] for place in kept)
        if self.hits:
            name, bound = self.hits
            total = sum(COMPARISONS[name](fallen[place], bound) for place in kept)
        shown = "".join(f"[{die}]" if place in kept else f"({die})" for place, die in enumerate(fallen))
        return Value(total, f"{self} {shown}", tuple(throws))

    def _kept(self, fallen: Sequence[int]) -> frozenset[int]:
        if self.keep is None:
            return frozenset(range(len(fallen)))
        which, number = self.keep
        ranked = sorted(range(len(fallen)), key=lambda place: fallen[place], reverse=which == "kh")
        return frozenset(ranked[:number])

    def __str__(self) -> str:
        suffixes = ("".join(map(str, pair)) for pair in (self.keep, self.hits) if pair)
        return f"{self.dice}d{self.sides}{'!' if self.explode else ''}{''.join(suffixes)}"


@dataclass(frozen=True)
class Expression:
    """An expression that may be thrown: within all bounds."""

    formula: str
    part: Part
    repeats: int
    comment: str

    def throw(self, dice: Dice, label: str = "") -> tuple[Value, ...]:
        """One value a repeat."""
        return tuple(self.part.thrown(dice, label or self.comment) for _ in range(self.repeats))


@lru_cache(maxsize=256)
def read(text: str, repeats: int = 1) -> Expression:
    """The expression of a text, with `# a comment` behind it. Raises Refused when it is not one, or out of bounds."""
    if len(text) > MAX_LENGTH:
        raise Refused(f"That is {len(text)} characters long; an expression has {MAX_LENGTH} at most.")
    formula, _, comment = text.partition("#")
    depth = max(accumulate((char == "(") - (char == ")") for char in formula), default=0)
    if depth > MAX_NESTING:
        raise Refused(f"Those brackets are {depth} deep; {MAX_NESTING} is the most.")
    try:
        own_repeats, part = _Reader().transform(_GRAMMAR.parse(formula.casefold()))
    except UnexpectedInput as error:
        raise Refused(f"“{formula.strip()[:60]}” is no dice expression: {_place(error)}. {EXAMPLES}") from None
    except VisitError as error:
        raise error.orig_exc from None
    expression = Expression(" ".join(formula.split()), part, repeats * own_repeats, comment.strip())
    _check(expression)
    return expression


def _place(error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "it ends too early"
    return f"character {error.column} does not fit"


def _check(expression: Expression) -> None:
    if not 1 <= expression.repeats <= MAX_REPEATS:
        raise Refused(f"It can be thrown from once to {MAX_REPEATS} times, not {expression.repeats} times.")
    if (dice := expression.part.dice * expression.repeats) > MAX_DICE:
        raise Refused(f"That is {dice} dice; {MAX_DICE} is the most at once.")
    if expression.part.most > MAX_TOTAL:
        raise Refused("That can come to more than a million millions. Take smaller numbers.")


class _Reader(Transformer[Token, Any]):
    """Turns what the grammar found into parts, each checked as it is made."""

    def start(self, found: list[Any]) -> tuple[int, Part]:
        repeats, part = found
        return (1 if repeats is None else repeats), part

    def number(self, found: list[int]) -> Part:
        value = Value(found[0], str(found[0]))
        return Part(0, value.total, lambda _dice, _label: value)

    def bracket(self, found: list[Part], sign: int = 1, written: str = "({})") -> Part:
        """What is in brackets, or has a minus before it."""

        def thrown(dice: Dice, label: str) -> Value:
            value = found[0].thrown(dice, label)
            return Value(sign * value.total, written.format(value.text), value.throws)

        return replace(found[0], thrown=thrown)

    def negative(self, found: list[Part]) -> Part:
        return self.bracket(found, -1, "-{}")

    def add(self, found: list[Part]) -> Part:
        return self._both(found, "+", operator.add, operator.add)

    def subtract(self, found: list[Part]) -> Part:
        return self._both(found, "-", operator.sub, operator.add)

    def multiply(self, found: list[Part]) -> Part:
        return self._both(found, "*", operator.mul, operator.mul)

    def divide(self, found: list[Any]) -> Part:
        if found[1] < 1:
            raise Refused("Nothing can be divided by 0. Divide by 1 or more.")
        return self._both([found[0], self.number(found[1:])], "//", operator.floordiv, lambda most, _by: most)

    def _both(self, found: list[Part], sign: str, work: Work, most: Work) -> Part:
        """Two parts with a sign between them, the left thrown first; `most` makes the greatest size of theirs."""
        left, right = found

        def thrown(dice: Dice, label: str) -> Value:
            one, other = left.thrown(dice, label), right.thrown(dice, label)
            text = f"{one.text} {sign} {other.text}"
            return Value(work(one.total, other.total), text, (*one.throws, *other.throws))

        return Part(left.dice + right.dice, most(left.most, right.most), thrown)

    def dice(self, found: list[Any]) -> Part:
        count, sides, explode, keep, hits = found
        dice = Throwing(1 if count is None else count, sides, explode is not None, keep, hits)
        if not 1 <= dice.dice <= MAX_DICE:
            raise Refused(f"{dice.dice} dice cannot be thrown: from 1 to {MAX_DICE} can.")
        if not 1 <= dice.sides <= MAX_SIDES or (dice.explode and dice.sides == 1):
            raise Refused(f"A die of {dice.sides} cannot be thrown so: dice have from 2 to {MAX_SIDES} sides.")
        if keep and not 1 <= keep[1] <= dice.dice:
            raise Refused(f"Of {dice.dice} dice, {keep[1]} cannot be kept.")
        return Part(dice.dice, (MAX_DICE if dice.explode else dice.dice) * dice.sides, dice.thrown)

    def sides(self, found: list[Any]) -> int:
        return PERCENTILE if found[0] == "%" else int(found[0])

    def explode(self, _: list[Any]) -> bool:
        return True

    def keep(self, found: list[Any]) -> tuple[str, int]:
        return str(found[0]), found[1]

    hits = keep

    def repeat(self, found: list[int]) -> int:
        return found[0]

    count = repeat

    def INT(self, token: Token) -> int:  # noqa: N802
        if len(token) > MAX_DIGITS:
            raise Refused(f"{token[:10]}… is too large: a number has {MAX_DIGITS} digits at most.")
        return int(token)


_GRAMMAR = Lark(
    files("bot").joinpath("expression.lark").read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=True
)
