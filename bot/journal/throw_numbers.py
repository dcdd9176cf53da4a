"""Count entries and throws.

Public entries and throws have one sequence of numbers. Hidden entries and throws have a sequence for each side.
Therefore, a gap between two public numbers never reveals a hidden entry or throw.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report
from rules.core.sealed_dice import SealedThrow

_NAME = re.compile(r"(?:(?P<among>.{1,60})-h)?(?P<number>[0-9]{1,9})", re.ASCII)


@dataclass(frozen=True)
class JournalCounts:
    """Counts of public entries and throws, and of hidden ones by side."""

    entries: int = 0
    throws: int = 0
    hidden_entries: Mapping[Viewer, int] = field(default_factory=dict)
    hidden_throws: Mapping[Viewer, int] = field(default_factory=dict)

    def last_number(self, numbered_for: Viewer | None) -> int:
        """Return the number of the last public entry, or of the last hidden entry of a group of sides.

        `numbered_for` is the group (see `numbering_group`), or None for public entries.
        """
        return self.entries if numbered_for is None else self.hidden_entries.get(numbered_for, 0)

    def with_entry(self, numbered_for: Viewer | None, sealed_throws: Iterable[SealedThrow]) -> "JournalCounts":
        """Return the counts after one more entry with these throws."""
        after = self.with_throws(sealed_throws)
        if numbered_for is None:
            return replace(after, entries=self.entries + 1)
        return replace(after, hidden_entries={**self.hidden_entries, numbered_for: self.last_number(numbered_for) + 1})

    def with_throws(self, sealed_throws: Iterable[SealedThrow]) -> "JournalCounts":
        """Return the counts after these throws."""
        throws, hidden = self.throws, dict(self.hidden_throws)
        for sealed in sealed_throws:
            numbered_for = sealed.throw.hidden
            if numbered_for is None:
                throws = max(throws, sealed.throw.number)
            else:
                hidden[numbered_for] = max(hidden.get(numbered_for, 0), sealed.throw.number)
        return replace(self, throws=throws, hidden_throws=hidden)

    def columns(self) -> dict[str, Any]:
        """Return the counts as columns of an entry."""
        hidden = {"entries": dict(self.hidden_entries), "throws": dict(self.hidden_throws)}
        return {"public": self.entries, "thrown": self.throws, "hidden": hidden if any(hidden.values()) else None}


def read_counts(public: int, throws: int, hidden: Mapping[str, Mapping[str, int]] | None) -> JournalCounts:
    """Parse the counts from an entry's columns."""
    hidden_counts = hidden or {}
    return JournalCounts(public, throws, hidden_counts.get("entries", {}), hidden_counts.get("throws", {}))


def numbering_group(report: Report) -> Viewer | None:
    """Return the group of sides that may read a hidden report, or None for a public report.

    A group is the side ids joined by `+`. The hidden entries of each group have their own sequence of numbers.
    """
    if report.audience is None:
        return None
    return "+".join(sorted(report.audience - {UMPIRE})) or UMPIRE


def parse_entry_name(name: str) -> tuple[int, Viewer | None] | None:
    """Return the number and the side in an entry's name (`12`, `british-h3`), or None for an invalid name."""
    match = _NAME.fullmatch(name)
    return None if match is None else (int(match["number"]), match["among"])
