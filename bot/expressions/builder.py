"""Turns what the grammar found into the parts of an expression, each checked as it is made."""

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any

from lark import ParseTree, Token, Transformer, v_args

from rules.core.refusal import Refused

from .bracket import Bracket
from .modifier_words import AIMS, BOTCH, Typed, changes, explicit
from .modifiers import Drop, Keep
from .parts import Both, Compared, Labelled, Negative, Number, Part, favoured
from .pool import Count, Pool
from .rolled_dice import HIGHEST, LOWEST

MAX_DIGITS = 6
PERCENTILE = 100
MOST_OF_A_BOTCH = 1
"""Highest face of a botch without a stated limit."""


def built(tree: ParseTree) -> tuple[int, Part]:
    """Return the number of repeats and the expression. Raises VisitError around Refused if it cannot be thrown."""
    return _Builder().transform(tree)


@v_args(inline=True)
class _Builder(Transformer[Token, tuple[int, Part]]):
    """Rule by rule of the grammar."""

    def start(self, *found: Any) -> tuple[int, Part]:
        *repeats, before, part, after = found
        for word in filter(None, (before, after)):
            part = favoured(part, HIGHEST if word.startswith("a") else LOWEST)
        return prod(repeats), part

    def repeat(self, times: int) -> int:
        return times

    def number(self, number: int) -> Part:
        return Number(number)

    def compared(self, left: Part, compare: str, right: Part) -> Part:
        return Compared(left, compare, right)

    def added(self, first: Part, *others: Any) -> Part:
        """Return the expression, with equal operators taken from the left: 10 - 3 - 2 is 5."""
        pairs = zip(others[::2], others[1::2], strict=True)
        return reduce(lambda left, pair: Both(left, str(pair[0]), pair[1]), pairs, first)

    multiplied = added

    def signed(self, *found: Any) -> Part:
        *signs, part = found
        return Negative(part) if signs.count("-") % 2 else part

    def labelled(self, part: Part, *labels: str) -> Part:
        words = " ".join(" ".join(label[1:-1] for label in labels).split())
        return Labelled(part, words) if words else part

    def counted(self, pool: Pool, compare: str, other: Part) -> Part:
        """`3d6>=5` counts dice; `2d6>=1d6` compares totals."""
        return pool.counting(compare, other.number) if isinstance(other, Number) else Compared(pool, compare, other)

    def bracket(self, *found: Any) -> Part:
        """Build a bracket. Modifiers of a bracket around a single pool or bracket apply to that inner part."""
        parts = tuple(one for one in found if not isinstance(one, str | Typed | None))
        picks, written = _picks([one for one in found if isinstance(one, Typed)])
        inner = parts[0] if picks and len(parts) == 1 and "," not in found else None
        while isinstance(inner, Bracket) and len(inner.parts) == 1 and not inner.picks:
            inner = inner.parts[0]
        if isinstance(inner, Pool | Bracket):
            return inner.changed(picks, written)
        return Bracket(parts, picks, written)

    def pool(self, count: int | None, sides: int, *found: Typed) -> Part:
        dice = 1 if count is None else count
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


def _picks(typed: Sequence[Typed]) -> tuple[tuple[Keep | Drop, ...], str]:
    """Return the keep and drop modifiers of a bracket, and their text."""
    done = explicit(typed)
    return tuple(one for one in changes(done) if isinstance(one, Keep | Drop)), "".join(map(str, done))
