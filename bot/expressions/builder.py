"""Turns what the grammar found into the parts of an expression, each checked as it is made."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

from lark import ParseTree, Token, Transformer, v_args

from rules.core.refusal import Refused

from .bracket import Bracket
from .comparison import UNCLEAR, Comparison, decided
from .modifier_words import AIMS, BANG, BOTCH, Typed, changes, explicit
from .modifiers import Drop, Keep
from .parts import Both, Compared, Labelled, Negative, Number, Part, favoured
from .pool import Count, Pool
from .rolled_dice import HIGHEST, LOWEST, Choice
from .value import Unit

MAX_DIGITS = 6
PERCENTILE = 100
MOST_OF_A_BOTCH = 1
"""Highest face of a botch without a stated limit."""
DIGITS = (66, 666)
"""Numbers of sides that mean several D6 read as digits, see the spellings."""
TIMES = "*"
Read = Part | Comparison


def built(tree: ParseTree) -> tuple[int, Part]:
    """Return the number of repeats and the expression. Raises VisitError around Refused if it cannot be thrown."""
    return _Builder().transform(tree)


@v_args(inline=True)
class _Builder(Transformer[Token, tuple[int, Part]]):
    """Rule by rule of the grammar."""

    def start(self, *found: Any) -> tuple[int, Part]:
        *repeats, before, read, after = found
        part = decided(read)
        for word in filter(None, (before, after)):
            part = _favoured(part, word)
        return prod(repeats), part

    def repeat(self, times: int, _: str) -> int:
        return times

    def number(self, number: int) -> Part:
        return Number(number)

    def compared(self, left: Read, compare: str, right: Read) -> Part:
        """Compare totals. A label does not keep dice from being counted: `3d6[fire]>=5`."""
        if isinstance(left, Labelled) and isinstance(left.part, Pool) and isinstance(right, Number):
            return Comparison(left, Choice(compare, right.number)).decided()
        return Compared(decided(left), compare, decided(right))

    def added(self, first: Read, *others: Any) -> Read:
        """Return the expression, with equal operators taken from the left: 10 - 3 - 2 is 5.

        A comparison at the end compares all before it: `2d6 + 1 >= 8`. Raises Refused if it stands elsewhere, unless
        all parts are counted: `3d6>=5 - 3d6>=5`.
        """
        signs, parts = others[::2], [first, *others[1::2]]
        if len(parts) == 1:
            return first
        last = parts[-1]
        if all(part.unit > Unit.POINTS for part in parts):
            return _joined(signs, [decided(part) for part in parts])
        if any(isinstance(part, Comparison) for part in parts[:-1]):
            raise Refused(UNCLEAR)
        if isinstance(last, Comparison):
            return Comparison(_joined(signs, [*parts[:-1], last.left]), last.choice)
        return _joined(signs, parts)

    multiplied = added

    def signed(self, *found: Any) -> Read:
        *signs, part = found
        if signs.count("-") % 2 == 0:
            return part  # type: ignore[no-any-return]
        if isinstance(part, Comparison):
            raise Refused(UNCLEAR)
        return Negative(part)

    def labelled(self, part: Read, *labels: str) -> Read:
        words = " ".join(" ".join(label[1:-1] for label in labels).split())
        if not words:
            return part
        if isinstance(part, Comparison):
            return replace(part, left=Labelled(part.left, words))
        return Labelled(part, words)

    def counted(self, pool: Pool, compare: str, other: Part) -> Read:
        """`3d6>=5` counts dice, `2d6>=8` compares their sum; `2d6>=1d6` compares totals."""
        if isinstance(other, Number):
            return Comparison(pool, Choice(compare, other.number))
        return Compared(pool, compare, other)

    def bracket(self, *found: Any) -> Part:
        """Build a bracket. Modifiers of a bracket around a single pool or bracket apply to that inner part."""
        parts = tuple(decided(one) for one in found if not isinstance(one, str | Typed | None))
        picks, written = _picks([one for one in found if isinstance(one, Typed)])
        inner = parts[0] if picks and len(parts) == 1 and "," not in found else None
        while isinstance(inner, Bracket) and len(inner.parts) == 1 and not inner.picks:
            inner = inner.parts[0]
        if isinstance(inner, Pool | Bracket):
            return inner.changed(picks, written)
        return Bracket(parts, picks, written)

    def pool(self, count: int | None, sides: int, *found: Any) -> Part:
        *modifiers, favour = found
        pool = self._pool(1 if count is None else count, sides, modifiers)
        return _favoured(pool, favour) if favour else pool

    def _pool(self, dice: int, sides: int, found: Sequence[Typed]) -> Pool:
        if sides in DIGITS:
            raise Refused(f"d{sides} is read as digits, one throw at a time. For {dice} of them write {dice}xd{sides}.")
        if any(one.name == two.name == BANG and one.number is None for one, two in pairwise(found)):
            raise Refused("Write one “!”, as in 3d6!: a die that it brings may bring another one.")
        typed = explicit(found)
        done = [one for one in typed if one.name not in (*AIMS, BOTCH)]
        counts = tuple(
            Count(one.choice(compare), worth)
            for one in typed
            for compare, worth in ((AIMS[one.name],) if one.name in AIMS else ())
        )
        botches = next((one.choice("<=", MOST_OF_A_BOTCH) for one in typed if one.name == BOTCH), None)
        written = f"{dice}d{sides}{''.join(map(str, typed))}"
        return Pool(dice, sides, written, changes(done, sides), counts, botches)

    def sides(self, sides: int | str) -> int:
        return PERCENTILE if sides == "%" else int(sides)

    def pick(self, name: str | Typed, choice: Typed | None = None) -> Typed:
        """Build a keep or drop modifier. The grammar gives `d` no name, because `d` also means dice."""
        return name._replace(name="d") if isinstance(name, Typed) else self.change(name, choice)

    def change(self, name: str, what: Typed | int | None = None) -> Typed:
        return what._replace(name=name) if isinstance(what, Typed) else Typed(name, number=what)

    def choice(self, kind: str | None, number: int = 1) -> Typed:
        """`kh` is `kh1`."""
        return Typed("", kind or "", number)

    def __default_token__(self, token: Token) -> str:
        """Return the token in lower case, with `=` for `==`."""
        return str(token).casefold().replace("==", "=")

    def LABEL(self, token: Token) -> str:  # noqa: N802
        return str(token)

    def INT(self, token: Token) -> int:  # noqa: N802
        if len(token) > MAX_DIGITS:
            raise Refused(f"{token[:10]}… is too large: a number has {MAX_DIGITS} digits at most.")
        return int(token)


def _favoured(part: Part, word: str) -> Part:
    """Return the part with `adv` or `dis` applied to its first die."""
    return favoured(part, HIGHEST if word.startswith("a") else LOWEST)


def _joined(signs: Sequence[str], parts: Sequence[Part]) -> Part:
    """Return parts with their signs, taken from the left. Raises Refused if a rounded number would be multiplied."""
    joined, *others = parts
    for sign, part in zip(signs, others, strict=True):
        if sign in (TIMES, "x") and any(map(_is_rounded, (joined, part))):
            raise Refused("Each division is rounded down at once: put it last, as in 3d6*1/2 or 3d6/2.")
        joined = Both(joined, TIMES if sign == "x" else sign, part)
    return joined


def _is_rounded(part: Part) -> bool:
    """Whether the part is a quotient of numbers with a remainder: `1/2`, which comes to 0."""
    match part:
        case Bracket(parts=(inner,)) | Negative(part=inner) | Labelled(part=inner):
            return _is_rounded(inner)
        case Both(left=left, sign="/" | "//", right=right) if not part.dice:
            return left.span.low % right.span.low != 0
        case _:
            return False


def _picks(typed: Sequence[Typed]) -> tuple[tuple[Keep | Drop, ...], str]:
    """Return the keep and drop modifiers of a bracket, and their text."""
    done = explicit(typed)
    return tuple(one for one in changes(done) if isinstance(one, Keep | Drop)), "".join(map(str, done))
