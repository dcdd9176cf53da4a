"""Functions by which an opponent values positions on any table: objectives, expected hits, distances.

They must be fast, because the opponent calls them for every action that it tries.
"""

from collections.abc import Callable, Iterable
from math import atan2, degrees, dist, hypot
from typing import Any, TypeVar

from rules.core.scene import Point

from .battle import Place, TableState, TableUnit, U
from .best_targets import BestFoeSearch, Foes, group_foes

T = TypeVar("T")

MAX_CACHED = 64
"""Maximum number of cached worth functions, each with its arguments."""
FAR = 999.0
"""Distance in inches to a unit whose position is unknown."""
MARCHERS = 4
"""Maximum number of a side's units that count as marching to one objective."""
HALF_TURN, FULL_TURN = 180.0, 360.0


def inches_between(unit: TableUnit, other: TableUnit) -> float:
    """Return the inches between the centres of two units, or FAR if a position is unknown."""
    place, other_place = unit.place, other.place
    return FAR if place is None or other_place is None else hypot(place.x - other_place.x, place.y - other_place.y)


def nearness(distance: float, within: float) -> float:
    """Return 1 at a `distance` of 0 inches, falling to 0 at `within` inches."""
    return max(1 - distance / within, 0.0)


def angle_off_facing(place: Place, point: Point) -> float:
    """Return the angle between a place's facing and the bearing to a point, from 0 to 180 degrees."""
    way = degrees(atan2(point[0] - place.x, place.y - point[1]))
    return abs((way - place.facing + HALF_TURN) % FULL_TURN - HALF_TURN)


def expected_hits(dice: float, hits_from: int, faces: int = 6) -> float:
    """Return the expected number of hits of some dice. A die has `faces` faces, and hits on `hits_from` or more."""
    return dice * max(faces + 1 - hits_from, 0) / faces


def sum_best_worths(units: Iterable[U], foes: Iterable[U], worth: Callable[..., float], *about: Any) -> float:
    """Return the sum of each unit's greatest worth against any foe.

    `worth` is called with a unit, a foe and the arguments `about`. All must be immutable, because results are cached
    by object identity.
    """
    key = (id(worth), *map(id, about))
    if key not in _best_foes_cache:
        if len(_best_foes_cache) >= MAX_CACHED:
            _best_foes_cache.clear()
        _best_foes_cache[key] = (BestFoeSearch(worth, *about), (worth, *about))
    best, group, total = _best_foes_cache[key][0], group_foes(foes), 0.0
    for unit in units if group else ():
        total += best.find_best_foe(unit, group)[0]
    return total


def masking_loss(search: BestFoeSearch[T], gun: T, foes: Foes[T], is_masked: Callable[[T, T], object]) -> float:
    """Return how much worth a gun loses because friends mask its best foe."""
    most, foe = search.find_best_foe(gun, foes)
    if most <= 0 or foe is None or not is_masked(gun, foe):
        return 0.0
    return most - next((worth for worth, other in search.rank_foes(gun, foes) if not is_masked(gun, other)), 0.0)


_best_foes_cache: dict[tuple[int, ...], tuple[BestFoeSearch[Any], tuple[Any, ...]]] = {}
"""Cache keyed by the identities of a worth function and its arguments.

The cache keeps the function and its arguments alive, so no other object gets their identities.
"""


def elapsed_share(state: TableState[Any]) -> float:
    """Return the elapsed share of the game, from 0 to 1; one half without a turn limit."""
    return min(state.turn / state.turn_limit, 1.0) if state.turn_limit else 0.5


def defence_weight(state: TableState[Any], side: str) -> float:
    """Return how much a side's defences count in the value of a position, from 0 to 1.

    If the side must take ground, its defences count less each turn, because it must leave them in time.
    """
    takes_ground = any(objective.side == side for objective in state.objectives)
    return 1 - elapsed_share(state) if takes_ground else 1.0


def distances_to_objectives(
    state: TableState[U], units: Iterable[U], most: int = MARCHERS
) -> Iterable[tuple[float, ...]]:
    """Yield, for each objective, the distances in inches of its `most` nearest units, nearest first.

    A unit on the objective's ground has the distance 0.
    """
    places = [unit.place.point for unit in units if unit.place is not None]
    for objective in state.objectives:
        yield tuple(sorted(max(dist(place, objective.at) - objective.within, 0.0) for place in places)[:most])


def closeness_to_objectives(state: TableState[U], units: Iterable[U], within: float, most: int = MARCHERS) -> float:
    """Return the summed `nearness` of the `most` nearest units to each objective.

    Units more than `within` inches away add nothing.
    """
    return sum(nearness(far, within) for distances in distances_to_objectives(state, units, most) for far in distances)


def count_held_objectives(state: TableState[U], units: Iterable[U]) -> float:
    """Return the number of objectives with units on their ground."""
    return sum(distances[:1] == (0.0,) for distances in distances_to_objectives(state, units, 1))
