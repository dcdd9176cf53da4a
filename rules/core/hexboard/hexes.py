"""Hexes with axial coordinates and printed CCRR numbers. Distances, rings, sight, paths and reach.

Columns run west to east, rows north to south; odd columns lie half a hex lower. Hexes are ordered by their numbers
(column, then row), which is also the order of their axial coordinates.
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
_STEPS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_MOST = 99
"""The highest column or row that two digits hold."""


class Hex(NamedTuple):
    """A hex by its axial coordinates: `q` is the column, `r` the row less half the column."""

    q: int
    r: int

    @classmethod
    def labelled(cls, label: str) -> Self:
        """Return the hex with that printed number, such as `2411`. Raises ValueError for any other text."""
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
        """Return the printed number. Raises ValueError for a hex too far out to have one."""
        return _label(self)

    def __str__(self) -> str:
        return _label(self)

    def neighbours(self) -> tuple["Hex", ...]:
        """Return the six adjacent hexes, in the order of their numbers."""
        return _around(self)

    def distance(self, other: "Hex") -> int:
        """Return the distance to `other` in hexes, without obstacles."""
        q, r = other.q - self.q, other.r - self.r
        return max(abs(q), abs(r), abs(q + r))

    @classmethod
    def _parse(cls, value: object) -> "Hex":
        if isinstance(value, Hex):
            return value
        if isinstance(value, str):
            return cls.labelled(value)
        raise ValueError("a hex is written as four digits, column then row, such as 2411")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the pydantic schema: a hex is read from its number (or a hex), and written as its number."""
        text = core_schema.str_schema(pattern=f"^{_LABEL.pattern}$")
        written = core_schema.plain_serializer_function_ser_schema(_label, return_schema=text)
        return core_schema.no_info_plain_validator_function(
            cls._parse, serialization=written, json_schema_input_schema=text
        )


@cache
def _around(here: Hex) -> tuple[Hex, ...]:
    return tuple(Hex(here.q + q, here.r + r) for q, r in _STEPS)


@cache
def _label(here: Hex) -> str:
    if not (0 <= here.column <= _MOST and 0 <= here.row <= _MOST):
        raise ValueError(f"column {here.column}, row {here.row} is off every map: it has no number of four digits")
    return f"{here.column:02}{here.row:02}"


def disk(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return every hex within `radius` hexes of `centre`, including `centre`, in the order of their numbers."""
    return tuple(
        Hex(centre.q + q, centre.r + r)
        for q in range(-radius, radius + 1)
        for r in range(max(-radius, -radius - q), min(radius, radius - q) + 1)
    )


def ring(centre: Hex, radius: int) -> tuple[Hex, ...]:
    """Return every hex exactly `radius` hexes from `centre`, in the order of their numbers."""
    return tuple(here for here in disk(centre, radius) if centre.distance(here) == radius)


class Hexside(StrEnum):
    """Rule for a line of sight along the common side of two hexes: which of them must block to stop the line."""

    BOTH = "both"
    EITHER = "either"
    NEITHER = "neither"
    """Neither hex stops a line along their common side."""


@lru_cache(maxsize=1 << 16)
def hexes_between(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """Return the hexes crossed by the straight line between the centres of `a` and `b`, in order from `a`.

    `a` and `b` are left out. Each item is one hex, or two hexes if the line runs along their common side. A hex touched
    only at a corner is not crossed.
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
        for here in _around(edge.pop()):
            x, y = here.q - a.q, here.r - a.r
            how_far = 2 * (q * x + r * y) + q * y + r * x
            if here not in along and 0 < how_far < length and 3 * abs(q * y - r * x) < width:
                along[here] = how_far
                edge.append(here)
    del along[a]
    in_order = sorted(along, key=lambda here: (along[here], here))
    return tuple(tuple(group) for _, group in groupby(in_order, along.__getitem__))


def sees(a: Hex, b: Hex, blocks: Callable[[Hex], bool], hexside: Hexside) -> bool:
    """Whether no hex between `a` and `b` stops the straight line of sight; exact, and the same in both directions."""
    for crossed in hexes_between(a, b):
        if len(crossed) == 1 or hexside is Hexside.BOTH:
            stopped = all(map(blocks, crossed))
        else:
            stopped = hexside is Hexside.EITHER and any(map(blocks, crossed))
        if stopped:
            return False
    return True


def path_lengths_from(start: Iterable[Hex], open_: Callable[[Hex], bool] | Container[Hex]) -> Mapping[Hex, int]:
    """Return the length in hexes of the shortest path from the nearest of `start` to each hex reached over open hexes.

    The starting hexes are included at 0 and need not be open. The open ground must be limited, like a map.
    """
    may_enter = open_ if callable(open_) else open_.__contains__
    found = dict.fromkeys(start, 0)
    edge, steps = list(found), 0
    while edge:
        steps += 1
        ahead = []
        for here in edge:
            for there in _around(here):
                if there not in found and may_enter(there):
                    found[there] = steps
                    ahead.append(there)
        edge = ahead
    return found


def _spread_costs(start: Hex, cost: Callable[[Hex], int | None]) -> Iterator[tuple[int, list[Hex]]]:
    """Yield each least total cost from `start`, in rising order, with the hexes it leads to.

    The cost of a hex does not depend on where it is entered from, so the first path into a hex is a cheapest. Raises
    ValueError for a cost below 1.
    """
    seen, waiting = {start}, defaultdict(list, {0: [start]})
    while waiting:
        spent = min(waiting)
        edge = waiting.pop(spent)
        yield spent, edge
        for here in edge:
            for there in _around(here):
                if there not in seen:
                    seen.add(there)
                    price = cost(there)
                    if price is not None:
                        if price < 1:
                            raise ValueError(f"entering {there!r} costs {price}; a hex costs at least 1")
                        waiting[spent + price].append(there)


def reachable_hexes(start: Hex, budget: int, cost: Callable[[Hex], int | None]) -> Mapping[Hex, int]:
    """Return each hex that a total cost of `budget` can reach from `start`, with its least total cost.

    `cost` returns the cost of entering a hex (1 or more), or None if the hex may not be entered. The start is included
    at 0. Raises ValueError for a cost below 1.
    """
    found = {}
    for spent, edge in _spread_costs(start, cost):
        if spent > budget:
            break
        found.update(dict.fromkeys(edge, spent))
    return found


def cheapest_path(
    start: Hex, goal: Hex, cost: Callable[[Hex], int | None], prefer: Callable[[Hex], Any]
) -> tuple[Hex, ...] | None:
    """Return the cheapest path from `start` (left out) to `goal` (included), or None if there is no path.

    `cost` is as in `reachable_hexes`. Equally cheap paths are compared by `prefer`, hex by hex; the lowest value wins.
    If `prefer` ties everywhere, hex numbers decide. The passable ground must be limited, like a map.
    """
    if start == goal:
        return ()
    if cost(goal) is None:
        return None
    left: dict[Hex, int] = {}
    for spent, edge in _spread_costs(goal, cost):
        left.update(dict.fromkeys(edge, spent))
        if not left.keys().isdisjoint(_around(start)):
            break
    else:
        return None
    ways: dict[Hex, tuple[Hex, ...]] = {start: ()}
    while goal not in ways:
        ahead: dict[Hex, tuple[Hex, ...]] = {}
        for here, path in ways.items():
            onward = [there for there in _around(here) if there in left]
            nearest = min(left[there] for there in onward)
            for there in onward:
                if left[there] == nearest:
                    ahead.setdefault(there, (*path, there))
        first = min(map(prefer, ahead))
        ways = {here: path for here, path in ahead.items() if prefer(here) == first}
    return ways[goal]
