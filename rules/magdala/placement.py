"""Units as bases on the table in inches: what lies between them, and the ground they stand on.

Every function answers None, or leaves a unit out, where the umpire runs the figures and positions are unknown.
"""

from collections.abc import Iterable

from shapely.geometry.base import BaseGeometry

from rules.core import table
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.table import Base
from rules.core.wording import tenths

from .bases import size
from .model import MagdalaState, MagdalaUnit, Place

COVERING = {Feature.WOOD: "a wood", Feature.BUILDING: "buildings"}
BAD_GOING = {
    Feature.ROUGH: "rough ground",
    Feature.WOOD: "a wood",
    Feature.MARSH: "a marsh",
    Feature.RIVER: "a river",
    Feature.HILL: "a hill",
}
ROUGH_GOING = {Feature.ROUGH: "rough going", Feature.MARSH: "a marsh"}


def base(unit: MagdalaUnit) -> Base | None:
    """The unit's base on the table."""
    if unit.place is None:
        return None
    frontage, depth = size(unit)
    return Base(at=(unit.place.x, unit.place.y), facing=unit.place.facing, frontage=frontage, depth=depth)


def gap(one: MagdalaUnit, other: MagdalaUnit) -> float | None:
    """Inches between the nearest points of two units."""
    here, there = base(one), base(other)
    return None if here is None or there is None else table.gap(here, there)


def touching(one: MagdalaUnit, other: MagdalaUnit) -> bool | None:
    """Whether two units are in base contact."""
    inches = gap(one, other)
    return None if inches is None else inches <= table.CONTACT


def nearest(unit: MagdalaUnit, others: Iterable[MagdalaUnit]) -> MagdalaUnit | None:
    """The nearest of `others`; of equals the first."""
    measured = [(inches, other) for other in others if (inches := gap(unit, other)) is not None]
    return min(measured, key=lambda pair: pair[0])[1] if measured else None


def within(unit: MagdalaUnit, others: Iterable[MagdalaUnit], inches: float) -> tuple[MagdalaUnit, ...]:
    """Those of `others` at most `inches` away."""
    here = base(unit)
    if here is None:
        return ()
    return tuple(other for other in others if (there := base(other)) and table.within(here, there, inches))


def placed(base_: Base) -> Place:
    """Where a base stands, as a unit remembers it."""
    return Place(x=round(base_.at[0], 3), y=round(base_.at[1], 3), facing=round(base_.facing % 360, 1) % 360)


def spoken(place: Place) -> str:
    """`36,30.5 facing 90°`."""
    return f"{tenths(place.x)},{tenths(place.y)} facing {tenths(place.facing)}°"


def point(place: Place) -> Point:
    """Its point of the table."""
    return (place.x, place.y)


def standing_on(state: MagdalaState, unit: MagdalaUnit, features: Iterable[Feature]) -> TerrainPiece | None:
    """The first terrain piece of those kinds under the unit's centre."""
    if unit.place is None:
        return None
    kinds = frozenset(features)
    here = point(unit.place)
    return next(iter(table.crossed((piece for piece in state.terrain if piece.feature in kinds), here, here)), None)


def bad_going_on(state: MagdalaState, ground: BaseGeometry) -> TerrainPiece | None:
    """The first piece of bad going that any part of a base has to cross (MM-2.9)."""
    pieces = (piece for piece in state.terrain if piece.feature in BAD_GOING)
    return next((piece for piece in pieces if table.shape(piece).intersection(ground).area > table.CLOSE), None)


def nearest_enemy_gap(state: MagdalaState, unit: MagdalaUnit) -> float | None:
    """Inches to the nearest enemy."""
    enemy = nearest(unit, state.enemies(unit.side))
    return None if enemy is None else gap(unit, enemy)


def with_leader(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """The state with `unit` changed, and the general with it moved along."""
    leader = state.units.get(unit.general) if unit.general else None
    if leader is None or unit.place is None:
        return state.with_unit(unit)
    return state.with_unit(unit, leader.model_copy(update={"place": unit.place}))
