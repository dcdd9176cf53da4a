"""Quickest ways over the map, for columns and for supply (CA-1.3, CA-4.1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from rules.core.hexboard.hexes import Hex

from .columns import Column, Pace
from .ground import Board, board_of
from .model import CampaignState, PointKind


@dataclass(frozen=True)
class Travel:
    """Conditions of travel over a board: pace, closed hexes, and ports linked by sea."""

    board: Board
    pace: Pace
    closed: frozenset[Hex] = frozenset()
    ports: frozenset[Hex] = frozenset()
    by_sea: int = 0
    """Movement points for a passage by sea from port to port."""
    by_road: bool = False
    """Whether every step follows a road."""

    def steps_into(self, hex_: Hex) -> Iterator[tuple[Hex, int]]:
        """Yield the hexes from which a hex can be entered, each with the movement points of the step."""
        if hex_ not in self.closed:
            yield from self._allowed_steps(hex_, self.board.steps_into(self.pace).get(hex_, ()))
            yield from self._passages(hex_)

    def steps_from(self, hex_: Hex) -> Iterator[tuple[Hex, int]]:
        """Yield the hexes that can be entered from a hex, each with the movement points of the step."""
        steps = (*self._allowed_steps(hex_, self.board.steps_from(self.pace).get(hex_, ())), *self._passages(hex_))
        yield from (step for step in steps if step[0] not in self.closed)

    def _allowed_steps(self, hex_: Hex, steps: Iterable[tuple[Hex, int]]) -> Iterable[tuple[Hex, int]]:
        roads = self.board.road_steps
        return (step for step in steps if frozenset((hex_, step[0])) in roads) if self.by_road else steps

    def _passages(self, port: Hex) -> Iterator[tuple[Hex, int]]:
        if port in self.ports and not self.by_road:
            yield from ((other, self.by_sea) for other in sorted(self.ports) if port.distance(other) > 1)


def costs_to_reach(goals: Iterable[Hex], travel: Travel, most: int | None = None) -> Mapping[Hex, int]:
    """Return, by hex, the fewest movement points to reach a goal. Leave out hexes that need more than `most`."""
    points: dict[Hex, int] = {}
    queue = [(0, goal) for goal in goals]
    while queue:
        spent, hex_ = heappop(queue)
        if hex_ in points:
            continue
        points[hex_] = spent
        for before, price in travel.steps_into(hex_):
            if before not in points and (most is None or spent + price <= most):
                heappush(queue, (spent + price, before))
    return points


@lru_cache(maxsize=512)
def _costs_to_goal(goal: Hex, travel: Travel) -> Mapping[Hex, int]:
    return costs_to_reach((goal,), travel)


def quickest_way(start: Hex, goal: Hex, travel: Travel) -> tuple[Hex, ...] | None:
    """Return the way with the fewest movement points, without its start; None if there is no way."""
    points = _costs_to_goal(goal, travel)
    if start not in points:
        return None
    way: list[Hex] = []
    position = start
    while position != goal:
        steps = travel.steps_from(position)
        position = min(hex_ for hex_, price in steps if points.get(hex_, points[position]) + price == points[position])
        way.append(position)
    return tuple(way)


def held_ports(state: CampaignState, power: str) -> frozenset[Hex]:
    """Return the ports that a power holds."""
    points = state.points.values()
    return frozenset(point.at for point in points if point.holder == power and PointKind.PORT in point.kinds)


def march_points_of_pace(state: CampaignState, power: str, pace: Pace) -> int:
    """Return a pace's movement points per day, without forced marches and scouting (CA-2.1)."""
    return state.option_value(power, f"points_{pace.value}")


def find_way(
    state: CampaignState, column: Column, start: Hex, goal: Hex, closed: frozenset[Hex], *, by_road: bool = False
) -> tuple[Hex, ...] | None:
    """Return a column's quickest way to a goal that enters no other hex in `closed` (CA-1.3).

    With `by_road`, every step follows a road. A passage by sea costs the movement points of a day (CA-2.2).
    """
    power = state.power_of(column.side).id
    a_day = march_points_of_pace(state, power, column.pace)
    travel = Travel(board_of(state), column.pace, closed - {goal}, held_ports(state, power), a_day, by_road)
    return quickest_way(start, goal, travel)
