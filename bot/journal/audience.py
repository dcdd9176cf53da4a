"""Write and read the viewers of an entry as a column: one line a side, None for everyone."""

from collections.abc import Iterable

from rules.core.model import Viewer
from rules.core.report import Report


def audience_of(report: Report) -> str | None:
    """Return who may read any part of the report, in the form of the column `audience`."""
    return listed(report.audience)


def listed(viewers: Iterable[Viewer] | None) -> str | None:
    """Return the viewers in the form of a column: sorted, one line each."""
    return None if viewers is None else "\n".join(["", *sorted(viewers), ""])


def viewers_in(column: str | None) -> frozenset[Viewer] | None:
    """Return the viewers listed in a column, or None for everyone."""
    return None if column is None else frozenset(filter(None, column.split("\n")))
