"""Aim of each figure: arc, lane, hidden targets, and range (CH-2.1)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil

import shapely
from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite
from rules.core.scene import Arrow, Fan, Point, Sight
from rules.core.tabletop import table
from rules.core.tabletop.table import bearing
from rules.core.wording import count_of, inches, tenths

from .figures import PLACEMENT, degrees_off, file_fronts, front, gun_of, men
from .ground import hidden_by
from .model import Arm, ChargeState, ChargeUnit
from .tables import TABLES, limit

ARC = Cite(rule="CH-2.1")
TO_HIT = "gun-to-hit"


@dataclass(frozen=True)
class Aim:
    """A figure's line of fire to the nearest point of the nearest enemy figure.

    `number` is the firer's (0 is the gun). `inches` is the range from the front edge of the firer's file. `degrees` is
    the angle between the line and the facing, negative to the left. `friend` is too near the line; `clear` are the
    inches from the line to friends, up to the required distance. `hidden` is the obstacle that hides the target.
    """

    number: int
    start: Point
    end: Point
    inches: float
    degrees: float
    friend: str = ""
    clear: float = 0.0
    hidden: str = ""

    def fault(self, reach: float) -> str:
        """Return why this figure cannot fire within `reach`, or an empty string."""
        return self.barred(reach)[1]

    def barred(self, reach: float) -> tuple[str, str]:
        """Return why the figure cannot fire, as a general and a specific reason; empty strings if it can."""
        who = "the gun" if self.number == 0 else f"No {self.number}"
        arc = limit("degrees right or left of the facing")
        if abs(self.degrees) > arc + table.CLOSE:
            found = f"{tenths(abs(self.degrees))}° to the {'right' if self.degrees > 0 else 'left'}"
            return "have it out of their arc", f"{who} has it {found}, and may fire {arc}° either way"
        if self.inches > reach + table.CLOSE:
            return "are too far off", f"{who} has it {excess(self.inches)} away, and reaches {inches(reach)}"
        if self.hidden:
            return "cannot see it", f"{who} cannot see it for {self.hidden}"
        if self.friend:
            least = limit("inches from the line of fire to other troops of the army")
            found = f'{self.friend}, {tenths(self.clear)}" from the line of {who}, must be {least}" clear of it'
            return f"have {self.friend} too near their line", found
        return "", ""


@dataclass(frozen=True)
class Firer:
    """A firing figure, by number: it aims from `start`, and its range is measured from `edge` (CH-2.1)."""

    number: int
    start: Point
    edge: BaseGeometry


def firers(unit: ChargeUnit) -> tuple[Firer, ...]:
    """Return the firing figures of `unit`: each man, or a gun at its muzzle. Return none if the unit has no place."""
    if unit.arm is Arm.GUN:
        muzzle = front(unit)
        return () if muzzle is None else (Firer(0, muzzle, shapely.Point(muzzle)),)
    each = enumerate(zip(men(unit), file_fronts(unit), strict=True), 1)
    return tuple(Firer(number, base.at, edge) for number, (base, edge) in each)


def aims(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> tuple[Aim, ...]:
    """Return the aim of each figure of `unit` at `target`; empty without places."""
    figures, targets = firers(unit), men(target)
    if not figures or not targets or unit.place is None:
        return ()
    outlines = [base.outline for base in targets]
    ranges = shapely.distance(shapely.multipolygons(outlines), [each.edge for each in figures]).tolist()
    found = []
    for firer, far in zip(figures, ranges, strict=True):
        start = firer.start
        here = shapely.Point(start)
        gaps = shapely.distance(outlines, here)
        nearest = int(gaps.argmin())
        end = shapely.get_coordinates(shapely.shortest_line(here, outlines[nearest]))[1]
        aimed_at: Point = (float(end[0]), float(end[1]))
        way = bearing(start, aimed_at) if float(gaps[nearest]) > table.CLOSE else unit.place.facing
        found.append(Aim(firer.number, start, aimed_at, far, degrees_off(unit.place.facing, way)))
    return tuple(_checked(state, unit, aim) for aim in found)


def _checked(state: ChargeState, unit: ChargeUnit, aim: Aim) -> Aim:
    """Return the aim with obstructions by friends' ground."""
    least = limit("inches from the line of fire to other troops of the army")
    near = PLACEMENT.index_units(state.of_side(unit.side)).near(aim.start, aim.end, least)
    others = [each for each, _ in near if each.id != unit.id]
    friends = [(base.outline, each.name) for each in others for base in (*men(each), *gun_of(each))]
    gaps = shapely.distance([ground for ground, _ in friends], shapely.LineString((aim.start, aim.end))).tolist()
    clear, friend = min(zip(gaps, (name for _, name in friends), strict=True), default=(float(least), ""))
    too_near = friend if clear < least - table.CLOSE else ""
    return replace(aim, friend=too_near, clear=min(clear, float(least)), hidden=hidden_by(state, aim.start, aim.end))


def lines_of_fire(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> Sight:
    """Return the arc and firing lines against a target, for drawing."""
    far, found = reach(unit), aims(state, unit, target)
    if not found or unit.place is None:
        return Sight()
    start, arc = front(unit) or unit.place.point, limit("degrees right or left of the facing")
    seen = min(far, max(aim.inches for aim in found) + 1)
    fan = Fan(at=start, facing=unit.place.facing, degrees=arc, reach=seen, side=unit.side)
    lines = (
        Arrow(start=aim.start, end=aim.end, kind="barred" if aim.fault(far) else "aim", side=unit.side) for aim in found
    )
    return Sight(fans=(fan,), arrows=tuple(lines))


def reach(unit: ChargeUnit) -> float:
    """Inches that a unit's fire carries: a gun's last band (CH-2.3), or long range (CH-2.5)."""
    return _reach_of_gun() if unit.arm is Arm.GUN else _reach_of_infantry()


@cache
def _reach_of_infantry() -> float:
    return float(limit("inches of long range of infantry"))


@cache
def _reach_of_gun() -> float:
    return float(max(row.high or 0 for row in TABLES.charts[TO_HIT].rows))


def excess(far: float) -> str:
    """Return excessive inches rounded up to a tenth: `6.1"`."""
    return inches(ceil(far * 10 - table.CLOSE) / 10)


def refusals(found: Iterable[Aim], reach: float) -> str:
    """`12 have it beyond their arc (No 1 has it 52° to the right, …)`: those who cannot fire, each cause with one."""
    causes: dict[str, list[str]] = {}
    for cause, fault in (aim.barred(reach) for aim in found):
        if fault:
            causes.setdefault(cause, []).append(fault)
    return "; ".join(
        faults[0] if len(faults) == 1 else f"{count_of(len(faults), 'figure')} {cause}: {faults[0]}"
        for cause, faults in causes.items()
    )
