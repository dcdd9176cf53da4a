"""The printed tables of Charge!, and shortcuts to read them."""

from functools import partial

from rules.core.chart import Tables

TABLES = Tables("rules.charge")
cell_value, value, cite = TABLES.cell_value, TABLES.value, TABLES.cite

SIDES = 6
"""Sides of every die."""
limit = partial(value, "limits")
"""Return the number in the chart of limits and distances, in the row with the given label."""
