"""The printed tables and the named troops of Battles for Empire as code reads them."""

from rules.core.chart import Tables
from rules.core.tabletop.troops import Troops

from .model import EmpireUnit

TABLES = Tables("rules.empire")
row, entry, value = TABLES.row, TABLES.entry, TABLES.value
cite, adjustment, adjustments = TABLES.cite, TABLES.adjustment, TABLES.adjustments
TROOPS = Troops("rules.empire", EmpireUnit)
