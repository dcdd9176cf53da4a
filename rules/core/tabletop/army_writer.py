"""Write a side's remaining units as army lines, with leaders."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from .army_lines import ArmyLines, ArmyUnit, Leader
from .army_words import Given
from .battle import TableState
from .troops import NamedTroop


class ArmyWriter:
    """What writes the armies of a system."""

    def __init__(self, lines: ArmyLines) -> None:
        self._lines, self._file_type, self._leading = lines, lines.file_type, lines.leading

    def of_side(self, state: TableState[Any], side: str) -> Sequence[ArmyUnit]:
        """Return the side's visible and hidden units, at present strength."""
        every = [unit for unit in state.every_unit.values() if unit.side == side]
        there = {unit.id: self._file_type.enlisted(unit) for unit in every if self._file_type.keeps(unit)}
        led: dict[str, list[Leader]] = {}
        alone = dict(there)
        for leader, host in self._pairs(there):
            if leader in alone and host in alone:
                led.setdefault(host, []).append(self._leader(alone.pop(leader)))
        return [self._unit(unit, led.get(unit_id, ())) for unit_id, unit in alone.items()]

    def _pairs(self, units: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield pairs of leader and led unit."""
        for unit in units.values() if self._leading is not None else ():
            assert self._leading is not None, "only where somebody leads"
            other = getattr(unit, self._leading.field)
            if other in units:
                yield (unit.id, other) if self._leading.of_leader else (other, unit.id)

    def _unit(self, unit: Any, led: Sequence[Leader]) -> ArmyUnit:
        troop, given = self._like(unit)
        return ArmyUnit(troop, unit.name, getattr(unit, self._lines.counted), tuple(led), given)

    def _leader(self, unit: Any) -> Leader:
        assert self._leading is not None, "only where somebody leads"
        troop, given = self._like(unit)
        return Leader(unit.name, None if troop.id == self._leading.troop else troop, given)

    def _like(self, unit: Any) -> tuple[NamedTroop[Any], Given]:
        """Return the most similar troops, and the unit's deviating fields."""
        has = {name: getattr(unit, name) for name in self._lines.known}
        ways = ((troop, tuple(one for one in has.items() if one[1] != was[one[0]])) for troop, was in self._usual)
        counted = self._lines.counted
        strength = getattr(unit, counted)
        return min(ways, key=lambda way: (*self._unlikeness(way[1]), way[0].fields.get(counted) != strength))

    def _unlikeness(self, given: Given) -> tuple[int, int, int]:
        """Return the number of deviations, then weights: required fields count most, non-boolean fields next."""
        kinds = sum(self._lines.known[name].is_required() for name, _ in given)
        return len(given), kinds, sum(not isinstance(value, bool) for _, value in given)

    @cached_property
    def _usual(self) -> Sequence[tuple[NamedTroop[Any], dict[str, Any]]]:
        """Return all troops, each with fields of a usual unit."""
        return [
            (troop, {name: getattr(troop.make_unit("unit", "unit", "none"), name) for name in self._lines.known})
            for troop in self._lines.troops.all.values()
        ]
