"""Where each figure of a unit stands: ranks and files about the place of the unit, a crew about its gun (CH-F).

Figures are numbered from the right-hand man of the front rank (CH-3.3), a crew clockwise from the man behind the gun
(CH-3.4). Gaps close: those who are left stand in the same formation.
"""

import math
from collections.abc import Mapping
from functools import cache, lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from rules.core.data_files import read_as
from rules.core.model import Cite, Mark, Model
from rules.core.scene import Point, Symbol
from rules.core.tabletop.marches import Marches
from rules.core.tabletop.placement import Placement, to_place
from rules.core.tabletop.table import Base, shifted

from .model import Arm, ChargeUnit, Formation
from .tables import limit

DRAWN_UP = Cite(rule="CH-F", mark=Mark.HOUSE)
RANKS = {Formation.LINE: 1, Formation.TWO_RANKS: 2}


class Ground(Model):
    """What a figure takes in inches (house values), and what it is drawn as."""

    symbol: Symbol
    frontage: float
    depth: float


class _Bases(Model):
    base: Mapping[str, Ground]


@cache
def bases() -> Mapping[str, Ground]:
    """Return base sizes by arm: figures, gun with crew, gun alone, and crewman."""
    return read_as(_Bases, "rules.charge", "bases.toml").base


def files(figures: int, formation: Formation) -> int:
    """Return the number of figures abreast."""
    if formation in RANKS:
        return max(-(-figures // RANKS[formation]), 1)
    return max(min(figures, 1 if formation is Formation.SINGLE_FILE else limit("figures abreast in column")), 1)


def size(unit: ChargeUnit) -> tuple[float, float]:
    """Frontage and depth of a unit in inches, as its figures now stand."""
    return _size(unit.arm, unit.figures, unit.formation)


@lru_cache(maxsize=512)
def _size(arm: Arm, figures: int, formation: Formation) -> tuple[float, float]:
    base = bases()[arm]
    if arm is Arm.GUN:
        return base.frontage, base.depth
    abreast = files(figures, formation)
    return abreast * base.frontage, max(-(-figures // abreast), 1) * base.depth


PLACEMENT: Placement[ChargeUnit] = Placement(size)
WAYS: Marches[ChargeUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda _unit: True,
    attacks=lambda unit: unit.arm is not Arm.GUN,
    rule=Cite(rule="CH-1", mark=Mark.RULING),
    contact=Cite(rule="CH-4.1", mark=Mark.RULING),
    attackers="a gun attacks nobody",
)


def men(unit: ChargeUnit) -> tuple[Base, ...]:
    """Return each figure's base in numerical order; empty without place."""
    place = unit.place
    return _men(unit.arm, unit.figures, unit.formation, place.point, place.facing) if place else ()


@lru_cache(maxsize=1024)
def _men(arm: Arm, figures: int, formation: Formation, at: Point, facing: float) -> tuple[Base, ...]:
    if arm is Arm.GUN:
        return _crew(figures, at, facing)
    one, abreast, (_, deep) = bases()[arm], files(figures, formation), _size(arm, figures, formation)
    found = []
    for number in range(figures):
        rank, place = divmod(number, abreast)
        in_rank = min(abreast, figures - rank * abreast)
        ahead = deep / 2 - (rank + 0.5) * one.depth
        right = ((in_rank - 1) / 2 - place) * one.frontage
        there = shifted(shifted(at, facing, ahead), facing + 90, right)
        found.append(_base(arm, there, facing))
    return tuple(found)


def file_fronts(unit: ChargeUnit) -> tuple[BaseGeometry, ...]:
    """Return the front edge of each man's file in the order of their numbers, or none if the unit has no place.

    The edge lies in the unit's front, straight ahead of the man and as broad as his base (CH-2.1).
    """
    place = unit.place
    return _file_fronts(unit.arm, unit.figures, unit.formation, place.point, place.facing) if place else ()


@lru_cache(maxsize=1024)
def _file_fronts(arm: Arm, figures: int, formation: Formation, at: Point, facing: float) -> tuple[BaseGeometry, ...]:
    one, abreast = bases()[arm], files(figures, formation)
    edges = []
    for number, base in enumerate(_men(arm, figures, formation, at, facing)):
        middle = shifted(base.at, facing, (number // abreast + 0.5) * one.depth)
        ends = (shifted(middle, facing + 90, side * one.frontage / 2) for side in (-1, 1))
        edges.append(shapely.LineString(tuple(ends)))
    return tuple(edges)


def _crew(figures: int, gun: Point, facing: float) -> tuple[Base, ...]:
    """Gunners about a gun at equal angles, clockwise from the man behind it."""
    ground, man = bases()[Arm.GUN], bases()["crewman"]
    away = (min(ground.frontage, ground.depth) - man.depth) / 2
    ways = (facing + 180 + 360 * number / figures for number in range(figures))
    return tuple(_base("crewman", shifted(gun, way, away), facing) for way in ways)


def gun_of(unit: ChargeUnit) -> tuple[Base, ...]:
    """Return the gun's own base; empty for destroyed guns."""
    if unit.arm is not Arm.GUN or unit.place is None or unit.gun_destroyed:
        return ()
    return (_base("gun itself", unit.place.point, unit.place.facing),)


def _base(what: str, at: Point, facing: float) -> Base:
    return Base(at=at, facing=facing, frontage=bases()[what].frontage, depth=bases()[what].depth)


def set_at(unit: ChargeUnit, base: Base | None) -> ChargeUnit:
    """Return the unit at a base; unchanged for None."""
    return unit if base is None else unit.model_copy(update={"place": to_place(base)})


def front(unit: ChargeUnit) -> Point | None:
    """Return the middle of a unit's front: where a volley is measured from (CH-2.1, ruling). A gun's is its muzzle."""
    if unit.place is None:
        return None
    return shifted(unit.place.point, unit.place.facing, size(unit)[1] / 2)


def degrees_off(facing: float, way: float) -> float:
    """Return degrees (-180 to 180) between facing and bearing; left is negative."""
    return math.remainder(way - facing, 360)
