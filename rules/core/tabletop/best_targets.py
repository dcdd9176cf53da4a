"""Find each unit's best target: the foe against which it has the greatest worth, such as expected losses.

Worths are cached for unchanged units and foes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_WORTHS = 200_000
"""Maximum number of worths cached in one search."""
MAX_GROUPS = 512
"""Maximum number of groups of foes cached."""


class Foes(dict[int, T]):
    """An ordered group of foes. The keys are the foes' Python `id`s."""

    @cached_property
    def indices(self) -> Mapping[int, int]:
        """Return the index of each foe by its `id`."""
        return {foe: index for index, foe in enumerate(self)}

    @cached_property
    def foes_in_order(self) -> Sequence[T]:
        """Return the foes as a tuple, for access by index."""
        return tuple(self.values())


def group_foes(foes: Iterable[T]) -> Foes[T]:
    """Return the foes as a cached group. Equal foes give the same group object while it is in the cache."""
    group = Foes({id(foe): foe for foe in foes})
    if len(_groups) >= MAX_GROUPS:
        _groups.clear()
    return _groups.setdefault(tuple(group), group)


_groups: dict[tuple[int, ...], Foes[Any]] = {}


@dataclass(slots=True)
class _UnitWorths(Generic[T]):
    """A unit's cached worth against each foe, and its best foe in the group searched last."""

    unit: T
    worths: dict[int, float] = field(default_factory=dict)
    foes: Foes[T] | None = None
    worth: float = 0.0
    best: T | None = None


class BestFoeSearch(Generic[T]):
    """A search for the best foe of each unit. Units and foes must be immutable; a changed unit is a new object."""

    def __init__(self, worth: Callable[..., float], *arguments: Any) -> None:
        """Create the search. `worth` is a function of unit, foe and the further immutable `arguments`."""
        self._worth, self._arguments = worth, arguments
        self._worths_by_unit: dict[int, _UnitWorths[T]] = {}
        self._kept_alive: dict[int, T] = {}
        self._count = 0
        self._delta: tuple[Foes[T] | None, Foes[T] | None, list[T], set[int]] = (None, None, [], set())

    def find_best_foe(self, unit: T, foes: Foes[T]) -> tuple[float, T | None]:
        """Return the unit's greatest worth against any foe, and the first such foe; 0 and None without foes."""
        row = self._worths_by_unit.get(id(unit)) or self._add_cache_entry(unit)
        if row.foes is not foes:
            self._update_best_foe(row, foes)
        return row.worth, row.best

    def rank_foes(self, unit: T, foes: Foes[T]) -> list[tuple[float, T]]:
        """Return pairs of the unit's worth against a foe, if above 0, and the foe, greatest worth first."""
        row = self._worths_by_unit.get(id(unit)) or self._add_cache_entry(unit)
        worths = row.worths
        ranked = [(worths[key] if key in worths else self._compute_worth(row, foe), foe) for key, foe in foes.items()]
        return sorted((pair for pair in ranked if pair[0] > 0), key=lambda pair: -pair[0])

    def _add_cache_entry(self, unit: T) -> _UnitWorths[T]:
        """Add and return an empty cache entry for the unit. A full cache is cleared first."""
        if self._count > MAX_WORTHS:
            self._worths_by_unit.clear()
            self._kept_alive.clear()
            self._count = 0
        row = self._worths_by_unit[id(unit)] = _UnitWorths(unit)
        return row

    def _update_best_foe(self, row: _UnitWorths[T], foes: Foes[T]) -> None:
        """Find the unit's best foe after the group of foes has changed.

        If the previous best foe is still in the group, only new foes are compared with it.
        """
        new, gone = list[T](), set[int]()
        if row.foes is not None:
            if self._delta[0] is not row.foes or self._delta[1] is not foes:
                added = [foe for key, foe in foes.items() if key not in row.foes]
                self._delta = row.foes, foes, added, row.foes.keys() - foes.keys()
            new, gone = self._delta[2:]
        row.foes, best = foes, row.best
        if best is None or id(best) in gone:
            self._compare_all_foes(row, foes)
            return
        for foe in new:
            worth = row.worths[id(foe)] if id(foe) in row.worths else self._compute_worth(row, foe)
            if worth > row.worth or (worth == row.worth and foes.indices[id(foe)] < foes.indices[id(row.best)]):
                row.worth, row.best = worth, foe

    def _compare_all_foes(self, row: _UnitWorths[T], foes: Foes[T]) -> None:
        """Find the unit's best foe by comparing all foes. Of foes with equal worth, the first is the best."""
        cached = row.worths
        for key in [key for key in foes if key not in cached]:
            self._compute_worth(row, foes[key])
        worths = [cached[key] for key in foes]
        row.worth = max(worths, default=0.0)
        row.best = foes.foes_in_order[worths.index(row.worth)] if worths else None

    def _compute_worth(self, row: _UnitWorths[T], foe: T) -> float:
        worth = row.worths[id(foe)] = self._worth(row.unit, foe, *self._arguments)
        self._kept_alive[id(foe)] = foe
        self._count += 1
        return worth
