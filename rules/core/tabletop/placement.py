"""Unit bases on the table in inches: distances, and ground beneath.

Every function answers None, or leaves a unit out, where the umpire runs the figures and positions are unknown.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Generic

from rules.core.memo import cache_by_identity
from rules.core.scene import Feature, Point, TerrainPiece

from . import table
from .battle import LATEST, Place, TableState, U
from .table import Base
from .unit_index import Crowd


@dataclass(frozen=True)
class Placement(Generic[U]):
    """Measures the units of a system; `size` is the frontage and depth of a unit's base in inches."""

    size: Callable[[U], tuple[float, float]]

    def base(self, unit: U) -> Base | None:
        """Return the unit's base on the table."""
        return self._bases(unit)

    @cached_property
    def _bases(self) -> Callable[[U], Base | None]:
        return cache_by_identity(lambda unit: None if unit.place is None else self.base_at(unit, unit.place))

    def base_at(self, unit: U, place: Place) -> Base:
        """Return the unit's base as it would stand at a place."""
        return _base(place.point, place.facing, *self.size(unit))

    def bases(self, units: Iterable[U]) -> tuple[Base, ...]:
        """Return the bases of placed units."""
        return tuple(base for unit in units if (base := self.base(unit)) is not None)

    def gap(self, one: U, other: U) -> float | None:
        """Inches between the nearest points of two units."""
        here, there = self.base(one), self.base(other)
        return None if here is None or there is None else table.gap(here, there)

    def gap_within(self, one: U, other: U, inches: float) -> float | None:
        """Return the inches between two units, or None, unmeasured, if they are surely further apart than `inches`."""
        here, there = self.base(one), self.base(other)
        if here is None or there is None or table.apart(here, there) > inches + table.CLOSE:
            return None
        return table.gap(here, there)

    def touching(self, one: U, other: U) -> bool | None:
        """Whether two units are in base contact."""
        inches = self.gap(one, other)
        return None if inches is None else inches <= table.CONTACT

    def nearest(self, unit: U, others: Iterable[U]) -> U | None:
        """Return the nearest of `others`; of equals the first."""
        return next(iter(self.nearest_few(unit, others, 1)), None)

    def nearest_few(self, unit: U, others: Iterable[U], most: int) -> tuple[U, ...]:
        """Return the `most` nearest of `others`, nearest first; ties keep their order. Only units nearby are measured.

        Return None if places are unknown.
        """
        here = self.base(unit)
        if here is None:
            return ()
        bases = ((number, other, self.base(other)) for number, other in enumerate(others))
        guessed = sorted(
            (table.apart(here, there), number, other, there) for number, other, there in bases if there is not None
        )
        found: list[tuple[float, int, U]] = []
        for least, number, other, there in guessed:
            if len(found) >= most and least > found[-1][0] + table.CLOSE:
                break
            insort(found, (table.gap(here, there), number, other))
            del found[most:]
        return tuple(other for *_, other in found)

    def crowd(self, units: tuple[U, ...]) -> Crowd[U]:
        """Return the index of units by their places, cached for the same units."""
        return self._crowds(units)

    @cached_property
    def _crowds(self) -> Callable[[tuple[U, ...]], Crowd[U]]:
        return cache_by_identity(lambda units: Crowd(units, self.base), LATEST)

    def perhaps_within(self, unit: U, others: tuple[U, ...], inches: float) -> Sequence[U]:
        """Return the `others` that may be within `inches`, unmeasured; all of them if the unit's place is unknown."""
        here = self.base(unit)
        return others if here is None else self.crowd(others).perhaps_near(here.at, here.at, here.radius + inches)

    def within(self, unit: U, others: Iterable[U], inches: float) -> tuple[U, ...]:
        """Return the units among `others` within `inches`."""
        here = self.base(unit)
        if here is None:
            return ()
        return tuple(other for other in others if (there := self.base(other)) and table.is_within(here, there, inches))


@lru_cache(maxsize=4096)
def _base(at: Point, facing: float, frontage: float, depth: float) -> Base:
    return Base(at=at, facing=facing, frontage=frontage, depth=depth)


def placed(base: Base) -> Place:
    """Return where a base stands, as a unit remembers it."""
    return Place(x=round(base.at[0], 3), y=round(base.at[1], 3), facing=round(base.facing % 360, 1) % 360)


def standing_on(state: TableState[U], unit: U, features: Iterable[Feature]) -> TerrainPiece | None:
    """Return the first terrain piece of those kinds under the unit's centre."""
    if unit.place is None:
        return None
    kinds = frozenset(features)
    here = unit.place.point
    return next(iter(table.crossed((piece for piece in state.terrain if piece.feature in kinds), here, here)), None)
