"""Distinguish titles from units in army lines: `1st Brigade`, `**Cavalry**`, `Infantry:`, `Total: 120 points`."""

import re

from rules.core.naming import words_of
from rules.core.refusal import Refused

from .army_counts import has_count, load_count_words
from .army_text import normalize_words
from .army_troops import TroopFinder
from .army_words import BRACKET, QUOTED

PRICE = re.compile(
    r"(?:\s*[-–—=@,]+\s*|\s*[(\[]\s*|\s+)\d+(?:[.,]\d+)?\s*(?:pts?|points?)\b\.?"
    r"(?:\s*(?:each|apiece|per (?:figure|stand|unit)|total))?\s*[)\]]?",
    re.IGNORECASE,
)
"""Matches the price of units in points, which the rules do not use: ` (48 pts)`, ` - 48 points`."""
TOTAL = re.compile(
    r"(?:sub-?|grand |army )?totals?\b.*|\d+ (?:points|pts)|\d+ units? of \d+ kinds? of troops, .*",
    re.IGNORECASE,
)
"""Matches a line of totals."""
BOLD = re.compile(r"(\*\*|__)(?P<text>[^*_].*[^*_]|[^*_])\1(?P<colon>:?)")
"""Matches a line that is bold in Markdown."""
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)|[ivx]+")


def remove_prices(line: str) -> str:
    """Return the line without the price of its units in points. Quoted names are not changed."""
    quoted = [match.span() for match in QUOTED.finditer(line)]
    return PRICE.sub(
        lambda match: match[0] if any(start <= match.start() < end for start, end in quoted) else "", line
    ).strip()


def remove_bold(line: str) -> str:
    """Remove the bold signs around a line. Return any other line unchanged."""
    match = BOLD.fullmatch(line)
    return f"{match['text']}{match['colon']}" if match else line


def is_title(line: str, finder: TroopFinder) -> bool:
    """Whether a line is a title over units, or a total. Raises Refused if the line may be a title or name troops."""
    plain = remove_bold(line)
    words = BRACKET.sub("", plain).strip(" :")
    if TOTAL.fullmatch(words):
        return True
    is_marked = plain != line or plain.endswith(":") or plain.isupper()
    is_group = _is_brigade_or_arm(words, finder)
    if has_count(normalize_words(words)) or (finder.fits_any_troops(words) and not (is_marked or is_group)):
        return False
    if finder.is_exact_name(words):
        raise Refused(f"Is it a title or a unit? Put # before a title. Write a unit as “{words}: Number One”.")
    return (is_marked and any(map(str.isalnum, words)) and ":" not in words) or is_group


def _is_brigade_or_arm(text: str, finder: TroopFinder) -> bool:
    """Whether the text names a brigade, army or arm of service: `1st Brigade`, `British army`, `Cavalry`."""
    vocabulary, words = load_count_words(), words_of(text)
    if words and all(word in vocabulary.arms for word in words):
        return True
    if len(words) > 2 and words[0] in vocabulary.bodies and words[1] == "of":
        return True  # `Army of Osman Digna`
    *before, last = words or ("",)
    return last in vocabulary.bodies and all(
        word in vocabulary.of_bodies or ORDINAL.fullmatch(word) or finder.nations_in_name(word) for word in before
    )
