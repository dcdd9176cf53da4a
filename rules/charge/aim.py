"""Aim of each figure: arc, lane, hidden targets, and range (CH-2.1)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil

import shapely
from shapely.geometry.base import BaseGeometry

from rules.core.scene import Arrow, Fan, Point, SightLines
from rules.core.tabletop import table
from rules.core.tabletop.table import bearing
from rules.core.wording import count_of, decimal_text, inches

from .figures import PLACEMENT, angle_from_facing, figure_bases, front_middle, fronts_of_files, gun_base
from .ground import find_concealment
from .model import Arm, ChargeState, ChargeUnit
from .tables import TABLES, limit

TO_HIT = "gun-to-hit"


@dataclass(frozen=True)
class Aim:
    """A figure's line of fire to the nearest point of the nearest enemy figure.

    `number` is 0 for a gun. The range in `inches` begins at the front edge of the figure's file. `degrees` is the angle
    from the facing, negative to the left. `near_friend` and `hidden_by` name what obstructs the line. `clearance` is
    the distance in inches to the nearest friendly unit, capped at the required distance.
    """

    number: int
    start: Point
    end: Point
    inches: float
    degrees: float
    near_friend: str = ""
    clearance: float = 0.0
    hidden_by: str = ""

    def describe_fault(self, reach: float) -> str:
        """Return why the figure cannot fire at a range of `reach` inches, or an empty string if it can."""
        return self.fault_cause_and_clause(reach)[1]

    def fault_cause_and_clause(self, reach: float) -> tuple[str, str]:
        """Return why the figure cannot fire within `reach` inches: the cause, and a clause with details.

        Both are empty strings if the figure can fire.
        """
        firer = "the gun" if self.number == 0 else f"No {self.number}"
        arc = limit("degrees right or left of the facing")
        if abs(self.degrees) > arc + table.CLOSE:
            detail = f"{decimal_text(abs(self.degrees))}° to the {'right' if self.degrees > 0 else 'left'}"
            return "have it out of their arc", f"{firer} has it {detail}, and may fire {arc}° either way"
        if self.inches > reach + table.CLOSE:
            return (
                "are too far off",
                f"{firer} has it {round_up_inches(self.inches)} away, and reaches {inches(reach)}",
            )
        if self.hidden_by:
            return "cannot see it", f"{firer} cannot see it for {self.hidden_by}"
        if self.near_friend:
            least = limit("inches from the line of fire to other troops of the army")
            distance = f'{decimal_text(self.clearance)}" from the line of {firer}'
            detail = f'{self.near_friend}, {distance}, must be {least}" clear of it'
            return f"have {self.near_friend} too near their line", detail
        return "", ""


@dataclass(frozen=True)
class FiringFigure:
    """A firing figure. It aims from `start`, and its range is measured from `edge` (CH-2.1)."""

    number: int
    start: Point
    edge: BaseGeometry


def firing_figures(unit: ChargeUnit) -> tuple[FiringFigure, ...]:
    """Return the firing figures of `unit`: each man, or the gun at its muzzle; none if the unit has no place."""
    if unit.arm is Arm.GUN:
        muzzle = front_middle(unit)
        return () if muzzle is None else (FiringFigure(0, muzzle, shapely.Point(muzzle)),)
    figures = enumerate(zip(figure_bases(unit), fronts_of_files(unit), strict=True), 1)
    return tuple(FiringFigure(number, base.at, edge) for number, (base, edge) in figures)


def aims_at_target(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> tuple[Aim, ...]:
    """Return the aim of each figure of `unit` at `target`. The result is empty if either unit has no place."""
    figures, targets = firing_figures(unit), figure_bases(target)
    if not figures or not targets or unit.place is None:
        return ()
    outlines = [base.outline for base in targets]
    ranges = shapely.distance(shapely.multipolygons(outlines), [figure.edge for figure in figures]).tolist()
    unit_aims = []
    for firer, far in zip(figures, ranges, strict=True):
        start = firer.start
        start_point = shapely.Point(start)
        gaps = shapely.distance(outlines, start_point)
        nearest = int(gaps.argmin())
        end = shapely.get_coordinates(shapely.shortest_line(start_point, outlines[nearest]))[1]
        aimed_at: Point = (float(end[0]), float(end[1]))
        way = bearing(start, aimed_at) if float(gaps[nearest]) > table.CLOSE else unit.place.facing
        unit_aims.append(Aim(firer.number, start, aimed_at, far, angle_from_facing(unit.place.facing, way)))
    return tuple(_add_obstructions(state, unit, aim) for aim in unit_aims)


def _add_obstructions(state: ChargeState, unit: ChargeUnit, aim: Aim) -> Aim:
    """Return the aim with the friendly unit and the terrain that obstruct it."""
    least = limit("inches from the line of fire to other troops of the army")
    near = PLACEMENT.index_units(state.units_of(unit.side)).units_near(aim.start, aim.end, least)
    others = [other for other, _ in near if other.id != unit.id]
    friends = [(base.outline, other.name) for other in others for base in (*figure_bases(other), *gun_base(other))]
    gaps = shapely.distance([ground for ground, _ in friends], shapely.LineString((aim.start, aim.end))).tolist()
    clearance, friend = min(zip(gaps, (name for _, name in friends), strict=True), default=(float(least), ""))
    too_near = friend if clearance < least - table.CLOSE else ""
    concealment = find_concealment(state, aim.start, aim.end)
    return replace(aim, near_friend=too_near, clearance=min(clearance, float(least)), hidden_by=concealment)


def lines_of_fire(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> SightLines:
    """Return the firing arc of `unit` and its figures' lines of fire at `target`, for drawing."""
    far, unit_aims = maximum_range(unit), aims_at_target(state, unit, target)
    if not unit_aims or unit.place is None:
        return SightLines()
    start, arc = front_middle(unit) or unit.place.point, limit("degrees right or left of the facing")
    radius = min(far, max(aim.inches for aim in unit_aims) + 1)
    fan = Fan(at=start, facing=unit.place.facing, degrees=arc, reach=radius, side=unit.side)
    lines = (
        Arrow(start=aim.start, end=aim.end, kind="barred" if aim.describe_fault(far) else "aim", side=unit.side)
        for aim in unit_aims
    )
    return SightLines(fans=(fan,), arrows=tuple(lines))


def maximum_range(unit: ChargeUnit) -> float:
    """Return the maximum range of a unit in inches: a gun's last band (CH-2.3), or infantry's long range (CH-2.5)."""
    return _maximum_range_of_arm(unit.arm)


@cache
def _maximum_range_of_arm(arm: Arm) -> float:
    bands = TABLES.charts[TO_HIT].rows
    return float(max(row.high or 0 for row in bands) if arm is Arm.GUN else limit("inches of long range of infantry"))


def round_up_inches(far: float) -> str:
    """Return a distance in inches as text, rounded up to a tenth: just beyond 6 inches is `6.1"`, never `6"`."""
    return inches(ceil(far * 10 - table.CLOSE) / 10)


def describe_faults(unit_aims: Iterable[Aim], reach: float) -> str:
    """Return the causes that keep figures from firing within `reach` inches, each with a count and an example.

    `12 figures have it out of their arc: No 1 has it 52° to the right, and may fire 45° either way`.
    """
    causes: dict[str, list[str]] = {}
    for cause, fault in (aim.fault_cause_and_clause(reach) for aim in unit_aims):
        if fault:
            causes.setdefault(cause, []).append(fault)
    return "; ".join(
        faults[0] if len(faults) == 1 else f"{count_of(len(faults), 'figure')} {cause}: {faults[0]}"
        for cause, faults in causes.items()
    )
