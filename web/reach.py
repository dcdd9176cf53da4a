"""Where a unit can move: a polygon in inches, or hexes, from the rules' own answer on the seat's view."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bot.order_sheets.model import StoredSheet
from bot.order_sheets.preview import Prospect
from render.hexmap.plane import centre
from rules.core.hexboard.hexes import Hex
from rules.core.orders import DEFAULT_KIND
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.scene import TableScene
from rules.core.state import State

from .sessions import Seat

DIRECTIONS = 24
"""Directions in which the reach is measured."""
STEPS = 6
"""Halvings of the interval in which the reach lies: 72 inches become about one."""
FARTHEST = 72.0
"""Inches beyond which no unit moves."""
LEAST = 0.5


def reach_json(seat: Seat, stored: StoredSheet, unit: str) -> Mapping[str, Any]:
    """Return the reach of a unit after the orders on its sheet: `points` of a polygon, or `hexes`."""
    prospect = Prospect.of(seat.game, stored.side, stored.sheet.orders)
    if unit not in prospect.book.own or DEFAULT_KIND not in prospect.system.actions:
        return {}
    phase = next((one for one in prospect.phases_ahead if unit in prospect.find_able_units(one)), "")
    scene = prospect.system.scene(prospect.state, stored.side)
    if not isinstance(scene, TableScene):
        return {"hexes": _hexes(prospect.possible_places(phase, unit))}
    base = next((one for one in scene.bases if one.unit == unit), None)
    table = prospect.prepared_table(phase, unit)
    return {} if base is None else {"points": _polygon(prospect.system, table, unit, base.at)}


def _hexes(places: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    found = [(label, _hex_of(label)) for label in places]
    return [{"hex": label, "at": [round(one, 2) for one in centre(at)]} for label, at in found if at is not None]


def _hex_of(label: str) -> Hex | None:
    try:
        return Hex.labelled(label)
    except ValueError:
        return None


def _polygon(system: Ruleset[Any], table: State, unit: str, start: tuple[float, float]) -> Sequence[Sequence[float]]:
    """Return the farthest points that the unit reaches in each direction; empty if it reaches none."""
    points = []
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        x, y = math.sin(angle), -math.cos(angle)
        near, far = 0.0, FARTHEST
        for _ in range(STEPS):
            middle = (near + far) / 2
            near, far = (
                (middle, far) if _allows(system, table, unit, start, (x * middle, y * middle)) else (near, middle)
            )
        points.append([round(start[0] + x * near, 1), round(start[1] + y * near, 1)])
    return points if any(math.dist(point, start) > LEAST for point in points) else ()


def _allows(system: Ruleset[Any], table: State, unit: str, start: tuple[float, float], by: tuple[float, float]) -> bool:
    to = f"{start[0] + by[0]:.1f},{start[1] + by[1]:.1f}"
    try:
        return system.allows(table, system.parse(DEFAULT_KIND, {"unit": unit, "to": to}))
    except Refused:
        return False
