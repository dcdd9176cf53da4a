"""Build the parts of an expression from its parse tree. Each part checks its own bounds when it is created."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

from lark import ParseTree, Token, Transformer, v_args

from rules.core.refusal import Refused

from .bracket import Bracket
from .comparison import UNCLEAR, Comparison, convert_to_part
from .dice_choice import HIGHEST, LOWEST, DiceChoice
from .modifier_words import AIMS, BANG, BOTCH, TypedModifier, add_missing_keep_kinds, make_dice_changes
from .modifiers import DropModifier, KeepModifier
from .parts import LabelledPart, NegativePart, NumberPart, Operation, Part, TotalComparison, apply_advantage
from .pool import DiceCount, Pool
from .value import TotalUnit

MAX_DIGITS = 6
PERCENTILE = 100
MOST_OF_A_BOTCH = 1
"""Highest face of a botch without a stated limit."""
DIGITS = (66, 666)
"""Numbers of sides that mean several D6 whose faces are read as digits; see the spellings in shorthand.toml."""
TIMES = "*"
PartOrComparison = Part | Comparison


def build_expression(tree: ParseTree) -> tuple[int, Part]:
    """Return the number of repeats, and the expression. Raises VisitError, whose `orig_exc` may be a Refused."""
    return _Builder().transform(tree)


@v_args(inline=True)
class _Builder(Transformer[Token, tuple[int, Part]]):
    """Lark transformer. Each method has the name of a grammar rule, and builds the part for that rule."""

    def start(self, *tokens: Any) -> tuple[int, Part]:
        *repeats, before, body, after = tokens
        part = convert_to_part(body)
        for word in filter(None, (before, after)):
            part = _apply_advantage_word(part, word)
        return prod(repeats), part

    def repeat(self, times: int, _: str) -> int:
        return times

    def number(self, number: int) -> Part:
        return NumberPart(number)

    def total_comparison(self, left: PartOrComparison, compare: str, right: PartOrComparison) -> Part:
        """Build a comparison of totals, or a count of dice for a labelled pool, as in `3d6[fire]>=5`."""
        if isinstance(left, LabelledPart) and isinstance(left.part, Pool) and isinstance(right, NumberPart):
            return Comparison(left, DiceChoice(compare, right.number)).as_part()
        return TotalComparison(convert_to_part(left), compare, convert_to_part(right))

    def addition(self, first: PartOrComparison, *others: Any) -> PartOrComparison:
        """Join parts by `+` and `-` from left to right: 10 - 3 - 2 is 5.

        A comparison at the end compares the whole sum: `2d6 + 1 >= 8`. Raises Refused for a comparison in
        another place, unless all parts count successes: `3d6>=5 - 3d6>=5`.
        """
        signs, parts = others[::2], [first, *others[1::2]]
        if len(parts) == 1:
            return first
        last = parts[-1]
        if all(part.unit > TotalUnit.POINTS for part in parts):
            return _join_parts(signs, [convert_to_part(part) for part in parts])
        if any(isinstance(part, Comparison) for part in parts[:-1]):
            raise Refused(UNCLEAR)
        if isinstance(last, Comparison):
            return Comparison(_join_parts(signs, [*parts[:-1], last.left]), last.choice)
        return _join_parts(signs, parts)

    multiplication = addition

    def signed_part(self, *tokens: Any) -> PartOrComparison:
        *signs, part = tokens
        if signs.count("-") % 2 == 0:
            return part  # type: ignore[no-any-return]
        if isinstance(part, Comparison):
            raise Refused(UNCLEAR)
        return NegativePart(part)

    def labelled_part(self, part: PartOrComparison, *labels: str) -> PartOrComparison:
        words = " ".join(" ".join(label[1:-1] for label in labels).split())
        if not words:
            return part
        if isinstance(part, Comparison):
            return replace(part, left=LabelledPart(part.left, words))
        return LabelledPart(part, words)

    def pool_comparison(self, pool: Pool, compare: str, right: Part) -> PartOrComparison:
        """Build a comparison: `3d6>=5` counts dice, `2d6>=8` compares their sum, `2d6>=1d6` compares totals."""
        if isinstance(right, NumberPart):
            return Comparison(pool, DiceChoice(compare, right.number))
        return TotalComparison(pool, compare, right)

    def bracket(self, *tokens: Any) -> Part:
        """Build a bracket. If it contains a single pool or bracket, the modifiers apply to that inner part."""
        parts = tuple(convert_to_part(token) for token in tokens if not isinstance(token, str | TypedModifier | None))
        modifiers = add_missing_keep_kinds([token for token in tokens if isinstance(token, TypedModifier)])
        picks = tuple(pick for pick in make_dice_changes(modifiers) if isinstance(pick, KeepModifier | DropModifier))
        text = "".join(map(str, modifiers))
        inner = parts[0] if picks and len(parts) == 1 and "," not in tokens else None
        while isinstance(inner, Bracket) and len(inner.parts) == 1 and not inner.picks:
            inner = inner.parts[0]
        if isinstance(inner, Pool | Bracket):
            return inner.with_changes(picks, text)
        return Bracket(parts, picks, text)

    def pool(self, count: int | None, sides: int, *tokens: Any) -> Part:
        *modifiers, favour = tokens
        pool = self._make_pool(1 if count is None else count, sides, modifiers)
        return _apply_advantage_word(pool, favour) if favour else pool

    def _make_pool(self, dice: int, sides: int, modifiers: Sequence[TypedModifier]) -> Pool:
        if sides in DIGITS:
            raise Refused(f"d{sides} is read as digits, one throw at a time. For {dice} of them write {dice}xd{sides}.")
        if any(first.name == second.name == BANG and first.number is None for first, second in pairwise(modifiers)):
            raise Refused("Write one “!”, as in 3d6!: a die that it brings may bring another one.")
        full_modifiers = add_missing_keep_kinds(modifiers)
        change_modifiers = [modifier for modifier in full_modifiers if modifier.name not in (*AIMS, BOTCH)]
        counts = tuple(
            DiceCount(modifier.make_choice(compare), worth)
            for modifier in full_modifiers
            for compare, worth in ((AIMS[modifier.name],) if modifier.name in AIMS else ())
        )
        botches = next(
            (modifier.make_choice("<=", MOST_OF_A_BOTCH) for modifier in full_modifiers if modifier.name == BOTCH), None
        )
        text = f"{dice}d{sides}{''.join(map(str, full_modifiers))}"
        return Pool(dice, sides, text, make_dice_changes(change_modifiers, sides), counts, botches)

    def sides(self, sides: int | str) -> int:
        return PERCENTILE if sides == "%" else int(sides)

    def pick(self, name: str | TypedModifier, choice: TypedModifier | None = None) -> TypedModifier:
        """Build a keep or drop modifier. The grammar gives `d` no name, because `d` also means dice."""
        return name._replace(name="d") if isinstance(name, TypedModifier) else self.change(name, choice)

    def change(self, name: str, value: TypedModifier | int | None = None) -> TypedModifier:
        return value._replace(name=name) if isinstance(value, TypedModifier) else TypedModifier(name, number=value)

    def choice(self, kind: str | None, number: int = 1) -> TypedModifier:
        """Build a choice of dice. Without a number, it chooses one die: `kh` is `kh1`."""
        return TypedModifier("", kind or "", number)

    def __default_token__(self, token: Token) -> str:
        """Return the token in lower case, and `==` as `=`."""
        return str(token).casefold().replace("==", "=")

    def LABEL(self, token: Token) -> str:  # noqa: N802
        return str(token)

    def INT(self, token: Token) -> int:  # noqa: N802
        if len(token) > MAX_DIGITS:
            raise Refused(f"{token[:10]}… is too large: a number has {MAX_DIGITS} digits at most.")
        return int(token)


def _apply_advantage_word(part: Part, word: str) -> Part:
    """Return the part with its first die thrown twice: `adv` keeps the better die, `dis` the worse."""
    return apply_advantage(part, HIGHEST if word.startswith("a") else LOWEST)


def _join_parts(signs: Sequence[str], parts: Sequence[Part]) -> Part:
    """Join parts by operators from left to right. Raises Refused for `1/2*6`, because 1/2 is rounded to 0."""
    joined, *others = parts
    for sign, part in zip(signs, others, strict=True):
        if sign in (TIMES, "x") and any(map(_is_rounded_quotient, (joined, part))):
            raise Refused("Each division is rounded down at once: put it last, as in 3d6*1/2 or 3d6/2.")
        joined = Operation(joined, TIMES if sign == "x" else sign, part)
    return joined


def _is_rounded_quotient(part: Part) -> bool:
    """Whether the part divides plain numbers and leaves a remainder: `1/2` is rounded to 0."""
    match part:
        case Bracket(parts=(inner,)) | NegativePart(part=inner) | LabelledPart(part=inner):
            return _is_rounded_quotient(inner)
        case Operation(left=left, sign="/" | "//", right=right) if not part.dice_count:
            return left.span.low % right.span.low != 0
        case _:
            return False
