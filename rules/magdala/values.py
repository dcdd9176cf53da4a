"""What an opponent counts in Magdala to Mafeking, each with a word for it."""

from rules.core.tabletop.values import best_of_each, ground, late, standing
from rules.core.value import Worth

from .engagement import pairs
from .estimates import harm, melee, owed, threat, unengaged, worth
from .model import MagdalaState, Morale
from .scenarios import RECKONING

MARCH = {True: (6, 50.0), False: (2, 20.0)}
"""How many units make for the ground that their side has to take, or to keep, and from how far off in inches."""
ORDER = {Morale.PINNED: 1.0, Morale.HALTED: 2.0, Morale.RETREATING: 4.0, Morale.PURSUING: 2.0}
"""What is lost by units that do not obey."""


def strength(state: MagdalaState, side: str) -> float:
    """Its units, each by what it has left before it leaves the field at half strength."""
    return sum(worth(unit) for unit in state.of_side(side))


def disorder(state: MagdalaState, side: str) -> float:
    """Its units that are held, flee or are sent out, and what it may lose by tests that it owes."""
    tests = sum(owed(state, prompt) for prompt in state.prompts if state.unit(prompt.unit).side == side)
    return tests + sum(ORDER.get(unit.morale, 0.0) + 6 * unit.is_detachment for unit in state.of_side(side))


def fire(state: MagdalaState, side: str) -> float:
    """The harm that its units may do by their next volleys, each at the enemy that it bears on best."""
    return best_of_each(*unengaged(state, side), harm, state.options, state.terrain)


def melees(state: MagdalaState, side: str) -> float:
    """What it may hope for of its melees, and of charges of its units at enemies who are near."""
    fought = sum(melee(one, other, one.melee_attack) for one, other in pairs(state) if one.side == side)
    return fought + 0.5 * best_of_each(*unengaged(state, side), threat, state.options, state.terrain)


def field(state: MagdalaState, side: str) -> float:
    """How near its units are to the ground that is fought over, the more the later it is."""
    most, within = MARCH[any(each.side == side for each in state.objectives)]
    able = [unit for unit in state.of_side(side) if RECKONING.holding(unit)]
    return ground(state, able, within, most) * (0.5 + late(state)) + late(state) ** 2 * standing(state, able)


def rounds(state: MagdalaState, side: str) -> float:
    """Rounds of ammunition left."""
    return sum(float(unit.ammunition) for unit in state.of_side(side) if not unit.is_detachment)


VALUES = (
    Worth("strength", 1, strength),
    Worth("disorder", -1, disorder),
    Worth("fire", 0.8, fire),
    Worth("melee", 0.8, melees),
    Worth("ground", 8, field),
    Worth("ammunition", 0.1, rounds),
)
