"""The printed tables of Charge! as code reads them."""

from functools import partial

from rules.core.chart import Tables

TABLES = Tables("rules.charge")
entry, value, cite = TABLES.entry, TABLES.value, TABLES.cite

SIDES = 6
"""Of every die."""
limit = partial(value, "limits")
"""Numbers of the chart of limits and distances, by the rows' labels."""
