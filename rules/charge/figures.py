"""Positions of a unit's figures: ranks and files around the unit's place, or a crew around its gun (CH-F).

Figures are numbered from the right-hand man of the front rank (CH-3.3), a crew clockwise from the man behind the gun
(CH-3.4). After losses the gaps close and the formation stays.
"""

import math
from collections.abc import Mapping
from functools import cache, lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from rules.core.data_files import read_data_file
from rules.core.model import Cite, Mark, Model
from rules.core.scene import Point, Symbol
from rules.core.tabletop.marches import Marches
from rules.core.tabletop.placement import Placement, place_of_base
from rules.core.tabletop.table import Base, shift_point

from .model import Arm, ChargeUnit, Formation
from .tables import limit

DRAWN_UP = Cite(rule="CH-F", mark=Mark.HOUSE)
RANKS = {Formation.LINE: 1, Formation.TWO_RANKS: 2}


class BaseSize(Model):
    """Size of a base in inches (house values), and its symbol on maps."""

    symbol: Symbol
    frontage: float
    depth: float


class _FigureBaseSizes(Model):
    base: Mapping[str, BaseSize]


@cache
def base_sizes() -> Mapping[str, BaseSize]:
    """Return the size of each kind of base: a figure of each arm, a gun with its crew, a gun alone, a crewman."""
    return read_data_file(_FigureBaseSizes, "rules.charge", "bases.toml").base


def count_figures_abreast(figures: int, formation: Formation) -> int:
    """Return the number of figures abreast."""
    if formation in RANKS:
        return max(-(-figures // RANKS[formation]), 1)
    return max(min(figures, 1 if formation is Formation.SINGLE_FILE else limit("figures abreast in column")), 1)


def unit_size(unit: ChargeUnit) -> tuple[float, float]:
    """Return the present frontage and depth of a unit in inches."""
    return _unit_size(unit.arm, unit.figures, unit.formation)


@lru_cache(maxsize=512)
def _unit_size(arm: Arm, figures: int, formation: Formation) -> tuple[float, float]:
    base = base_sizes()[arm]
    if arm is Arm.GUN:
        return base.frontage, base.depth
    abreast = count_figures_abreast(figures, formation)
    return abreast * base.frontage, max(-(-figures // abreast), 1) * base.depth


PLACEMENT: Placement[ChargeUnit] = Placement(unit_size)
WAYS: Marches[ChargeUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda _unit: True,
    attacks=lambda unit: unit.arm is not Arm.GUN,
    rule=Cite(rule="CH-1", mark=Mark.RULING),
    contact=Cite(rule="CH-4.1", mark=Mark.RULING),
    attackers="a gun attacks nobody",
)


def figure_bases(unit: ChargeUnit) -> tuple[Base, ...]:
    """Return the bases of the unit's figures, in the order of their numbers. Empty if the unit has no place."""
    place = unit.place
    return _figure_bases(unit.arm, unit.figures, unit.formation, place.point, place.facing) if place else ()


@lru_cache(maxsize=1024)
def _figure_bases(arm: Arm, figures: int, formation: Formation, at: Point, facing: float) -> tuple[Base, ...]:
    if arm is Arm.GUN:
        # CH-3.4: gunners stand around the gun at equal angles, clockwise from the man behind it
        gun, man = base_sizes()[Arm.GUN], base_sizes()["crewman"]
        away = (min(gun.frontage, gun.depth) - man.depth) / 2
        ways = (facing + 180 + 360 * number / figures for number in range(figures))
        return tuple(_make_base("crewman", shift_point(at, way, away), facing) for way in ways)
    size, abreast = base_sizes()[arm], count_figures_abreast(figures, formation)
    _, deep = _unit_size(arm, figures, formation)
    bases = []
    for number in range(figures):
        rank, place = divmod(number, abreast)
        in_rank = min(abreast, figures - rank * abreast)
        ahead = deep / 2 - (rank + 0.5) * size.depth
        right = ((in_rank - 1) / 2 - place) * size.frontage
        position = shift_point(shift_point(at, facing, ahead), facing + 90, right)
        bases.append(_make_base(arm, position, facing))
    return tuple(bases)


def fronts_of_files(unit: ChargeUnit) -> tuple[BaseGeometry, ...]:
    """Return for each man, by number, the front edge of his file (CH-2.1).

    Each edge is as broad as his base. Without a place, the result is empty.
    """
    place = unit.place
    return _fronts_of_files(unit.arm, unit.figures, unit.formation, place.point, place.facing) if place else ()


@lru_cache(maxsize=1024)
def _fronts_of_files(
    arm: Arm, figures: int, formation: Formation, at: Point, facing: float
) -> tuple[BaseGeometry, ...]:
    size, abreast = base_sizes()[arm], count_figures_abreast(figures, formation)
    edges = []
    for number, base in enumerate(_figure_bases(arm, figures, formation, at, facing)):
        middle = shift_point(base.at, facing, (number // abreast + 0.5) * size.depth)
        ends = (shift_point(middle, facing + 90, side * size.frontage / 2) for side in (-1, 1))
        edges.append(shapely.LineString(tuple(ends)))
    return tuple(edges)


def gun_base(unit: ChargeUnit) -> tuple[Base, ...]:
    """Return the base of the gun itself. Empty if the unit has no gun or no place, or its gun is destroyed."""
    if unit.arm is not Arm.GUN or unit.place is None or unit.gun_destroyed:
        return ()
    return (_make_base("gun itself", unit.place.point, unit.place.facing),)


def _make_base(kind: str, at: Point, facing: float) -> Base:
    return Base(at=at, facing=facing, frontage=base_sizes()[kind].frontage, depth=base_sizes()[kind].depth)


def move_to_base(unit: ChargeUnit, base: Base | None) -> ChargeUnit:
    """Return the unit moved to `base`, or unchanged if `base` is None."""
    return unit if base is None else unit.model_copy(update={"place": place_of_base(base)})


def front_middle(unit: ChargeUnit) -> Point | None:
    """Return the middle of a unit's front or a gun's muzzle, or None if the unit has no place.

    The range of a volley is measured from this point (CH-2.1, ruling).
    """
    if unit.place is None:
        return None
    return shift_point(unit.place.point, unit.place.facing, unit_size(unit)[1] / 2)


def angle_from_facing(facing: float, way: float) -> float:
    """Return the angle in degrees (-180 to 180) from `facing` to the bearing `way`; left is negative."""
    return math.remainder(way - facing, 360)
