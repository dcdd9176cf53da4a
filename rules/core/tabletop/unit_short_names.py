"""Short names of the units and markers of a table, by id."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rules.core.memo import cache_by_identity
from rules.core.short_names import abbreviate_names

from .battle import CACHE_SIZE, Arrival, Marker, TableState, TableUnit


def short_unit_names(state: TableState[Any]) -> Mapping[str, str]:
    """Return the short name of every unit and marker in a view, by id.

    The short names of visible units are equal in all views, so they reveal no hidden units.
    """
    return short_name_finder(state)()


def short_name_finder(state: TableState[Any]) -> Callable[[], Mapping[str, str]]:
    """Return a function that returns the short names, without keeping the whole state in memory."""
    return partial(_short_unit_names, state.units, state.hidden, state.markers, state.arrivals)


def _find_short_unit_names(
    units: Mapping[str, TableUnit],
    hidden: Mapping[str, TableUnit],
    markers: Mapping[str, Marker],
    arrivals: Mapping[str, Arrival[Any]],
) -> Mapping[str, str]:
    names = {piece.id: piece.name for piece in (*units.values(), *markers.values())}
    visible = abbreviate_names([*dict.fromkeys(names.values())])
    short_by_id = {unit: visible[name] for unit, name in names.items()}
    taken_names = {words.casefold() for words in visible.values()}
    unseen = [*hidden.values(), *(arrival.unit for arrival in arrivals.values())]
    for side in dict.fromkeys(unit.side for unit in unseen):
        own = {unit.id: unit.name for unit in unseen if unit.side == side}
        short_by_name = abbreviate_names([*dict.fromkeys((*names.values(), *own.values()))])
        for unit, name in own.items():
            short = short_by_name[name]
            numbered = (f"{short}{count}" for count in range(2, len(taken_names) + 3))
            free = (new for new in (short, *numbered) if new.casefold() not in taken_names)
            short_by_id[unit] = visible.get(name) or next(free)
    return short_by_id


_short_unit_names = cache_by_identity(_find_short_unit_names, CACHE_SIZE)
