"""A table as a battle's file: what `battle_reader` reads again."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import tomli_w

from rules.core.state import Options

from .battle import Edge, Marker, TableState, TableUnit
from .battle_files import MOST_TURNS, BattleFile
from .hidden_units import lies_hidden
from .markers import marker_over
from .troops import NamedTroop

Data = dict[str, Any]
OF_THE_LINE = ("id", "name", "side", "place")
"""Fields of a unit that its line says otherwise, or always."""
ROUNDED = 3
"""Decimals of inches and degrees."""
USUAL_TURNS = 12
SPREAD = re.compile(r"\[\n\s+((?:-?[0-9.]+,\s+)+)\]")
"""A list of numbers with one number per line, as the writer emits."""
FACING: Mapping[Edge, float] = {Edge.NORTH: 180.0, Edge.EAST: 270.0, Edge.SOUTH: 0.0, Edge.WEST: 90.0}
"""Degrees to which a side looks from its edge."""


def as_toml(data: Data) -> str:
    """Return file data as TOML, with points on one line like shipped battles."""
    return SPREAD.sub(lambda found: f"[{', '.join(found[1].replace(',', ' ').split())}]", tomli_w.dumps(data))


def to_file_data(
    of: type[BattleFile[Any, Any]], state: TableState[Any], scenario: str, title: str, briefing: str
) -> Data:
    """Return the present table as file data: remaining units and places; its first turn is the present turn."""
    gone = [unit.id for unit in state.units.values() if not of.keeps(unit)]
    for unit in gone:
        state = state.without(unit)
    left = (state.turn_limit or USUAL_TURNS + state.turn - 1) - state.turn + 1
    return _without_empty(
        {
            "id": scenario,
            "title": title,
            "briefing": briefing,
            "turns": min(max(left, 1), MOST_TURNS),
            "first": of.begins(state),
            "ground": state.ground.value,
            "width": state.width,
            "height": state.height,
            "set_up": True if state.setting_up is not None else None,
            "options": _options(state),
            "sides": [_side(state, side.id, side.name) for side in state.sides],
            "objectives": [each.model_dump(mode="json") for each in state.objectives],
            "terrain": [each.model_dump(mode="json", exclude_defaults=True) for each in state.terrain],
            "units": [_line(of, unit, state) for unit in state.every_unit.values()],
            "dummies": [_dummy(marker) for marker in state.markers.values() if not marker.unit],
        }
    )


def _without_empty(data: Data) -> Data:
    """Without what is nothing."""
    return {key: value for key, value in data.items() if value is not None and value not in ({}, [])}


def _side(state: TableState[Any], side: str, name: str) -> Data:
    home = state.home_edges.get(side)
    facing = 0.0 if home is None else FACING[home]
    return _without_empty({"id": side, "name": name, "facing": facing, "home": home and home.value})


def _options(state: TableState[Any]) -> Data:
    """Return options different from their defaults."""
    options: Options = state.options
    return options.model_dump(mode="json", exclude_defaults=True)


def _line(of: type[BattleFile[Any, Any]], unit: TableUnit, state: TableState[Any]) -> Data:
    """Return a unit as list line: the most similar troops, and deviating fields."""
    candidates = (
        (troop, _differing(unit, troop.make_unit(unit.id, unit.name, unit.side), of)) for troop in _troops(of)
    )
    troop, differs = min(candidates, key=lambda each: (sum(value is None for value in each[1].values()), len(each[1])))
    line = _without_empty({"id": unit.id, "name": unit.name, "side": unit.side, "troops": troop.id, **differs})
    if unit.place is not None and of.gives_place(unit):
        line["at"] = [round(unit.place.x, ROUNDED), round(unit.place.y, ROUNDED)]
        line["facing"] = round(unit.place.facing, ROUNDED)
    if lies_hidden(state, unit.id):
        line["hidden"] = True
    if (marker := marker_over(state, unit.id)) is not None:
        line["marker"] = marker.letter
    made = of.as_listed(troop.make_unit(unit.id, unit.name, unit.side, **differs))
    return {**line, **_without_empty(_differing(unit, made, of))}


def _dummy(marker: Marker) -> Data:
    """Return a marker with nothing under it, as far as whoever gets the file may know."""
    at = [round(marker.place.x, ROUNDED), round(marker.place.y, ROUNDED)]
    return {"side": marker.side, "at": at, "facing": round(marker.place.facing, ROUNDED), "marker": marker.letter}


def _troops(of: type[BattleFile[Any, Any]]) -> Iterable[NamedTroop[Any]]:
    return of.troops.all.values()


def _differing(unit: TableUnit, other: TableUnit, of: type[BattleFile[Any, Any]]) -> Data:
    """Return fields different between two units, in file form; None for fields without file form."""
    fields = (name for name in type(unit).model_fields if name not in (*OF_THE_LINE, *of.passing))
    differing = {name for name in fields if getattr(unit, name) != getattr(other, name)}
    return unit.model_dump(mode="json", include=differing)
