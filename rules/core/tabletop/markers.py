"""Markers that conceal a hidden unit or nothing; only their side and the umpire know which (house).

No public fact about a marker, and no action of a marker, depends on what lies under it.
"""

from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import Any

from rules.core.model import UMPIRE, Viewer
from rules.core.refusal import Refused

from . import table
from .battle import Marker, Place, S, TableState
from .placement import Placement

SIZE = 2.0
"""Frontage and depth of every marker, in inches."""
MOST_MARKERS = 30
"""Maximum number of a side's markers on the table."""
NOTHING = "nothing"
"""Description of a dummy's contents."""
FACINGS = 8
"""Number of directions that a marker may face."""
FULL_CIRCLE = 360.0
PUBLIC_LETTERS = ""
"""Key in `TableState.letters` for the number of letters that everyone knows to be in use."""

PLACEMENT: Placement[Any] = Placement(lambda _marker: (SIZE, SIZE))
"""The placement that measures markers: every base has the same size."""


def letters_for_number(number: int) -> str:
    """Return a marker's letters by its number: `A` for 1, `Z` for 26, `AA` for 27."""
    return (letters_for_number((number - 1) // 26) if number > 26 else "") + ascii_uppercase[(number - 1) % 26]


def number_from_letters(letters: str) -> int:
    """Return a marker's number by its letters: 1 for `A`, 27 for `AA`."""
    number = 0
    for letter in letters:
        number = number * 26 + ascii_uppercase.index(letter) + 1
    return number


def make_marker(side: str, number: int, place: Place, unit: str = "") -> Marker:
    """Create the marker with this number. Its id contains an underscore, which no unit id contains."""
    letters = letters_for_number(number)
    return Marker(id=f"marker_{letters.lower()}", name=f"Marker {letters}", side=side, place=place, unit=unit)


def round_marker_place(state: TableState[Any], place: Place) -> Place:
    """Return a marker's place in whole inches and one of eight facings, wholly on the table.

    No marker may reveal a unit's exact place.
    """
    step = FULL_CIRCLE / FACINGS
    facing = round(place.facing / step) * step % FULL_CIRCLE
    near_place = Place(x=round(place.x), y=round(place.y), facing=facing)
    base = table.shift_onto_table(PLACEMENT.base_at(None, near_place), state.width, state.height)
    return near_place.model_copy(update={"x": base.at[0], "y": base.at[1]})


def base_of_marker(marker: Marker) -> table.Base:
    """Return the marker's base on the table."""
    return PLACEMENT.base_at(marker, marker.place)


def replace_markers(state: S, markers: Iterable[Marker]) -> S:
    """Return the state with `markers` as its only markers, sorted by letter."""
    ordered = sorted(markers, key=lambda marker: number_from_letters(marker.letter))
    return state.model_copy(update={"markers": {marker.id: marker for marker in ordered}})


def change_marker(state: S, marker: Marker, **fields: object) -> S:
    """Return the state with these fields of the marker changed."""
    return replace_markers(state, {**state.markers, marker.id: marker.model_copy(update=fields)}.values())


def remove_marker(state: S, marker: str) -> S:
    """Return the state without the marker (by id). A unit under the marker stays hidden at its place."""
    return replace_markers(state, (other for other in state.markers.values() if other.id != marker))


def add_marker(state: S, side: str, place: Place, *, secretly: bool) -> tuple[S, Marker]:
    """Return the state with a new marker, and the marker. Raises Refused if the side has too many.

    In a secret set-up each side has its own letters, which do not reveal the number of other sides' markers.
    """
    if sum(other.side == side for other in state.markers.values()) >= MOST_MARKERS:
        raise Refused(f"A side has {MOST_MARKERS} markers on the table at most. Take one off with /unit remove.")
    sides = [known_side.id for known_side in state.sides]
    letters_used = state.letters.get(PUBLIC_LETTERS, 0)
    number = max(state.letters.values(), default=0) + 1
    if secretly:
        first = max(letters_used, state.letters.get(side, 0)) + 1
        number = next(
            candidate
            for candidate in range(first, first + len(sides))
            if (candidate - 1) % len(sides) == sides.index(side)
        )
    marker = make_marker(side, number, place)
    letters = {**state.letters, side if secretly else PUBLIC_LETTERS: number}
    after = state.model_copy(update={"letters": letters})
    return replace_markers(after, (*state.markers.values(), marker)), marker


def publish_marker_letters(state: S) -> S:
    """Return the state with the highest marker letter public, and without each side's secret letters."""
    highest = max((number_from_letters(marker.letter) for marker in state.markers.values()), default=0)
    letters_used = max(state.letters.get(PUBLIC_LETTERS, 0), highest)
    return state.model_copy(update={"letters": {PUBLIC_LETTERS: letters_used} if letters_used else {}})


def marker_over_unit(state: TableState[Any], unit: str | None) -> Marker | None:
    """Return the marker over the unit (by id), or None."""
    return next((marker for marker in state.markers.values() if unit and marker.unit == unit), None)


def move_marker(state: S, marker: Marker, place: Place, **fields: object) -> S:
    """Move the marker and the unit under it, and change other `fields` of the marker."""
    state = change_marker(state, marker, place=place, **fields)
    for field in ("units", "hidden"):
        units: Mapping[str, Any] = getattr(state, field)
        if marker.unit in units:
            moved_unit = units[marker.unit].model_copy(update={"place": place})
            state = state.model_copy(update={field: {**units, marker.unit: moved_unit}})
    return state


def tidy_markers(state: S) -> S:
    """Remove markers over units that everyone sees. Markers whose unit left the game or moved away become dummies."""
    if all(_is_consistent(state, marker) for marker in state.markers.values()):
        return state
    remaining = (marker for marker in state.markers.values() if marker.unit not in state.units)
    consistent = (
        marker if _is_consistent(state, marker) else marker.model_copy(update={"unit": ""}) for marker in remaining
    )
    return replace_markers(state, consistent)


def _is_consistent(state: TableState[Any], marker: Marker) -> bool:
    """Whether the marker is a dummy, or lies exactly over a hidden unit of its side."""
    if not marker.unit:
        return True
    unit = state.hidden.get(marker.unit)
    return unit is not None and (unit.side, unit.place) == (marker.side, marker.place)


def hide_marker_contents(state: S, viewer: Viewer, *, secretly: bool) -> S:
    """Return the state in which other sides' markers look like dummies to the viewer.

    In a secret set-up (`secretly`), they are removed. The umpire sees everything.
    """
    if viewer == UMPIRE or not (state.markers or state.letters):
        return state
    markers = (
        marker if marker.side == viewer else marker.model_copy(update={"unit": ""}) for marker in state.markers.values()
    )
    known_markers = (marker for marker in markers if marker.side == viewer or not secretly)
    letters = {side: number for side, number in state.letters.items() if side in (PUBLIC_LETTERS, viewer)}
    return replace_markers(state, known_markers).model_copy(update={"letters": letters})


def keep_marker_contents(then: S, now: S, viewer: Viewer, *, secretly: bool) -> S:
    """Return the restored state `then` of an undo, with the present contents of other sides' markers.

    `now` is the present state. In a secret set-up (`secretly`), other sides keep all their markers of `now`.
    """
    if secretly:
        own = (marker for marker in then.markers.values() if marker.side == viewer)
        theirs = (marker for marker in now.markers.values() if marker.side != viewer)
        letters = {**then.letters, **{side: number for side, number in now.letters.items() if side != viewer}}
        return replace_markers(then, (*own, *theirs)).model_copy(update={"letters": letters})
    state = then
    for marker in then.markers.values():
        if marker.side == viewer:
            continue
        present = now.markers.get(marker.id)
        elsewhere = marker_over_unit(now, marker.unit)
        unit = present.unit if present is not None else "" if elsewhere is not None else marker.unit
        state = change_marker(state, marker, unit=unit)
        if present is not None and present.unit in state.hidden:
            state = move_marker(state, state.markers[marker.id], marker.place)
    return tidy_markers(state)
