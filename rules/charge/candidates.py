"""Moves worth trying: up to enemies and into contact, to the ground fought over, round what is in the way, and away."""

from collections.abc import Iterable

from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.wording import tenths

from .aim import reach
from .figures import PLACEMENT
from .model import Arm, ChargeState, ChargeUnit, Formation
from .tables import limit

ASIDE = (0, 30, -30, 60, -60)
"""Degrees off the straight way at which it goes round something."""
FOES = 3
"""Of the nearest enemies."""
SPARE = 0.1
"""Inches nearer than a range, to be within it."""
AWAY = 180


def destinations(state: ChargeState, unit: ChargeUnit, full: float) -> Iterable[tuple[str, str]]:
    """Yield destinations within `full` inches with formation (empty keeps it), most promising first."""
    here = unit.place
    if here is None:
        return
    foes = PLACEMENT.nearest_few(unit, state.enemies(unit.side), FOES)
    for foe in foes:
        gap = PLACEMENT.gap(unit, foe) or 0.0
        if unit.arm is not Arm.GUN and gap <= full:
            yield f"towards {foe.id}", ""
        near, far = float(limit("inches of short range of infantry")), reach(unit)
        runs = {round(min(gap - halt + SPARE, full), 1) for halt in (near, far, far / 2) if gap > halt}
        yield from ((f"towards {foe.id} {run:g}", "") for run in sorted(runs, reverse=True))
        if foe.place is not None:
            yield f"face {tenths(table.bearing(here.point, foe.place.point))}", ""
    for each in state.objectives:
        yield from ((to, "") for to in _round(here.point, each.at, full))
        if unit.arm is not Arm.GUN and unit.formation is not Formation.COLUMN:
            yield from ((to, Formation.COLUMN.value) for to in _round(here.point, each.at, full / 2))
    for foe in foes[:1]:
        if foe.place is not None:
            back = table.bearing(foe.place.point, here.point)
            yield from ((_spot(here.point, back + aside, full, back + AWAY), "") for aside in ASIDE[:3])


def _round(here: Point, there: Point, full: float) -> Iterable[str]:
    """Yield destinations straight ahead and to both sides."""
    way, far = table.bearing(here, there), table.distance(here, there)
    if far > SPARE:
        yield from (_spot(here, way + aside, min(full, far), way + aside) for aside in ASIDE)


def _spot(here: Point, way: float, run: float, facing: float) -> str:
    """Return a point `run` inches away as a move's text."""
    x, y = table.shifted(here, way, run - SPARE / 2)
    return f"{x:.2f},{y:.2f} facing {facing % 360:.1f}"
