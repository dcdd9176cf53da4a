"""Put the units of entrenched columns behind field works when their battle begins (CA-6.2)."""

from collections.abc import Sequence
from typing import Any

from rules.campaign.battles import battle_system
from rules.core.dice import Dice
from rules.core.own_battles import require_bare_tables
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.scene import Feature, Point, TerrainPiece
from rules.core.tabletop.table import shift_point

FRONT = 9.0
"""Inches from the edge to the front of the units behind works."""
BEFORE, WIDTH, BEYOND = 0.6, 0.7, 0.5
"""Inches from the front to the middle of the works, width of the works, and their length beyond the outermost units."""


def place_behind_field_works(system: Ruleset[Any], state: Any, units: Sequence[Any], dice: Dice) -> Any:
    """Return the state with the units in a row behind the best field works. Omit units that do not fit."""
    spots = require_bare_tables(system).deployment_spots(state, FRONT, from_front=True, rows=1)
    ends: list[Point] = []
    for unit in units:
        try:
            placed_unit = spots.place_unit(state, unit)
        except Refused:
            continue
        state = state.with_unit(placed_unit)
        for field, value in battle_system(system.id).behind_works.items():
            state, _ = system.act(state, system.parse("set", {"unit": unit.id, "field": field, "value": value}), dice)
        left, right = spots.ends_of_front(placed_unit)
        facing = placed_unit.place.facing
        ends += [
            shift_point(shift_point(end, facing, BEFORE), facing + turn, BEYOND)
            for end, turn in ((left, -90), (right, 90))
        ]
    if not ends:
        return state
    works = TerrainPiece(feature=Feature.EARTHWORKS, points=(min(ends), max(ends)), closed=False, width=WIDTH)
    return state.model_copy(update={"terrain": (*state.terrain, works)})
