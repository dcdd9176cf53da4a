"""Read the destination of a unit, among the units, markers and named ground of a table."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from rules.core import naming
from rules.core.memo import cache_by_identity
from rules.core.refusal import NoPlace
from rules.core.scene import Point
from rules.core.short_names import UnitNames
from rules.core.typed_text import simplify_signs

from . import table
from .battle import CACHE_SIZE, TableState, U
from .landmarks import find_landmark
from .place import Destination, TowardsMarker, TowardsUnit, TurnOnSpot, make_turn_absolute, parse_destination
from .unit_short_names import short_name_finder

FACING_SOMETHING = re.compile(
    r"(?:face|facing|turn)\s+(?:to\s+face\s+|towards?\s+|to\s+)?(?P<name>\S.*)", re.IGNORECASE
)


def read_destination(state: TableState[U], unit: U, to: str | None) -> Destination | None:
    """Return the destination that the words `to` name, or None if `to` is None.

    Raises Refused if they name none. If the unit's position is unknown, return None instead, because the words may
    then describe a real table.
    """
    if to is None:
        return None
    start = None if unit.place is None else unit.place.point
    names = other_unit_names(state, unit)
    marker_names = {marker.id: marker.name for marker in state.markers.values()}
    try:
        all_names = UnitNames({**names, **marker_names}, short_name_finder(state)) if marker_names else names
        destination = parse_destination(to, all_names)
        if isinstance(destination, TowardsUnit) and destination.unit in marker_names:
            return TowardsMarker(marker=destination.unit, inches=destination.inches)
        if isinstance(destination, TowardsUnit) and destination.unit not in to:
            return find_landmark(state, to, start, exactly=True) or destination
        return destination if unit.place is None else make_turn_absolute(destination, unit.place.facing)
    except NoPlace:
        goal = _read_turn_to_face(state, names, to, start) or find_landmark(state, to, start)
        if goal is not None:
            return goal
        if unit.place is not None:
            raise
        return None


def _read_turn_to_face(
    state: TableState[Any], names: Mapping[str, str], words: str, start: Point | None
) -> TurnOnSpot | None:
    """Return the turn to face the unit or landmark in `face Amarar`, or None if the words have another form."""
    match = FACING_SOMETHING.fullmatch(simplify_signs(words).strip())
    if match is None or start is None:
        return None
    units = naming.find_matches(match["name"], names)
    place = state.units[units[0]].place if len(units) == 1 else None
    landmark = None if units else find_landmark(state, match["name"], start)
    point = place.point if place is not None else landmark.at if landmark is not None else None
    return None if point is None else TurnOnSpot(facing=table.bearing(start, point))


def other_unit_names(state: TableState[U], unit: U) -> naming.Names:
    """Return the cached names of all units on the table except `unit`, by id."""
    names_by_unit = _names_cache(state.units)
    if unit.id not in names_by_unit:
        names = {other.id: other.name for other in state.all_on_table if other.id != unit.id}
        names_by_unit[unit.id] = UnitNames(names, short_name_finder(state))
    return names_by_unit[unit.id]


_names_cache: Callable[[Mapping[str, Any]], dict[str, naming.Names]] = cache_by_identity(lambda _units: {}, CACHE_SIZE)
"""Return the cache for a state's units. For each unit's id, it holds the names of all other units."""
