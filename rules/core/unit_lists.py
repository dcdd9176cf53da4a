"""Lists and ranges of units whose names have a common end: `A, B and C Coy 13th Rajputs`, `platoons 1-3 of 17. FK`."""

import re
from collections.abc import Iterator, Sequence

LAST_OF_LIST = re.compile(r"^(?:and|&)\s+", re.IGNORECASE)
TWO_UNITS = re.compile(r"\s+(?:and|n|'n'|plus|as well as|along with|together with)\s+|\s*[&+]\s*", re.IGNORECASE)
KIND_FIRST = re.compile(
    r"(?P<kind>[a-z]+?)s\s+(?P<range>(?:\d{1,2}|[a-z])\s*(?:-|\bto\b)\s*(?:\d{1,2}|[a-z]))\s+(?:of\s+)?(?P<rest>\S.*)",
    re.IGNORECASE,
)
"""Matches a range of units after a word for their kind: `platoons 1-3 of 17. FK`."""
RANGE = re.compile(
    r"(?P<first>\d{1,2}|[a-z])(?:st|nd|rd|th)?(?:\s+\w+)?\s*(?:-|\bto\b|\bthrough\b)\s*"
    r"(?P<rest>(?P<last>\d{1,2}|[a-z])(?:st|nd|rd|th)?\s+\S.*)",
    re.IGNORECASE,
)
"""Matches a range of units: `A-D Coy 13th Rajputs`, `1st to 3rd Platoon 17. FK`."""


def names_in_list(text: str) -> Sequence[str]:
    """Return the names in a list, which are separated by commas or by words such as `and`."""
    return [name for part in text.split(",") for name in TWO_UNITS.split(LAST_OF_LIST.sub("", part.strip()))]


def completed_names(text: str) -> Iterator[Sequence[str]]:
    """Yield each way to complete the names in a list or range with the last words of the last name."""
    *first, last = names_in_list(text)
    if not first:
        last = KIND_FIRST.sub(r"\g<range> \g<kind> \g<rest>", last)
        last, first = RANGE.sub(r"\g<rest>", last), [*_names_before_last(last)]
    words = last.split()
    for start in range(1, len(words)) if first else ():
        yield [*(f"{name} {' '.join(words[start:])}" for name in first), last]


def _names_before_last(text: str) -> Iterator[str]:
    """Yield the beginnings of all names in a range except the last: `A`, `B` for `A-C Coy 13th Rajputs`."""
    if match := RANGE.fullmatch(text):
        first, last = match["first"].upper(), match["last"].upper()
        numbers = range(int(first), int(last)) if first.isdigit() and last.isdigit() else ()
        letters = range(ord(first), ord(last)) if first.isalpha() and last.isalpha() else ()
        yield from (*map(str, numbers), *map(chr, letters))
