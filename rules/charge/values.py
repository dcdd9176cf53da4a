"""Values by which the bot opponent judges a state of Charge!, each with its name and weight."""

from rules.core.tabletop.values import closeness_to_objectives, count_held_objectives, elapsed_share, sum_best_worths
from rules.core.value import SideValue

from .estimates import (
    estimate_charge_gain,
    estimate_fire_losses,
    estimate_melee_gain,
    is_gun_able_to_fire,
    make_table_without_units,
)
from .model import Arm, ChargeState, ChargeUnit
from .scenarios import VICTORY

NEAR_OBJECTIVE, MAX_HOLDERS, WEIGHT_OF_TIME = 40.0, 3, 1.5
"""Inches within which a unit is near an objective, maximum units counted there, and weight of elapsed time."""


def penalty_for_losses(state: ChargeState, side: str) -> float:
    """Return -x - x²/2, where x is the side's losses divided by the losses that beat its army.

    Pending casualties count as losses.
    """
    lost, began = VICTORY.lost_and_total_strength(state, side)
    falling = sum(min(float(unit.pending_casualties), unit.figures) for unit in state.units_of(side) if unit.hits)
    part = (lost + falling) / (float(state.options.beaten_at) * began or 1.0)
    return -part - part**2 / 2


def gain_by_fire(state: ChargeState, side: str) -> float:
    """Return the losses that the side's units out of contact can inflict by fire, each on its best target."""
    bare_table = make_table_without_units(state.terrain, state.options)
    units = _units_out_of_contact(state, side)
    return sum_best_worths(units, state.enemies(side), estimate_fire_losses, bare_table)


def gain_by_charges(state: ChargeState, side: str) -> float:
    """Return the gain expected if the side's units out of contact charge, each at the best target."""
    return sum_best_worths(_units_out_of_contact(state, side), state.enemies(side), estimate_charge_gain)


def value_of_objectives(state: ChargeState, side: str) -> float:
    """Return the value of objectives that infantry or cavalry hold or are near. The value rises during the game."""
    holders = [unit for unit in state.units_of(side) if unit.arm is not Arm.GUN]
    near = closeness_to_objectives(state, holders, NEAR_OBJECTIVE, MAX_HOLDERS)
    return _weight_of_elapsed_time(state) * (near + count_held_objectives(state, holders))


def value_of_own_objectives(state: ChargeState, side: str) -> float:
    """Return the number of the side's own objectives that it holds, weighted by elapsed time."""
    held = sum(VICTORY.is_held(state, objective) for objective in state.objectives if objective.side == side)
    return _weight_of_elapsed_time(state) ** 4 * held


def _units_out_of_contact(state: ChargeState, side: str) -> list[ChargeUnit]:
    return [unit for unit in state.units_of(side) if state.fight_of(unit.id) is None]


def _weight_of_elapsed_time(state: ChargeState) -> float:
    return 1 + WEIGHT_OF_TIME * elapsed_share(state) ** 2


VALUES: tuple[SideValue[ChargeState], ...] = (
    SideValue("soldiers", 25, penalty_for_losses),
    SideValue("guns", 3, lambda state, side: sum(map(is_gun_able_to_fire, state.units_of(side)))),
    SideValue("fire that bears", 0.35, gain_by_fire),
    SideValue("charges in reach", 0.2, gain_by_charges),
    SideValue("mêlées", 0.8, estimate_melee_gain),
    SideValue("near the ground", 3.0, value_of_objectives),
    SideValue("ground held", 0.5, value_of_own_objectives),
)
