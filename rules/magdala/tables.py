"""The printed tables of Magdala to Mafeking as code reads them."""

from functools import partial

from rules.core.chart import Tables

TABLES = Tables("rules.magdala")
row, cell_value, value = TABLES.row, TABLES.cell_value, TABLES.value
cite, adjustment = TABLES.cite, TABLES.row_modifier

SIDES = 6
"""Sides of every die."""
limit, mishap_value = partial(value, "limits"), partial(value, "ammunition")
"""Functions that return a number by its row's label: from the charts of limits, and of ammunition and mishaps."""
