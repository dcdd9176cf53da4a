"""Find places for units, in rows in front of an edge of the table."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules.core.refusal import Refused
from rules.core.scene import Point
from rules.core.wording import inches

from . import table
from .battle import Edge, Place, TableState
from .battle_writer import FACING
from .ways import Ways

ROW = 1.0
"""Distance in inches between two rows, and between two places in a row."""
FROM_EDGE = 3.0
DEEPEST = 24.0
"""Distance in inches from the edge to the first row; default maximum distance from the edge."""
ACROSS = (Edge.NORTH, Edge.SOUTH)
"""The edges along the width of the table."""


@dataclass(frozen=True)
class DeploymentSpots:
    """Places in front of a table's edges. Each place is tried only once for units of the same side and size."""

    ways: Ways[Any]
    state: TableState[Any]
    """The state with the table on which places are found."""
    deepest: float = DEEPEST
    """Maximum distance of a place from the edge, in inches."""
    from_front: bool = field(default=False, kw_only=True)
    """Whether rows begin at the far end, where the units' fronts are in line, instead of at the edge."""
    rows: int | None = field(default=None, kw_only=True)
    """Maximum number of rows; None for as many as fit."""
    _places: dict[tuple[str, Edge, float, float], Iterator[Place]] = field(default_factory=dict, init=False)

    def place_unit(self, state: TableState[Any], unit: Any, edge: Edge | None = None) -> Any:
        """Return the unit at the first place with clearance in front of `edge`. Raises Refused if there is none.

        The default edge is the home edge of the unit's side. Without one, it is south for the first side, north for
        the second.
        """
        before = edge
        if before is None:
            number = [side.id for side in self.state.sides].index(unit.side)
            before = self.state.home_edges.get(unit.side, (Edge.SOUTH, Edge.NORTH)[number % 2])
        frontage, depth = self.ways.placement.size(unit)
        key = (unit.side, before, round(frontage, 1), round(depth, 1))
        places = self._places.setdefault(key, self._iterate_places(before, depth))
        for place in places:
            placed_unit = unit.model_copy(update={"place": place})
            try:
                self.ways.require_clearance(state, placed_unit)
            except Refused:
                continue
            if self._overlaps_no_friend(state, placed_unit):
                return placed_unit
        most = inches(self._max_distance_from_edge(before))
        raise Refused(f"There is no room for {unit.name} within {most} of its edge. Put fewer on at once.")

    def ends_of_front(self, unit: Any) -> tuple[Point, Point]:
        """Return the left and right end of a placed unit's front, as seen from behind the unit."""
        left, right, *_ = self.ways.placement.base_at(unit, unit.place).corners
        return left, right

    def _overlaps_no_friend(self, state: TableState[Any], unit: Any) -> bool:
        """Whether the unit overlaps no friend, not even one that takes no ground."""
        base = self.ways.placement.base(unit)
        friends = self.ways.placement.bases(friend for friend in state.units_of(unit.side) if friend.on_table)
        return base is None or not any(table.are_overlapping(base, friend_base) for friend_base in friends)

    def _iterate_places(self, edge: Edge, depth: float) -> Iterator[Place]:
        """Yield places for a unit `depth` inches deep, row by row from the edge, each row from its middle outwards."""
        length = self.state.width if edge in ACROSS else self.state.height
        for inwards in self._row_distances(edge, depth):
            for at in range(int(length / 2 / ROW)):
                for along in (length / 2 + at * ROW, length / 2 - at * ROW):
                    yield _place_from_edge(edge, along, inwards, self.state)

    def _row_distances(self, edge: Edge, depth: float) -> Iterator[float]:
        """Yield the distance in inches from the edge to each row, for the centres of units `depth` inches deep."""
        farthest = self._max_distance_from_edge(edge)
        if self.from_front:
            first, step, count = farthest - depth / 2, -ROW, int((farthest - depth) / ROW) + 1
        else:
            first, step, count = FROM_EDGE + depth / 2, ROW, int((farthest - FROM_EDGE) / ROW) + 1
        yield from (first + step * row for row in range(count if self.rows is None else min(count, self.rows)))

    def _max_distance_from_edge(self, edge: Edge) -> float:
        """Return the maximum distance of units from the edge in inches: at most half the table."""
        return min(self.deepest, (self.state.height if edge in ACROSS else self.state.width) / 2)


def _place_from_edge(edge: Edge, along: float, inwards: float, state: TableState[Any]) -> Place:
    """Return the place `along` inches along the edge and `inwards` inches from it, facing away from the edge."""
    from_zero = edge in (Edge.NORTH, Edge.WEST)
    if edge in ACROSS:
        x, y = along, inwards if from_zero else state.height - inwards
    else:
        x, y = (inwards if from_zero else state.width - inwards), along
    return Place(x=x, y=y, facing=FACING[edge])
