"""Compute where units can move, by sketching moves: a polygon on a table, or hexes."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.order_sheets.model import StoredSheet
from bot.order_sheets.preview import Prospect
from render.hexmap.plane import hex_centre
from rules.core.hex_places import HexPlaces
from rules.core.model import Viewer
from rules.core.orders import DEFAULT_KIND, sketch_preliminary_test
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.core.tabletop.battle import TableState, TableUnit

from .sessions import PageSeat

DIRECTIONS = 24
"""Number of evenly spaced directions in which the unit's longest move is estimated."""
PRECISION = 0.25
"""Precision in inches of the longest move in a direction."""
NO_MOVE_LENGTH = 0.3
"""Maximum length in inches of a move that counts as no move."""
Point = tuple[float, float]


def reach_json(seat: PageSeat, stored: StoredSheet, units: tuple[str, ...]) -> Mapping[str, Any]:
    """Return where units can move after the orders on the sheet.

    On a table, `points` are a polygon for the first unit. On a map of hexes, `hexes` are those that all of the
    units can reach.
    """
    prospect = Prospect.for_sheet(seat.game, stored.side, stored.sheet.orders)
    if not units or not {*units} <= prospect.book.own_names.keys() or DEFAULT_KIND not in prospect.system.actions:
        return {}
    phases = {unit: _find_phase_to_move(prospect, unit) for unit in units}
    table = prospect.prepared_table(phases[units[0]], units[0])
    if not isinstance(table, TableState):
        places = [_find_destinations(prospect, phases[unit], unit) for unit in units]
        shared = [place for place in places[0] if all(place in unit_places for unit_places in places)]
        on_hexes = prospect.system.places
        hexes = on_hexes.find_hexes(table, shared) if isinstance(on_hexes, HexPlaces) else ()
        return {"hexes": [{"hex": at.label, "at": [round(part, 2) for part in hex_centre(at)]} for at in hexes]}
    start = _find_position(table, units[0])
    return {} if start is None else {"points": _reach_polygon(prospect.system, table, stored.side, units[0], start)}


def _find_phase_to_move(prospect: Prospect, unit: str) -> str:
    """Return the next phase in which the unit can move, or else act. Return `""` for none."""
    moving = (phase for phase in prospect.phases_ahead if _find_destinations(prospect, phase, unit))
    acting = (phase for phase in prospect.phases_ahead if unit in prospect.find_able_units(phase))
    return next(moving, next(acting, ""))


def _find_destinations(prospect: Prospect, phase: str, unit: str) -> Sequence[str]:
    """Return the suggested destinations of a unit, as if the prerequisites of the move were done."""
    actions = prospect.offered_actions(phase, (unit,)).get(unit, ())
    moves = (str(getattr(action, "to", "")) for action in actions if action.kind == DEFAULT_KIND)
    return [*dict.fromkeys((*prospect.possible_destinations(phase, unit), *filter(None, moves)))]


def _find_position(state: State, unit: str) -> Point | None:
    model = state.units.get(unit)
    place = model.place if isinstance(model, TableUnit) else None
    return None if place is None else place.point


def _reach_polygon(
    system: Ruleset[Any], table: TableState[Any], viewer: Viewer, unit: str, start: Point
) -> Sequence[Point]:
    """Return the ends of the unit's longest moves in all directions. Return nothing if the unit cannot move."""
    ends, length = list[Point](), 0.0
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        ray = _MoveDirection(system, table, viewer, unit, start, (math.sin(angle), -math.cos(angle)))
        length = ray.longest_move_length(length)
        ends.append(ray.end_of_move(length) or start)
    can_move = any(math.dist(end, start) > NO_MOVE_LENGTH for end in ends)
    return [(round(x, 1), round(y, 1)) for x, y in ends] if can_move else ()


class _MoveDirection(NamedTuple):
    """A direction in which a unit may move from `start`. `way` is a vector of length 1."""

    system: Ruleset[Any]
    table: TableState[Any]
    viewer: Viewer
    unit: str
    start: Point
    way: Point

    def longest_move_length(self, guess: float) -> float:
        """Return the length in inches of the longest allowed move, at most to the table's edge.

        Some systems shorten a move that is too long, and others refuse it. The search begins at `guess`.
        """
        edge = self._length_to_edge()
        if self._is_move_allowed(edge):
            return edge
        low, high = 0.0, edge
        if 0 < guess < edge:
            if not self._is_move_allowed(guess):
                high = guess
            elif not self._is_move_allowed(guess + PRECISION):
                return guess
            else:
                low = guess
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (middle, high) if self._is_move_allowed(middle) else (low, middle)
        return low

    def end_of_move(self, length: float) -> Point | None:
        """Return where a move of `length` inches ends with average dice. Return None for a refused move."""
        try:
            ready, possible = self._make_move(length)
            return _find_position(self.system.sketch(ready, self.viewer, possible).state, self.unit)
        except Refused:
            return None

    def _is_move_allowed(self, length: float) -> bool:
        try:
            return self.system.allows(*self._make_move(length))
        except Refused:
            return False

    def _make_move(self, length: float) -> tuple[State, Action]:
        """Return the state before a move of `length` inches, and the move.

        If the move needs a test first, this is the state expected after the test. Raises Refused.
        """
        x, y = (at + step * length for at, step in zip(self.start, self.way, strict=True))
        move = self.system.parse(DEFAULT_KIND, {"unit": self.unit, "to": f"{x:.1f},{y:.1f}"})
        ready, possible, _ = sketch_preliminary_test(self.system, self.table, self.viewer, move)
        return ready, possible

    def _length_to_edge(self) -> float:
        """Return the distance in inches to a point just inside the table's edge."""
        sizes = self.table.width, self.table.height
        lengths = [
            (limit - at) / step
            for at, step, size in zip(self.start, self.way, sizes, strict=True)
            for limit in (0.5, size - 0.5)
            if step and (limit - at) / step > 0
        ]
        return min(lengths, default=0.0)
