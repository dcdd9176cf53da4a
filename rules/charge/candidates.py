"""Moves worth trying: towards enemies and objectives, straight or by detours, and away from enemies."""

from collections.abc import Iterable

from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.wording import decimal_text

from .aim import maximum_range
from .figures import PLACEMENT
from .model import Arm, ChargeState, ChargeUnit, Formation
from .tables import limit

DETOURS = (0, 30, -30, 60, -60)
"""Degrees off the straight line for detours round an obstacle."""
FOES_TRIED = 3
"""Number of the nearest enemies to move against."""
RANGE_MARGIN = 0.1
"""Inches that a unit moves further than a range requires, to be safely within the range."""
HALF_TURN = 180


def suggest_destinations(state: ChargeState, unit: ChargeUnit, full: float) -> Iterable[tuple[str, str]]:
    """Yield destinations to try, each with a new formation, or an empty string for no change.

    `full` is the full move in inches.
    """
    start = unit.place
    if start is None:
        return
    foes = PLACEMENT.nearest_units(unit, state.enemies(unit.side), FOES_TRIED)
    for foe in foes:
        gap = PLACEMENT.gap(unit, foe) or 0.0
        if unit.arm is not Arm.GUN and gap <= full:
            yield f"towards {foe.id}", ""
        near, far = float(limit("inches of short range of infantry")), maximum_range(unit)
        runs = {round(min(gap - halt + RANGE_MARGIN, full), 1) for halt in (near, far, far / 2) if gap > halt}
        yield from ((f"towards {foe.id} {run:g}", "") for run in sorted(runs, reverse=True))
        if foe.place is not None:
            yield f"face {decimal_text(table.bearing(start.point, foe.place.point))}", ""
    for objective in state.objectives:
        yield from ((to, "") for to in _places_towards(start.point, objective.at, full))
        if unit.arm is not Arm.GUN and unit.formation is not Formation.COLUMN:
            yield from ((to, Formation.COLUMN.value) for to in _places_towards(start.point, objective.at, full / 2))
    for foe in foes[:1]:
        if foe.place is not None:
            back = table.bearing(foe.place.point, start.point)
            yield from ((_move_text(start.point, back + angle, full, back + HALF_TURN), "") for angle in DETOURS[:3])


def _places_towards(start: Point, goal: Point, full: float) -> Iterable[str]:
    """Yield destinations towards `goal`, at most `full` inches away: straight ahead, and by detours to both sides."""
    way, far = table.bearing(start, goal), table.distance(start, goal)
    if far > RANGE_MARGIN:
        yield from (_move_text(start, way + angle, min(full, far), way + angle) for angle in DETOURS)


def _move_text(start: Point, way: float, run: float, facing: float) -> str:
    """Return the text of a move by `run` inches in the direction `way`. `way` and `facing` are in degrees."""
    x, y = table.shift_point(start, way, run - RANGE_MARGIN / 2)
    return f"{x:.2f},{y:.2f} facing {facing % 360:.1f}"
