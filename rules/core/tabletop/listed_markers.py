"""The markers of a battle's file: over hidden units, and over nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from rules.core.faults import Fault
from rules.core.model import Path

from . import markers
from .battle import Place, TableState
from .listed_units import ListedDummy, ListedUnit

S = TypeVar("S", bound=TableState[Any])


def with_listed_markers(
    state: S, units: Iterable[ListedUnit], dummies: Iterable[ListedDummy], faces: Callable[[str], float]
) -> S:
    """Return the state with its markers; missing letters are assigned by position."""
    over = [(line.marker, line.side, state.hidden[line.id].place, line.id) for line in units if line.marker]
    asked = [*over, *((line.marker, line.side, line.place(faces(line.side)), "") for line in dummies)]
    given = {markers.number_of(letters) for letters, *_ in asked if isinstance(letters, str)}
    free = (number for number in range(1, len(asked) + len(given) + 1) if number not in given)
    found = []
    for letters, side, place, unit in sorted(asked, key=lambda each: _where(state, each[1], each[2])):
        number = markers.number_of(letters) if isinstance(letters, str) else next(free)
        found.append(markers.new_marker(side, number, place, unit))
    return markers.publish_letters(markers.with_markers(state, found))


def _where(state: TableState[Any], side: str, place: Place) -> tuple[int, float, float]:
    """Side by side, row by row from the north."""
    return state.side(side).index, place.y, place.x


def marker_faults(units: Sequence[ListedUnit], dummies: Sequence[ListedDummy]) -> Iterable[Fault]:
    """Markers of units that everyone sees or that stand nowhere, too many of them, and letters that come twice."""
    lines: list[tuple[Path, str, ListedUnit | ListedDummy]] = [
        *((("units", at), f"unit {line.id}", line) for at, line in enumerate(units) if line.marker),
        *((("dummies", at), f"dummy {at + 1}", line) for at, line in enumerate(dummies)),
    ]
    told: set[str] = set()
    for path, where, line in lines:
        place = (*path, "marker")
        if isinstance(line, ListedUnit) and not (line.hidden and line.at is not None):
            yield Fault(place, f"{where}: marker: only hidden units with a place lie under one")
        if line.marker is False:
            yield Fault(place, f"{where}: marker: a dummy is nothing but a marker")
        if isinstance(line.marker, str):
            if line.marker in told:
                yield Fault(place, f"{where}: marker: there is another {line.marker}")
            told.add(line.marker)
    of_sides = Counter(line.side for _, _, line in lines)
    for side in (side for side, number in of_sides.items() if number > markers.MOST_MARKERS):
        yield Fault(("dummies",), f"side {side}: it has {markers.MOST_MARKERS} markers at most, of units and dummies")
