"""Permission to fire: phase, targets, range, arc and circumstances (BE-3, BE-4, BE-4.1)."""

from collections.abc import Iterable
from functools import lru_cache

from shapely.geometry import Polygon

from rules.core.model import Cite, Mark
from rules.core.parsing import load_circumstance_effects
from rules.core.refusal import Refused, passes_check, refuse
from rules.core.report import Step
from rules.core.scene import Point
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import LineOfFire
from rules.core.wording import inches
from rules.empire.model import FORMED, GUNS, MACHINE_GUNS, Cover, EmpireState, EmpireUnit, Nation, Weapon
from rules.empire.phases import SEQUENCE, Phase
from rules.empire.placement import PLACEMENT, WAYS, base, front_centre
from rules.empire.shared import apply_circumstances, require_phase
from rules.empire.tables import value

ARC = Cite(rule="BE-4", mark=Mark.HOUSE)
LINES: LineOfFire[EmpireUnit] = LineOfFire(PLACEMENT, WAYS.takes_ground, Cite(rule="BE-4.4", mark=Mark.HOUSE))
"""Line of fire: fighting friends block the fire of guns and rifles; commanders and mules block nothing (BE-4.4)."""
INTO_CONTACT = Cite(rule="BE-4", mark=Mark.RULING)
LIMBERED = Cite(rule="BE-3", mark=Mark.RULING)
REACH = Cite(rule="BE-4.1")
MOVED_GUNS = Cite(rule="BE-3", mark=Mark.HOUSE)
NO_FIRE = "guns that move more than a pivot do not fire that turn"
MEANINGS = load_circumstance_effects("rules.empire", "firing_circumstances.toml")
OF_ARTILLERY, OF_SMALL_ARMS, OF_TARGET = MEANINGS["artillery"], MEANINGS["small_arms"], MEANINGS["target"]
OF_FIRER = {**MEANINGS["firer"], **OF_ARTILLERY, **OF_SMALL_ARMS}
FIRE_WORDS = (*OF_FIRER, *OF_TARGET)
IN_CONTACT, MOUNTAINEER = "target in contact", "target pathan or boer"
IN_SANGARS = (Nation.PATHAN, Nation.BOER)
ARTILLERY, SMALL_ARMS = "artillery", "rifles and machine guns"
"""Rows of the chart of ranges."""
FIRING = (Phase.ARTILLERY, Phase.RIFLES)
FULL = 360.0
BEYOND_TABLE = 1000.0
"""A distance in inches that is longer than any table."""
MOST_DEGREES = 10.0
"""Maximum degrees between neighbouring points of the polygon of an arc of fire."""


def rule_of_fire(unit: EmpireUnit) -> Cite:
    """Return the rule of the unit's fire: BE-3 for guns, BE-4 for others."""
    return Cite(rule="BE-3" if unit.weapon in GUNS else "BE-4")


def has_moved(unit: EmpireUnit) -> bool:
    """Whether the unit moved or recoiled this turn, so that its fire counts as moving (BE-4, BE-4.3)."""
    return unit.this_turn.moved > 0 or unit.this_turn.recoiled


def loses_fire_by_moving(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the unit may not fire in a turn in which it moves (BE-3, option guns_fire_after_moving)."""
    return unit.weapon in GUNS and not state.options.guns_fire_after_moving


def lost_fire_warnings(state: EmpireState, unit: EmpireUnit) -> tuple[str, ...]:
    """Return a warning that the unit lost its fire this turn by moving; empty if it may fire (BE-3, house)."""
    if not loses_fire_by_moving(state, unit):
        return ()
    return (f"{unit:do} not fire this turn: {NO_FIRE} ({MOVED_GUNS}). /game undo takes the move back.",)


def require_may_fire(state: EmpireState, unit: EmpireUnit) -> None:
    """Raise Refused unless the unit may fire in this phase."""
    rule = rule_of_fire(unit)
    moved = loses_fire_by_moving(state, unit) and has_moved(unit)
    tried = f" or tried to clear {unit:their} jam" if unit.weapon in MACHINE_GUNS else ""
    refuse(rule, (unit.weapon is Weapon.NONE, f"{unit:have} no firearms: {unit:they fight} in melee."))
    require_phase(state, Phase.ARTILLERY if unit.weapon in GUNS else Phase.RIFLES)
    refuse(LIMBERED, (unit.limbered, f"{unit:are} limbered. Unlimber {unit:them} in phase 4, then {unit:they fire}."))
    refuse(rule, (unit.jammed, f"{unit:are} jammed. Clear {unit:them} first, one attempt a turn (/do action:clear)."))
    refuse(SEQUENCE, (unit.this_turn.shot, f"{unit:have} fired{tried} this turn. {unit:They fire} again next turn."))
    refuse(MOVED_GUNS, (moved, f"{unit.name} moved this turn: {NO_FIRE}."))


def units_able_to_fire(state: EmpireState, only: str | None = None) -> Iterable[EmpireUnit]:
    """Yield the units of acting sides that may fire now; with `only`, at most the unit with that id."""
    sides, units = state.acting_sides, state.fighters() if only is None else (state.units[only],)
    free = (unit for unit in units if unit.side in sides and unit.on_table and not unit.is_piece)
    return (unit for unit in free if passes_check(require_may_fire, state, unit))


def enemies_in_reach(unit: EmpireUnit, foes: tuple[EmpireUnit, ...]) -> Iterable[EmpireUnit]:
    """Yield the enemies that may be in the unit's range, nearest first. Enemies without a place count as in range."""
    near = PLACEMENT.units_perhaps_within(unit, foes, effective_range(unit))
    measured = sorted((_least_distance(unit, foe), number, foe) for number, foe in enumerate(near))
    return (foe for far, _, foe in measured if far <= effective_range(unit))


def _least_distance(unit: EmpireUnit, foe: EmpireUnit) -> float:
    """Return the least possible distance between the two units in inches; 0 without places."""
    ours, theirs = base(unit), base(foe)
    return table.distance(ours.at, theirs.at) - ours.radius - theirs.radius if ours and theirs else 0.0


def require_may_fire_at(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> None:
    """Raise Refused unless the unit may fire now, and may choose this target."""
    require_may_fire(state, unit)
    touched = state.opponents(unit.id)
    refuse(SEQUENCE, (target.side == unit.side, f"{target:are} on the same side as {unit.name}. Choose an enemy."))
    if target in touched:
        pair = target.id, unit.id
        by_flank = any(contact.flank for contact in state.contacts if (contact.attacker, contact.defender) == pair)
        flank = f"{unit:fire} to {unit:their} front, and {target:are} in {unit:their} flank or rear."
        refuse(ARC, (by_flank and not _fires_all_round(state, unit), flank))
        return
    foes = ", ".join(foe.name for foe in touched)
    touching = f"{unit:are} in contact with {foes}: {unit:they fire} at those in contact alone."
    past = f"{target:are} in contact with friends of {unit.name}: fire would fall on them. Choose another target."
    refuse(INTO_CONTACT, (touched, touching), (state.opponents(target.id), past))
    arc = f"the arc of {unit.name}: {state.options.fire_arc:g} degrees to {unit:their} front"
    refuse(ARC, (not _is_in_arc(state, unit, target), f"{target:are} outside {arc}. Choose a target there."))


def _fires_all_round(state: EmpireState, unit: EmpireUnit) -> bool:
    return unit.formation not in FORMED or state.options.fire_arc >= FULL


def _is_in_arc(state: EmpireState, unit: EmpireUnit, target: EmpireUnit) -> bool:
    """Whether any part of the target lies in the unit's arc (option fire_arc); true without places."""
    muzzle, target_base = front_centre(unit), base(target)
    if unit.place is None or muzzle is None or target_base is None or _fires_all_round(state, unit):
        return True
    return bool(_sector_of_fire(muzzle, unit.place.facing, state.options.fire_arc).intersects(target_base.outline))


@lru_cache(maxsize=256)
def _sector_of_fire(muzzle: Point, facing: float, degrees: float) -> Polygon:
    """Return the sector of fire from `muzzle`: `degrees` wide, centred on `facing`, and longer than any table."""
    spokes = int(degrees // MOST_DEGREES) + 1
    ways = (facing - degrees / 2 + degrees * step / spokes for step in range(spokes + 1))
    return Polygon([muzzle, *(table.shift_point(muzzle, way, BEYOND_TABLE) for way in ways)])


def effective_range(unit: EmpireUnit) -> float:
    """Return the unit's effective range in inches (BE-4.1)."""
    return value("fire-ranges", ARTILLERY if unit.weapon in GUNS else SMALL_ARMS, "effective, to")


def determine_range_band(unit: EmpireUnit, target: EmpireUnit, far: float, *, measured: bool) -> tuple[str, Step]:
    """Return the range band of `far` inches, `short` or `effective`, and the report step. Raises Refused beyond range.

    A distance exactly on a limit belongs to the nearer band (BE-4.1, ruling).
    """
    weapons, carry = (ARTILLERY, "carries") if unit.weapon in GUNS else (SMALL_ARMS, "carry")
    short, reach = value("fire-ranges", weapons, "short, to"), effective_range(unit)
    if far > reach + table.CLOSE:
        limit = f"{weapons} {carry} {inches(reach)}"
        raise Refused(f"{unit.name} cannot reach {inches(far)}: {limit}. Choose a nearer target.", REACH)
    name = "short" if far <= short + table.CLOSE else "effective"
    how = f" from the centre of {unit:their} front to the nearest point of the target" if measured else ""
    cited = REACH.as_ruling if min(abs(far - short), abs(far - reach)) <= table.CLOSE else rule_of_fire(unit)
    text = f"{unit.name} to {target.name}: {inches(far)}{how}"
    return name, Step(text=text, cite=cited, needed=f"{name} range")


def apply_fire_circumstances(
    unit: EmpireUnit, target: EmpireUnit, words: tuple[str, ...]
) -> tuple[EmpireUnit, EmpireUnit]:
    """Return the firing unit and the target as the circumstances `words` describe them.

    Raises Refused for a word that does not fit the firer's weapon.
    """
    guns, small_arms = (ARTILLERY, (*OF_SMALL_ARMS, IN_CONTACT)), (SMALL_ARMS, OF_ARTILLERY)
    name, idle = guns if unit.weapon in GUNS else small_arms
    for word in words:
        if word in idle:
            raise Refused(f"“{word}” makes no difference to the fire of {name}. Leave it out.", rule_of_fire(unit))
    telling = [word for word in words if word != MOUNTAINEER or target.nation not in IN_SANGARS]
    return apply_circumstances(unit, words, OF_FIRER), apply_circumstances(target, telling, OF_TARGET)


def umpire_circumstances(state: EmpireState, action: Action) -> Iterable[str]:
    """Return the circumstances that only the umpire may state, because they contradict the state for the firer's gain.

    Circumstances with which the unit aimed remain allowed.
    """
    unit, target = state.units.get(action.unit or ""), state.units.get(getattr(action, "target", None) or "")
    if unit is None or target is None:
        return ()
    aims = (burst for burst in state.bursts if (burst.unit, burst.target) == (unit.id, target.id))
    allowed = {word for burst in aims for word in burst.circumstances}
    covered = target.cover is not Cover.NONE or target.gone_to_ground
    untrue = {
        "heavy gun": unit.weapon is not Weapon.HEAVY_GUN,
        "light gun": unit.weapon is Weapon.HEAVY_GUN,
        "elite": not unit.elite,
        "target in the open": covered,
        "target skirmishing": covered,
        "target moved": covered and not has_moved(target),
        "target in cover": target.cover not in (Cover.NONE, Cover.SOFT),
        "target in hard cover": target.cover not in (Cover.NONE, Cover.HARD),
        "target in a sangar": target.cover not in (Cover.NONE, Cover.SANGAR),
        "target in column": not target.is_in_depth,
        "target deep massed": not target.is_in_depth,
    }
    return tuple(word for word, says_more in untrue.items() if says_more and word not in allowed)
