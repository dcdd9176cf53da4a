"""Where a unit can move: the polygon of its likely ends in inches, or hexes, from the rules' sketches on its view."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bot.order_sheets.model import StoredSheet
from bot.order_sheets.preview import Prospect
from render.hexmap.plane import centre
from rules.core.hexboard.hexes import Hex
from rules.core.model import Viewer
from rules.core.orders import DEFAULT_KIND, sketch_preliminary_test
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import State
from rules.core.tabletop.battle import TableState, TableUnit

from .sessions import Seat

DIRECTIONS = 24
"""Number of directions, evenly spaced, in which the unit's longest move is estimated."""
LEAST = 0.3
"""Maximum inches of a drag that counts as no move."""
Point = tuple[float, float]


def reach_json(seat: Seat, stored: StoredSheet, units: tuple[str, ...]) -> Mapping[str, Any]:
    """Return where units likely end after the orders on their sheet: `points` of a polygon, or `hexes`.

    Several units share the hexes that each of them can reach; on a table the polygon is that of the first.
    """
    prospect = Prospect.of(seat.game, stored.side, stored.sheet.orders)
    if not units or not {*units} <= prospect.book.own.keys() or DEFAULT_KIND not in prospect.system.actions:
        return {}
    phases = {unit: _phase_of(prospect, unit) for unit in units}
    table = prospect.prepared_table(phases[units[0]], units[0])
    if not isinstance(table, TableState):
        places = [prospect.possible_places(phases[unit], unit) for unit in units]
        return {"hexes": _hexes([one for one in places[0] if all(one in others for others in places)])}
    start = _place_of(table, units[0])
    return {} if start is None else {"points": _polygon(prospect.system, table, stored.side, units[0], start)}


def _phase_of(prospect: Prospect, unit: str) -> str:
    """Return the first phase ahead in which the unit can act."""
    return next((one for one in prospect.phases_ahead if unit in prospect.find_able_units(one)), "")


def _hexes(places: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    found = [(label, _hex_of(label)) for label in places]
    return [{"hex": label, "at": [round(one, 2) for one in centre(at)]} for label, at in found if at is not None]


def _hex_of(label: str) -> Hex | None:
    try:
        return Hex.labelled(label)
    except ValueError:
        return None


def _place_of(state: State, unit: str) -> Point | None:
    found = state.units.get(unit)
    place = found.place if isinstance(found, TableUnit) else None
    return None if place is None else place.point


def _polygon(system: Ruleset[Any], table: TableState[Any], viewer: Viewer, unit: str, start: Point) -> Sequence[Point]:
    """Return where the unit ends if it moves as far as it can in each direction; empty if it cannot move."""
    ends = []
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        goal = _edge(table, start, (math.sin(angle), -math.cos(angle)))
        ends.append(_end_of_move(system, table, viewer, unit, goal) or start)
    return [_round(end) for end in ends] if any(math.dist(end, start) > LEAST for end in ends) else ()


def _edge(table: TableState[Any], start: Point, way: Point) -> Point:
    """Return the point at which a line from `start` in a direction leaves the table, just inside its edge."""
    lengths = [
        (limit - at) / by
        for at, by, limits in zip(start, way, ((0.5, table.width - 0.5), (0.5, table.height - 0.5)), strict=True)
        for limit in limits
        if by and (limit - at) / by > 0
    ]
    length = min(lengths, default=0.0)
    return start[0] + way[0] * length, start[1] + way[1] * length


def _end_of_move(system: Ruleset[Any], table: State, viewer: Viewer, unit: str, goal: Point) -> Point | None:
    """Return where an average move towards `goal` ends, or None if the rules refuse it."""
    try:
        action = system.parse(DEFAULT_KIND, {"unit": unit, "to": f"{goal[0]:.1f},{goal[1]:.1f}"})
        ready, possible, _ = sketch_preliminary_test(system, table, viewer, action)
        return _place_of(system.sketch(ready, viewer, possible).state, unit)
    except Refused:
        return None


def _round(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)
