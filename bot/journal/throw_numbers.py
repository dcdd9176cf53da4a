"""What is counted in a game: entries and throws for everyone, and by themselves those that only one side knows of.

So nobody sees from a gap between two numbers that something hidden happened.
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
class Counts:
    """How many entries and throws there are for everyone, and hidden ones by the side that they are counted among."""

    entries: int = 0
    throws: int = 0
    hidden_entries: Mapping[Viewer, int] = field(default_factory=dict)
    hidden_throws: Mapping[Viewer, int] = field(default_factory=dict)

    def number(self, among: Viewer | None) -> int:
        """The number of the last entry that is counted there."""
        return self.entries if among is None else self.hidden_entries.get(among, 0)

    def with_entry(self, among: Viewer | None, thrown: Iterable[SealedThrow]) -> "Counts":
        """After one more entry, with its throws."""
        after = self.with_throws(thrown)
        if among is None:
            return replace(after, entries=self.entries + 1)
        return replace(after, hidden_entries={**self.hidden_entries, among: self.number(among) + 1})

    def with_throws(self, thrown: Iterable[SealedThrow]) -> "Counts":
        """With these throws, each of which has the next number of where it is counted, or a higher one."""
        throws, hidden = self.throws, dict(self.hidden_throws)
        for one in thrown:
            among = one.throw.hidden
            if among is None:
                throws = max(throws, one.throw.number)
            else:
                hidden[among] = max(hidden.get(among, 0), one.throw.number)
        return replace(self, throws=throws, hidden_throws=hidden)

    def columns(self) -> dict[str, Any]:
        """As the columns of an entry have them."""
        hidden = {"entries": dict(self.hidden_entries), "throws": dict(self.hidden_throws)}
        return {"public": self.entries, "thrown": self.throws, "hidden": hidden if any(hidden.values()) else None}


def counts_of(public: int, thrown: int, hidden: Mapping[str, Mapping[str, int]] | None) -> Counts:
    """From the columns of an entry."""
    kept = hidden or {}
    return Counts(public, thrown, kept.get("entries", {}), kept.get("throws", {}))


def counted_among(report: Report) -> Viewer | None:
    """Where an entry with that report is counted: None for everyone, else the side, or sides, that may read it."""
    if report.audience is None:
        return None
    return "+".join(sorted(report.audience - {UMPIRE})) or UMPIRE


def read_name(name: str) -> tuple[int, Viewer | None] | None:
    """The number of an entry's name, `12` or `british-h3`, and among whose hidden ones it is; None of no name."""
    found = _NAME.fullmatch(name)
    return None if found is None else (int(found["number"]), found["among"])
