"""Read where a unit is to go, among the units, markers and named ground of a table."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from rules.core import naming
from rules.core.memo import cache_by_identity
from rules.core.refusal import NoPlace
from rules.core.scene import Point
from rules.core.short_names import UnitNames
from rules.core.typed_text import fold

from . import table
from .battle import CACHE_SIZE, TableState, U
from .landmarks import find_landmark
from .place import (
    Destination,
    Towards,
    TowardsMarker,
    Turn,
    parse,
    settle_turn,
)
from .unit_short_names import short_name_finder

FACING_SOMETHING = re.compile(
    r"(?:face|facing|turn)\s+(?:to\s+face\s+|towards?\s+|to\s+)?(?P<name>\S.*)", re.IGNORECASE
)


def read_place(state: TableState[U], unit: U, to: str | None) -> Destination | None:
    """Return the destination that `to` names. Raises Refused.

    Words that name none return None if the unit's position is unknown; they may describe a real table.
    """
    if to is None:
        return None
    here = None if unit.place is None else unit.place.point
    names = names_of_others(state, unit)
    marker_names = {marker.id: marker.name for marker in state.markers.values()}
    try:
        every = UnitNames({**names, **marker_names}, short_name_finder(state)) if marker_names else names
        found = parse(to, every)
        if isinstance(found, Towards) and found.unit in marker_names:
            return TowardsMarker(marker=found.unit, inches=found.inches)
        if isinstance(found, Towards) and found.unit not in to:
            return find_landmark(state, to, here, exactly=True) or found
        return found if unit.place is None else settle_turn(found, unit.place.facing)
    except NoPlace:
        named = _turn_to_face(state, names, to, here) or find_landmark(state, to, here)
        if named is not None:
            return named
        if unit.place is not None:
            raise
        return None


def _turn_to_face(state: TableState[Any], names: Mapping[str, str], words: str, here: Point | None) -> Turn | None:
    """Return the turn to face the unit or landmark in `face Amarar`, or None if the words say something else."""
    said = FACING_SOMETHING.fullmatch(fold(words).strip())
    if said is None or here is None:
        return None
    units = naming.find_matches(said["name"], names)
    place = state.units[units[0]].place if len(units) == 1 else None
    landmark = None if units else find_landmark(state, said["name"], here)
    there = place.point if place is not None else landmark.at if landmark is not None else None
    return None if there is None else Turn(facing=table.bearing(here, there))


def names_of_others(state: TableState[U], unit: U) -> naming.Names:
    """Return the names of all units on the table except `unit`, by id, with a cache."""
    known = _names_known(state.units)
    if unit.id not in known:
        others = {other.id: other.name for other in state.all_on_table if other.id != unit.id}
        known[unit.id] = UnitNames(others, short_name_finder(state))
    return known[unit.id]


_names_known: Callable[[Mapping[str, Any]], dict[str, naming.Names]] = cache_by_identity(lambda _units: {}, CACHE_SIZE)
"""Return the cache of a state's units: the names of all other units, by the id of each unit."""
