"""Write the present table as the file of a battle, which `battle_reader` can read."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import tomli_w

from .battle import Edge, Place, TableState, TableUnit
from .battle_files import MOST_TURNS, BattleFile
from .hidden_units import is_unit_hidden
from .markers import marker_over_unit

Data = dict[str, Any]
LINE_FIELDS = ("id", "name", "side", "place")
"""Unit fields that every unit's line contains, each in a special form."""
ROUNDED = 3
"""Number of decimals for inches and degrees."""
USUAL_TURNS = 12
"""Number of turns for a table without a turn limit."""
NUMBER_LIST = re.compile(r"\[\n\s+((?:-?[0-9.]+,\s+)+)\]")
"""Matches a list of numbers with one number per line, as `tomli_w` writes it."""
FACING: Mapping[Edge, float] = {Edge.NORTH: 180.0, Edge.EAST: 270.0, Edge.SOUTH: 0.0, Edge.WEST: 90.0}
"""Facing in degrees of a side's units at each home edge."""


def to_toml(data: Data) -> str:
    """Return the data of a file as TOML, with each point on one line as in shipped battles."""
    return NUMBER_LIST.sub(lambda match: f"[{', '.join(match[1].replace(',', ' ').split())}]", tomli_w.dumps(data))


def table_as_file_data(
    file_type: type[BattleFile[Any, Any]], state: TableState[Any], scenario: str, title: str, briefing: str
) -> Data:
    """Return the present table as the data of a battle file, with the remaining units and turns."""
    unsaved_ids = [unit.id for unit in state.units.values() if not file_type.is_saved(unit)]
    for unit in unsaved_ids:
        state = state.without_unit(unit)
    turns_left = (state.turn_limit or USUAL_TURNS + state.turn - 1) - state.turn + 1
    sides: list[Data] = []
    for side in state.sides:
        home = state.home_edges.get(side.id)
        data = {"id": side.id, "name": side.name, "facing": FACING[home] if home else 0.0, "home": home and home.value}
        sides.append(_remove_empty_values(data))
    return _remove_empty_values(
        {
            "id": scenario,
            "title": title,
            "briefing": briefing,
            "turns": min(max(turns_left, 1), MOST_TURNS),
            "first": getattr(state, file_type.first_fields[0]),
            "ground": state.ground.value,
            "width": state.width,
            "height": state.height,
            "set_up": True if state.setting_up is not None else None,
            "options": state.options.model_dump(mode="json", exclude_defaults=True),
            "sides": sides,
            "objectives": [objective.model_dump(mode="json") for objective in state.objectives],
            "terrain": [piece.model_dump(mode="json", exclude_defaults=True) for piece in state.terrain],
            "units": [_write_unit_line(file_type, unit, state) for unit in {**state.units, **state.hidden}.values()],
            # In a side's view, every enemy marker looks like a dummy.
            "dummies": [
                {"side": marker.side, **_write_place(marker.place), "marker": marker.letter}
                for marker in state.markers.values()
                if not marker.unit
            ],
        }
    )


def _remove_empty_values(data: Data) -> Data:
    """Return the data without values that are None, `{}` or `[]`."""
    return {key: value for key, value in data.items() if value is not None and value not in ({}, [])}


def _write_unit_line(file_type: type[BattleFile[Any, Any]], unit: TableUnit, state: TableState[Any]) -> Data:
    """Return the file data of a unit: the most similar troops, and the fields that differ from those troops."""
    candidates = (
        (troop, _find_differences(unit, troop.make_unit(unit.id, unit.name, unit.side), file_type))
        for troop in file_type.troops.all.values()
    )
    troop, differs = min(candidates, key=lambda pair: (sum(value is None for value in pair[1].values()), len(pair[1])))
    line = _remove_empty_values({"id": unit.id, "name": unit.name, "side": unit.side, "troops": troop.id, **differs})
    if unit.place is not None and file_type.has_saved_place(unit):
        line |= _write_place(unit.place)
    if is_unit_hidden(state, unit.id):
        line["hidden"] = True
    if (marker := marker_over_unit(state, unit.id)) is not None:
        line["marker"] = marker.letter
    new_unit = file_type.fill_derived_fields(troop.make_unit(unit.id, unit.name, unit.side, **differs))
    return {**line, **_remove_empty_values(_find_differences(unit, new_unit, file_type))}


def _write_place(place: Place) -> Data:
    x, y, facing = (round(number, ROUNDED) for number in (place.x, place.y, place.facing))
    return {"at": [x, y], "facing": facing}


def _find_differences(unit: TableUnit, other: TableUnit, file_type: type[BattleFile[Any, Any]]) -> Data:
    """Return, as JSON data, the unit's saved fields that differ from those of `other`."""
    fields = _saved_fields(type(unit), file_type)
    differing = {name for name in fields if getattr(unit, name) != getattr(other, name)}
    return unit.model_dump(mode="json", include=differing)


@cache
def _saved_fields(unit_type: type[TableUnit], file_type: type[BattleFile[Any, Any]]) -> tuple[str, ...]:
    """Return the names of this unit type's fields that a file saves."""
    unsaved = (*LINE_FIELDS, *file_type.unsaved_fields)
    return tuple(name for name in unit_type.model_fields if name not in unsaved)
