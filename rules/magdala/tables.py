"""The printed tables of Magdala to Mafeking as code reads them."""

from rules.core.chart import Tables

TABLES = Tables("rules.magdala")
row, entry, value = TABLES.row, TABLES.entry, TABLES.value
cite, adjustment = TABLES.cite, TABLES.adjustment

SIDES = 6
"""Of every die."""


def limit(label: str) -> int:
    """A number of the chart of limits and distances."""
    return value("limits", label)


def matter(label: str) -> int:
    """A number of the chart of ammunition, mishaps and building."""
    return value("ammunition", label)
