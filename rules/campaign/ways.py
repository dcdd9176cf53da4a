"""Quickest ways over the map: of columns to their goals, and of supply (CA-1.3, CA-4.1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heappop, heappush

from rules.core.hexboard.hexes import Hex

from .columns import Column, Pace
from .ground import Board, board_of
from .model import CampaignState, PointKind


@dataclass(frozen=True)
class Travel:
    """Travel over a board: pace, closed hexes, and ports linked by sea."""

    board: Board
    pace: Pace
    closed: frozenset[Hex] = frozenset()
    ports: frozenset[Hex] = frozenset()
    by_sea: int = 0
    """Points for a passage from port to port."""
    by_road: bool = False
    """Whether every step follows a road."""

    def steps_into(self, there: Hex) -> Iterator[tuple[Hex, int]]:
        """Yield the predecessors of a hex, each with the step's points."""
        if there not in self.closed:
            yield from self._allowed(there, self.board.steps_into(self.pace).get(there, ()))
            yield from self._passages(there)

    def steps_from(self, here: Hex) -> Iterator[tuple[Hex, int]]:
        """Yield the successors of a hex, each with the step's points."""
        found = (*self._allowed(here, self.board.steps_from(self.pace).get(here, ())), *self._passages(here))
        yield from (step for step in found if step[0] not in self.closed)

    def _allowed(self, hex_: Hex, steps: Iterable[tuple[Hex, int]]) -> Iterable[tuple[Hex, int]]:
        roads = self.board.road_steps
        return (step for step in steps if frozenset((hex_, step[0])) in roads) if self.by_road else steps

    def _passages(self, port: Hex) -> Iterator[tuple[Hex, int]]:
        if port in self.ports and not self.by_road:
            yield from ((other, self.by_sea) for other in sorted(self.ports) if port.distance(other) > 1)


def points_to(goals: Iterable[Hex], travel: Travel, most: int | None = None) -> Mapping[Hex, int]:
    """Return the fewest points from each hex to the nearest of the goals; with `most`, where they are enough."""
    found: dict[Hex, int] = {}
    waiting = [(0, goal) for goal in goals]
    while waiting:
        spent, here = heappop(waiting)
        if here in found:
            continue
        found[here] = spent
        for before, price in travel.steps_into(here):
            if before not in found and (most is None or spent + price <= most):
                heappush(waiting, (spent + price, before))
    return found


@lru_cache(maxsize=512)
def _points_to_goal(goal: Hex, travel: Travel) -> Mapping[Hex, int]:
    return points_to((goal,), travel)


def quickest_way(start: Hex, goal: Hex, travel: Travel) -> tuple[Hex, ...] | None:
    """Return the way of fewest points, without its start; of equals that of the lower number at the first fork.

    The result is None if no way leads there.
    """
    left = _points_to_goal(goal, travel)
    if start not in left:
        return None
    way: list[Hex] = []
    here = start
    while here != goal:
        steps = travel.steps_from(here)
        here = min(there for there, price in steps if left.get(there, left[here]) + price == left[here])
        way.append(here)
    return tuple(way)


def ports_of(state: CampaignState, power: str) -> frozenset[Hex]:
    """Return the ports that a power holds."""
    points = state.points.values()
    return frozenset(one.at for one in points if one.holder == power and PointKind.PORT in one.kinds)


def day_points(state: CampaignState, power: str, pace: Pace) -> int:
    """Return the points of a day of a pace, before forced marches and scouting (CA-2.1)."""
    return state.value(power, f"points_{pace.value}")


def travel_of(state: CampaignState, column: Column, closed: frozenset[Hex] = frozenset()) -> Travel:
    """Return how a column travels around closed hexes; a passage by sea costs a day's points (CA-2.2)."""
    power = state.power_of(column.side).id
    a_day = day_points(state, power, column.pace)
    return Travel(board_of(state), column.pace, closed, ports_of(state, power), a_day)


def way_to(
    state: CampaignState, column: Column, start: Hex, goal: Hex, closed: frozenset[Hex], *, by_road: bool = False
) -> tuple[Hex, ...] | None:
    """Return a column's quickest way from a hex to a goal around `closed` hexes, the goal excepted (CA-1.3).

    With `by_road`, every step of the way follows a road.
    """
    return quickest_way(start, goal, replace(travel_of(state, column, closed - {goal}), by_road=by_road))
