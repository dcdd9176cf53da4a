"""Hexes with axial coordinates and printed numbers (column, row): distances, sight, paths and reach.

Columns run west to east, rows north to south; odd columns lie half a hex lower. Hexes are ordered by their numbers,
which is also the order of their axial coordinates.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple, Self

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

_LABEL = re.compile("[0-9]{4}")
_NEIGHBOUR_OFFSETS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_HIGHEST_COLUMN_OR_ROW = 99
"""The highest column or row that two digits hold."""


class Hex(NamedTuple):
    """A hex by its axial coordinates: `q` is the column, `r` the row less half the column."""

    q: int
    r: int

    @classmethod
    def from_label(cls, label: str) -> Self:
        """Return the hex with this printed number, such as `2411`. Raises ValueError for any other text."""
        if not _LABEL.fullmatch(label):
            raise ValueError(f"a hex is written as four digits, column then row, such as 2411; {label[:20]!r} is not")
        return cls.at(int(label[:2]), int(label[2:]))

    @classmethod
    def at(cls, column: int, row: int) -> Self:
        """Return the hex in that column and row."""
        return cls(column, row - column // 2)

    @property
    def column(self) -> int:
        """Return the column, counted from the west."""
        return self.q

    @property
    def row(self) -> int:
        """Return the row, counted from the north."""
        return self.r + self.q // 2

    @property
    def label(self) -> str:
        """Return the printed number. Raises ValueError for a hex outside the printed columns and rows."""
        return _label(self)

    def __str__(self) -> str:
        return _label(self)

    def neighbours(self) -> tuple["Hex", ...]:
        """Return the six adjacent hexes, in the order of their numbers."""
        return _neighbours(self)

    def distance(self, other: "Hex") -> int:
        """Return the number of hexes from this hex to `other`, ignoring obstacles."""
        q, r = other.q - self.q, other.r - self.r
        return max(abs(q), abs(r), abs(q + r))

    @classmethod
    def _parse(cls, value: object) -> "Hex":
        if isinstance(value, Hex):
            return value
        if isinstance(value, str):
            return cls.from_label(value)
        raise ValueError("a hex is written as four digits, column then row, such as 2411")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the pydantic schema, which reads and writes a hex as its printed number."""
        text = core_schema.str_schema(pattern=f"^{_LABEL.pattern}$")
        serializer = core_schema.plain_serializer_function_ser_schema(_label, return_schema=text)
        return core_schema.no_info_plain_validator_function(
            cls._parse, serialization=serializer, json_schema_input_schema=text
        )


@cache
def _neighbours(hex_: Hex) -> tuple[Hex, ...]:
    return tuple(Hex(hex_.q + q, hex_.r + r) for q, r in _NEIGHBOUR_OFFSETS)


@cache
def _label(hex_: Hex) -> str:
    if not (0 <= hex_.column <= _HIGHEST_COLUMN_OR_ROW and 0 <= hex_.row <= _HIGHEST_COLUMN_OR_ROW):
        raise ValueError(f"column {hex_.column}, row {hex_.row} is off every map: it has no number of four digits")
    return f"{hex_.column:02}{hex_.row:02}"


def hexes_in_radius(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return every hex within `radius` hexes of `centre`, including `centre`, in the order of their numbers."""
    return tuple(
        Hex(centre.q + q, centre.r + r)
        for q in range(-radius, radius + 1)
        for r in range(max(-radius, -radius - q), min(radius, radius - q) + 1)
    )


class Hexside(StrEnum):
    """Which of two hexes must block sight to stop a line of sight along their common side."""

    BOTH = "both"
    EITHER = "either"
    NEITHER = "neither"
    """Neither hex stops a line along their common side."""


@lru_cache(maxsize=1 << 16)
def hexes_between(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """Return the hexes crossed by the straight line between the centres of `a` and `b`, in order from `a`.

    Both ends are left out. Each item is one hex, or two hexes if the line runs along their common side. A hex
    touched only at a corner is not crossed.
    """
    q, r = b.q - a.q, b.r - a.r
    # `corners` holds the distance from the line to each pair of opposite corners, for a hex centred on the line, in
    # thirds of the unit of the centres' distances. The line crosses a hex whose centre is nearer than the farthest
    # corner. If a pair of corners lies on the line, the line may also run along hexsides.
    corners = abs(q - r), abs(q + 2 * r), abs(2 * q + r)
    width = max(corners) + (0 in corners)
    length = 2 * (q * q + q * r + r * r)
    along, edge = {a: 0}, [a]
    while edge:
        for hex_ in _neighbours(edge.pop()):
            x, y = hex_.q - a.q, hex_.r - a.r
            distance = 2 * (q * x + r * y) + q * y + r * x
            if hex_ not in along and 0 < distance < length and 3 * abs(q * y - r * x) < width:
                along[hex_] = distance
                edge.append(hex_)
    del along[a]
    in_order = sorted(along, key=lambda hex_: (along[hex_], hex_))
    return tuple(tuple(group) for _, group in groupby(in_order, along.__getitem__))


def has_line_of_sight(a: Hex, b: Hex, blocks: Callable[[Hex], bool], hexside: Hexside) -> bool:
    """Whether no hex between `a` and `b` stops the straight line of sight.

    The result is exact, and equal in both directions.
    """
    for crossed in hexes_between(a, b):
        if len(crossed) == 1 or hexside is Hexside.BOTH:
            stopped = all(map(blocks, crossed))
        else:
            stopped = hexside is Hexside.EITHER and any(map(blocks, crossed))
        if stopped:
            return False
    return True


def path_lengths_from(start: Iterable[Hex], open_hexes: Container[Hex]) -> Mapping[Hex, int]:
    """Return the hexes that can be reached over open hexes, and the shortest path's length from `start` to each.

    The starting hexes have the length 0, and need not be open. The number of open hexes must be finite.
    """
    lengths = dict.fromkeys(start, 0)
    edge, steps = list(lengths), 0
    while edge:
        steps += 1
        ahead = []
        for hex_ in edge:
            for neighbour in _neighbours(hex_):
                if neighbour not in lengths and neighbour in open_hexes:
                    lengths[neighbour] = steps
                    ahead.append(neighbour)
        edge = ahead
    return lengths


def _hexes_by_cost(start: Hex, cost: Callable[[Hex], int | None]) -> Iterator[tuple[int, list[Hex]]]:
    """Yield the hexes that paths from `start` reach, grouped by total cost, lowest first.

    The cost of entering a hex is the same from every side, so the first path found is one of the cheapest. Raises
    ValueError for a cost below 1.
    """
    seen, waiting = {start}, defaultdict(list, {0: [start]})
    while waiting:
        spent = min(waiting)
        edge = waiting.pop(spent)
        yield spent, edge
        for hex_ in edge:
            for neighbour in _neighbours(hex_):
                if neighbour not in seen:
                    seen.add(neighbour)
                    price = cost(neighbour)
                    if price is not None:
                        if price < 1:
                            raise ValueError(f"entering {neighbour!r} costs {price}; a hex costs at least 1")
                        waiting[spent + price].append(neighbour)


def reachable_hexes(start: Hex, budget: int, cost: Callable[[Hex], int | None]) -> Mapping[Hex, int]:
    """Return the hexes that can be reached from `start` for at most `budget`, with their lowest total costs.

    `cost` returns the cost of entering a hex, or None if the hex may not be entered. Raises ValueError for a cost
    below 1.
    """
    costs = {}
    for spent, edge in _hexes_by_cost(start, cost):
        if spent > budget:
            break
        costs.update(dict.fromkeys(edge, spent))
    return costs


def cheapest_path(
    start: Hex, goal: Hex, cost: Callable[[Hex], int | None], prefer: Callable[[Hex], Any]
) -> tuple[Hex, ...] | None:
    """Return the cheapest path from `start` to `goal`, or None if there is no path.

    The path leaves `start` out. `cost` returns the cost of entering a hex, or None if the hex may not be entered.
    Equally cheap paths are compared hex by hex, by the lowest value of `prefer` and then by number. The number of
    passable hexes must be finite.
    """
    if start == goal:
        return ()
    if cost(goal) is None:
        return None
    costs_to_goal: dict[Hex, int] = {}
    for spent, edge in _hexes_by_cost(goal, cost):
        costs_to_goal.update(dict.fromkeys(edge, spent))
        if not costs_to_goal.keys().isdisjoint(_neighbours(start)):
            break
    else:
        return None
    ways: dict[Hex, tuple[Hex, ...]] = {start: ()}
    while goal not in ways:
        ahead: dict[Hex, tuple[Hex, ...]] = {}
        for hex_, path in ways.items():
            onward = [neighbour for neighbour in _neighbours(hex_) if neighbour in costs_to_goal]
            nearest = min(costs_to_goal[neighbour] for neighbour in onward)
            for neighbour in onward:
                if costs_to_goal[neighbour] == nearest:
                    ahead.setdefault(neighbour, (*path, neighbour))
        first = min(map(prefer, ahead))
        ways = {hex_: path for hex_, path in ahead.items() if prefer(hex_) == first}
    return ways[goal]
