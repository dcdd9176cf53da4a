"""What an opponent counts on any table: ground, fire that bears, nearness. Quick, for it is asked of every thing tried.

A system says what its units are able to do, and with what weight each counts.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from math import atan2, degrees, dist
from typing import Any, TypeVar

from rules.core.scene import Point

from .battle import Place, TableState, TableUnit, U

T = TypeVar("T")

KEPT = 20000
"""Results that are remembered of one function."""
FAR = 999.0
"""Inches to somebody whose place is unknown."""
MARCHERS = 4
"""Units of a side that count as making for one piece of ground."""
HALF_TURN, FULL_TURN = 180.0, 360.0


def remembered(of: Callable[..., T], most: int = KEPT) -> Callable[..., T]:
    """The function, at `most` so many of its results remembered while what it is asked about is the very same.

    Units, options and terrain never change: what is changed is another one, and all others stay.
    """
    kept: dict[tuple[int, ...], tuple[tuple[Any, ...], T]] = {}

    @wraps(of)
    def asked(*about: Any) -> T:
        key = tuple(map(id, about))
        found = kept.get(key)
        if found is None:
            if len(kept) >= most:
                kept.clear()
            found = kept[key] = about, of(*about)
        return found[1]

    return asked


def inches(one: TableUnit, other: TableUnit) -> float:
    """Inches between the middles of two units."""
    return FAR if one.place is None or other.place is None else dist(one.place.point, other.place.point)


def nearness(far: float, within: float) -> float:
    """1 where somebody stands there, less and less up to so many inches, and 0 beyond."""
    return max(1 - far / within, 0.0)


def off_front(place: Place, point: Point) -> float:
    """Degrees (0 to 180) between where somebody in that place faces and a point."""
    way = degrees(atan2(point[0] - place.x, place.y - point[1]))
    return abs((way - place.facing + HALF_TURN) % FULL_TURN - HALF_TURN)


def hopes(dice: float, hits_from: int, faces: int = 6) -> float:
    """Hits that may be hoped for of so many dice, each hitting on that face or more."""
    return dice * max(faces + 1 - hits_from, 0) / faces


def best_at(units: Iterable[U], foes: Iterable[U], worth: Callable[[U, U], float]) -> float:
    """What each of those units can do to the enemy it can do most to, all together."""
    against = tuple(foes)
    return sum(max((worth(unit, foe) for foe in against), default=0.0) for unit in units)


def best_of_each(units: Iterable[U], foes: Iterable[U], worth: Callable[..., float], *about: Any) -> float:
    """The same, remembered for each unit while it and all the enemies stay the same.

    `worth` is a function by itself of unit, foe and what more it is about, which does not change either.
    """
    against = tuple(foes)
    same = (id(worth), *map(id, against), *map(id, about))
    total = 0.0
    for unit in units:
        found = _rows.get((id(unit), same))
        if found is None:
            if len(_rows) >= KEPT:
                _rows.clear()
            best = max((worth(unit, foe, *about) for foe in against), default=0.0)
            found = _rows[id(unit), same] = (unit, against, about, worth), best
        total += found[1]
    return total


_rows: dict[tuple[int, tuple[int, ...]], tuple[tuple[Any, ...], float]] = {}


def danger(units: Iterable[U], foes: Iterable[U], worth: Callable[[U, U], float]) -> float:
    """What those units have to fear: of each what the worst of the enemy can do to it, all together."""
    against = tuple(foes)
    return sum(max((worth(foe, unit) for foe in against), default=0.0) for unit in units)


def late(state: TableState[Any]) -> float:
    """How much of the game is over, from 0 to 1; half where nobody says how long it lasts."""
    return min(state.turn / state.turn_limit, 1.0) if state.turn_limit else 0.5


def off_ground(state: TableState[U], units: Iterable[U], most: int = MARCHERS) -> Iterable[tuple[float, ...]]:
    """Of every objective how far the nearest of those units are off it, in inches, the nearest first; 0 on it."""
    places = [unit.place.point for unit in units if unit.place is not None]
    for each in state.objectives:
        yield tuple(sorted(max(dist(place, each.at) - each.within, 0.0) for place in places)[:most])


def ground(state: TableState[U], units: Iterable[U], within: float, most: int = MARCHERS) -> float:
    """How near those units are to the ground fought over, up to so many inches."""
    return sum(nearness(far, within) for each in off_ground(state, units, most) for far in each)


def standing(state: TableState[U], units: Iterable[U]) -> float:
    """Pieces of ground fought over on which any of those units stand."""
    return sum(each[:1] == (0.0,) for each in off_ground(state, units, 1))
