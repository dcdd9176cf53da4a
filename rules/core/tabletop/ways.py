"""Straight paths of moves across a table in inches: obstacles, contacts, and clearance at the end.

The module knows no system: each system passes the properties of its units to `Ways`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from rules.core.model import Cite
from rules.core.refusal import NoPlace, Refused
from rules.core.wording import inches, join_with_and

from . import markers, table
from .battle import Place, TableState, TableUnit, U
from .destinations import other_unit_names
from .landmarks import find_landmark
from .place import (
    BackToHorses,
    Destination,
    MoveByDistance,
    Spot,
    TowardsLandmark,
    TowardsMarker,
    TowardsUnit,
    TurnOnSpot,
    make_turn_absolute,
    parse_destination,
)
from .placement import Placement, place_of_base
from .squares import GRID, size_in_words
from .table import Base

PROBE = 0.5
"""Length in inches of a test step that shows whether a unit in contact is leaving its enemy."""
SHORT_OF_ENEMY = 1.0
"""Distance in inches from an enemy at which a unit that may not attack halts after a full move towards the enemy."""
FLANK_TOLERANCE = 0.05
"""Tolerance in degrees for a flank attack, because places are stored to thousandths of an inch."""


@dataclass(frozen=True)
class Way:
    """A straight path across the table: its bearing in degrees and its full length in inches.

    `base` is the moving base at the start. `meant_for` is the id of the enemy that the unit moves towards, if any.
    """

    bearing: float
    wanted: float
    base: Base
    meant_for: str | None = None

    def base_after(self, run: float) -> Base:
        """Return the base after `run` inches."""
        return self.base.moved_to(table.shift_point(self.base.at, self.bearing, run))


@dataclass(frozen=True)
class Halt(Generic[U]):
    """The end of a move after `run` inches, with the base there (None without positions).

    `met` is the id of an enemy in contact, if any. `crowded_by` are friends that stopped the unit short.
    """

    run: float
    base: Base | None
    met: str | None
    crowded_by: tuple[U, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if friends stopped the move short; empty otherwise."""
        if not self.crowded_by:
            return ()
        friends = join_with_and(unit.name for unit in self.crowded_by)
        distance_words = "at once" if inches(self.run) == inches(0) else f"after {inches(self.run)}"
        return (f"Blocked by {friends} {distance_words}.",)


def say_who_stands(units: Sequence[TableUnit]) -> str:
    """Return a clause about the units: `1st Berkshires stand`, `1st Berkshires and Osman Digna stand`."""
    return f"{units[0]:stand}" if len(units) == 1 else f"{' and '.join(unit.name for unit in units)} stand"


def way_to_spot(start: Base, spot: Spot) -> Way:
    """Return the straight way to a spot. The unit faces along the way, unless the spot names a facing (ruling)."""
    distance = table.distance(start.at, spot.at)
    course = table.bearing(start.at, spot.at) if distance > table.CONTACT else start.facing
    facing = course if spot.facing is None else spot.facing
    return Way(course, distance, start.moved_to(start.at, facing))


def _shift_spot_onto_table(state: TableState[Any], start: Base, spot: Spot) -> Spot:
    """Shift a spot that names a square until the whole base is on the table. Return any other spot unchanged."""
    sizes = zip(spot.at, (state.width, state.height), strict=True)
    if not spot.in_square or not all(0 <= inches // GRID * GRID < size for inches, size in sizes):
        return spot
    facing = way_to_spot(start, spot).base.facing
    end = table.shift_onto_table(start.moved_to(spot.at, facing), state.width, state.height)
    return spot if end.at == spot.at else Spot(at=end.at, facing=facing)


@dataclass(frozen=True)
class Ways(Generic[U]):
    """Finder and checker of straight paths for a system's units."""

    placement: Placement[U]
    takes_ground: Callable[[U], bool]
    """Whether a unit occupies its ground: others can touch it, but not stand on it. Other units need no clearance."""
    attacks: Callable[[U], bool]
    """Whether a unit of this kind may move into contact."""
    rule: Cite
    """The rule that refusals cite."""
    horses: Callable[[U], Place | None] = lambda _unit: None
    """Return the place where a unit left its horses, or None."""
    contact: Cite | None = None
    """The rule by which only some units may move into contact; if None, refusals of contact cite `rule`."""
    attack_refusal: Callable[[U], Refused | None] = lambda _unit: None
    """Return the refusal if a unit that `attacks` may not attack in its present state, else None.

    Such a unit halts short of an enemy if it moves towards the enemy without a stated distance.
    """

    def find_way(self, state: TableState[U], unit: U, start: Base, destination: Destination) -> Way:
        """Return the straight way from `start` to a destination. Raises Refused if the goal's place is unknown."""
        if isinstance(destination, TurnOnSpot):
            return Way(destination.facing, 0.0, start.moved_to(start.at, destination.facing))
        if isinstance(destination, MoveByDistance):
            turned = start if destination.facing is None else start.moved_to(start.at, destination.facing)
            return Way(destination.bearing(start.facing), destination.inches, turned)
        if isinstance(destination, TowardsUnit):
            return self._way_towards(state, unit, start, destination)
        if isinstance(destination, TowardsMarker):
            return _way_to_contact(start, markers.base_of_marker(state.markers[destination.marker]), destination.inches)
        if isinstance(destination, TowardsLandmark):
            way = way_to_spot(start, Spot(at=destination.at))
            return way if destination.inches is None else replace(way, wanted=min(way.wanted, destination.inches))
        if isinstance(destination, BackToHorses):
            horses = self.horses(unit)
            if horses is None:
                raise Refused(f"{unit:have} left no horses anywhere.", self.rule)
            destination = Spot(at=horses.point)
        return way_to_spot(start, _shift_spot_onto_table(state, start, destination))

    def set_down(self, state: TableState[U], unit_id: str, words: str) -> Place:
        """Return the place where the umpire puts a unit by hand, regardless of obstacles. Raises Refused.

        The `words` are any destination of a move. Without a facing in them, the unit keeps its facing.
        """
        unit = state.unit(unit_id)
        try:
            destination = parse_destination(words, other_unit_names(state, unit))
        except NoPlace:
            landmark = find_landmark(state, words, None if unit.place is None else unit.place.point)
            if landmark is None:
                raise
            destination = Spot(at=landmark.at) if landmark.inches is None else landmark
        if isinstance(destination, Spot):
            old_facing = unit.place.facing if unit.place is not None else 0.0
            facing = old_facing if destination.facing is None else destination.facing
            x, y = destination.at
            base = self.placement.base_at(unit, Place(x=x, y=y, facing=facing))
            x, y = _shift_spot_onto_table(state, base, destination.model_copy(update={"facing": facing})).at
            return Place(x=x, y=y, facing=facing)
        start = self.placement.base(unit)
        if start is None:
            raise Refused(f"{unit:are} not on the table. Give a place, such as “C2”.")
        way = self.find_way(state, unit, start, make_turn_absolute(destination, start.facing))
        return place_of_base(way.base_after(way.wanted))

    def _way_towards(self, state: TableState[U], unit: U, start: Base, goal: TowardsUnit) -> Way:
        """Return the way towards another unit. Raises Refused.

        The way ends short of an enemy that the unit may not attack.
        """
        other = state.units[goal.unit]
        goal_base = self.placement.base(other)
        if goal_base is None or goal.unit == unit.id:
            raise Refused(f"Where {other:stand} is not known. Name a place, such as “C2”.", self.rule)
        way = _way_to_contact(start, goal_base, goal.inches)
        if other.side == unit.side:
            return way
        if goal.inches is None and self.attack_refusal(unit) is not None:
            way = replace(way, wanted=max(way.wanted - SHORT_OF_ENEMY, 0.0))
        return replace(way, meant_for=goal.unit)

    def foes_on_way(self, state: TableState[U], unit: U, way: Way, run: float) -> Iterable[tuple[U, Base]]:
        """Yield each enemy that the unit may meet in `run` inches, and the enemy's base.

        Enemies that it touches at the start and moves away from are left out.
        """
        for enemy, enemy_base in self._units_near_way(state.enemies(unit.side), way, run):
            if self.takes_ground(enemy) and not _is_leaving_contact(way, enemy_base):
                yield enemy, enemy_base

    def _units_near_way(self, units: tuple[U, ...], way: Way, run: float) -> Sequence[tuple[U, Base]]:
        """Return at least the units that the moving base may touch within `run` inches, and their bases."""
        return self.placement.index_units(units).units_near(way.base.at, way.base_after(run).at, way.base.radius)

    def check_way(self, state: TableState[U], unit: U, way: Way, furthest: float) -> None:
        """Raise Refused if an enemy or the table's edge bars the first `furthest` inches of the way.

        An attacker may touch the enemy that it moves towards, and any enemy at the end of its whole way. A unit that
        starts across the table's edge need only end with its centre on the table.
        """
        run = min(way.wanted, furthest)
        ends_at, full_end = way.base_after(run), way.base_after(way.wanted)
        for enemy, enemy_base in self.foes_on_way(state, unit, way, run):
            free = table.run_until_contact(way.base, way.bearing, run, enemy_base)
            if free >= run and not table.are_touching(ends_at, enemy_base):
                continue
            if not self.attacks(unit):
                raise Refused(f"{unit:do} not move into contact: {enemy:are} there.", self.contact or self.rule)
            self.check_attack(unit)
            if enemy.id != way.meant_for and not table.are_touching(full_end, enemy_base):
                raise Refused(
                    f"{enemy:bar} the way after {inches(free)}. Go round, or “towards {enemy.name}” into contact.",
                    self.rule,
                )
        start = self.placement.base(state.unit(unit.id))
        starts_on_table = start is None or table.is_on_table(start, state.width, state.height)
        x, y = ends_at.at
        is_centre_on_table = 0 <= x <= state.width and 0 <= y <= state.height
        if not is_centre_on_table or (starts_on_table and not table.is_on_table(ends_at, state.width, state.height)):
            raise Refused(
                f"That leads off the table of {size_in_words(state.width, state.height)}. Choose a nearer point.",
                self.rule,
            )

    def check_attack(self, unit: U) -> None:
        """Raise Refused if the unit may not attack in its present state."""
        if (refusal := self.attack_refusal(unit)) is not None:
            raise refusal

    def find_halt_on_way(self, state: TableState[U], unit: U, way: Way, allowed: float) -> Halt[U]:
        """Return the halt after at most `allowed` inches: at the first enemy, and clear of friends."""
        run = min(way.wanted, allowed)
        met, ends_at = None, way.base_after(run)
        for enemy, enemy_base in self.foes_on_way(state, unit, way, run):
            free = table.run_until_contact(way.base, way.bearing, run, enemy_base)
            if free < run or (met is None and table.are_touching(ends_at, enemy_base)):
                run, met, ends_at = free, enemy.id, way.base_after(free)
        friends = tuple(self.friends_on_way(state, unit, way, run))
        stop = table.run_until_clear(way.base, way.bearing, run, [friend_base for _, friend_base in friends])
        if stop >= run:
            return Halt(stop, way.base_after(stop), met, ())
        in_the_way = tuple(friend for friend, base in friends if table.are_overlapping(way.base_after(run), base))
        end, foes = way.base_after(stop), self.foes_on_way(state, unit, way, stop)
        touched_foes = (foe.id for foe, base in foes if table.are_touching(end, base))
        return Halt(stop, end, next(touched_foes, None), in_the_way)

    def friends_on_way(self, state: TableState[U], unit: U, way: Way, run: float) -> Iterable[tuple[U, Base]]:
        """Yield each friend within `run` inches on which the unit may not halt, and the friend's base.

        Friends bar each other only if both take ground.
        """
        for other, base in self._units_near_way(state.units_of(unit.side), way, run) if self.takes_ground(unit) else ():
            if other.id != unit.id and self.takes_ground(other):
                yield other, base

    def require_clearance(self, state: TableState[U], unit: U, rule: Cite | None = None) -> None:
        """Raise Refused if a unit stands off the table, on an enemy, or on a friend.

        Friends may overlap unless both take ground. The refusal cites `rule`, if given.
        """
        base = self.placement.base(unit)
        if base is None:
            return
        if not table.is_on_table(base, state.width, state.height):
            size = size_in_words(state.width, state.height)
            raise Refused(f"{unit.name} would stand off the table, which is {size}. Choose another place.", rule)
        for other, other_base in self._units_near_way(state.all_on_table, _way_on_spot(base), 0.0):
            shares = other.side == unit.side and not (self.takes_ground(unit) and self.takes_ground(other))
            if other.id != unit.id and not shares and table.are_overlapping(base, other_base):
                raise Refused(f"{unit.name} would stand on {other.name}. Choose another place.", rule)

    def require_clearance_on_spot(self, state: TableState[U], unit: U, was: Base, now: Base) -> None:
        """Raise Refused if a unit lacks clearance to turn, or to change formation, on the spot.

        The base `now` may not overlap a friend, touch an enemy or cross the table's edge, unless the earlier
        base `was` did so.
        """
        if table.is_on_table(was, state.width, state.height) and not table.is_on_table(now, state.width, state.height):
            raise Refused(
                f"{unit.name} would stand over the edge of the table. Move {unit:them} clear first.", self.rule
            )
        for friend, other_base in self.friends_on_way(state, unit, _way_on_spot(now), 0.0):
            if table.are_overlapping(now, other_base) and not table.are_overlapping(was, other_base):
                raise Refused(f"{unit:have} no room: {friend:stand} there. Move one of them clear.", self.rule)
        enemies = state.enemies(unit.side) if self.takes_ground(unit) else ()
        for enemy, base in self._units_near_way(enemies, _way_on_spot(now), 0.0):
            if self.takes_ground(enemy) and table.are_touching(now, base) and not table.are_touching(was, base):
                raise Refused(
                    f"{unit.name} would touch {enemy.name}. To attack, say “towards {enemy.name}”.", self.rule
                )

    def is_flank_attack(self, defender: U, attacker_start: Base, flank_degrees: float) -> bool:
        """Whether the attacker started at least `flank_degrees` off the direction that the defender faces."""
        base = self.placement.base(defender)
        return base is not None and table.angle_off_front(base, attacker_start.at) >= flank_degrees - FLANK_TOLERANCE


def _way_on_spot(base: Base) -> Way:
    """Return a way of length zero."""
    return Way(base.facing, 0.0, base)


def _way_to_contact(start: Base, goal_base: Base, inches: float | None) -> Way:
    """Return the straight way to contact with another base, of at most `inches`, if given.

    The moving base first turns to face the goal, unless it would then overlap the goal.
    """
    course = table.bearing(start.at, goal_base.at)
    faced = start.moved_to(start.at, course)
    turned = start if table.are_overlapping(faced, goal_base) else faced
    apart = table.run_until_contact(turned, course, table.distance(start.at, goal_base.at), goal_base)
    return Way(course, apart if inches is None else min(inches, apart), turned)


def _is_leaving_contact(way: Way, base: Base) -> bool:
    """Whether the way starts in contact with `base` and leads away from it."""
    if not table.are_touching(way.base, base):
        return False
    return table.distance(way.base_after(PROBE).at, base.at) > table.distance(way.base.at, base.at)
