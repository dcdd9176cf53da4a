"""The printed tables of Battles for Empire as code reads them."""

from rules.core.tables import Tables

TABLES = Tables("rules.empire")
row, entry, value = TABLES.row, TABLES.entry, TABLES.value
cite, adjustment, adjustments = TABLES.cite, TABLES.adjustment, TABLES.adjustments
