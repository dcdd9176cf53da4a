"""Read the number and strength of the units in an army line: `2 units of 24`, `a dozen`, `, 4 stands each`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rules.core import data_files
from rules.core.model import Model
from rules.core.naming import singular_word
from rules.core.number_words import COUNTING
from rules.core.refusal import Refused
from rules.core.typed_text import pattern_of_any

CREW = "crew"
DOZEN = 12
MOST_PARTS = 8
"""Maximum number of comma-separated parts of a line that are searched."""
NUMBER = r"(\d{1,9})"
APPROXIMATE = re.compile(
    r"^(?:c\.?|ca\.?|circa|about|around|approx\.?|approximately|some|up to|at least|at most|over|nearly|~|±)\s*\d"
    r"|^\d+\s*(?:-|to|or)\s*\d+\b(?![-.])|^\d+\s*(?:\+|plus\b)|^\d*\s*[½¼¾]|^[-+]\s*\d",
    re.IGNORECASE,
)
"""Matches text that is no exact number of figures: `24-30`, `c. 24`, `20+`, `24½`, `-3`."""


class CountWords(Model):
    """The contents of army_words.toml: number words, nouns for strengths and units, and headings of columns."""

    numbers: Mapping[str, int]
    strengths: Mapping[str, tuple[str, ...]]
    units: tuple[str, ...]
    units_of_troops: tuple[str, ...]
    arms: tuple[str, ...]
    qualities: tuple[str, ...]
    numbered_troops: tuple[str, ...]
    bodies: tuple[str, ...]
    of_bodies: tuple[str, ...]
    headings: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class LineCounts:
    """The numbers in an army line, each None if missing, and the remaining `words`.

    `number` has no noun, so it may count figures or units. `units` has a noun such as `batteries`.
    """

    words: str
    number: int | None = None
    units: int | None = None
    strength: int | None = None
    noun: str = ""
    """Noun that the strength counts: a key of `CountWords.strengths`, or empty."""
    each: bool = False
    """Whether the strength is that of each unit, not of all units together."""
    times: bool = False
    """Whether a multiplication sign stands beside the number: `3 x`."""
    times_first: bool = False
    """Whether the multiplier stands before the troops: `3 x Zulu impi`."""
    before_troops: bool = False
    """Whether the strength stands before the troops: `6 stands British regulars`, `2 batteries of 3 guns`."""

    @property
    def has_count(self) -> bool:
        """Whether a number of units or a strength was found."""
        return any(part is not None for part in (self.number, self.units, self.strength))


@cache
def load_count_words() -> CountWords:
    """Return the number words and nouns of army_words.toml."""
    return data_files.read_data_file(CountWords, "rules.core", "army_words.toml")


def read_counts(text: str) -> LineCounts:
    """Return the counts at the beginning and the end of `text`, and the words between. Raises Refused."""
    text = _replace_number_words(text)
    if APPROXIMATE.match(text):
        raise Refused("Write one whole number before the troops, such as “24”: a unit has a fixed number.")
    counts = _read_count_at_start(text)
    while (shorter := _read_count_at_end(counts)) is not None:
        counts = shorter
    if counts.strength is None:
        counts = _read_count_between_commas(counts)
    return replace(counts, words=counts.words.strip(" ,;-"))


def has_count(text: str) -> bool:
    """Whether the text has a number of units or a strength, even one that cannot be read."""
    try:
        return read_counts(text).has_count
    except Refused:
        return True


def _read_count_between_commas(counts: LineCounts) -> LineCounts:
    """Return the counts with a strength found between commas: `Indian regulars, 4 stands, elite`."""
    parts = counts.words.split(",")
    for at, part in enumerate(parts[1:MOST_PARTS], 1):
        part_counts = _read_count_at_end(LineCounts(f",{part}"))
        if part_counts is not None and part_counts.strength is not None and not part_counts.words:
            words = ",".join((*parts[:at], *parts[at + 1 :]))
            is_each = counts.each or part_counts.each
            return replace(counts, words=words, strength=part_counts.strength, noun=part_counts.noun, each=is_each)
    return counts


def read_strength(text: str) -> LineCounts | None:
    """Read a text that holds only a strength, such as `24` or `crew of 5`; return None for other text.

    A single word such as `One` is no strength, because it may be the name of a company.
    """
    if " " not in text.strip() and not any(map(str.isdecimal, text)):
        return None
    words = _replace_number_words(text.strip(" ,;"))
    if match := re.fullmatch(rf"(x?)\s*{NUMBER}", words, re.IGNORECASE):
        return LineCounts("", number=int(match[2]), times=bool(match[1]))
    if match := re.fullmatch(rf"{NUMBER} each", words, re.IGNORECASE):
        return LineCounts("", strength=int(match[1]), each=True)
    patterns = count_patterns()
    if match := re.fullmatch(rf"{NUMBER} {patterns.units}|(1) {patterns.unit}", words, re.IGNORECASE):
        return LineCounts("", units=int(match[1] or match[2]))
    counts = _read_count_at_end(LineCounts(f" {words}"))
    is_all = counts is not None and not counts.words.strip() and counts.has_count
    return counts if is_all else None


def add_bracket_counts(counts: LineCounts, inner: LineCounts) -> LineCounts:
    """Add the counts in brackets, `inner`, to the `counts` outside. Raises Refused if the strength is stated twice."""
    if counts.units is None and counts.strength is None and inner.strength is None and inner.units is not None:
        return replace(counts, number=None, units=inner.units, strength=counts.number)
    if counts.strength is not None or (inner.units is not None and counts.has_count):
        raise Refused("It says two strengths. Leave one out.")
    if inner.number is not None and counts.has_count:
        inner = replace(inner, number=None, strength=inner.number)
    return replace(
        counts,
        number=counts.number if inner.number is None else inner.number,
        units=counts.units if inner.units is None else inner.units,
        strength=inner.strength,
        noun=inner.noun or counts.noun,
        each=counts.each or inner.each,
        times=counts.times or inner.times,
    )


@dataclass(frozen=True)
class CountPatterns:
    """Parts of regular expressions for army lines.

    `unit` and `units` match nouns for one and for several units. `troops` matches nouns that name a unit and its
    kind, such as `impi`. `noun` matches nouns for strength, such as `figures`.
    """

    unit: str
    units: str
    troops: str
    noun: str
    number: re.Pattern[str]
    dozens: re.Pattern[str]


@cache
def count_patterns() -> CountPatterns:
    """Return regular expressions for the nouns and number words in army_words.toml."""
    words = load_count_words()
    nouns = [noun for nouns in words.strengths.values() for noun in nouns]
    ones = [word for word, value in _load_number_words().items() if value < 10 and word.isalpha()]
    begins = r"(?:^|(?<=\bof )|(?<=, )|(?<=\bx ))"
    return CountPatterns(
        unit=f"(?:{pattern_of_any(words.units)})",
        units=f"(?:{pattern_of_any(map(_pluralize, words.units))})",
        troops=f"(?:{pattern_of_any(words.units_of_troops)})",
        noun=f"(?:{pattern_of_any({*nouns, *map(_pluralize, nouns)})})",
        number=re.compile(rf"{begins}(?:{pattern_of_any(_load_number_words())})(?= |$)", re.IGNORECASE),
        dozens=re.compile(rf"{begins}(\d+|{pattern_of_any(ones)}) dozen\b", re.IGNORECASE),
    )


@cache
def _load_number_words() -> Mapping[str, int]:
    """Return the value of each number word, also of `pair` in `a pair of guns`."""
    return {**COUNTING, **load_count_words().numbers}


def _pluralize(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def _replace_number_words(text: str) -> str:
    """Replace number words by digits: `two dozen` and `twenty-four` by 24, `a` by 1."""
    numbers, patterns = _load_number_words(), count_patterns()

    def digits_for_dozens(match: re.Match[str]) -> str:
        dozens = match[1].casefold()
        return str(DOZEN * (int(dozens) if dozens.isdigit() else numbers[dozens]))

    text = patterns.dozens.sub(digits_for_dozens, " ".join(text.split()))
    return patterns.number.sub(lambda match: str(numbers[match[0].casefold()]), text)


def _read_count_at_start(text: str) -> LineCounts:
    """Return the counts at the beginning of the text, and the remaining words."""
    parts = count_patterns()
    a_unit = rf"{parts.unit}|{parts.units}"
    of_each = rf"{NUMBER} (?:({parts.noun})(?: each,?)?(?: of)? )?"
    ways: Sequence[tuple[str, tuple[str, ...]]] = (
        (rf"(?:{NUMBER}(?: ?x)? )?{NUMBER}[ -]({parts.noun})[ -](?:{a_unit})(?: of)? ", ("units", "strength", "noun")),
        (rf"{NUMBER} ?x ?{NUMBER}(?: |-)({parts.noun})(?: of)? ", ("units", "strength", "noun")),
        (rf"{NUMBER} ?x ?{NUMBER} (?=\S)", ("units", "strength")),
        (rf"{NUMBER}(?: ?x)? {parts.units},? (?:each )?(?:of|with) {of_each}", _UNITS_STRENGTH_NOUN),
        (rf"(1)(?: ?x)? {parts.unit},? (?:of|with) {of_each}", _UNITS_STRENGTH_NOUN),
        (rf"{NUMBER}(?: ?x)? {parts.units}(?:,? of)? ", ("units",)),
        (rf"(1)(?: ?x)? {parts.unit}(?:,? of)? ", ("units",)),
        (rf"{NUMBER} ({parts.noun})\.?,?(?: of)? ", ("strength", "noun")),
        (rf"{NUMBER}(?: ?x)? ", ("number",)),
        (rf"{NUMBER}x(?=[^\W\d])", ("number",)),
    )
    for pattern, names in ways:
        if match := re.match(pattern, f"{text} ", re.IGNORECASE):
            values = dict(zip(names, match.groups(), strict=False))
            counts = _update_counts(LineCounts(text[match.end() :]), values)
            times = names == ("number",) and "x" in match[0].casefold()
            is_before = counts.strength is not None
            return replace(
                counts, each=counts.units is not None, times=times, times_first=times, before_troops=is_before
            )
    return LineCounts(text)


_UNITS_STRENGTH_NOUN = ("units", "strength", "noun")


def _read_count_at_end(counts: LineCounts) -> LineCounts | None:
    """Return the counts with one more count, taken from the end of the words; None if there is none."""
    parts, text = count_patterns(), counts.words
    ways: Sequence[tuple[str, tuple[str, ...], bool]] = (
        (
            rf"(?:,| (?:and|with|&|\+)) (?:a |its |their )?(crews?|gunners)(?:(?: of)? {NUMBER})?",
            ("noun", "strength"),
            False,
        ),
        (rf",? (?:each (?:of|with)|of) {NUMBER}(?: ({parts.noun}))?(?: each)?", ("strength", "noun"), True),
        (rf"(?:,? (?:at|with))? {NUMBER} ({parts.noun}),? (?:each|apiece|per unit)", ("strength", "noun"), True),
        (rf", {NUMBER} each", ("strength",), True),
        (rf"[, -]*@ ?{NUMBER}(?: ({parts.noun}))?(?: each| apiece)?", ("strength", "noun"), True),
        (rf"(?:,| -| (?:and|with|&|\+))? {NUMBER}[ -]?({parts.noun})", ("strength", "noun"), False),
        (rf" {NUMBER} ?x ?{NUMBER}", ("units", "strength"), True),
        (rf" ?x ?{NUMBER}", ("number",), False),
        (rf" ({parts.noun})(?: each)?", ("noun",), False),
        (r",? (?:each|apiece)", (), True),
    )
    for pattern, names, is_each in ways:
        match = re.search(rf"(?:{pattern})$", text, re.IGNORECASE)
        if match is None or (
            counts.strength is not None and "strength" in names and match[names.index("strength") + 1]
        ):
            continue
        values = dict(zip(names, match.groups(), strict=False))
        if (not names and counts.strength is None) or (names == ("number",) and counts.has_count):
            continue
        if names == ("noun",):
            if counts.number is None or counts.noun or _kind_of_noun(match[1]) == CREW:
                continue
            return _update_counts(
                replace(counts, words=text[: match.start()], strength=counts.number, number=None), values
            )
        counts = replace(counts, each=counts.each or is_each, times=counts.times or names == ("number",))
        return _update_counts(replace(counts, words=text[: match.start()]), values)
    return None


def _update_counts(counts: LineCounts, values: Mapping[str, str | None]) -> LineCounts:
    """Return the counts with the typed numbers and noun in `values`, by field name."""
    numbers: dict[str, Any] = {name: int(text) for name, text in values.items() if text and name != "noun"}
    return replace(counts, noun=_kind_of_noun(values.get("noun") or "") or counts.noun, **numbers)


def _kind_of_noun(noun: str) -> str:
    """Return the key in `CountWords.strengths` for a noun; `""` if the noun is empty or fits every kind."""
    forms = {noun.casefold(), singular_word(noun.casefold())}
    kinds = (kind for kind, nouns in load_count_words().strengths.items() if forms & {*nouns})
    return next(kinds, "").replace("any", "")
