"""Readings of an army line without a colon: its possible divisions into troops, name and leaders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.core.refusal import Refused

from .army_counts import MOST_PARTS
from .army_words import FIRST_SIGN, LAST_SIGN

ONE_QUOTE = rf"[{chr(FIRST_SIGN)}-{chr(LAST_SIGN)}]"
LED_BY = re.compile(r"(?:\s*,\s*|\s+)(?:with|led by|commanded by|under)\s+", re.IGNORECASE)
"""Matches the words before a leader in a line without a colon."""

NAMED_LEADER = re.compile(r"(?:\s*,\s*|\s+)(?:led by|commanded by)\s+", re.IGNORECASE)
"""Matches the words between a name and a leader."""
CREWED_BY = re.compile(r"^(?:crewed|manned|served) by\s+(?:the\s+)?", re.IGNORECASE)
LIST_COMMA = re.compile(r"\s*[,;]\s*(?:and\s+|&\s+)?")
LIST_AND = re.compile(r"\s+(?:and|&|\+)\s+")


@dataclass(frozen=True)
class LineReading:
    """One reading of a line: the text about the troops, the name, and the texts about leaders."""

    head: str
    name: str
    leaders: Sequence[str] = ()
    names_first: bool = False
    is_loose: bool = False
    """Whether only a comma, a dash or a bracket separates the name from the troops."""
    is_dashed: bool = False
    """Whether the name comes first, and a dash separates it from the troops: `Naval Brigade - 2 Gatlings`."""


def split_unit_names(text: str, units: int) -> Sequence[str]:
    """Return the unit names listed in `text`; none for a single unit, or for text without commas.

    Raises Refused if the list's names are not as many as `units`, or if “A and B” may be one name.
    """
    commas = LIST_COMMA.split(text)
    ends = LIST_AND.split(commas[-1])
    names = [*commas[:-1], *ends] if len(commas) + len(ends) - 1 == units else commas
    if len(commas) == 1:
        if units > 1 and len(ends) == units:
            raise Refused(f"Is “{text}” one name? Put it in quotes. Write {units} names with commas.")
        return ()
    if units > 1 and len(names) != units:
        raise Refused(f"It has {len(names)} names for {units} units. Put one name with a comma in quotes.")
    return names if units > 1 else ()


def split_troops_and_leaders(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each way to split a text into the troops and the texts about leaders.

    The word “with” may also belong to the name or the weapons of the troops.
    """
    with_matches = [*LED_BY.finditer(text)][:MOST_PARTS]
    for at in range(len(with_matches), -1, -1):
        end = with_matches[at].start() if at < len(with_matches) else len(text)
        yield text[:end], LED_BY.split(text[end:])[1:]


def split_troops_and_name(text: str) -> Iterator[Sequence[LineReading]]:
    """Yield the readings of a line without a colon as troops and a name, in groups, the most probable first."""
    quoted = re.fullmatch(rf"(.*\S)\s+({ONE_QUOTE})|({ONE_QUOTE})[\s,]+(.*)", text)
    if quoted:
        yield [LineReading(quoted[1] or quoted[4], quoted[2] or quoted[3])]
    single = re.fullmatch(r"(.*\S)\s+[‘'‚](.*\S)[’'‘]", text)
    if single:
        yield [LineReading(single[1], single[2])]
    bracket = re.fullmatch(r"([^()]*\S)\s*\(([^()]*)\)\s*", text)
    if bracket:
        yield [LineReading(bracket[2], bracket[1], names_first=True, is_loose=True)]
    dashes = [*re.finditer(r"\s+[-–—=/|]+\s+|\s*—\s*|\s*\t\s*", text)][:MOST_PARTS]
    commas = [*re.finditer(r"\s*,\s*", text)][:MOST_PARTS]
    for parts in (dashes, commas):
        for part in reversed(parts):
            name, *leaders = NAMED_LEADER.split(CREWED_BY.sub("", text[part.end() :]))
            first = _readings_with_name_first(text, part, is_dashed=parts is dashes)
            yield [LineReading(text[: part.start()], name, leaders, is_loose=True), *first]
        for part in parts:
            yield _readings_with_name_first(text, part, is_dashed=parts is dashes)


def _readings_with_name_first(text: str, part: re.Match[str], *, is_dashed: bool) -> Sequence[LineReading]:
    before, behind = text[: part.start()], text[part.end() :]
    return [LineReading(behind, before, names_first=True, is_loose=True, is_dashed=is_dashed)]
