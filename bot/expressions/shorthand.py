"""Split comments off a typed expression, and rewrite shorthand: named rolls and notation of other dice bots."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import accumulate

from rules.core.model import Model
from rules.core.number_words import with_digits
from rules.core.refusal import Refused
from rules.core.typed_text import simplify_signs


class Shorthand(Model):
    """A pattern of typed text, and the dice expression that it means."""

    typed: str
    means: str


class NotationAdvice(Model):
    """A pattern of notation from other bots that is not supported here, and what to write instead."""

    typed: str
    say: str


class _ShorthandFile(Model):
    part: Mapping[str, str]
    spelling: Sequence[Shorthand]
    name: Sequence[Shorthand]
    advice: Sequence[NotationAdvice]


_FILE = _ShorthandFile.model_validate(
    tomllib.loads(files(__package__).joinpath("shorthand.toml").read_text(encoding="utf-8"))
)
_TIMES = re.compile(r"^\s*(\d+)\s+(?=[\d(]|[a-ce-wyz]|d[a-z])", re.IGNORECASE)
"""Matches a repeat count before a roll, but not before a single die: `6 4d6`, `6 (2d6+1)`, `2 dndstats`."""
_SPELLINGS = [
    (re.compile(spelling.typed.format(**_FILE.part), re.IGNORECASE), spelling.means) for spelling in _FILE.spelling
]
_NAMES = [
    (re.compile(rf"^((?:\s*\d+\s*x)*)\s*(?:{name.typed})(?!\w)", re.IGNORECASE), name.means) for name in _FILE.name
]
_ADVICE = [(re.compile(advice.typed, re.IGNORECASE), advice.say) for advice in _FILE.advice]
_REASON = re.compile(r"^\s*\(([^()]*[^\W\d_]{2}[^()]*)\)\s+(?=\S)")
_REMARK = re.compile(r"\s!(.*)$", re.DOTALL)
_LABEL = re.compile(r"^\s*([^\W\d_][^:;#\[\]]{1,60}):\s*(?=\S)")
"""Matches a label before a roll, as in `Amarar: 6d6`."""
_QUOTED_FIRST = re.compile(r"^\s*[\"“”„«]([^\"“”„«»]+)[\"“”»]\s*(?=\S)")
_QUOTED_LAST = re.compile(r"(?<=[^\s\"“”„«])\s*[\"“”„«]([^\"“”„«»]+)[\"“”»]\s*$")
_MARK = re.compile("[#＃]")
_REPEATED = re.compile(r"(?:^|;)\s*\d{1,6}\s*$")
_SEPARATOR = re.compile(r"[;\n]|(?:,|&|\b(?:and|vs?|versus|against)\b\.?)(?=\s*\d*d[\d%])", re.IGNORECASE)
_SCORES = r"(?P<scores>\d{1,4}(?:\s*(?:-|,|/|\b(?:to|and|or)\b)\s*\d{1,4})+)"
_ON_SCORES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\s*(?P<pool>\d*d(?P<sides>\d+)){_FILE.part['on'].replace(',@', ',:@')}{_SCORES}$",
        rf"^\s*{_SCORES}\s+(?:on|with|of|from)\s+(?P<pool>\d*d(?P<sides>\d+))$",
    )
]
"""Patterns of dice with the scores that count: `8d6 5-6`, `4, 5 or 6 on 3d6`."""
_TWO_POOLS = re.compile(r"(?<!\w)(\d*)(d[\d%][^\s;]*)\s+d(\d+)(?!\w)", re.IGNORECASE)
USUAL_SIDES = (4, 6, 8, 10, 12, 20, 100)


def find_comment_splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split a text into expression and comment: `2d6 # wind`, `(wind) 2d6`, `2d6 ! wind`."""
    formula, comment = _split_off_comment(text)
    yield with_digits(simplify_signs(formula)), comment
    bare, words = formula, list[str]()
    for pattern in (_REASON, _LABEL, _QUOTED_FIRST, _REMARK, _QUOTED_LAST):
        if match := pattern.search(bare):
            words.append(match[1].strip())
            bare = bare[: match.start()] + bare[match.end() :]
    if words:
        yield with_digits(simplify_signs(bare)), ": ".join(filter(None, (*words, comment)))


def _split_off_comment(text: str) -> tuple[str, str]:
    """Split the text at the first `#` into expression and comment. Rewrite a repeat count: `6#2d6` as `6x2d6`."""
    for mark in _MARK.finditer(text):
        before, after = text[: mark.start()], text[mark.end() :]
        if not (_REPEATED.search(simplify_signs(before)) and re.match(r"\s*[\w([{+-]", after)):
            return _MARK.sub("x", before), after.strip()
    return _MARK.sub("x", text), ""


def split_rolls(formula: str) -> Sequence[str]:
    """Split a formula into rolls at semicolons, and at commas and words like `and` that stand before dice.

    The formula may end with one semicolon.
    """
    depth = [0, *accumulate((char in "([{") - (char in ")]}") for char in formula)]
    cuts = [cut for cut in _SEPARATOR.finditer(formula) if cut[0] == ";" or depth[cut.start()] <= 0]
    starts, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(formula)]
    parts = [formula[start:end] for start, end in zip(starts, ends, strict=True)]
    return parts if parts[-1].strip() or len(parts) == 1 else parts[:-1]


def expand_shorthand(text: str) -> str:
    """Return the expression with named rolls as dice, and shorthand such as `6 4d6` as `6x4d6`.

    Raises Refused if the text is ambiguous.
    """
    for pattern, means in _SPELLINGS:
        text = pattern.sub(means, text)
    text = _rewrite_scores(text)
    text = _rewrite_as_sum(_TIMES.sub(r"\1x", text))
    for pattern, means in _NAMES:
        if match := pattern.match(text):
            return f"{match[1]}{means.format(**match.groupdict())}{text[match.end() :]}"
    return text


def _rewrite_scores(text: str) -> str:
    """Return `8d6 5-6` as `8d6>=5`, and `8d6 1-2` as `8d6<=2`. Return any other text unchanged."""
    for pattern in _ON_SCORES:
        match = pattern.match(text)
        if match is None:
            continue
        scores = [int(score) for score in re.findall(r"\d+", match["scores"])]
        low, high, sides = scores[0], scores[-1], int(match["sides"][:6])
        if len(scores) > 2 and scores != [*range(low, high + 1)]:
            continue
        if low < high == sides:
            return f"{match['pool']}>={low}"
        if low == 1 < high < sides:
            return f"{match['pool']}<={high}"
    return text


def _rewrite_as_sum(text: str) -> str:
    """Return `d6 d6` as `d6+d6`, but `4d6 d1`, which drops a die, unchanged.

    Raises Refused for `8d6 d6`, which may mean either.
    """
    while match := _TWO_POOLS.search(text):
        dice, sides = int(match[1][:6] or 1), int(match[3][:6])
        if sides < dice:
            if sides in USUAL_SIDES:
                both = f"{match[1]}{match[2]}"
                raise Refused(
                    f"“{match[0]}” can mean two things. To drop {sides} dice write {both}dl{sides}, to throw one more "
                    f"die write {both}+d{sides}."
                )
            break
        text = f"{text[: match.start(3) - 1].rstrip()}+{text[match.start(3) - 1 :]}"
    return text


def find_notation_advice(text: str) -> str:
    """Return advice on what to write instead of other bots' notation, or an empty string."""
    return next((say for pattern, say in _ADVICE if pattern.search(text)), "")
