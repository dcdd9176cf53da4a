"""Values by which the bot opponent judges a state of Magdala to Mafeking. Each function is one value."""

from rules.core.memo import cache_by_identity
from rules.core.tabletop.values import (
    closeness_to_objectives,
    count_held_objectives,
    elapsed_share,
    inches_between,
    sum_best_worths,
)
from rules.core.value import SideValue

from .arms import DEFENCES, has_own_morale
from .engagement import melee_pairs
from .estimates import charge_gain, melee_gain, prompt_cost, unengaged_units, unit_value, value_lost_to_volley
from .model import MagdalaState, MagdalaUnit, Morale
from .scenarios import VICTORY

OBJECTIVE_LIMITS = {True: (6, 50.0), False: (2, 20.0)}
"""Maximum units counted near objectives and their maximum inches: if the side has its own objectives, and if not."""
ASSAULT_REACH, MOST_NEED = 30.0, 1.5
"""Inches from which enemies reach melee in two turns; maximum ratio of the enemies' strength to a unit's."""
MOST_ROUNDS = 99
"""Rounds that count in a game without a last turn."""
FIRED_VALUE = 0.5
"""Value of having fired, in rounds of ammunition. It makes the bot fire even if its few sample throws miss."""
DISORDER_COSTS = {Morale.PINNED: 1.0, Morale.HALTED: 2.0, Morale.RETREATING: 4.0, Morale.PURSUING: 2.0}
"""Penalty for disobedient units, by morale."""


def strength_value(state: MagdalaState, side: str) -> float:
    """Return the value of the side's units, by their strength above half."""
    return sum(unit_value(unit) for unit in state.units_of(side))


def disorder_value(state: MagdalaState, side: str) -> float:
    """Return the penalties for held, fleeing and detached units, and the expected cost of owed tests."""
    tests = sum(prompt_cost(state, prompt) for prompt in state.prompts if state.unit(prompt.unit).side == side)
    return tests + sum(DISORDER_COSTS.get(unit.morale, 0.0) + 6 * unit.is_detachment for unit in state.units_of(side))


def fire_value(state: MagdalaState, side: str) -> float:
    """Return expected damage by next volleys, each unit against its best target."""
    return sum_best_worths(*unengaged_units(state)[side], value_lost_to_volley, state.options, state.terrain)


def melee_value(state: MagdalaState, side: str) -> float:
    """Return expected gains of melees and of charges at nearby enemies."""
    own = ((unit, foe) for unit, foe in melee_pairs(state) if unit.side == side)
    gains = sum(melee_gain(unit, foe, unit.melee_attack, state.options) for unit, foe in own)
    return gains + 0.5 * sum_best_worths(*unengaged_units(state)[side], charge_gain, state.options, state.terrain)


def objectives_value(state: MagdalaState, side: str) -> float:
    """Return how close the side's units are to objectives, weighted by elapsed time."""
    most, within = OBJECTIVE_LIMITS[any(objective.side == side for objective in state.objectives)]
    holders = [unit for unit in state.units_of(side) if VICTORY.holding(unit)]
    elapsed, closeness = elapsed_share(state), closeness_to_objectives(state, holders, within, most)
    return closeness * (0.5 + elapsed) + elapsed**2 * count_held_objectives(state, holders)


def defences_value(state: MagdalaState, side: str) -> float:
    """Return the value of works: nearby enemy figures per figure behind them, at most MOST_NEED for each unit."""
    _, enemies = unengaged_units(state)[side]
    foes = [foe for foe in enemies if foe.place is not None]
    behind = [unit for unit in state.units_of(side) if unit.works in DEFENCES and unit.place and has_own_morale(unit)]
    return sum(
        min(sum(foe.strength for foe in foes if inches_between(unit, foe) <= ASSAULT_REACH) / unit.strength, MOST_NEED)
        for unit in behind
    )


def ammunition_value(state: MagdalaState, side: str) -> float:
    """Return the rounds that the side can fire in the turns left, plus a bonus for units that have fired."""
    turns = state.turn_limit - state.turn if state.turn_limit else MOST_ROUNDS
    supplies = map(_rounds_left_and_fired_value, state.units_of(side))
    return sum((rounds_left if rounds_left < turns else turns) + fired for rounds_left, fired in supplies)


@cache_by_identity
def _rounds_left_and_fired_value(unit: MagdalaUnit) -> tuple[float, float]:
    """Return the unit's rounds left, and its `FIRED_VALUE` if it has fired; both 0 for detachments (MM-3.9)."""
    return (0.0, 0.0) if unit.is_detachment else (float(unit.ammunition), FIRED_VALUE * unit.this_turn.has_fired)


VALUES = (
    SideValue("strength", 1, strength_value),
    SideValue("disorder", -1, disorder_value),
    SideValue("fire", 0.8, fire_value),
    SideValue("melee", 0.8, melee_value),
    SideValue("ground", 8, objectives_value),
    SideValue("defences", 2.0, defences_value),
    SideValue("ammunition", 0.1, ammunition_value),
)
