"""Quickest ways over the map: of columns, of supply, and the hex into which a column goes back (CA-1.3, CA-4.1)."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeAlias

from rules.core.hexboard.hexes import Hex

from .ground import Board, board_of
from .model import CampaignState, Column, Pace, PointKind

StepCost: TypeAlias = Callable[[Hex, Hex], int | None]
"""Returns the points for a step between two hexes, None if nobody takes it."""


def points_to(goal: Hex, board: Board, cost: StepCost, ports: Container[Hex] = ()) -> Mapping[Hex, int]:
    """Return the fewest points from each hex that leads to `goal`, by steps and from port to port."""
    found: dict[Hex, int] = {}
    waiting = [(0, goal)]
    harbours = [hex_ for hex_ in board.kinds if hex_ in ports]
    while waiting:
        spent, here = heappop(waiting)
        if here in found:
            continue
        found[here] = spent
        for there in _neighbours(here, ports, harbours):
            price = cost(there, here) if there not in found and there in board.kinds else None
            if price is not None:
                heappush(waiting, (spent + price, there))
    return found


def quickest_way(
    start: Hex, goal: Hex, board: Board, cost: StepCost, ports: Container[Hex] = ()
) -> tuple[Hex, ...] | None:
    """Return the way of fewest points without its start, of equals by the lower number at the first fork; None without.

    `cost` is asked for steps between neighbours and, for two of the `ports`, for the passage by sea.
    """
    left = points_to(goal, board, cost, ports)
    if start not in left:
        return None
    harbours = [hex_ for hex_ in board.kinds if hex_ in ports]
    way: list[Hex] = []
    here = start
    while here != goal:
        here = min(_onward(here, left, cost, _neighbours(here, ports, harbours)))
        way.append(here)
    return tuple(way)


def _onward(here: Hex, left: Mapping[Hex, int], cost: StepCost, near: Iterable[Hex]) -> Iterator[Hex]:
    """Yield the next hexes of the quickest ways."""
    for there in near:
        price = cost(here, there) if there in left else None
        if price is not None and left[here] == price + left[there]:
            yield there


def _neighbours(here: Hex, ports: Container[Hex], harbours: Iterable[Hex]) -> Iterator[Hex]:
    """Yield the hexes next to one, and the other ports if it is a port."""
    near = here.neighbours()
    yield from near
    if here in ports:
        yield from (port for port in harbours if port != here and port not in near)


def ports_of(state: CampaignState, power: str) -> frozenset[Hex]:
    """Return the ports that a power holds."""
    points = state.points.values()
    return frozenset(one.at for one in points if one.holder == power and PointKind.PORT in one.kinds)


def day_points(state: CampaignState, power: str, pace: Pace) -> int:
    """Return the points of a day of a pace, before forced marches and scouting (CA-2.1)."""
    return state.value(power, f"points_{pace.value}")


def march_cost(state: CampaignState, column: Column, closed: Container[Hex] = ()) -> StepCost:
    """Return the step costs for a column; nobody steps into `closed` hexes. A passage by sea costs a day's points."""
    board, pace = board_of(state), column.pace
    a_day = day_points(state, state.power_of(column.side).id, pace)

    def cost(here: Hex, there: Hex) -> int | None:
        if there in closed:
            return None
        return board.step_cost(here, there, pace) if here.distance(there) == 1 else a_day

    return cost


def way_to(
    state: CampaignState, column: Column, start: Hex, goal: Hex, closed: frozenset[Hex]
) -> tuple[Hex, ...] | None:
    """Return a column's quickest way from a hex to a goal around `closed` hexes, the goal excepted (CA-1.3)."""
    ports = ports_of(state, state.power_of(column.side).id)
    return quickest_way(start, goal, board_of(state), march_cost(state, column, closed - {goal}), ports)
