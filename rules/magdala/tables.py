"""The printed tables of Magdala to Mafeking as code reads them."""

from functools import partial

from rules.core.chart import Tables

TABLES = Tables("rules.magdala")
row, entry, value = TABLES.row, TABLES.entry, TABLES.value
cite, adjustment = TABLES.cite, TABLES.adjustment

SIDES = 6
"""Of every die."""
limit, matter = partial(value, "limits"), partial(value, "ammunition")
"""Numbers of the charts of limits and distances, and of ammunition, mishaps and building, by the rows' labels."""
