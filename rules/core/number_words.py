"""Read numbers in words in orders and conditions: `six`, `twenty-four`, `a dozen`, `six and a half`."""

import re
from collections.abc import Mapping

from .typed_text import NUMBER, pattern_of_any

SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
COUNTING: Mapping[str, int] = {
    **{word: number for number, word in enumerate(SMALL) if number},
    **{word: 10 * number for number, word in enumerate(TENS, 2)},
    **{
        f"{ten}{between}{SMALL[unit]}": 10 * number + unit
        for number, ten in enumerate(TENS, 2)
        for unit in range(1, 10)
        for between in " -"
    },
}
"""Whole numbers from 1 to 99 by their words."""
WHOLE: Mapping[str, int] = {
    "zero": 0,
    **COUNTING,
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


_MIXED = re.compile(
    rf"\b(?P<whole>{NUMBER}|{pattern_of_any(WHOLE)})\s+and\s+(?P<part>{pattern_of_any(FRACTIONS)})(?!\w)", re.IGNORECASE
)
_WHOLE = re.compile(rf"\b(?:{pattern_of_any(WHOLE)})(?!\w)", re.IGNORECASE)
_ALONE = re.compile(
    r"\b(?P<part>half an?|(?:a )?quarter of an|three[ -]quarters of an)(?=\s*(?:in\b|inch))", re.IGNORECASE
)


def with_digits(text: str) -> str:
    """Return a text with numbers in words replaced by digits: `forward six and a half` becomes `forward 6½`.

    A fraction without a whole number is replaced only before `inch`; “half of a move” stays.
    """
    mixed = _MIXED.sub(lambda match: f"{_number_as_digits(match['whole'])}{FRACTIONS[match['part'].casefold()]}", text)
    parts = _ALONE.sub(lambda match: FRACTIONS[_normalize_words(match["part"])], mixed)
    return _WHOLE.sub(lambda match: _number_as_digits(match[0]), parts)


def _number_as_digits(words: str) -> str:
    return str(WHOLE.get(_normalize_words(words), words))


def _normalize_words(words: str) -> str:
    return " ".join(words.casefold().split())


_ORDINALS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth"),
        ),
        1,
    )
}
_TEENS = {f"{word}th": number for number, word in enumerate(SMALL) if number > 12}
_ROUND = {f"{word[:-1]}ieth": 10 * number for number, word in enumerate(TENS, 2)}
_COMPOUND = {
    f"{ten}{between}{word}": 10 * number + unit
    for number, ten in enumerate(TENS, 2)
    for word, unit in _ORDINALS.items()
    for between in " -"
    if unit < 10
}
_ORDINAL_NUMBERS: Mapping[str, int] = {**_COMPOUND, **_ORDINALS, **_TEENS, **_ROUND}
_ORDINAL = re.compile(rf"\b(?:{pattern_of_any(_ORDINAL_NUMBERS)})(?!\w)", re.IGNORECASE)
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def with_ordinals(text: str) -> str:
    """Return a text with numbers and ordinals in words replaced by digits: `twenty-first` becomes `21st`."""
    return with_digits(_ORDINAL.sub(lambda match: _write_ordinal(_ORDINAL_NUMBERS[_normalize_words(match[0])]), text))


def _write_ordinal(number: int) -> str:
    """Return an ordinal number in digits."""
    teen = number // 10 == 1
    return f"{number}{'th' if teen else ENDINGS.get(number % 10, 'th')}"
