"""Values counted by the opponent in Charge!, each with a word."""

from rules.core.tabletop.values import best_of_each, closeness_to_objectives, count_held_objectives, elapsed_share
from rules.core.value import Worth

from .estimates import bare_table, charge, fire, mans_its_gun, melee
from .model import Arm, ChargeState, ChargeUnit
from .scenarios import VICTORY

NEAR, HOLDERS, PRESSING = 40.0, 3, 1.5
"""Inches counted as near objectives, maximum counted units, and late-game factor."""


def soldiers(state: ChargeState, side: str) -> float:
    """Return negative losses including pending casualties, as a share of allowed losses."""
    lost, began = VICTORY.losses(state, side)
    falling = sum(min(float(unit.to_fall), unit.figures) for unit in state.of_side(side) if unit.hits)
    part = (lost + falling) / (float(state.options.beaten_at) * began or 1.0)
    return -part - part**2 / 2


def fires(state: ChargeState, side: str) -> float:
    """Return expected losses by fire, each unit against its best target."""
    return best_of_each(_free(state, side), state.enemies(side), fire, bare_table(state.terrain, state.options))


def charges(state: ChargeState, side: str) -> float:
    """Return expected losses by charges, each unit against its best target."""
    return best_of_each(_free(state, side), state.enemies(side), charge)


def near_ground(state: ChargeState, side: str) -> float:
    """Return closeness of foot and horse to objectives, weighted by elapsed time."""
    holders = [unit for unit in state.of_side(side) if unit.arm is not Arm.GUN]
    near = closeness_to_objectives(state, holders, NEAR, HOLDERS)
    return _pressing(state) * (near + count_held_objectives(state, holders))


def held_ground(state: ChargeState, side: str) -> float:
    """Ground of its own that it holds as things stand."""
    return _pressing(state) ** 4 * sum(VICTORY.holds(state, one) for one in state.objectives if one.side == side)


def _free(state: ChargeState, side: str) -> list[ChargeUnit]:
    return [unit for unit in state.of_side(side) if state.fight_of(unit.id) is None]


def _pressing(state: ChargeState) -> float:
    return 1 + PRESSING * elapsed_share(state) ** 2


VALUES: tuple[Worth[ChargeState], ...] = (
    Worth("soldiers", 25, soldiers),
    Worth("guns", 3, lambda state, side: sum(map(mans_its_gun, state.of_side(side)))),
    Worth("fire that bears", 0.35, fires),
    Worth("charges in reach", 0.2, charges),
    Worth("mêlées", 0.8, melee),
    Worth("near the ground", 3.0, near_ground),
    Worth("ground held", 0.5, held_ground),
)
