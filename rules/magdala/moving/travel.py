"""The way of a move across the table, as the troops of Magdala to Mafeking go it (MM-2)."""

from shapely import LineString, unary_union

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.core.scene import Feature
from rules.core.tabletop import table
from rules.core.tabletop.place import Destination, Horses, Spot
from rules.core.tabletop.table import Base
from rules.core.tabletop.ways import Halt, Way
from rules.magdala.model import MagdalaState, MagdalaUnit
from rules.magdala.placement import WAYS

HORSES = Cite(rule="MM-2.3")
room_to_stand = WAYS.room_to_stand


def way(state: MagdalaState, unit: MagdalaUnit, here: Base, destination: Destination) -> Way:
    """The straight way from `here` to a destination, such as its horses. Raises Refused where its end is unknown."""
    if isinstance(destination, Horses):
        if unit.horses_at is None:
            raise Refused(f"{unit.name} has left no horses anywhere.", HORSES)
        destination = Spot(at=unit.horses_at.point)
    return WAYS.way(state, unit, here, destination)


def barred(state: MagdalaState, unit: MagdalaUnit, path: Way, furthest: float) -> None:
    """Before any die: nothing moves through enemies, off the table, or off its river. Raises Refused."""
    WAYS.barred(state, unit, path, furthest)
    if unit.afloat:
        _keep_to_the_river(state, unit, path.base, path.at(min(path.wanted, furthest)))


def _keep_to_the_river(state: MagdalaState, unit: MagdalaUnit, start: Base, end: Base) -> None:
    river = unary_union([table.shape(piece) for piece in state.terrain if piece.feature is Feature.RIVER])
    if start.at != end.at and not river.covers(LineString((start.at, end.at))):
        raise Refused(f"{unit.name} keeps to the river. Choose a point on it.", Cite(rule="MM-A"))


def go(state: MagdalaState, unit: MagdalaUnit, path: Way, allowed: float) -> Halt[MagdalaUnit]:
    """As far as the inches, the enemy and the friends in the way allow."""
    return WAYS.go(state, unit, path, allowed)
