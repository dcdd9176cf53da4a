"""Turn the units of a side into `ArmyUnit` objects, from which army lines are written."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from .army_entries import ArmyUnit, Leader
from .army_lines import ArmyLineReader
from .army_strengths import make_usual_unit
from .army_words import FieldValues
from .battle import TableState
from .troops import NamedTroop


class ArmyWriter:
    """The writer of a system's armies."""

    def __init__(self, lines: ArmyLineReader) -> None:
        self._lines, self._file_type, self._leading = lines, lines.file_type, lines.leading

    def army_units_of_side(self, state: TableState[Any], side: str) -> Sequence[ArmyUnit]:
        """Return the side's visible and hidden units at their present strength, with their leaders."""
        own = [unit for unit in state.every_unit.values() if unit.side == side]
        units = {unit.id: self._file_type.reset_for_new_battle(unit) for unit in own if self._file_type.is_saved(unit)}
        leaders: dict[str, list[Leader]] = {}
        lines = dict(units)
        for leader, host in self._leading.leader_and_unit_ids(units.values()) if self._leading is not None else ():
            if leader in lines and host in lines:
                leaders.setdefault(host, []).append(self._make_leader(lines.pop(leader)))
        entries: list[ArmyUnit] = []
        for unit_id, unit in lines.items():
            troop, field_values = self._match_troops(unit)
            strength = getattr(unit, self._lines.strength_field)
            entries.append(ArmyUnit(troop, unit.name, strength, tuple(leaders.get(unit_id, ())), field_values))
        return entries

    def _make_leader(self, unit: Any) -> Leader:
        """Return a unit as the leader in an army line, without troops if they are the system's usual leaders."""
        assert self._leading is not None, "only where somebody leads"
        troop, field_values = self._match_troops(unit)
        return Leader(unit.name, None if troop.id == self._leading.troop else troop, field_values)

    def _match_troops(self, unit: Any) -> tuple[NamedTroop[Any], FieldValues]:
        """Return the troops most similar to the unit, and the unit's fields that differ from those troops."""
        values = {name: getattr(unit, name) for name in self._lines.allowed_fields}
        matches = (
            (troop, tuple(item for item in values.items() if item[1] != usual[item[0]]))
            for troop, usual in self._troops_with_usual_values
        )
        field = self._lines.strength_field
        strength = getattr(unit, field)
        return min(matches, key=lambda pair: (*self._rank_deviations(pair[1]), pair[0].fields.get(field) != strength))

    def _rank_deviations(self, deviations: FieldValues) -> tuple[int, int, int]:
        """Count the deviating fields in all, the required ones, and the ones that are not true or false."""
        required = sum(self._lines.allowed_fields[name].is_required() for name, _ in deviations)
        return len(deviations), required, sum(not isinstance(value, bool) for _, value in deviations)

    @cached_property
    def _troops_with_usual_values(self) -> Sequence[tuple[NamedTroop[Any], dict[str, Any]]]:
        """Return all troops, each with the field values of a usual unit of these troops."""
        usual_units = [(troop, make_usual_unit(troop)) for troop in self._lines.troops.all.values()]
        names = self._lines.allowed_fields
        return [(troop, {name: getattr(unit, name) for name in names}) for troop, unit in usual_units]
