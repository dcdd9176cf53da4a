"""Validation of states from outside: the table's size, terrain, units, hidden units and markers."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import Any

from rules.core.refusal import require_that
from rules.core.scene import Point, TerrainPiece
from rules.core.state import MOST_TURNS

from .battle import Place, TableState
from .markers import MOST_MARKERS, PUBLIC_LETTERS, letters_for_number

LEAST_TABLE = 12.0
MOST_TABLE = 240.0
"""Minimum and maximum length of a table's side in inches."""
FAR = 1000.0
"""Maximum absolute coordinate of units and terrain, in inches."""
LONGEST_NAME = 80
MOST_UNITS = 200
MOST_TERRAIN = 200
MOST_LETTERS = 702
"""Maximum number of marker letters, from A to ZZ."""
MOST_POINTS = 200
"""Maximum number of points of one terrain piece."""
MOST_POINTS_IN_ALL = 2000
"""Maximum number of points of all pieces together. With ten times this number, a single move takes minutes."""


def check_table(state: TableState[Any]) -> None:
    """Check a table's size, terrain, objectives, units and markers. Raises Refused, naming the wrong field."""
    for side, inches in (("width", state.width), ("height", state.height)):
        require_that(LEAST_TABLE <= inches <= MOST_TABLE, side, f"a table has {LEAST_TABLE:g} to {MOST_TABLE:g} inches")
    require_that(len(state.units) <= MOST_UNITS, "units", f"there are {MOST_UNITS} at most")
    require_that(len(state.terrain) <= MOST_TERRAIN, "terrain", f"there are {MOST_TERRAIN} pieces at most")
    require_that(
        count_points(state.terrain) <= MOST_POINTS_IN_ALL,
        "terrain",
        f"its pieces have {MOST_POINTS_IN_ALL:,} points in all at most",
    )
    sides = {side.id for side in state.sides}
    for index, piece in enumerate(state.terrain):
        path = f"terrain[{index}]"
        require_that(0 < len(piece.points) <= MOST_POINTS, path, f"it has 1 to {MOST_POINTS} points")
        require_that(
            _are_near_table(piece.points) and 0 < piece.width <= MOST_TABLE,
            path,
            "it is far off the table, or too wide",
        )
    for index, objective in enumerate(state.objectives):
        path, is_reachable = f"objectives[{index}]", _are_near_table((objective.at,)) and objective.side in sides
        require_that(is_reachable, path, "no side can reach it")
        require_that(len(objective.name) <= LONGEST_NAME, f"{path}.name", f"it has {LONGEST_NAME} letters at most")
    require_that(state.home_edges.keys() <= sides, "home_edges", "there is no such side")
    check_hidden_units(state)
    check_arrivals(state)
    check_markers(state)
    for unit in state.units.values():
        for field in unit.refers_to:
            path, name = f"units.{unit.id}.{field}", getattr(unit, field)
            check_unit_ids(state.units, path, () if name is None else (name,))
            require_that(name != unit.id, path, "it is the unit itself")
        for field, place in ((field, value) for field, value in unit if isinstance(value, Place)):
            require_that(_are_near_table((place.point,)), f"units.{unit.id}.{field}", "it is far off the table")
            require_that(abs(place.facing) <= FAR, f"units.{unit.id}.{field}.facing", "it is no number of degrees")


def count_points(terrain: Iterable[TerrainPiece]) -> int:
    """Return the total number of points of all terrain pieces."""
    return sum(len(piece.points) for piece in terrain)


def check_hidden_units(state: TableState[Any]) -> None:
    """Raise Refused if a hidden unit is visible, too, has a wrong id or side, or stands far off the table."""
    require_that(len(state.units) + len(state.hidden) <= MOST_UNITS, "hidden", f"there are {MOST_UNITS} units at most")
    sides = {side.id for side in state.sides}
    for key, unit in state.hidden.items():
        path = f"hidden.{key[:40]}"
        is_valid = unit.id == key and unit.side in sides
        require_that(is_valid, path, "it has another id, or is of a side that there is not")
        require_that(key not in state.units, path, "it stands among the others as well")
        if unit.place is not None:
            _check_place(unit.place, path)


def check_arrivals(state: TableState[Any]) -> None:
    """Raise Refused if an arrival is already on the table, has a wrong id or side, or has a place."""
    sides = {side.id for side in state.sides}
    require_that(len(state.every_unit) <= MOST_UNITS, "arrivals", f"there are {MOST_UNITS} units at most")
    for key, arrival in state.arrivals.items():
        path = f"arrivals.{key[:40]}"
        is_valid = arrival.unit.id == key and arrival.unit.side in sides
        require_that(is_valid, path, "it has another id, or is of a side that there is not")
        require_that(key not in state.units and key not in state.hidden, path, "it stands among the others as well")
        require_that(arrival.unit.place is None, path, "it has a place already")


def check_markers(state: TableState[Any]) -> None:
    """Raise Refused unless every marker has a valid id, name and letter, and lies near the table.

    A marker that is no dummy must lie over a hidden unit of its side.
    """
    sides = {side.id for side in state.sides}
    of_sides = Counter(marker.side for marker in state.markers.values())
    require_that(all(n <= MOST_MARKERS for n in of_sides.values()), "markers", f"a side has {MOST_MARKERS} at most")
    letters = map(letters_for_number, range(1, MOST_LETTERS + 1))
    marker_names = {(f"marker_{letter.lower()}", f"Marker {letter}") for letter in letters}
    for key, marker in state.markers.items():
        path = f"markers.{key[:40]}"
        is_valid = marker.id == key and marker.side in sides
        require_that(is_valid, path, "it has another id, or is of a side that there is not")
        require_that((marker.id, marker.name) in marker_names, path, "it is called as no marker is")
        require_that(key not in state.units and key not in state.hidden, path, "a unit has the same id")
        require_that(0 <= marker.moved_in <= MOST_TURNS, f"{path}.moved_in", f"it is from 0 to {MOST_TURNS}")
        _check_place(marker.place, path)
        if marker.unit:
            hidden_unit = state.hidden.get(marker.unit)
            is_valid = hidden_unit is not None and (hidden_unit.side, hidden_unit.place) == (marker.side, marker.place)
            require_that(is_valid, f"{path}.unit", "no hidden unit of its side lies there")
    covered_ids = [marker.unit for marker in state.markers.values() if marker.unit]
    require_that(len({*covered_ids}) == len(covered_ids), "markers", "a unit lies under one alone")
    keys = {*sides, PUBLIC_LETTERS}
    is_valid = state.letters.keys() <= keys and all(0 <= n <= MOST_LETTERS for n in state.letters.values())
    require_that(is_valid, "letters", f"they are up to {MOST_LETTERS}, and of sides that there are")


def _check_place(place: Place, path: str) -> None:
    """Raise Refused if the place is far off the table, or its facing is no number of degrees."""
    require_that(_are_near_table((place.point,)), path, "it has no place near the table")
    require_that(abs(place.facing) <= FAR, f"{path}.place.facing", "it is no number of degrees")


def check_unit_ids(units: Container[str], path: str, names: Iterable[str]) -> None:
    """Raise Refused unless all `names` are ids in `units`; `path` is the field that refers to them."""
    for name in names:
        require_that(name in units, path, f"there is no unit “{name[:40]}”")


def _are_near_table(points: Iterable[Point]) -> bool:
    """Whether all points have coordinates of at most FAR inches."""
    return all(abs(inches) <= FAR for point in points for inches in point)
