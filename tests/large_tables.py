"""Large tables: a scenario's troops, copied in rows until each side has the requested number of units."""

from itertools import cycle, islice
from typing import Any

from rules.core.agreement import NounForm
from rules.core.dice import NoDice
from rules.core.ruleset import Ruleset
from rules.core.tabletop.battle import Place
from rules.registry import rulesets

SCENARIOS = {"magdala": "tel-el-kebir-1882", "empire": "tientsin-1900", "charge": "convoy"}
"""Every system that measures in inches, with the scenario that provides troops and terrain."""
SCALE = 2
"""Factor of the scenario's width and height."""
UNIT_SPACING, ROW_SPACING, FRONT_DISTANCE, EDGE_DISTANCE = 6.0, 4.0, 4.0, 5.0
"""Inches between units of a row, between rows, from the middle to the first row, and to the table's edge."""


def create_crowded_table(rules: str, a_side: int, row: float = ROW_SPACING) -> tuple[Ruleset[Any], Any]:
    """Return the system and a table with `a_side` units per side, in rows `row` inches apart."""
    system = rulesets()[rules]
    state = system.setup(SCENARIOS[rules], {}, NoDice())
    width, height = state.width * SCALE, state.height * SCALE
    in_a_row = int((width - 2 * EDGE_DISTANCE) // UNIT_SPACING) + 1
    units = {}
    for side, direction in zip(state.sides, (-1, 1), strict=True):
        troops = [unit for unit in state.units_of(side.id) if unit.noun is NounForm.MANY]
        for number, unit in enumerate(islice(cycle(troops), a_side)):
            row_number, column = divmod(number, in_a_row)
            copy = number // len(troops) + 1
            x, y = EDGE_DISTANCE + UNIT_SPACING * column, height / 2 - direction * (FRONT_DISTANCE + row * row_number)
            place = Place(x=x, y=y, facing=180.0 if direction > 0 else 0.0)
            alone = dict.fromkeys(unit.refers_to)
            new = {"id": f"{unit.id}-{copy}", "name": f"{unit.name} {copy}", "place": place, **alone}
            units[f"{unit.id}-{copy}"] = unit.model_copy(update=new)
    terrain = [
        piece.model_copy(update={"points": tuple((x * SCALE, y * SCALE) for x, y in piece.points)})
        for piece in state.terrain
    ]
    table = {"units": units, "width": width, "height": height, "terrain": tuple(terrain), "objectives": ()}
    return system, state.model_copy(update=table)
