"""The way of a move across the table: what bars it, whom it meets, where there is room to halt (MM-2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shapely import LineString, unary_union

from rules.core import table
from rules.core.model import Cite, Mark
from rules.core.place import Course, Destination, Horses, Spot, Towards, Turn
from rules.core.ruleset import Refused
from rules.core.scene import Feature
from rules.core.table import Base
from rules.core.wording import inches
from rules.magdala.arms import LEADERS, is_fighter
from rules.magdala.model import MagdalaState, MagdalaUnit
from rules.magdala.placement import base

PASSING = Cite(rule="MM-2", mark=Mark.RULING)
PROBE = 0.5
"""Inches of a step that shows whether a unit in contact is leaving its enemy."""


@dataclass(frozen=True)
class Way:
    """A bearing, the inches wanted along it, the base as it travels, and the enemy it is meant for."""

    bearing: float
    wanted: float
    base: Base
    meant_for: str | None = None

    def at(self, run: float) -> Base:
        """The base after so many inches."""
        return self.base.moved(table.shifted(self.base.at, self.bearing, run))


@dataclass(frozen=True)
class Halt:
    """Where a move ends: inches run, the base there, the enemy met, the friends without whom it would go on."""

    run: float
    base: Base
    met: str | None
    crowded_by: tuple[MagdalaUnit, ...]


def way(state: MagdalaState, unit: MagdalaUnit, here: Base, destination: Destination) -> Way:
    """The straight way from `here` to a destination. Raises Refused where its end is unknown."""
    if isinstance(destination, Turn):
        return Way(destination.facing, 0.0, here.moved(here.at, destination.facing))
    if isinstance(destination, Course):
        turned = here if destination.facing is None else here.moved(here.at, destination.facing)
        return Way((here.facing + destination.turn) % 360, destination.inches, turned)
    if isinstance(destination, Towards):
        return _towards(state, unit, here, destination)
    if isinstance(destination, Horses):
        if unit.horses_at is None:
            raise Refused(f"{unit.name} has left no horses anywhere.", Cite(rule="MM-2.3"))
        destination = Spot(at=unit.horses_at.point)
    return _to_spot(here, destination)


def _to_spot(here: Base, spot: Spot) -> Way:
    """A unit that marches to a point faces the way it went, unless it is told otherwise (ruling)."""
    wanted = table.distance(here.at, spot.at)
    course = table.bearing(here.at, spot.at) if wanted > table.CONTACT else here.facing
    facing = course if spot.facing is None else spot.facing
    return Way(course, wanted, here.moved(here.at, facing))


def _towards(state: MagdalaState, unit: MagdalaUnit, here: Base, goal: Towards) -> Way:
    other = state.units[goal.unit]
    there = base(other)
    if there is None or goal.unit == unit.id:
        raise Refused(f"Where {other.name} stands is not known. Name a point, such as “30,12”.", PASSING)
    course = table.bearing(here.at, there.at)
    turned = here.moved(here.at, course)
    apart = table.free_run(turned, course, table.distance(here.at, there.at), there)
    wanted = apart if goal.inches is None else min(goal.inches, apart)
    return Way(course, wanted, turned, goal.unit if other.side != unit.side else None)


def foes(state: MagdalaState, unit: MagdalaUnit, path: Way) -> Iterable[tuple[MagdalaUnit, Base]]:
    """Enemies that can be met on the way; not one already touched that the unit is leaving."""
    for enemy in state.enemies(unit.side):
        there = base(enemy)
        if there is not None and enemy.troop not in LEADERS and not _is_leaving(path, there):
            yield enemy, there


def _is_leaving(path: Way, there: Base) -> bool:
    further = table.distance(path.at(PROBE).at, there.at) > table.distance(path.base.at, there.at)
    return table.touching(path.base, there) and further


def barred(state: MagdalaState, unit: MagdalaUnit, path: Way, furthest: float) -> None:
    """Before any die: nothing moves through enemies, off the table, or off its river. Raises Refused."""
    run = min(path.wanted, furthest)
    ends_at, meant = path.at(run), path.at(path.wanted)
    for enemy, there in foes(state, unit, path):
        free = table.free_run(path.base, path.bearing, run, there)
        if free >= run and not table.touching(ends_at, there):
            continue
        if not is_fighter(unit):
            raise Refused(f"{unit.name} does not move into contact: {enemy.name} is there.", PASSING)
        if enemy.id != path.meant_for and not table.touching(meant, there):
            raise Refused(
                f"{enemy.name} bars the way after {inches(free)}. Go round, or “towards {enemy.name}” into contact.",
                PASSING,
            )
    stood = base(state.unit(unit.id))
    whole = stood is None or table.on_table(stood, state.width, state.height)
    x, y = ends_at.at
    inside = 0 <= x <= state.width and 0 <= y <= state.height
    if not inside or (whole and not table.on_table(ends_at, state.width, state.height)):
        raise Refused(
            f"That leads off the table of {inches(state.width)} by {inches(state.height)}. Choose a nearer point.",
            PASSING,
        )
    if unit.afloat:
        _keep_to_the_river(state, unit, path.base, ends_at)


def _keep_to_the_river(state: MagdalaState, unit: MagdalaUnit, start: Base, end: Base) -> None:
    river = unary_union([table.shape(piece) for piece in state.terrain if piece.feature is Feature.RIVER])
    if start.at != end.at and not river.covers(LineString((start.at, end.at))):
        raise Refused(f"{unit.name} keeps to the river. Choose a point on it.", Cite(rule="MM-A"))


def go(state: MagdalaState, unit: MagdalaUnit, path: Way, allowed: float) -> Halt:
    """As far as the inches, the enemy and the friends in the way allow."""
    run = min(path.wanted, allowed)
    met = None
    for enemy, there in foes(state, unit, path):
        free = table.free_run(path.base, path.bearing, run, there)
        if free < run or (met is None and table.touching(path.at(run), there)):
            run, met = free, enemy.id
    friends = tuple(_friends(state, unit))
    stop = table.room(path.base, path.bearing, run, [there for _, there in friends])
    if stop >= run:
        return Halt(stop, path.at(stop), met, ())
    in_the_way = tuple(friend for friend, there in friends if table.overlapping(path.at(run), there))
    return Halt(stop, path.at(stop), None, in_the_way)


def stand(units: Sequence[MagdalaUnit]) -> str:
    """`1st Berkshires stands`, `1st Berkshires and 1st Shropshires stand`."""
    return f"{' and '.join(unit.name for unit in units)} {'stands' if len(units) == 1 else 'stand'}"


def _friends(state: MagdalaState, unit: MagdalaUnit) -> Iterable[tuple[MagdalaUnit, Base]]:
    """Friends that take up ground a unit cannot stand on; a leader finds room among them."""
    for other in state.of_side(unit.side) if unit.troop not in LEADERS else ():
        if other.id != unit.id and other.troop not in LEADERS and (there := base(other)):
            yield other, there


def room_to_stand(state: MagdalaState, unit: MagdalaUnit, was: Base, now: Base) -> None:
    """Turned or in another order it stays on the table, off friends, and meets no enemy (ruling). Raises Refused."""
    if table.on_table(was, state.width, state.height) and not table.on_table(now, state.width, state.height):
        raise Refused(f"{unit.name} would stand over the edge of the table. Move it clear first.", PASSING)
    for friend, there in _friends(state, unit):
        if table.overlapping(now, there) and not table.overlapping(was, there):
            raise Refused(f"{unit.name} has no room: {friend.name} stands there. Move one of them clear.", PASSING)
    for enemy in state.enemies(unit.side) if unit.troop not in LEADERS else ():
        there_ = base(enemy)
        if enemy.troop in LEADERS or there_ is None or table.touching(was, there_):
            continue
        if table.touching(now, there_):
            raise Refused(f"{unit.name} would touch {enemy.name}. To attack, say “towards {enemy.name}”.", PASSING)


def in_flank(state: MagdalaState, defender: MagdalaUnit, attacker_from: Base) -> bool:
    """Whether an attacker comes from behind the line of a unit's front (option flank_beyond). A square has no flank."""
    there, beyond = base(defender), state.options.flank_beyond
    return there is not None and not defender.in_square and table.off_bow(there, attacker_from.at) > beyond
