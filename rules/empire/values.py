"""Values by which the bot opponent judges a state of Battles for Empire. Each function is one value."""

from math import dist

from rules.core.tabletop.line_of_fire import FriendsInLine
from rules.core.tabletop.values import defence_weight, inches_between, nearness
from rules.core.value import SideValue

from .estimates import forecast_side, hits_lost_by_masking
from .model import Arm, Bayonets, Conduct, Defence, EmpireState, Formation, Weapon
from .phases import Phase

CHARGE_REACH = 36.0
"""Distance in inches within which a fanatic charge is worth more, the nearer the enemy is."""
WORTH_HOLDING = (Defence.WORKS, Defence.OBSTACLE)
"""Defences worth holding. Defended terrain does not count, or advancing units would stop at any terrain (BE-M.4)."""
DEFENCE_WORTH = 1.5
"""Value of a unit in works or behind an obstacle, weighed against the hits and ground that it gains by leaving."""
MASKED_HITS_WEIGHT = -0.8
"""Weight of hits that guns lose by friends in their line of fire: the negative of the weight of expected hits."""
LYING_DOWN_PENALTY = -2.5
"""Penalty for a unit without firearms that lies down. It outweighs the fire avoided, so that the unit charges."""


def strength_value(state: EmpireState, side: str) -> float:
    """Return the strength of the side's units. A unit counts more, the more kills it can still take."""
    men = forecast_side(state, side)
    return sum(4 + 6 * (man.most - man.kills) / man.most for man in men if man.kills < man.most)


def shaken_value(state: EmpireState, side: str) -> float:
    """Return the weight of the side's shaken units.

    Undrilled units weigh more with each kill, because a failed rally may destroy them.
    """
    men = forecast_side(state, side)
    return sum(1 + (man.unit.conduct is not Conduct.DRILLED) * man.kills * 0.7 for man in men if man.shaken)


def fire_value(state: EmpireState, side: str) -> float:
    """Return the expected hits of the side's next fire, with each unit at its best target."""
    return sum(man.fire for man in forecast_side(state, side))


def melee_value(state: EmpireState, side: str) -> float:
    """Return the expected hits of the side's next round of melee. Units not yet in contact count in part."""
    return sum(man.melee for man in forecast_side(state, side))


def ground_value(state: EmpireState, side: str) -> float:
    """Return how near the side's steady units are to the objectives; late in the game this counts more."""
    steady = [man.unit.place for man in forecast_side(state, side) if man.unit.place is not None and not man.shaken]
    late, worth = state.turn / (state.turn_limit or 10), 0.0
    for objective in state.objectives:
        far = sorted(max(dist(place.point, objective.at) - objective.within, 0.0) for place in steady)
        worth += sum(1 - min(inches, 40.0) / 40 for inches in far[:4]) * (0.5 + late) + 3 * late * (far[:1] == [0.0])
    return worth


def readiness_value(state: EmpireState, side: str) -> float:
    """Return the weight of tested conduct, fixed bayonets, aims taken and supports declared, minus jams."""
    ready_ids = (*(support.unit for support in state.supports), *(burst.unit for burst in state.bursts))
    weight = sum(4 for unit in ready_ids if state.unit(unit).side == side)
    for unit in (man.unit for man in forecast_side(state, side)):
        weight += (unit.this_turn.tested and not unit.shaken) + (unit.bayonets is Bayonets.FIXED) - 3 * unit.jammed
    return weight


def fanatic_charge_value(state: EmpireState, side: str) -> float:
    """Return the value of units in fanatic charge: more near the enemy, less if lying down or in square (BE-6)."""
    charging = [man.unit for man in forecast_side(state, side) if man.unit.this_turn.fanatic and man.unit.place]
    foes = [foe for foe in state.units.values() if foe.side != side and foe.on_table and not foe.is_piece]
    return sum(
        (0 if unit.gone_to_ground or unit.formation is Formation.SQUARE else 1)
        + max((nearness(inches_between(unit, foe), CHARGE_REACH) for foe in foes), default=0.0)
        for unit in charging
    )


def defences_value(state: EmpireState, side: str) -> float:
    """Return the number of the side's unshaken units in works or behind obstacles, times its `defence_weight`."""
    defenders = sum(man.unit.defending in WORTH_HOLDING and not man.shaken for man in forecast_side(state, side))
    return defenders * defence_weight(state, side)


def masked_guns_value(state: EmpireState, side: str) -> float:
    """Return the expected hits that the side's guns lose because friends mask their best targets (BE-4.4).

    Only the moving side's masked guns count, because its units can still move out of the way.
    """
    is_ignored = state.options.friends_in_line is FriendsInLine.IGNORE
    counts = state.phase == Phase.UNITS and side == state.active and not is_ignored
    return hits_lost_by_masking(state, side) if counts else 0.0


def lying_down_value(state: EmpireState, side: str) -> float:
    """Return the number of the side's foot units without firearms that have gone to ground."""
    lying = (man.unit for man in forecast_side(state, side) if man.unit.gone_to_ground)
    return sum(unit.weapon is Weapon.NONE and unit.arm is Arm.FOOT for unit in lying)


VALUES = (
    SideValue("strength", 1, strength_value),
    SideValue("shaken", -2.5, shaken_value),
    SideValue("fire", 0.8, fire_value),
    SideValue("melee", 0.8, melee_value),
    SideValue("ground", 4, ground_value),
    SideValue("readiness", 0.1, readiness_value),
    SideValue("zeal", 2, fanatic_charge_value),
    SideValue("defences", DEFENCE_WORTH, defences_value),
    SideValue("masked guns", MASKED_HITS_WEIGHT, masked_guns_value),
    SideValue("lying down", LYING_DOWN_PENALTY, lying_down_value),
)
