"""An index that finds the units near a line without measuring all units."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Generic

from rules.core.scene import Point

from .battle import U
from .table import CONTACT, Base

SLACK = 2 * CONTACT
"""Inches added to each search, to allow for rounding errors."""


class UnitIndex(Generic[U]):
    """Finds units by position. Results keep the order in which the units were given."""

    def __init__(self, units: Iterable[U], base: Callable[[U], Base | None]) -> None:
        """Create the index. `base` returns a unit's base, or None if its position is unknown."""
        measured = [(number, unit, base(unit)) for number, unit in enumerate(units)]
        placed_units = [(number, unit, unit_base) for number, unit, unit_base in measured if unit_base is not None]
        self._unplaced = [(number, unit) for number, unit, unit_base in measured if unit_base is None]
        self._entries = sorted(placed_units, key=lambda entry: entry[2].at[0])
        self._wests = [unit_base.at[0] for _, _, unit_base in self._entries]
        self._radius = max((unit_base.radius for _, _, unit_base in placed_units), default=0.0)

    def units_near(self, start: Point, end: Point, inches: float) -> list[tuple[U, Base]]:
        """Return at least the units within `inches` of a straight line, and their bases.

        Units with unknown positions are left out.
        """
        return [(unit, unit_base) for _, unit, unit_base in self._entries_near(start, end, inches)]

    def units_perhaps_near(self, start: Point, end: Point, inches: float) -> list[U]:
        """Return the units that `units_near` finds, and the units with unknown positions."""
        entries = [(number, unit) for number, unit, _ in self._entries_near(start, end, inches)]
        return [unit for _, unit in sorted((*entries, *self._unplaced), key=lambda entry: entry[0])]

    def _entries_near(self, start: Point, end: Point, inches: float) -> list[tuple[int, U, Base]]:
        """Return the units that `units_near` finds, each with its index in the given order and its base."""
        (west, east), (north, south) = (sorted(pair) for pair in zip(start, end, strict=True))
        far = inches + SLACK
        first = bisect_left(self._wests, west - far - self._radius)
        last = bisect_right(self._wests, east + far + self._radius)
        entries = []
        for entry in self._entries[first:last]:
            (x, y), reach = entry[2].at, far + entry[2].radius
            if north - reach <= y <= south + reach and west - reach <= x <= east + reach:
                entries.append(entry)
        return sorted(entries, key=lambda entry: entry[0])
