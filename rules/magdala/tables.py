"""The printed tables of Magdala to Mafeking as code reads them."""

from fractions import Fraction

from rules.core.tables import Tables

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


def factor(label: str) -> Fraction:
    """What a circumstance makes of the number of dice (MM-3.3, MM-3.4)."""
    return Fraction(value("firing-factors", label, "times"), value("firing-factors", label, "divided by"))
