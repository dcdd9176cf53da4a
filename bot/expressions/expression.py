"""Parse typed dice expressions into rolls within all bounds. A refusal says what to write instead."""

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
from .builder import build
from .cup import Cup
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
        cup = Cup(dice, label, self.part.dice)
        value = self.part.throw(cup)
        text = f"{value.text}, stopped at {MAX_DICE} dice" if cup.stopped else value.text
        return ThrownRoll(self.formula, value.total, text, self.part.unit, cup.throws)


@dataclass(frozen=True)
class Expression:
    """A checked expression: its rolls are within all bounds."""

    formula: str
    rolls: tuple[Roll, ...]
    comment: str

    @property
    def repeats(self) -> int:
        """Number of results of the expression."""
        return sum(roll.repeats for roll in self.rolls)

    def throw(self, dice: Dice, label: str = "") -> tuple[ThrownRoll, ...]:
        """Throw every roll and its repeats, and return the results in order."""
        return tuple(roll.throw(dice, label or self.comment) for roll in self.rolls for _ in range(roll.repeats))


class _Unreadable(Refused):
    """The text is no dice expression."""


@lru_cache(maxsize=256)
def read(text: str, repeats: int = 1) -> Expression:
    """Parse a dice expression with an optional `# comment`. Raises Refused for invalid or excessive expressions."""
    if len(text) > MAX_LENGTH:
        raise Refused(f"That is {len(text)} characters long; an expression has {MAX_LENGTH} at most.")
    unreadable = _Unreadable(EXAMPLES)
    for formula, comment in shorthand.find_readings(text):
        try:
            rolls = tuple(_roll(part, repeats) for part in shorthand.split_rolls(formula))
        except _Unreadable as error:
            unreadable = error
            continue
        _check(rolls)
        return Expression(" ".join(formula.split()), rolls, comment)
    raise unreadable


def _roll(text: str, repeats: int) -> Roll:
    """Parse one roll, repeated `repeats` times beside its own repeats. Raises Refused."""
    depth = max(accumulate((char == "(") - (char == ")") for char in text), default=0)
    if depth > MAX_NESTING:
        raise Refused(f"Those brackets are {depth} deep; the limit is {MAX_NESTING}.")
    formula = shorthand.write_out(text)
    try:
        own_repeats, part = build(_grammar().parse(formula))
    except UnexpectedInput as error:
        place = _place(error) if formula == text else _next_words(error, formula)
        why = f"“{text.strip()[:SHOWN]}” cannot be read as dice: {place}."
        raise _Unreadable(f"{why} {shorthand.find_advice(text) or EXAMPLES}") from None
    except VisitError as error:
        raise error.orig_exc from None
    if not part.dice:
        raise Refused(NO_DIE.format(text.strip()[:SHOWN]))
    return Roll(" ".join(text.split()), part, repeats * own_repeats)


def _place(error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return "something is missing at the end"
    return f"character {error.column} is unexpected"


def _next_words(error: UnexpectedInput, formula: str) -> str:
    """Return the unexpected part, for a text rewritten before parsing: a column number would mislead."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return _place(error)
    return f"“{formula[error.column - 1 :][:SHOWN_NEXT]}” is unexpected"


def _check(rolls: Sequence[Roll]) -> None:
    repeats = sum(roll.repeats for roll in rolls)
    if not all(roll.repeats for roll in rolls) or repeats > MAX_REPEATS:
        raise Refused(f"It can be thrown from once to {MAX_REPEATS} times, not {repeats} times.")
    if (dice := sum(roll.part.dice * roll.repeats for roll in rolls)) > MAX_DICE:
        raise Refused(f"That is {dice} dice; the limit is {MAX_DICE} at once.")
    if any(max(map(abs, roll.part.span)) > MAX_TOTAL for roll in rolls):
        raise Refused("That can come to more than a million millions. Take smaller numbers.")


@cache
def _grammar() -> Lark:
    grammar = files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, g_regex_flags=re.IGNORECASE)
