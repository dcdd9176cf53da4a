"""Parse typed dice expressions, and check the bounds of their rolls. A refusal says what to write instead."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken, VisitError

from rules.core.dice import Dice
from rules.core.refusal import Refused

from . import shorthand
from .bounds import MAX_DICE, MAX_REPEATS, MAX_TOTAL
from .builder import build_expression
from .cup import DiceCup
from .parts import Part
from .value import ThrownRoll

MAX_LENGTH = 200
MAX_NESTING = 10
SHOWN = 60
"""Maximum characters of an expression quoted in a refusal."""

EXAMPLES = "Write it like 2d6+1, 4d6k3, 4d6r1, 10d6>=5, 3d6!, d20 adv, 6x2d6 or 2d6; d8."
NO_DIE = "There is no die in “{}”, so nothing would be thrown. " + EXAMPLES
SHOWN_NEXT = 12
"""Maximum characters quoted from the first unexpected character on."""


@dataclass(frozen=True)
class Roll:
    """One roll of an expression, and the number of times to throw it."""

    formula: str
    part: Part
    repeats: int

    def throw(self, dice: Dice, label: str) -> ThrownRoll:
        """Throw the roll once, and return its result."""
        cup = DiceCup(dice, label, self.part.dice_count)
        value = self.part.throw(cup)
        text = f"{value.text}, stopped at {MAX_DICE} dice" if cup.stopped else value.text
        return ThrownRoll(self.formula, value.total, text, self.part.unit, cup.throws)


@dataclass(frozen=True)
class Expression:
    """An expression whose rolls are within all bounds."""

    formula: str
    rolls: tuple[Roll, ...]
    comment: str

    @property
    def repeats(self) -> int:
        """The number of results of the expression."""
        return sum(roll.repeats for roll in self.rolls)

    def throw(self, dice: Dice, label: str = "") -> tuple[ThrownRoll, ...]:
        """Throw every roll as often as it repeats, and return the results in order."""
        return tuple(roll.throw(dice, label or self.comment) for roll in self.rolls for _ in range(roll.repeats))


class _NotAnExpression(Refused):
    """Refusal of a text that is no dice expression."""


@lru_cache(maxsize=256)
def parse_expression(text: str, repeats: int = 1) -> Expression:
    """Parse a dice expression with an optional `# comment`, to be thrown `repeats` times.

    Raises Refused if the text cannot be read, or if the expression exceeds a bound.
    """
    if len(text) > MAX_LENGTH:
        raise Refused(f"That is {len(text)} characters long; an expression has {MAX_LENGTH} at most.")
    unreadable = _NotAnExpression(EXAMPLES)
    for formula, comment in shorthand.find_comment_splits(text):
        try:
            rolls = tuple(_parse_roll(part, repeats) for part in shorthand.split_rolls(formula))
        except _NotAnExpression as error:
            unreadable = error
            continue
        _require_within_bounds(rolls)
        return Expression(" ".join(formula.split()), rolls, comment)
    raise unreadable


def _parse_roll(text: str, repeats: int) -> Roll:
    """Parse one roll, to be thrown `repeats` times, or 6 times as often for `6x2d6`. Raises Refused."""
    depth = max(accumulate((char == "(") - (char == ")") for char in text), default=0)
    if depth > MAX_NESTING:
        raise Refused(f"Those brackets are {depth} deep; the limit is {MAX_NESTING}.")
    formula = shorthand.expand_shorthand(text)
    try:
        own_repeats, part = build_expression(_load_grammar().parse(formula))
    except UnexpectedInput as error:
        fault = _describe_fault(error, formula, is_as_typed=formula == text)
        why = f"“{text.strip()[:SHOWN]}” cannot be read as dice: {fault}."
        raise _NotAnExpression(f"{why} {shorthand.find_notation_advice(text) or EXAMPLES}") from None
    except VisitError as error:
        raise error.orig_exc from None
    if not part.dice_count:
        raise Refused(NO_DIE.format(text.strip()[:SHOWN]))
    return Roll(" ".join(text.split()), part, repeats * own_repeats)


def _describe_fault(error: UnexpectedInput, formula: str, *, is_as_typed: bool) -> str:
    """Return in words what is wrong in the formula. Omit the column number for a rewritten text."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "something is missing at the end"
    fault = f"character {error.column}" if is_as_typed else f"“{formula[error.column - 1 :][:SHOWN_NEXT]}”"
    return f"{fault} is unexpected"


def _require_within_bounds(rolls: Sequence[Roll]) -> None:
    repeats = sum(roll.repeats for roll in rolls)
    if not all(roll.repeats for roll in rolls) or repeats > MAX_REPEATS:
        raise Refused(f"It can be thrown from once to {MAX_REPEATS} times, not {repeats} times.")
    if (dice := sum(roll.part.dice_count * roll.repeats for roll in rolls)) > MAX_DICE:
        raise Refused(f"That is {dice} dice; the limit is {MAX_DICE} at once.")
    if any(max(map(abs, roll.part.span)) > MAX_TOTAL for roll in rolls):
        raise Refused("That can come to more than a million millions. Take smaller numbers.")


@cache
def _load_grammar() -> Lark:
    grammar = files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, g_regex_flags=re.IGNORECASE)
