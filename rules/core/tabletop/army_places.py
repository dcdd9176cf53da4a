"""Places of units in army lines: `24 Zulu impi: Left, at C3 NW`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rules.core.refusal import Refused
from rules.core.typed_text import simplify_signs

from .army_entries import ArmyUnit
from .place import parse_spot

STORED_SEPARATOR = re.compile(r",\s+at\s+", re.IGNORECASE)
"""Matches the separator before a place in stored lines, in which names with a comma are quoted."""
TYPED_SEPARATOR = re.compile(r"\s*,?\s+at\s+", re.IGNORECASE)
"""Matches the separator before a place in typed lines."""


def split_off_place(line: str, before: re.Pattern[str] = STORED_SEPARATOR) -> tuple[str, str]:
    """Return an army line without its place, and the words of the place, or `""` for a line without one."""
    for match in reversed([*before.finditer(line)]):
        words = " ".join(simplify_signs(line[match.end() :]).split())
        try:
            parse_spot(words)
        except Refused:
            continue
        return line[: match.start()].rstrip(" :,"), words
    return line, ""


def assign_place(units: Sequence[ArmyUnit], words: str) -> Sequence[ArmyUnit]:
    """Return the units of a line with the place `words`. Raises Refused if several units would share the place."""
    if words and len(units) > 1:
        raise Refused(f"{len(units)} units cannot stand at one place. Give each a line of its own.")
    return [replace(unit, at=words) for unit in units] if words else units
