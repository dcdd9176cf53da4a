"""Find the foe against whom each unit has the greatest worth. Only foes that changed are computed again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_WORTHS = 200_000
"""Maximum number of worths cached for one kind."""
MAX_GROUPS = 512
"""Maximum number of groups of foes cached."""


class Foes(dict[int, T]):
    """Some foes by identity, in their order."""

    @cached_property
    def indices(self) -> Mapping[int, int]:
        """Index of each foe."""
        return {foe: place for place, foe in enumerate(self)}

    @cached_property
    def in_order(self) -> Sequence[T]:
        """The foes alone."""
        return tuple(self.values())


def shared_group(foes: Iterable[T]) -> Foes[T]:
    """Return these foes as a group. The same foes usually give the same object."""
    found = Foes({id(foe): foe for foe in foes})
    if len(_latest) >= MAX_GROUPS:
        _latest.clear()
    return _latest.setdefault(tuple(found), found)


_latest: dict[tuple[int, ...], Foes[Any]] = {}


class _Row(Generic[T]):
    """The cached facts about a unit: its worth against each foe, and the best of the `foes` last searched."""

    __slots__ = ("best", "foes", "unit", "worth", "worths")

    def __init__(self, unit: T) -> None:
        self.unit = unit
        self.worths: dict[int, float] = {}
        self.foes: Foes[T] | None = None
        self.worth = 0.0
        self.best: T | None = None


class BestFoes(Generic[T]):
    """The best foe of each unit. Units and foes are immutable: a changed one is another object."""

    def __init__(self, worth: Callable[..., float], *about: Any) -> None:
        """Create the search. `worth` is a function of unit, foe and `about`; all three are immutable."""
        self._worth, self._about = worth, about
        self._rows: dict[int, _Row[T]] = {}
        self._kept_alive: dict[int, T] = {}
        self._count = 0
        self._delta: tuple[Foes[T] | None, Foes[T] | None, list[T], set[int]] = (None, None, [], set())

    def find(self, unit: T, foes: Foes[T]) -> tuple[float, T | None]:
        """Return the greatest worth of the unit against any of the foes, and the first such foe; 0 without foes."""
        row = self._rows.get(id(unit))
        if row is None:
            row = self._new_row(unit)
        if row.foes is not foes:
            self._update_best(row, foes)
        return row.worth, row.best

    def _new_row(self, unit: T) -> _Row[T]:
        if self._count > MAX_WORTHS:
            self._rows.clear()
            self._kept_alive.clear()
            self._count = 0
        row = self._rows[id(unit)] = _Row(unit)
        return row

    def _update_best(self, row: _Row[T], foes: Foes[T]) -> None:
        """Compare the new foes with the best foe. Compare all foes if the best foe is gone."""
        new, gone = self._compare_foes(row.foes, foes) if row.foes is not None else ([], set())
        row.foes, best = foes, row.best
        if best is None or id(best) in gone:
            self._compare_all(row, foes)
            return
        for foe in new:
            worth = row.worths.get(id(foe))
            if worth is None:
                worth = self._compute(row, foe)
            if worth > row.worth or (worth == row.worth and foes.indices[id(foe)] < foes.indices[id(row.best)]):
                row.worth, row.best = worth, foe

    def _compare_all(self, row: _Row[T], foes: Foes[T]) -> None:
        """Find the first best of all foes."""
        known = row.worths
        for each in [each for each in foes if each not in known]:
            self._compute(row, foes[each])
        worths = [known[each] for each in foes]
        row.worth = max(worths, default=0.0)
        row.best = foes.in_order[worths.index(row.worth)] if worths else None

    def _compute(self, row: _Row[T], foe: T) -> float:
        worth = row.worths[id(foe)] = self._worth(row.unit, foe, *self._about)
        self._kept_alive[id(foe)] = foe
        self._count += 1
        return worth

    def _compare_foes(self, before: Foes[T], foes: Foes[T]) -> tuple[list[T], set[int]]:
        """Return newly added foes, and identities of removed foes."""
        if self._delta[0] is not before or self._delta[1] is not foes:
            new = [foe for each, foe in foes.items() if each not in before]
            self._delta = before, foes, new, before.keys() - foes.keys()
        return self._delta[2:]
