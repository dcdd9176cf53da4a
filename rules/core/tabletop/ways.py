"""Straight paths of moves across a table in inches: obstacles, contacts, and room at the end.

What a system's units are is told to its `Ways`; no system is known here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from rules.core import naming
from rules.core.memo import cache_by_identity
from rules.core.model import Cite
from rules.core.refusal import NoPlace, Refused
from rules.core.wording import inches

from . import markers, table
from .battle import LATEST, Place, TableState, TableUnit, U
from .place import Course, Destination, Horses, Spot, Towards, TowardsMarker, Turn, parse
from .placement import Placement, placed
from .squares import GRID, sized
from .table import Base

PROBE = 0.5
"""Inches of a step that shows whether a unit in contact is leaving its enemy."""
SHORT = 1.0
"""Distance in inches kept from enemies by avoiding units at full moves."""
SQUARE_ON = 0.05
"""Tolerance in degrees: places are stored to thousandths of an inch."""


@dataclass(frozen=True)
class Way:
    """A bearing, the inches wanted along it, the base as it travels, and the enemy it is meant for."""

    bearing: float
    wanted: float
    base: Base
    meant_for: str | None = None

    def at(self, run: float) -> Base:
        """Return the base after `run` inches."""
        return self.base.moved(table.shifted(self.base.at, self.bearing, run))


@dataclass(frozen=True)
class Halt(Generic[U]):
    """Where a move ends: inches run, the base there, the enemy met, the friends without whom it would go on.

    The base is None where places are unknown.
    """

    run: float
    base: Base | None
    met: str | None
    crowded_by: tuple[U, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """That friends stopped it short."""
        if not self.crowded_by:
            return ()
        friends = f"where {stand(self.crowded_by)}"
        if inches(self.run) == inches(0):
            return (f"There was no room to move, {friends}.",)
        return (f"There was no room further on, {friends}: halted after {inches(self.run)}.",)


def read_place(state: TableState[U], unit: U, to: str | None) -> Destination | None:
    """Return the place that `to` names; None for words that name none, if positions are unknown. Raises Refused."""
    if to is None:
        return None
    names = _names_of_others(state, unit)
    lying = {marker.id: marker.name for marker in state.markers.values()}
    try:
        found = parse(to, naming.Names({**names, **lying}) if lying else names)
        if isinstance(found, Towards) and found.unit in lying:
            return TowardsMarker(marker=found.unit, inches=found.inches)
        return found
    except NoPlace:
        if unit.place is not None:
            raise
        return None


def _names_of_others(state: TableState[U], unit: U) -> naming.Names:
    known = _names_known(state.units)
    if unit.id not in known:
        known[unit.id] = naming.Names({other.id: other.name for other in state.all_on_table if other.id != unit.id})
    return known[unit.id]


def _empty_names(units: Mapping[str, Any]) -> dict[str, naming.Names]:  # noqa: ARG001
    """Return an empty cache for the names of the units other than each unit."""
    return {}


_names_known = cache_by_identity(_empty_names, LATEST)


def stand(units: Sequence[TableUnit]) -> str:
    """`1st Berkshires stand`, `Osman Digna stands`, `1st Berkshires and Osman Digna stand`."""
    return f"{units[0]:stand}" if len(units) == 1 else f"{' and '.join(unit.name for unit in units)} stand"


def to_spot(here: Base, spot: Spot) -> Way:
    """Return the facing at the end of a march to a point: the way gone, unless the order says otherwise (ruling)."""
    wanted = table.distance(here.at, spot.at)
    course = table.bearing(here.at, spot.at) if wanted > table.CONTACT else here.facing
    facing = course if spot.facing is None else spot.facing
    return Way(course, wanted, here.moved(here.at, facing))


def _with_room(state: TableState[Any], here: Base, spot: Spot) -> Spot:
    """Return the point nearest the middle of a square, or of its part, where the whole base has room."""
    sizes = zip(spot.at, (state.width, state.height), strict=True)
    if not spot.in_square or not all(0 <= inches // GRID * GRID < size for inches, size in sizes):
        return spot
    facing = to_spot(here, spot).base.facing
    there = table.brought_on(here.moved(spot.at, facing), state.width, state.height)
    return spot if there.at == spot.at else Spot(at=there.at, facing=facing)


@dataclass(frozen=True)
class Ways(Generic[U]):
    """Ways of a system's units; its `rule` is cited in refusals.

    Other units can meet, and cannot stand on, a unit that `takes_ground`; a unit that does not finds room anywhere. A
    unit that `attacks` may move into contact, unless `keeps_off` returns a refusal for its present state. Such a unit,
    sent at an enemy as far as it may go, halts short of him. `horses` returns the place where a unit has left its
    horses.
    """

    placement: Placement[U]
    takes_ground: Callable[[U], bool]
    attacks: Callable[[U], bool]
    rule: Cite
    horses: Callable[[U], Place | None] = lambda _unit: None
    keeps_off: Callable[[U], Refused | None] = lambda _unit: None

    @property
    def contact_rule(self) -> Cite:
        """The rule that lets only some units move into contact."""
        return self.rule

    def way(self, state: TableState[U], unit: U, here: Base, destination: Destination) -> Way:
        """Return the straight way from `here` to a destination. Raises Refused where its end is unknown."""
        if isinstance(destination, Turn):
            return Way(destination.facing, 0.0, here.moved(here.at, destination.facing))
        if isinstance(destination, Course):
            turned = here if destination.facing is None else here.moved(here.at, destination.facing)
            return Way((here.facing + destination.turn) % 360, destination.inches, turned)
        if isinstance(destination, Towards):
            return self._towards(state, unit, here, destination)
        if isinstance(destination, TowardsMarker):
            return _up_to(here, markers.base(state.markers[destination.marker]), destination.inches)
        if isinstance(destination, Horses):
            horses = self.horses(unit)
            if horses is None:
                raise Refused(f"{unit:have} left no horses anywhere.", self.rule)
            destination = Spot(at=horses.point)
        return to_spot(here, _with_room(state, here, destination))

    def set_down(self, state: TableState[U], unit_id: str, words: str) -> Place:
        """Return where words put a unit by hand, whatever lies between: as they name the end of a move.

        A unit set down at a point keeps its facing, unless another is said. Raises Refused, NoPlace.
        """
        unit = state.unit(unit_id)
        destination = parse(words, _names_of_others(state, unit))
        if isinstance(destination, Spot):
            kept = unit.place.facing if unit.place is not None else 0.0
            facing = kept if destination.facing is None else destination.facing
            x, y = destination.at
            there = self.placement.base_at(unit, Place(x=x, y=y, facing=facing))
            x, y = _with_room(state, there, destination.model_copy(update={"facing": facing})).at
            return Place(x=x, y=y, facing=facing)
        here = self.placement.base(unit)
        if here is None:
            raise Refused(f"{unit:stand} nowhere to go on from. Name a place, as “C2”.")
        way = self.way(state, unit, here, destination)
        return placed(way.at(way.wanted))

    def _towards(self, state: TableState[U], unit: U, here: Base, goal: Towards) -> Way:
        other = state.units[goal.unit]
        there = self.placement.base(other)
        if there is None or goal.unit == unit.id:
            raise Refused(f"Where {other:stand} is not known. Name a place, as “C2”.", self.rule)
        way = _up_to(here, there, goal.inches)
        if other.side == unit.side:
            return way
        if goal.inches is None and self.keeps_off(unit) is not None:
            way = replace(way, wanted=max(way.wanted - SHORT, 0.0))
        return replace(way, meant_for=goal.unit)

    def foes(self, state: TableState[U], unit: U, path: Way, run: float) -> Iterable[tuple[U, Base]]:
        """Yield the enemies that can be met in `run` inches, except enemies in contact whom the unit is leaving."""
        for enemy, there in self._near(state.enemies(unit.side), path, run):
            if self.takes_ground(enemy) and not _is_leaving(path, there):
                yield enemy, there

    def _near(self, units: tuple[U, ...], path: Way, run: float) -> Sequence[tuple[U, Base]]:
        """Return the `units` that the base may touch in `run` inches, and few other units."""
        return self.placement.crowd(units).near(path.base.at, path.at(run).at, path.base.radius)

    def barred(self, state: TableState[U], unit: U, path: Way, furthest: float) -> None:
        """Before any die: nothing moves through enemies, or off the table. Raises Refused."""
        run = min(path.wanted, furthest)
        ends_at, meant = path.at(run), path.at(path.wanted)
        for enemy, there in self.foes(state, unit, path, run):
            free = table.free_run(path.base, path.bearing, run, there)
            if free >= run and not table.touching(ends_at, there):
                continue
            if not self.attacks(unit):
                raise Refused(f"{unit:do} not move into contact: {enemy:are} there.", self.contact_rule)
            self.may_attack(unit)
            if enemy.id != path.meant_for and not table.touching(meant, there):
                raise Refused(
                    f"{enemy:bar} the way after {inches(free)}. Go round, or “towards {enemy.name}” into contact.",
                    self.rule,
                )
        stood = self.placement.base(state.unit(unit.id))
        whole = stood is None or table.on_table(stood, state.width, state.height)
        x, y = ends_at.at
        inside = 0 <= x <= state.width and 0 <= y <= state.height
        if not inside or (whole and not table.on_table(ends_at, state.width, state.height)):
            raise Refused(
                f"That leads off the table of {sized(state.width, state.height)}. Choose a nearer point.",
                self.rule,
            )

    def may_attack(self, unit: U) -> None:
        """Raise Refused if a unit that attacks may not attack in its present state."""
        if (refusal := self.keeps_off(unit)) is not None:
            raise refusal

    def go(self, state: TableState[U], unit: U, path: Way, allowed: float) -> Halt[U]:
        """Return how far a unit goes: as the inches, the enemy and friends in the way allow."""
        run = min(path.wanted, allowed)
        met, ends_at = None, path.at(run)
        for enemy, there in self.foes(state, unit, path, run):
            free = table.free_run(path.base, path.bearing, run, there)
            if free < run or (met is None and table.touching(ends_at, there)):
                run, met, ends_at = free, enemy.id, path.at(free)
        friends = tuple(self.friends(state, unit, path, run))
        stop = table.clear_run(path.base, path.bearing, run, [there for _, there in friends])
        if stop >= run:
            return Halt(stop, path.at(stop), met, ())
        in_the_way = tuple(friend for friend, there in friends if table.overlapping(path.at(run), there))
        touched = (foe.id for foe, there in self.foes(state, unit, path, stop) if table.touching(path.at(stop), there))
        return Halt(stop, path.at(stop), next(touched, None), in_the_way)

    def friends(self, state: TableState[U], unit: U, path: Way, run: float) -> Iterable[tuple[U, Base]]:
        """Yield friends within `run` inches that block the unit; a unit that takes no ground is blocked by none."""
        for other, there in self._near(state.of_side(unit.side), path, run) if self.takes_ground(unit) else ():
            if other.id != unit.id and self.takes_ground(other):
                yield other, there

    def has_room(self, state: TableState[U], unit: U, rule: Cite | None = None) -> None:
        """Raise Refused if a unit stands off the table, on an enemy, or, if both take ground, on a friend.

        `rule` is the rule of a move; None if the umpire placed the unit by hand.
        """
        here = self.placement.base(unit)
        if here is None:
            return
        if not table.on_table(here, state.width, state.height):
            size = sized(state.width, state.height)
            raise Refused(f"{unit.name} would stand off the table, which is {size}. Choose another place.", rule)
        for other, there in self._near(state.all_on_table, _way_of_none(here), 0.0):
            shares = other.side == unit.side and not (self.takes_ground(unit) and self.takes_ground(other))
            if other.id != unit.id and not shares and table.overlapping(here, there):
                raise Refused(f"{unit.name} would stand on {other.name}. Choose another place.", rule)

    def room_to_stand(self, state: TableState[U], unit: U, was: Base, now: Base) -> None:
        """Turned or drawn up otherwise it stays on the table, off friends, and meets no enemy. Raises Refused."""
        if table.on_table(was, state.width, state.height) and not table.on_table(now, state.width, state.height):
            raise Refused(
                f"{unit.name} would stand over the edge of the table. Move {unit:them} clear first.", self.rule
            )
        for friend, there in self.friends(state, unit, _way_of_none(now), 0.0):
            if table.overlapping(now, there) and not table.overlapping(was, there):
                raise Refused(f"{unit:have} no room: {friend:stand} there. Move one of them clear.", self.rule)
        enemies = state.enemies(unit.side) if self.takes_ground(unit) else ()
        for enemy, there in self._near(enemies, _way_of_none(now), 0.0):
            if self.takes_ground(enemy) and table.touching(now, there) and not table.touching(was, there):
                raise Refused(
                    f"{unit.name} would touch {enemy.name}. To attack, say “towards {enemy.name}”.", self.rule
                )

    def in_flank(self, defender: U, attacker_from: Base, begins: float) -> bool:
        """Whether an attacker set out `begins` degrees or more off the way a unit faces: in its flank or rear."""
        there = self.placement.base(defender)
        return there is not None and table.off_bow(there, attacker_from.at) >= begins - SQUARE_ON


def _way_of_none(here: Base) -> Way:
    """Return a path of length zero."""
    return Way(here.facing, 0.0, here)


def _up_to(here: Base, there: Base, inches: float | None) -> Way:
    """Return a straight path towards another base until contact, or for `inches`."""
    course = table.bearing(here.at, there.at)
    faced = here.moved(here.at, course)
    turned = here if table.overlapping(faced, there) else faced
    apart = table.free_run(turned, course, table.distance(here.at, there.at), there)
    return Way(course, apart if inches is None else min(inches, apart), turned)


def _is_leaving(path: Way, there: Base) -> bool:
    if not table.touching(path.base, there):
        return False
    return table.distance(path.at(PROBE).at, there.at) > table.distance(path.base.at, there.at)
