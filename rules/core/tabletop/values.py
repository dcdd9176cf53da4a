"""What an opponent counts on any table: ground, fire that bears, nearness. Quick, for it is asked of every thing tried.

A system says what its units are able to do, and with what weight each counts.
"""

from collections.abc import Callable, Iterable
from math import atan2, degrees, dist, hypot
from typing import Any

from rules.core.scene import Point

from .battle import Place, TableState, TableUnit, U
from .best_targets import BestFoes, shared_group

MOST_KINDS = 64
"""Maximum number of cached kinds of worth, each with its arguments."""
FAR = 999.0
"""Inches to somebody whose place is unknown."""
MARCHERS = 4
"""Units of a side that count as making for one piece of ground."""
HALF_TURN, FULL_TURN = 180.0, 360.0


def inches(one: TableUnit, other: TableUnit) -> float:
    """Inches between the middles of two units."""
    here, there = one.place, other.place
    return FAR if here is None or there is None else hypot(here.x - there.x, here.y - there.y)


def nearness(far: float, within: float) -> float:
    """Return 1 at distance 0, decreasing linearly to 0 at `within` inches."""
    return max(1 - far / within, 0.0)


def off_front(place: Place, point: Point) -> float:
    """Degrees (0 to 180) between where somebody in that place faces and a point."""
    way = degrees(atan2(point[0] - place.x, place.y - point[1]))
    return abs((way - place.facing + HALF_TURN) % FULL_TURN - HALF_TURN)


def hopes(dice: float, hits_from: int, faces: int = 6) -> float:
    """Return the expected hits of dice hitting from face `hits_from`."""
    return dice * max(faces + 1 - hits_from, 0) / faces


def best_of_each(units: Iterable[U], foes: Iterable[U], worth: Callable[..., float], *about: Any) -> float:
    """Return the sum of each unit's best value against any foe, cached by identity.

    `worth` is a function by itself of unit, foe and what more it is about, which does not change either.
    """
    key = (id(worth), *map(id, about))
    if key not in _found:
        if len(_found) >= MOST_KINDS:
            _found.clear()
        _found[key] = (BestFoes(worth, *about), (worth, *about))
    best, against, total = _found[key][0], shared_group(foes), 0.0
    for unit in units if against else ():
        total += best.find(unit, against)[0]
    return total


_found: dict[tuple[int, ...], tuple[BestFoes[Any], tuple[Any, ...]]] = {}
"""Cache by the identities of a worth function and its arguments.

The cache holds both, so an identity is never reused.
"""


def elapsed_share(state: TableState[Any]) -> float:
    """Return the elapsed share of the game (0-1); half without turn limit."""
    return min(state.turn / state.turn_limit, 1.0) if state.turn_limit else 0.5


def off_ground(state: TableState[U], units: Iterable[U], most: int = MARCHERS) -> Iterable[tuple[float, ...]]:
    """Yield for each objective the distances in inches of the nearest units, ascending; 0 means on it."""
    places = [unit.place.point for unit in units if unit.place is not None]
    for each in state.objectives:
        yield tuple(sorted(max(dist(place, each.at) - each.within, 0.0) for place in places)[:most])


def ground(state: TableState[U], units: Iterable[U], within: float, most: int = MARCHERS) -> float:
    """Return the closeness of units to objectives, within `within` inches."""
    return sum(nearness(far, within) for each in off_ground(state, units, most) for far in each)


def held_objectives(state: TableState[U], units: Iterable[U]) -> float:
    """Pieces of ground fought over on which any of those units stand."""
    return sum(each[:1] == (0.0,) for each in off_ground(state, units, 1))
