"""Units as bases on the table in inches: what lies between them, and the ground they stand on.

Every function answers None, or leaves a unit out, where the umpire runs the figures and positions are unknown.
"""

from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite, Mark
from rules.core.scene import Feature, TerrainPiece
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import LineOfFire
from rules.core.tabletop.marching import Marches
from rules.core.tabletop.placement import Placement

from .arms import LEADERS, is_fighter
from .bases import size
from .model import MagdalaState, MagdalaUnit

COVERING = {Feature.WOOD: "a wood", Feature.BUILDING: "buildings"}
BAD_GOING = {
    Feature.ROUGH: "rough ground",
    Feature.WOOD: "a wood",
    Feature.MARSH: "a marsh",
    Feature.RIVER: "a river",
    Feature.HILL: "a hill",
}
ROUGH_GOING = {Feature.ROUGH: "rough going", Feature.MARSH: "a marsh"}


PLACEMENT: Placement[MagdalaUnit] = Placement(size)
base, gap, touching = PLACEMENT.base, PLACEMENT.gap, PLACEMENT.touching
nearest, within = PLACEMENT.nearest, PLACEMENT.within
LINES: LineOfFire[MagdalaUnit] = LineOfFire(
    PLACEMENT,
    takes_ground=lambda unit: unit.troop not in LEADERS,
    rule=Cite(rule="MM-3.11", mark=Mark.HOUSE),
)
"""Leaders are in nobody's way; other friends are, of guns as of rifles (MM-3.11)."""
WAYS: Marches[MagdalaUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda unit: unit.troop not in LEADERS,
    attacks=is_fighter,
    rule=Cite(rule="MM-2", mark=Mark.RULING),
    horses=lambda unit: unit.horses_at,
    contact=Cite(rule="MM-4.1", mark=Mark.RULING),
    attackers="leaders fight with their units, and wagons attack nobody",
)


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
