"""Numbers in words, wherever orders and conditions take numbers: `six`, `twenty-four`, `a dozen`, `six and a half`."""

import re
from collections.abc import Mapping

from .typed_text import NUMBER

SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WHOLE: Mapping[str, int] = {
    **{word: number for number, word in enumerate(SMALL)},
    **{word: 10 * number for number, word in enumerate(TENS, 2)},
    **{
        f"{ten}{between}{SMALL[unit]}": 10 * number + unit
        for number, ten in enumerate(TENS, 2)
        for unit in range(1, 10)
        for between in " -"
    },
    **dict.fromkeys(("half a dozen", "half dozen", "a half dozen"), 6),
    **dict.fromkeys(("a dozen", "one dozen", "dozen"), 12),
    **dict.fromkeys(("a hundred", "one hundred"), 100),
    "two dozen": 24,
    "a couple of": 2,
}
"""Whole numbers by their words."""
FRACTIONS: Mapping[str, str] = {
    **dict.fromkeys(("a half", "one half", "half", "half an", "half a"), "½"),
    **dict.fromkeys(("a quarter", "one quarter", "quarter", "quarter of an", "a quarter of an"), "¼"),
    **dict.fromkeys(("three quarters", "three-quarters", "three quarters of an", "three-quarters of an"), "¾"),
}


def _any_of(words: Mapping[str, object]) -> str:
    return "|".join(r"\s+".join(map(re.escape, one.split())) for one in sorted(words, key=len, reverse=True))


_MIXED = re.compile(
    rf"\b(?P<whole>{NUMBER}|{_any_of(WHOLE)})\s+and\s+(?P<part>{_any_of(FRACTIONS)})(?!\w)", re.IGNORECASE
)
_WHOLE = re.compile(rf"\b(?:{_any_of(WHOLE)})(?!\w)", re.IGNORECASE)
_ALONE = re.compile(
    r"\b(?P<part>half an?|(?:a )?quarter of an|three[ -]quarters of an)(?=\s*(?:in\b|inch))", re.IGNORECASE
)


def with_digits(text: str) -> str:
    """Return a text with its numbers in words as digits: `forward six and a half` as `forward 6½`.

    A fraction without a whole number counts only before `inch`: half of a move is no number.
    """
    mixed = _MIXED.sub(lambda at: f"{_digits(at['whole'])}{FRACTIONS[at['part'].casefold()]}", text)
    parts = _ALONE.sub(lambda at: FRACTIONS[_spaced(at["part"])], mixed)
    return _WHOLE.sub(lambda at: _digits(at[0]), parts)


def _digits(words: str) -> str:
    return str(WHOLE.get(_spaced(words), words))


def _spaced(words: str) -> str:
    return " ".join(words.casefold().split())
