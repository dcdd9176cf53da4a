"""Who may read an entry, as its columns hold it: a line for each side, None for everyone."""

from collections.abc import Iterable

from rules.core.model import Viewer
from rules.core.report import Report


def audience_of(report: Report) -> str | None:
    """Return who may read the report at all, as the column `audience` holds it."""
    return listed(report.audience)


def listed(viewers: Iterable[Viewer] | None) -> str | None:
    """Return the viewers in the form of a column: sorted, a line each."""
    return None if viewers is None else "\n".join(["", *sorted(viewers), ""])


def viewers_in(column: str | None) -> frozenset[Viewer] | None:
    """Return the viewers that a column lists, or None if it lists none."""
    return None if column is None else frozenset(filter(None, column.split("\n")))
