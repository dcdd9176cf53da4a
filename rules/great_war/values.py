"""What the bot values in a position of The Great War, and the word for each value."""

from collections.abc import Callable
from functools import cache

from rules.core.hexboard.stacks import unit_hex
from rules.core.value import SideValue

from .battle_strength import Target, Thrower, make_volley
from .ground import board_named, terrain_named, terrain_of
from .model import Arm, GreatWarState, GreatWarUnit
from .options import GreatWarOptions
from .shared import BATTLES, distance_to_enemy
from .tables import chart_number, dice_at_range, farthest_range

HOUSE, STUCK, THEIR_TURN, AWAY = GreatWarOptions(), 0.3, 0.6, 10
"""Default options; factors for a stuck tank's battle and an enemy's turn; distance at which an order is worthless."""
SUPPORTING, SUPPORT = frozenset({Arm.MACHINE_GUN, Arm.MORTAR, Arm.FIELD_ARTILLERY}), 3
"""Arms that support by fire, and the factor on the value of cover for these arms."""


@cache
def _expected_medals(arm: Arm, target: Arm, terrain: str, hexes: int) -> float:
    """Return the expected medals from one battle against a target of that arm."""
    thrower, at = Thrower(arm), Target(target, terrain_named(terrain))
    volley, _ = make_volley(thrower, at, hexes, dice_at_range(arm, hexes), HOUSE)
    return float(volley.expected_hits) * chart_number(target, "medals") / chart_number(target, "figures")


def best_battles_value(state: GreatWarState, side: str) -> float:
    """Return the total of medals expected from each unit's best battle. Medals count less in the enemy's turn."""
    foes = [(unit_hex(foe), foe.arm, terrain_of(state, foe).id) for foe in state.units_of(state.enemy(side))]

    def best_battle(unit: GreatWarUnit) -> float:
        most = farthest_range(unit.arm)
        near = ((unit_hex(unit).distance(hex_), arm, terrain) for hex_, arm, terrain in foes)
        gains = (_expected_medals(unit.arm, arm, terrain, hexes) for hexes, arm, terrain in near if hexes <= most)
        return max(gains, default=0) * (STUCK if unit.is_stuck else 1)

    return sum(map(best_battle, state.units_of(side))) * (1 if side == state.active else THEIR_TURN)


def orders_value(state: GreatWarState, side: str) -> float:
    """Return the value of the side's ordered units. Units near enemies count more."""
    units = state.units_of(side) if state.phase != BATTLES and side == state.active else ()
    return sum(AWAY - distance_to_enemy(state, side, unit_hex(unit)) for unit in units if unit.this_turn.is_ordered)


@cache
def _column_count(map_name: str) -> int:
    """Return the number of columns of a map."""
    return 1 + max(hex_.column for hex_ in board_named(map_name).terrain)


def columns_advanced(state: GreatWarState, side: str) -> float:
    """Return the total of columns that the side's units have advanced from their edge.

    A supporting arm's columns are capped where it could fire at an enemy advanced equally far. Farther on, it would
    lose battles and protection for nothing.
    """
    columns, gained = _column_count(state.map) if state.map else 0, 0.0
    for unit in state.units_of(side):
        column = unit_hex(unit).column
        forward = column if side == state.west else columns - 1 - column
        gained += min(forward, (columns - farthest_range(unit.arm)) / 2) if unit.arm in SUPPORTING else forward
    return gained


def protection_held(state: GreatWarState, side: str) -> float:
    """Return how many soldier faces on dice the side's soldiers ignore by their terrain, in total.

    Machine guns, mortars and guns count more: they win by fire, and are easily lost in the open.
    """
    units = [unit for unit in state.units_of(side) if not unit.is_tank]
    return sum(terrain_of(state, unit).ranged.soldiers * (SUPPORT if unit.arm in SUPPORTING else 1) for unit in units)


def trenches_held(state: GreatWarState, side: str) -> float:
    """Return the number of the side's units in trenches; 0 if the side has tanks or its enemy has none."""
    with_tanks = {unit.side for unit in state.units.values() if unit.is_tank and unit.on_map}
    if side in with_tanks or not with_tanks:
        return 0
    return sum(terrain_of(state, unit).id == "trench" for unit in state.units_of(side))


def units_on_wire(state: GreatWarState, side: str) -> float:
    """Return the number of the side's soldier units on wire, which stops and weakens them (GW-7)."""
    return sum(unit_hex(unit) in state.wire for unit in state.units_of(side) if not unit.is_tank)


def _sum_over_units(worth: Callable[[GreatWarState, GreatWarUnit], float]) -> Callable[[GreatWarState, str], float]:
    """Return a function that adds up the `worth` of all units of a side."""
    return lambda state, side: sum(worth(state, unit) for unit in state.units_of(side))


VALUES: tuple[SideValue[GreatWarState], ...] = (
    SideValue("medals", 12, lambda state, side: state.medals.get(side, 0)),
    SideValue(
        "strength",
        10,
        _sum_over_units(
            lambda _, unit: chart_number(unit.arm, "medals") * unit.figures / chart_number(unit.arm, "figures")
        ),
    ),
    SideValue("battles to come", 4, best_battles_value),
    SideValue("ground", 0.3, columns_advanced),
    SideValue("orders", 0.2, orders_value),
    SideValue("battles fought", 0.05, _sum_over_units(lambda _, unit: unit.this_turn.has_battled)),
    SideValue("cover", 0.2, protection_held),
    SideValue("trenches held", 0.8, trenches_held),
    SideValue("wire", -1, units_on_wire),
    SideValue("HQ tokens", 0.4, lambda state, side: min(state.tokens.get(side, 0), state.options.most_tokens)),
    SideValue("stuck tanks", -3, _sum_over_units(lambda _, unit: unit.is_stuck)),
)
