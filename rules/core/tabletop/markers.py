"""Markers: a hidden unit, or nothing, lies under each, and nobody else can tell which (house).

Nothing that others get of a marker, and nothing that it does, hangs on what lies under it.
"""

from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import Any, TypeVar

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused

from . import table
from .battle import Marker, Place, TableState
from .placement import Placement

S = TypeVar("S", bound=TableState[Any])

SIZE = 2.0
"""Inches of a marker's side, whatever lies under it."""
MOST_MARKERS = 30
"""Maximum markers of a side on the table."""
NOTHING = "nothing"
"""Said of what lies under a dummy."""
FACINGS = 8
FULL = 360.0
PUBLIC_LETTERS = ""
"""Key for the number of publicly known letters."""

PLACEMENT: Placement[Any] = Placement(lambda _marker: (SIZE, SIZE))
"""Bases of markers: all equal."""


def letters_of(number: int) -> str:
    """`A` of 1, `Z` of 26, `AA` of 27."""
    return (letters_of((number - 1) // 26) if number > 26 else "") + ascii_uppercase[(number - 1) % 26]


def number_of(letters: str) -> int:
    """1 of `A`, 27 of `AA`."""
    number = 0
    for letter in letters:
        number = number * 26 + ascii_uppercase.index(letter) + 1
    return number


def new_marker(side: str, number: int, place: Place, unit: str = "") -> Marker:
    """Return the marker of that number. Its id contains a character absent from unit ids."""
    letters = letters_of(number)
    return Marker(id=f"marker_{letters.lower()}", name=f"Marker {letters}", side=side, place=place, unit=unit)


def snapped(place: Place) -> Place:
    """Return the nearest whole inch and one of eight facings: so no marker shows that a unit stood there."""
    step = FULL / FACINGS
    return Place(x=round(place.x), y=round(place.y), facing=round(place.facing / step) * step % FULL)


def spot_for(state: TableState[Any], place: Place) -> Place:
    """Return where a marker is put that is meant for a place: snapped, and wholly on the table."""
    near = snapped(place)
    there = table.brought_on(PLACEMENT.base_at(None, near), state.width, state.height)
    return near.model_copy(update={"x": there.at[0], "y": there.at[1]})


def base(marker: Marker) -> table.Base:
    """Return a marker's base."""
    return PLACEMENT.base_at(marker, marker.place)


def with_markers(state: S, markers: Iterable[Marker]) -> S:
    """Return the state with these markers, ordered by letter."""
    ordered = sorted(markers, key=lambda one: number_of(one.letter))
    return state.model_copy(update={"markers": {one.id: one for one in ordered}})


def changed(state: S, marker: Marker, **fields: object) -> S:
    """Return the state with fields of a marker changed."""
    return with_markers(state, {**state.markers, marker.id: marker.model_copy(update=fields)}.values())


def without(state: S, marker: str) -> S:
    """Return the state without the marker; its unit stays hidden in place."""
    return with_markers(state, (one for one in state.markers.values() if one.id != marker))


def put_on(state: S, side: str, place: Place, *, secretly: bool) -> tuple[S, Marker]:
    """Return the state with a further marker. Raises Refused beyond the limit.

    In a set-up in secret each side has every second letter, so that it learns nothing of the other's.
    """
    if sum(one.side == side for one in state.markers.values()) >= MOST_MARKERS:
        raise Refused(f"A side has {MOST_MARKERS} markers on the table at most. Take one off with /unit remove.")
    sides = [one.id for one in state.sides]
    given = state.letters.get(PUBLIC_LETTERS, 0)
    number = max(state.letters.values(), default=0) + 1
    if secretly:
        first = max(given, state.letters.get(side, 0)) + 1
        number = next(each for each in range(first, first + len(sides)) if (each - 1) % len(sides) == sides.index(side))
    marker = new_marker(side, number, place)
    letters = {**state.letters, side if secretly else PUBLIC_LETTERS: number}
    after = state.model_copy(update={"letters": letters})
    return with_markers(after, (*state.markers.values(), marker)), marker


def lettered(state: S) -> S:
    """Return the state in which everyone knows the letters of the markers that lie on the table."""
    highest = max((number_of(one.letter) for one in state.markers.values()), default=0)
    given = max(state.letters.get(PUBLIC_LETTERS, 0), highest)
    return state.model_copy(update={"letters": {PUBLIC_LETTERS: given} if given else {}})


def marker_over(state: TableState[Any], unit: str | None) -> Marker | None:
    """Return the marker under which that unit (by its id) lies."""
    return next((one for one in state.markers.values() if unit and one.unit == unit), None)


def move_marker(state: S, marker: Marker, place: Place, **fields: object) -> S:
    """Return the state with the marker and its unit moved."""
    state = changed(state, marker, place=place, **fields)
    for where in ("units", "hidden"):
        there: Mapping[str, Any] = getattr(state, where)
        if marker.unit in there:
            carried = there[marker.unit].model_copy(update={"place": place})
            state = state.model_copy(update={where: {**there, marker.unit: carried}})
    return state


def tidied(state: S) -> S:
    """Return the state without markers of units that everyone sees; markers of units that are gone become dummies."""
    if all(_lies(state, one) for one in state.markers.values()):
        return state
    kept = (one for one in state.markers.values() if one.unit not in state.units)
    return with_markers(state, (one if _lies(state, one) else one.model_copy(update={"unit": ""}) for one in kept))


def _lies(state: TableState[Any], marker: Marker) -> bool:
    """Whether the marker is a dummy, or its unit lies at the same place."""
    if not marker.unit:
        return True
    unit = state.hidden.get(marker.unit)
    return unit is not None and (unit.side, unit.place) == (marker.side, marker.place)


def view_of_markers(state: S, viewer: Viewer, *, secretly: bool) -> S:
    """Return the viewer's view of markers: contents of own markers only; in secret set-up, only own markers."""
    if viewer == UMPIRE or not (state.markers or state.letters):
        return state
    theirs = (one if one.side == viewer else one.model_copy(update={"unit": ""}) for one in state.markers.values())
    known = (one for one in theirs if one.side == viewer or not secretly)
    letters = {side: given for side, given in state.letters.items() if side in (PUBLIC_LETTERS, viewer)}
    return with_markers(state, known).model_copy(update={"letters": letters})


def keep_contents(then: S, now: S, viewer: Viewer, *, secretly: bool) -> S:
    """Return the restored state with present contents of other sides' markers.

    `then` has the units that are hidden in the end. In a set-up in secret the markers of others stay as they are.
    """
    if secretly:
        own = (one for one in then.markers.values() if one.side == viewer)
        theirs = (one for one in now.markers.values() if one.side != viewer)
        letters = {**then.letters, **{side: given for side, given in now.letters.items() if side != viewer}}
        return with_markers(then, (*own, *theirs)).model_copy(update={"letters": letters})
    state = then
    for marker in then.markers.values():
        if marker.side == viewer:
            continue
        still = now.markers.get(marker.id)
        elsewhere = marker_over(now, marker.unit)
        unit = still.unit if still is not None else "" if elsewhere is not None else marker.unit
        state = changed(state, marker, unit=unit)
        if still is not None and still.unit in state.hidden:
            state = move_marker(state, state.markers[marker.id], marker.place)
    return tidied(state)
