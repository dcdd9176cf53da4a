"""Large tables: the troops of a scenario copied until each side has as many as asked, drawn up in rows."""

from itertools import cycle, islice
from typing import Any

from rules.core.agreement import Noun
from rules.core.dice import NoDice
from rules.core.ruleset import Ruleset
from rules.core.tabletop.battle import Place
from rules.registry import rulesets

SCENARIOS = {"magdala": "tel-el-kebir-1882", "empire": "tientsin-1900", "charge": "convoy"}
"""Every system played in inches, with the scenario whose troops and ground are used."""
TIMES = 2
"""How many times as wide and high as the scenario's the table is."""
APART, ROW, FRONT, EDGE = 6.0, 4.0, 4.0, 5.0
"""Inches between units of a row, between rows, from the middle of the table to the first row, and at its ends."""


def crowded(rules: str, a_side: int, row: float = ROW) -> tuple[Ruleset[Any], Any]:
    """Return the system and a table with `a_side` units of each side, in rows that many inches apart."""
    system = rulesets()[rules]
    state = system.setup(SCENARIOS[rules], {}, NoDice())
    width, height = state.width * TIMES, state.height * TIMES
    in_a_row = int((width - 2 * EDGE) // APART) + 1
    units = {}
    for side, ahead in zip(state.sides, (-1, 1), strict=True):
        troops = [unit for unit in state.of_side(side.id) if unit.noun is Noun.MANY]
        for number, unit in enumerate(islice(cycle(troops), a_side)):
            behind, column = divmod(number, in_a_row)
            copy = number // len(troops) + 1
            x, y = EDGE + APART * column, height / 2 - ahead * (FRONT + row * behind)
            place = Place(x=x, y=y, facing=180.0 if ahead > 0 else 0.0)
            alone = dict.fromkeys(unit.refers_to)
            new = {"id": f"{unit.id}-{copy}", "name": f"{unit.name} {copy}", "place": place, **alone}
            units[f"{unit.id}-{copy}"] = unit.model_copy(update=new)
    terrain = [
        piece.model_copy(update={"points": tuple((x * TIMES, y * TIMES) for x, y in piece.points)})
        for piece in state.terrain
    ]
    table = {"units": units, "width": width, "height": height, "terrain": tuple(terrain), "objectives": ()}
    return system, state.model_copy(update=table)
