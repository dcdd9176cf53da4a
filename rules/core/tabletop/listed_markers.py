"""The markers of a battle's file: markers over hidden units, and dummies."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rules.core.faults import Fault
from rules.core.model import Path

from . import markers
from .battle import S
from .listed_units import ListedDummy, ListedUnit


def add_listed_markers(
    state: S, units: Iterable[ListedUnit], dummies: Iterable[ListedDummy], default_facing: Callable[[str], float]
) -> S:
    """Return the state with the markers of the listed units and dummies.

    Markers without a letter get the free letters, in the order of sides and from north to south. `default_facing`
    returns the facing in degrees for a side id.
    """
    over_units = [(line.marker, line.side, state.hidden[line.id].place, line.id) for line in units if line.marker]
    rows = [*over_units, *((line.marker, line.side, line.place(default_facing(line.side)), "") for line in dummies)]
    given_numbers = {markers.number_from_letters(letters) for letters, *_ in rows if isinstance(letters, str)}
    free = (number for number in range(1, len(rows) + len(given_numbers) + 1) if number not in given_numbers)
    new_markers = []
    for letters, side, place, unit in sorted(rows, key=lambda row: (state.side(row[1]).index, row[2].y, row[2].x)):
        number = markers.number_from_letters(letters) if isinstance(letters, str) else next(free)
        new_markers.append(markers.make_marker(side, number, place, unit))
    return markers.publish_marker_letters(markers.replace_markers(state, new_markers))


def marker_faults(units: Sequence[ListedUnit], dummies: Sequence[ListedDummy]) -> Iterable[Fault]:
    """Yield faults of markers: a visible or unplaced unit under a marker, repeated letters, too many markers."""
    lines: list[tuple[Path, str, ListedUnit | ListedDummy]] = [
        *((("units", at), f"unit {line.id}", line) for at, line in enumerate(units) if line.marker),
        *((("dummies", at), f"dummy {at + 1}", line) for at, line in enumerate(dummies)),
    ]
    letters: set[str] = set()
    for path, name, line in lines:
        place = (*path, "marker")
        if isinstance(line, ListedUnit) and not (line.hidden and line.at is not None):
            yield Fault(place, f"{name}: marker: only hidden units with a place lie under one")
        if line.marker is False:
            yield Fault(place, f"{name}: marker: a dummy is nothing but a marker")
        if isinstance(line.marker, str):
            if line.marker in letters:
                yield Fault(place, f"{name}: marker: there is another {line.marker}")
            letters.add(line.marker)
    of_sides = Counter(line.side for _, _, line in lines)
    for side in (side for side, number in of_sides.items() if number > markers.MOST_MARKERS):
        yield Fault(("dummies",), f"side {side}: it has {markers.MOST_MARKERS} markers at most, of units and dummies")
