"""Where a unit can move: the polygon of its likely ends in inches, or hexes, from the rules' sketches on its view."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.order_sheets.model import StoredSheet
from bot.order_sheets.preview import Prospect
from render.hexmap.plane import centre
from rules.core.hex_places import HexPlaces
from rules.core.hexboard.hexes import Hex
from rules.core.model import Viewer
from rules.core.orders import DEFAULT_KIND, sketch_preliminary_test
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, State
from rules.core.tabletop.battle import TableState, TableUnit

from .sessions import Seat

DIRECTIONS = 24
"""Number of directions, evenly spaced, in which the unit's longest move is estimated."""
PRECISION = 0.25
"""Inches to which the longest move in a direction is found."""
LEAST = 0.3
"""Maximum inches of a drag that counts as no move."""
Point = tuple[float, float]


def reach_json(seat: Seat, stored: StoredSheet, units: tuple[str, ...]) -> Mapping[str, Any]:
    """Return where units likely end after the orders on their sheet: `points` of a polygon, or `hexes`.

    Several units share the hexes that each of them can reach; on a table the polygon is that of the first.
    """
    prospect = Prospect.for_sheet(seat.game, stored.side, stored.sheet.orders)
    if not units or not {*units} <= prospect.book.own.keys() or DEFAULT_KIND not in prospect.system.actions:
        return {}
    phases = {unit: _phase_of(prospect, unit) for unit in units}
    table = prospect.prepared_table(phases[units[0]], units[0])
    if not isinstance(table, TableState):
        places = [_places(prospect, phases[unit], unit) for unit in units]
        shared = [place for place in places[0] if all(place in unit_places for unit_places in places)]
        on_hexes = prospect.system.places
        return {"hexes": _hexes(on_hexes.hexes_of(table, shared)) if isinstance(on_hexes, HexPlaces) else ()}
    start = _place_of(table, units[0])
    return {} if start is None else {"points": _polygon(prospect.system, table, stored.side, units[0], start)}


def _phase_of(prospect: Prospect, unit: str) -> str:
    """Return the first phase ahead in which the unit can move, or else act."""
    moving = (phase for phase in prospect.phases_ahead if _places(prospect, phase, unit))
    acting = (phase for phase in prospect.phases_ahead if unit in prospect.find_able_units(phase))
    return next(moving, next(acting, ""))


def _places(prospect: Prospect, phase: str, unit: str) -> Sequence[str]:
    """Return the suggested destinations of a unit, also of moves that need something else done first."""
    actions = prospect.offered_actions(phase, (unit,)).get(unit, ())
    moves = (str(getattr(action, "to", "")) for action in actions if action.kind == DEFAULT_KIND)
    return [*dict.fromkeys((*prospect.possible_places(phase, unit), *filter(None, moves)))]


def _hexes(places: Iterable[Hex]) -> Sequence[Mapping[str, Any]]:
    return [{"hex": at.label, "at": [round(coordinate, 2) for coordinate in centre(at)]} for at in places]


def _place_of(state: State, unit: str) -> Point | None:
    model = state.units.get(unit)
    place = model.place if isinstance(model, TableUnit) else None
    return None if place is None else place.point


def _polygon(system: Ruleset[Any], table: TableState[Any], viewer: Viewer, unit: str, start: Point) -> Sequence[Point]:
    """Return where the unit ends if it moves as far as it can in each direction; empty if it cannot move."""
    ends, length = list[Point](), 0.0
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        ray = _Ray(system, table, viewer, unit, start, (math.sin(angle), -math.cos(angle)))
        length = ray.longest(length)
        ends.append(ray.end_of_move(length) or start)
    return [_round(end) for end in ends] if any(math.dist(end, start) > LEAST for end in ends) else ()


class _Ray(NamedTuple):
    """A direction of a move."""

    system: Ruleset[Any]
    table: TableState[Any]
    viewer: Viewer
    unit: str
    start: Point
    way: Point

    def longest(self, guess: float) -> float:
        """Return the length of the longest move in inches: to the table's edge, or as far as the rules allow.

        Some rules cut a move short, others refuse a move that is too long. `guess` is tried first.
        """
        edge = self._length_to_edge()
        if self._is_allowed(edge):
            return edge
        low, high = 0.0, edge
        if 0 < guess < edge:
            if not self._is_allowed(guess):
                high = guess
            elif not self._is_allowed(guess + PRECISION):
                return guess
            else:
                low = guess
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (middle, high) if self._is_allowed(middle) else (low, middle)
        return low

    def end_of_move(self, length: float) -> Point | None:
        """Return where a move of this length ends with average dice, or None if the rules refuse it."""
        try:
            ready, possible = self._move(length)
            return _place_of(self.system.sketch(ready, self.viewer, possible).state, self.unit)
        except Refused:
            return None

    def _is_allowed(self, length: float) -> bool:
        try:
            return self.system.allows(*self._move(length))
        except Refused:
            return False

    def _move(self, length: float) -> tuple[State, Action]:
        """Return the table after a preliminary test, and the move. Raises Refused."""
        x, y = (at + step * length for at, step in zip(self.start, self.way, strict=True))
        move = self.system.parse(DEFAULT_KIND, {"unit": self.unit, "to": f"{x:.1f},{y:.1f}"})
        ready, possible, _ = sketch_preliminary_test(self.system, self.table, self.viewer, move)
        return ready, possible

    def _length_to_edge(self) -> float:
        """Return the distance to the table's edge, just inside of it."""
        lengths = [
            (limit - at) / step
            for at, step, limits in zip(
                self.start, self.way, ((0.5, self.table.width - 0.5), (0.5, self.table.height - 0.5)), strict=True
            )
            for limit in limits
            if step and (limit - at) / step > 0
        ]
        return min(lengths, default=0.0)


def _round(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)
