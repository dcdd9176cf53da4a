"""Values by which the bot's opponent judges a state of Charge!, each with its name and weight."""

from rules.core.tabletop.values import closeness_to_objectives, count_held_objectives, elapsed_share, sum_best_worths
from rules.core.value import SideValue

from .estimates import bare_table, charge_gain, fire_losses, mans_its_gun, melee_gain
from .model import Arm, ChargeState, ChargeUnit
from .scenarios import VICTORY

NEAR, HOLDERS, PRESSING = 40.0, 3, 1.5
"""Inches within which a unit is near an objective, maximum units counted at one, and weight of the elapsed time."""


def soldiers(state: ChargeState, side: str) -> float:
    """Return a penalty for the side's losses, pending casualties included.

    The penalty is -x - x²/2, where x is the losses divided by the losses that beat the army.
    """
    lost, began = VICTORY.losses(state, side)
    falling = sum(min(float(unit.pending_casualties), unit.figures) for unit in state.units_of(side) if unit.hits)
    part = (lost + falling) / (float(state.options.beaten_at) * began or 1.0)
    return -part - part**2 / 2


def fires(state: ChargeState, side: str) -> float:
    """Return the losses expected by fire of the side's units out of contact, each at its best target."""
    return sum_best_worths(
        _units_out_of_contact(state, side), state.enemies(side), fire_losses, bare_table(state.terrain, state.options)
    )


def charges(state: ChargeState, side: str) -> float:
    """Return the gain expected by charges of the side's units out of contact, each on its best target."""
    return sum_best_worths(_units_out_of_contact(state, side), state.enemies(side), charge_gain)


def near_ground(state: ChargeState, side: str) -> float:
    """Return the value of infantry and cavalry near objectives and of objectives held, weighted by elapsed time."""
    holders = [unit for unit in state.units_of(side) if unit.arm is not Arm.GUN]
    near = closeness_to_objectives(state, holders, NEAR, HOLDERS)
    return _urgency(state) * (near + count_held_objectives(state, holders))


def held_ground(state: ChargeState, side: str) -> float:
    """Return the number of its own objectives that the side holds now, weighted heavily by elapsed time."""
    return _urgency(state) ** 4 * sum(
        VICTORY.holds(state, objective) for objective in state.objectives if objective.side == side
    )


def _units_out_of_contact(state: ChargeState, side: str) -> list[ChargeUnit]:
    return [unit for unit in state.units_of(side) if state.fight_of(unit.id) is None]


def _urgency(state: ChargeState) -> float:
    return 1 + PRESSING * elapsed_share(state) ** 2


VALUES: tuple[SideValue[ChargeState], ...] = (
    SideValue("soldiers", 25, soldiers),
    SideValue("guns", 3, lambda state, side: sum(map(mans_its_gun, state.units_of(side)))),
    SideValue("fire that bears", 0.35, fires),
    SideValue("charges in reach", 0.2, charges),
    SideValue("mêlées", 0.8, melee_gain),
    SideValue("near the ground", 3.0, near_ground),
    SideValue("ground held", 0.5, held_ground),
)
