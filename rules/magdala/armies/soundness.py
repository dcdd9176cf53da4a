"""Whether a state from outside hangs together: what it refers to exists, and its table can be played on."""

from collections.abc import Iterable

from rules.core.ruleset import Refused
from rules.core.scene import Point
from rules.magdala.model import MagdalaState, MagdalaUnit

LEAST_TABLE = 12.0
MOST_TABLE = 240.0
"""Inches of a table's side."""
FAR = 1000.0
"""Inches from the table's corner beyond which nothing stands or lies."""
MOST_UNITS = 200
MOST_TERRAIN = 200
MOST_POINTS = 200
"""Corners of one terrain piece."""
MOST_DEBTS = 1000


def check(state: MagdalaState) -> None:
    """Raises Refused with the place of what contradicts itself."""
    for side, inches in (("width", state.width), ("height", state.height)):
        _must(LEAST_TABLE <= inches <= MOST_TABLE, side, f"a table has {LEAST_TABLE:g} to {MOST_TABLE:g} inches")
    _must(len(state.units) <= MOST_UNITS, "units", f"there are {MOST_UNITS} at most")
    _must(len(state.terrain) <= MOST_TERRAIN, "terrain", f"there are {MOST_TERRAIN} pieces at most")
    _must(len(state.debts) <= MOST_DEBTS, "debts", f"there are {MOST_DEBTS} at most")
    for unit in state.units.values():
        _check_unit(state, unit)
    for place, debt in enumerate(state.debts):
        for name in (debt.unit, debt.by or debt.unit):
            _must(name in state.units, f"debts[{place}]", _unknown(name))
    _check_ground(state)


def _check_unit(state: MagdalaState, unit: MagdalaUnit) -> None:
    named = {"parent": unit.parent, "general": unit.general, "melee_with": unit.melee_with}
    for field, name in named.items():
        where = f"units.{unit.id}.{field}"
        _must(name is None or name in state.units, where, _unknown(name or ""))
        _must(name != unit.id, where, "it is the unit itself")
    for field, place in (("place", unit.place), ("horses_at", unit.horses_at)):
        if place is not None:
            _must(_near(((place.x, place.y),)), f"units.{unit.id}.{field}", "it is far off the table")
            _must(abs(place.facing) <= FAR, f"units.{unit.id}.{field}.facing", "it is no number of degrees")


def _check_ground(state: MagdalaState) -> None:
    sides = {side.id for side in state.sides}
    for index, piece in enumerate(state.terrain):
        where = f"terrain[{index}]"
        _must(0 < len(piece.points) <= MOST_POINTS, where, f"it has 1 to {MOST_POINTS} points")
        _must(_near(piece.points) and 0 < piece.width <= MOST_TABLE, where, "it is far off the table, or too wide")
    for index, objective in enumerate(state.objectives):
        _must(_near((objective.at,)) and objective.side in sides, f"objectives[{index}]", "no side can reach it")
    _must(state.home_edges.keys() <= sides, "home_edges", "there is no such side")
    _must(state.opened_by in ("", *sides), "opened_by", "there is no such side")


def _near(points: Iterable[Point]) -> bool:
    return all(abs(inches) <= FAR for point in points for inches in point)


def _unknown(name: str) -> str:
    return f"there is no unit “{name[:40]}”"


def _must(true: bool, where: str, otherwise: str) -> None:
    if not true:
        raise Refused(f"{where}: {otherwise}.")
