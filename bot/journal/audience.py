"""Store sets of viewers in text columns, one line per viewer. None stands for everyone."""

from collections.abc import Iterable

from rules.core.model import Viewer


def viewers_column(viewers: Iterable[Viewer] | None) -> str | None:
    """Return the viewers as text: sorted, one line each. None means everyone."""
    return None if viewers is None else "\n".join(["", *sorted(viewers), ""])


def read_viewers(column: str | None) -> frozenset[Viewer] | None:
    """Parse the viewers of a text column; None means everyone."""
    return None if column is None else frozenset(filter(None, column.split("\n")))
