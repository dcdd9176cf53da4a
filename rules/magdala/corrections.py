"""Umpire corrections in Magdala to Mafeking, and their effects on melees, generals and prompts."""

from rules.core.model import Cite
from rules.core.refusal import Refused, refuse
from rules.core.umpire import AddUnit, UmpireTools

from .arms import COMMANDERS, LEADERS
from .engagement import can_attack, end_melees_of, start_melee
from .model import MagdalaState, MagdalaUnit, Morale, Test, UnitTurn
from .morale.flight import FLEEING, HELD, rally_unit, remove_from_table
from .orders.detachments import largest_detachment
from .placement import WAYS, move_with_leader
from .scenarios import TROOPS
from .stored_prompts import MOVES, forget_prompts

MOST = Cite(rule="MM-1")


def add_unit(state: MagdalaState, action: AddUnit, unit_id: str) -> MagdalaState:
    """Return the state with the new unit that `action` describes.

    Raises Refused on unknown troops, impossible numbers, too many generals or occupied ground.
    """
    unit = TROOPS.make_added_unit(action, unit_id)
    unit = unit.model_copy(update={"this_turn": UnitTurn(figures_at_start=unit.figures)})
    generals = [general for general in state.units_of(unit.side) if general.troop in COMMANDERS]
    most, names = state.options.most_generals, " and ".join(general.name for general in generals) or "none"
    if unit.troop in COMMANDERS and len(generals) >= most:
        raise Refused(f"An army has {most} generals at most (option “most generals”). This one has {names}.", MOST)
    WAYS.require_clearance(state, unit)
    return increment_action_count(state.with_unit(unit))


def remove_unit(state: MagdalaState, unit_id: str) -> MagdalaState:
    """Return the state without the unit, its melees and its prompts."""
    state = end_melees_of(state, unit_id)
    prompts = tuple(prompt for prompt in state.prompts if unit_id not in (prompt.unit, prompt.by))
    return increment_action_count(state.without_unit(unit_id).model_copy(update={"prompts": prompts}))


def settle_correction(before: MagdalaState, after: MagdalaState, unit_id: str) -> MagdalaState:
    """Return the corrected state, with melees, generals and prompts adjusted to the unit's new fields.

    Raises Refused if the correction contradicts the rules or the table.
    """
    old, new = before.unit(unit_id), after.unit(unit_id)
    _check_correction(after, old, new)
    if new.secret_quality != old.secret_quality:
        after = after.with_unit(new := new.model_copy(update={"secret_known": False}))
    if new.place != old.place:
        WAYS.require_clearance(after, new)
        after = _release_moved_leader(move_with_leader(after, new), new)
    if new.general != old.general and new.general is not None:
        after = _set_leader(after, new, new.general)
    if new.melee_with != old.melee_with:
        after = end_melees_of(after.with_unit(new.model_copy(update={"melee_with": old.melee_with})), unit_id)
        after = start_melee(after, unit_id, new.melee_with) if new.melee_with else after
    if new.morale is not old.morale:
        after = _apply_corrected_morale(after, unit_id, old.morale)
    is_gone = new.morale is Morale.OFF_TABLE or not new.strength
    return increment_action_count(remove_from_table(after, unit_id) if is_gone and old.on_table else after)


def _check_correction(state: MagdalaState, old: MagdalaUnit, unit: MagdalaUnit) -> None:
    if unit.casualties > unit.figures:
        raise Refused(f"{unit:have} {unit.figures} figures, and cannot have lost {unit.casualties}.")
    if unit.parent != old.parent and unit.parent is not None:
        _check_parent(state, state.unit(unit.parent), unit)
    enemy = state.units.get(unit.melee_with or "")
    if enemy is None:
        return
    for fighter in (unit, enemy) if unit.melee_with != old.melee_with else ():
        refuse(None, (not fighter.on_table, f"{fighter:have} left the table, and {fighter:they fight} nobody."))
    refuse(None, (enemy.side == unit.side, f"{enemy:are} on the same side. Name an enemy, or none."))
    why = f"{unit.name} and {enemy.name} cannot fight: leaders fight with their units, wagons attack nobody."
    refuse(None, (not can_attack(unit, enemy) and not can_attack(enemy, unit), why))


def _check_parent(state: MagdalaState, parent: MagdalaUnit, detachment: MagdalaUnit) -> None:
    """Raise Refused unless `detachment` could be a detachment of `parent` (MM-1)."""
    largest_detachment(parent)
    itself = f"{parent:are} {parent:themselves} a detachment, and {parent:they send} out none."
    unlike = f"{detachment:are} no troops of {parent.name}. Name a unit of {detachment:their} side and kind, or none."
    has_detachment = any(unit.parent == detachment.id for unit in state.units.values())
    refuse(
        MOST,
        (parent.side != detachment.side or parent.troop is not detachment.troop, unlike),
        (parent.is_detachment, itself),
        (has_detachment, f"{detachment:have} a detachment of {detachment:their} own, and cannot be one."),
    )


def _apply_corrected_morale(state: MagdalaState, unit_id: str, old_morale: Morale) -> MagdalaState:
    """Return the state without any melee, flight or pursuit that contradicts the unit's corrected morale (MM-5)."""
    morale = state.unit(unit_id).morale
    if morale in FLEEING:
        return end_melees_of(state, unit_id)
    if morale in (Morale.STEADY, *HELD):
        tests = (*MOVES, Test.REACTION) if old_morale in FLEEING else MOVES
        return rally_unit(forget_prompts(state, unit_id, tests), unit_id, morale)
    return state


def _set_leader(state: MagdalaState, unit: MagdalaUnit, leader_id: str) -> MagdalaState:
    leader = state.unit(leader_id)
    if leader.troop not in LEADERS or leader.side != unit.side:
        raise Refused(f"{leader.name} cannot lead {unit.name}. Name a general of {unit:their} own side, or none.")
    units_left = (other for other in state.units.values() if other.general == leader_id and other.id != unit.id)
    left = (other.model_copy(update={"general": None}) for other in units_left)
    return move_with_leader(state.with_unit(*left), unit)


def _release_moved_leader(state: MagdalaState, leader: MagdalaUnit) -> MagdalaState:
    """Return the state in which the general no longer leads a unit that he was moved away from."""
    led_units = (unit for unit in state.units.values() if unit.general == leader.id)
    pairs = ((unit, unit.place) for unit in led_units if unit.place is not None)
    units_left = (unit for unit, place in pairs if leader.place is not None and place.point != leader.place.point)
    return state.with_unit(*(unit.model_copy(update={"general": None}) for unit in units_left))


def increment_action_count(state: MagdalaState) -> MagdalaState:
    """Return the state with the action counter increased."""
    return state.model_copy(update={"events": state.events + 1})


UMPIRE_TOOLS: UmpireTools[MagdalaState] = UmpireTools(
    add_unit=add_unit,
    reveal=lambda state, unit_id: increment_action_count(state.changed(unit_id, secret_known=True)),
    remove_unit=remove_unit,
    settle=settle_correction,
    set_down=WAYS.set_down,
)
