"""The printed tables and the named troops of Battles for Empire."""

from rules.core.chart import Tables
from rules.core.tabletop.troops import Troops

from .model import EmpireUnit

TABLES = Tables("rules.empire")
row, value, cite = TABLES.row, TABLES.value, TABLES.cite
adjustment, adjustments = TABLES.row_modifier, TABLES.row_modifiers
TROOPS = Troops("rules.empire", EmpireUnit)
