"""Unit bases on the table in inches: the distances between them, and the terrain under them.

For units without a known position, functions return None or leave them out.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic

from rules.core.memo import cache_by_identity
from rules.core.scene import Feature, Point, TerrainPiece

from . import table
from .battle import CACHE_SIZE, Place, TableState, U
from .table import Base
from .unit_index import UnitIndex


@dataclass(frozen=True)
class Placement(Generic[U]):
    """Measures where a system's units stand; `size` is the frontage and depth of a unit's base in inches."""

    size: Callable[[U], tuple[float, float]]

    def base(self, unit: U) -> Base | None:
        """Return the unit's base on the table, or None if its position is unknown."""
        return self._base_finder(unit)

    @cached_property
    def _base_finder(self) -> Callable[[U], Base | None]:
        """The cached function that returns a unit's base."""
        return cache_by_identity(lambda unit: None if unit.place is None else self.base_at(unit, unit.place))

    def base_at(self, unit: U, place: Place) -> Base:
        """Return the unit's base as it would stand at `place`."""
        return _cached_base(place.point, place.facing, *self.size(unit))

    def bases(self, units: Iterable[U]) -> tuple[Base, ...]:
        """Return the bases of the units whose positions are known."""
        return tuple(base for unit in units if (base := self.base(unit)) is not None)

    def gap(self, unit: U, other: U) -> float | None:
        """Return the inches between the nearest points of two units; None if a position is unknown."""
        base, other_base = self.base(unit), self.base(other)
        return None if base is None or other_base is None else table.gap(base, other_base)

    def gap_within(self, unit: U, other: U, inches: float) -> float | None:
        """Return the inches between two units, or None if they are unknown or clearly more than `inches`.

        Distant units are not measured exactly, which saves time.
        """
        base, other_base = self.base(unit), self.base(other)
        if base is None or other_base is None or table.gap_lower_bound(base, other_base) > inches + table.CLOSE:
            return None
        return table.gap(base, other_base)

    def are_touching(self, unit: U, other: U) -> bool | None:
        """Whether two units are in base contact; None if a position is unknown."""
        inches = self.gap(unit, other)
        return None if inches is None else inches <= table.CONTACT

    def nearest_unit(self, unit: U, others: Iterable[U]) -> U | None:
        """Return the nearest of the `others`, or the first of several equally near units; None without positions."""
        return next(iter(self.nearest_units(unit, others, 1)), None)

    def nearest_units(self, unit: U, others: Iterable[U], most: int) -> tuple[U, ...]:
        """Return the `most` nearest of the `others`, nearest first; none if the unit's position is unknown.

        Units at equal distances keep their order.
        """
        base = self.base(unit)
        if base is None:
            return ()
        bases = ((number, other, self.base(other)) for number, other in enumerate(others))
        guessed = sorted(
            (table.gap_lower_bound(base, other_base), number, other, other_base)
            for number, other, other_base in bases
            if other_base is not None
        )
        nearest: list[tuple[float, int, U]] = []
        for least, number, other, other_base in guessed:
            if len(nearest) >= most and least > nearest[-1][0] + table.CLOSE:
                break
            insort(nearest, (table.gap(base, other_base), number, other))
            del nearest[most:]
        return tuple(other for *_, other in nearest)

    def index_units(self, units: tuple[U, ...]) -> UnitIndex[U]:
        """Return an index that finds these units by position, cached for each tuple of units."""
        return self._index_maker(units)

    @cached_property
    def _index_maker(self) -> Callable[[tuple[U, ...]], UnitIndex[U]]:
        """The cached function that makes an index of units."""
        return cache_by_identity(lambda units: UnitIndex(units, self.base), CACHE_SIZE)

    def units_perhaps_within(self, unit: U, others: tuple[U, ...], inches: float) -> Sequence[U]:
        """Return at least the `others` within `inches` of the unit, without exact measurement.

        Units with unknown positions are included. If the unit's own position is unknown, return all the
        `others`.
        """
        base = self.base(unit)
        if base is None:
            return others
        return self.index_units(others).units_perhaps_near(base.at, base.at, base.radius + inches)

    def units_within(self, unit: U, others: Iterable[U], inches: float) -> tuple[U, ...]:
        """Return the `others` within `inches` of the unit; no units if the unit's position is unknown."""
        base = self.base(unit)
        if base is None:
            return ()
        return tuple(
            other for other in others if (other_base := self.base(other)) and table.is_within(base, other_base, inches)
        )


@lru_cache(maxsize=4096)
def _cached_base(at: Point, facing: float, frontage: float, depth: float) -> Base:
    """Return the base, cached because equal bases share their outlines."""
    return Base(at=at, facing=facing, frontage=frontage, depth=depth)


def place_of_base(base: Base) -> Place:
    """Return the base's place, rounded to the precision in which units store places."""
    return Place(x=round(base.at[0], 3), y=round(base.at[1], 3), facing=round(base.facing % 360, 1) % 360)


def terrain_under(state: TableState[U], unit: U, features: Iterable[Feature]) -> TerrainPiece | None:
    """Return the first terrain piece of these kinds under the unit's centre, or None."""
    if unit.place is None:
        return None
    kinds = frozenset(features)
    point = unit.place.point
    pieces = (piece for piece in state.terrain if piece.feature in kinds)
    return next(iter(table.pieces_crossed_by_line(pieces, point, point)), None)
