"""Convert sets of viewers to and from text columns: one line per viewer, None for everyone."""

from collections.abc import Iterable

from rules.core.model import Viewer
from rules.core.report import Report


def audience_column(report: Report) -> str | None:
    """Return the viewers who may read the report, as text for the column `audience`; None means everyone."""
    return viewers_column(report.audience)


def viewers_column(viewers: Iterable[Viewer] | None) -> str | None:
    """Return the viewers as text: sorted, one line each. None means everyone."""
    return None if viewers is None else "\n".join(["", *sorted(viewers), ""])


def read_viewers(column: str | None) -> frozenset[Viewer] | None:
    """Parse the viewers of a text column; None means everyone."""
    return None if column is None else frozenset(filter(None, column.split("\n")))
