"""Who may fire, and at whom (BE-3, BE-4)."""

from functools import lru_cache

from shapely.geometry import Polygon

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.scene import Point
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import LineOfFire
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit, Formation, Weapon
from rules.empire.orders import is_phase
from rules.empire.phases import SEQUENCE, Phase
from rules.empire.placement import PLACEMENT, base, front_centre

from .after_moving import has_not_moved
from .ranges import rule_of

ALL_ROUND = (Formation.LOOSE, Formation.SKIRMISH, Formation.SQUARE, Formation.COMPANY_SQUARE)
"""Formations that fire on every side (house)."""
ARC = Cite(rule="BE-4", mark=Mark.HOUSE)
LINES: LineOfFire[EmpireUnit] = LineOfFire(
    PLACEMENT, takes_ground=lambda unit: not unit.is_piece, rule=Cite(rule="BE-4.4", mark=Mark.HOUSE)
)
"""Commanders and mules are in nobody's way; friends who fight are, of guns as of rifles (BE-4.4)."""
INTO_CONTACT = Cite(rule="BE-4", mark=Mark.RULING)
LIMBERED = Cite(rule="BE-3", mark=Mark.RULING)
FULL = 360.0
FAR = 1000.0
"""Inches beyond any table."""
SPOKE = 10.0
"""Degrees, at most, between the points that an arc of fire is drawn through."""


def may_fire(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether the unit itself may fire in this phase, whoever is through with it. Raises Refused."""
    rule = Cite(rule=rule_of(unit))
    if unit.weapon is Weapon.NONE:
        raise Refused(f"{unit.name} has no firearms: it fights in melee.", rule)
    is_phase(state, Phase.ARTILLERY if unit.weapon in GUNS else Phase.RIFLES)
    if unit.limbered:
        raise Refused(f"{unit.name} is limbered. Unlimber it in phase 4, then it fires.", LIMBERED)
    if unit.jammed:
        raise Refused(f"{unit.name} is jammed. Clear it first, one attempt a turn (/do action:clear).", rule)
    if unit.this_turn.shot:
        tried = " or tried to clear its jam" if unit.weapon in MACHINE_GUNS else ""
        raise Refused(f"{unit.name} has fired{tried} this turn. It fires again next turn.", SEQUENCE)
    has_not_moved(state, unit)


def may_be_fired_at(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> None:
    """Whether this target may be chosen. Raises Refused."""
    if target.side == unit.side:
        raise Refused(f"{target.name} is on the same side as {unit.name}. Choose an enemy.", SEQUENCE)
    touched = {each.id: each for each in state.opponents(unit.id)}
    if target.id in touched:
        if _in_its_flank(state, unit, target):
            raise Refused(f"{target.name} is in the flank or rear of {unit.name}, which fires to its front.", ARC)
        return
    if touched:
        names = ", ".join(each.name for each in touched.values())
        raise Refused(f"{unit.name} is in contact with {names}: it fires at those in contact alone.", INTO_CONTACT)
    if state.opponents(target.id):
        raise Refused(
            f"{target.name} is in contact with friends of {unit.name}: fire would fall on them. Choose another target.",
            INTO_CONTACT,
        )
    if not in_arc(state, unit, target):
        raise Refused(
            f"{target.name} is outside the arc of {unit.name}: {state.options.fire_arc:g} degrees to its front. "
            "Choose a target there.",
            ARC,
        )


def fires_all_round(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether it fires on every side (house)."""
    return unit.formation in ALL_ROUND or state.options.fire_arc >= FULL


def _in_its_flank(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> bool:
    """Whether the target charged the unit in flank or rear, where it has nobody to fire (house)."""
    charged = any(each.flank and (each.attacker, each.defender) == (target.id, unit.id) for each in state.contacts)
    return charged and not fires_all_round(state, unit)


def in_arc(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> bool:
    """Whether any part of the target lies in the firer's arc (option fire_arc); so it is where places are unknown."""
    muzzle, there = front_centre(unit), base(target)
    if unit.place is None or muzzle is None or there is None or fires_all_round(state, unit):
        return True
    return bool(_arc(muzzle, unit.place.facing, state.options.fire_arc).intersects(there.outline))


@lru_cache(maxsize=256)
def _arc(muzzle: Point, facing: float, degrees: float) -> Polygon:
    spokes = int(degrees // SPOKE) + 1
    ways = (facing - degrees / 2 + degrees * step / spokes for step in range(spokes + 1))
    return Polygon([muzzle, *(table.shifted(muzzle, way, FAR) for way in ways)])
