"""Read the charts of The Great War: soldiers, tanks, and faces of battle dice."""

from functools import cache

from rules.core.chart import Tables
from rules.core.model import Cite
from rules.core.scene import DieFace

from .model import Arm

TABLES = Tables("rules.great_war")
SIDES = 6
"""Sides of a battle die."""


def chart_number(arm: Arm, label: str) -> int:
    """Return the arm's number in a row of the chart of soldiers or tanks; 0 if there is none."""
    chart = TABLES.charts["tanks" if arm.is_tank else "soldiers"]
    row = next((row for row in chart.rows if row.label == label), None)
    return (chart.cell(row, arm.value).value or 0) if row is not None else 0


def cite_of_row(arm: Arm, label: str) -> Cite:
    """Return the rule number and mark of a row in the arm's chart. Raises KeyError for an unknown row."""
    return TABLES.cite("tanks" if arm.is_tank else "soldiers", label)


def dice_at_range(arm: Arm, hexes: int) -> int:
    """Return the battle dice of an arm at a range in hexes; 0 beyond its range (GW-1.5, GW-2)."""
    return chart_number(arm, f"dice at {hexes}")


@cache
def farthest_range(arm: Arm) -> int:
    """Return the farthest range in hexes at which an arm has dice."""
    hexes = 1
    while dice_at_range(arm, hexes + 1):
        hexes += 1
    return hexes


@cache
def die_faces() -> tuple[DieFace, ...]:
    """Return the faces of a battle die, in the order of its numbers (GW-1.3)."""
    chart = TABLES.charts["faces"]
    return tuple(DieFace(chart.cell(row, "shows").text) for row in chart.rows)
