"""The umpire's corrections, with contacts, kills and attached pieces made consistent after each correction."""

from rules.core.model import Model
from rules.core.refusal import refuse
from rules.core.umpire import AddUnit, UmpireTools
from rules.empire.fighting.effects import add_contact, break_contacts, destroy_unit, kills_to_destroy
from rules.empire.model import MACHINE_GUNS, EmpireState, EmpireUnit, Health
from rules.empire.placement import WAYS, base, move_with_pieces, touching
from rules.empire.tables import TROOPS

from .scene import unit_summary
from .shared import change_turn_record

FULL = 360.0


def add_unit(state: EmpireState, action: AddUnit, unit_id: str) -> EmpireState:
    """Return the state with a new unit of the action's named troops. The action's `figures` field counts stands.

    Raises Refused if the new unit has no clearance at its place.
    """
    unit = TROOPS.make_added_unit(action, unit_id, "stands")
    WAYS.require_clearance(state, unit)
    return state.with_unit(unit)


def remove_unit(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state without the unit and its shots, melees and contacts.

    Units that fired at the unit, and all units of its melee, may act again.
    """
    return _drop_pending_combat(break_contacts(state, unit_id), unit_id).without_unit(unit_id)


def _drop_pending_combat(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state without the shots, blows, bursts and dooms that involve the unit."""
    fired = {shot.unit for shot in state.shots if unit_id in _field_values(shot)}
    fought = {name for blows in state.blows if unit_id in _field_values(blows) for name in _field_values(blows)}
    for field, ids in {"shot": fired, "fought": fought}.items():
        involved = (unit for unit in state.units.values() if unit.id in ids)
        state = state.with_unit(*(change_turn_record(unit, **{field: False}) for unit in involved))
    records = {field: getattr(state, field) for field in ("shots", "landed", "bursts", "blows", "dooms")}
    kept = {field: tuple(r for r in records[field] if unit_id not in _field_values(r)) for field in records}
    return state.model_copy(update=kept)


def _field_values(record: Model) -> set[str]:
    """Return all field values of a record as strings, in order to find the unit ids among them."""
    return {name for _, value in record for name in (value if isinstance(value, tuple) else (str(value),))}


def settle_correction(before: EmpireState, after: EmpireState, unit_id: str) -> EmpireState:
    """Return the state made consistent with the corrected unit. Raises Refused for contradictions."""
    old, new = before.unit(unit_id), after.unit(unit_id)
    new = _correct_fields(after, old, new)
    after = after.with_unit(new)
    if (new.side, new.is_piece) != (old.side, old.is_piece):
        after = _drop_pending_combat(break_contacts(after, unit_id), unit_id)
        units = (unit for unit in after.units.values() if unit_id in (unit.id, unit.attached_to))
        after = after.with_unit(*(unit.model_copy(update={"attached_to": None}) for unit in units))
        new = after.unit(unit_id)
    host_place = (after.host(new) or new).place
    is_apart = new.place is not None and host_place is not None and new.place.point != host_place.point
    if new.attached_to != old.attached_to and new.attached_to is not None:
        new = new.model_copy(update={"place": _require_new_host(after, new, new.attached_to).place})
    elif new.place != old.place and is_apart:
        new = new.model_copy(update={"attached_to": None})
    if old.reserve is not None and new.reserve is None:
        attached = (piece for piece in after.units.values() if piece.attached_to == unit_id)
        after = after.with_unit(*(piece.model_copy(update={"reserve": None}) for piece in attached))
    if new.place != old.place or base(new) != base(old) or (new.on_table and not old.on_table):
        WAYS.require_clearance(after, new)
        after = _renew_contacts(move_with_pieces(after, new), unit_id)
    destroyed = not new.is_piece and (new.destroyed or new.kills >= kills_to_destroy(new, after.options))
    return destroy_unit(after.with_unit(new), unit_id) if destroyed else after.with_unit(new)


def _require_new_host(state: EmpireState, unit: EmpireUnit, host_id: str) -> EmpireUnit:
    """Return the piece's new host. Raises Refused if the unit cannot go with it."""
    host = state.unit(host_id)
    friends = f"{unit:go} with a fighting unit of {unit:their} own side on the table"
    nobody = f"{unit:go} with nobody: commanders, leaders, mules and wagons go with units."
    fits = unit.can_attach_to(host) and host.on_table
    refuse(None, (not unit.is_piece, nobody), (not fits, f"{friends}, which {host:are} not. Name one, or none."))
    return host


def _correct_fields(state: EmpireState, old: EmpireUnit, new: EmpireUnit) -> EmpireUnit:
    """Return the corrected unit with its other fields made consistent. Raises Refused for contradictions."""
    jams = new.weapon in MACHINE_GUNS
    ill = not new.is_piece and new.health not in (Health.WELL, old.health)
    back = old.destroyed and not new.destroyed and new.kills >= kills_to_destroy(new, state.options)
    refuse(
        None,
        (back, f"{new:have} {new.kills} kills, and would be destroyed at once. Lower {new:their} kills first."),
        (new.jammed and not old.jammed and not jams, f"{new:have} no machine gun, and nothing else jams."),
        (ill, f"{new:fight}: set {new:their} kills. Health is for commanders, mules and wagons."),
    )
    update: dict[str, object] = {"jammed": new.jammed and jams}
    if old.jammed and not update["jammed"]:
        update["clearing"] = 0
    update["health"] = new.health if new.is_piece else Health.WELL
    if update["health"] is not old.health:
        update["out_until"] = state.turn if new.health is Health.OUT else 0
    if new.place is not None and new.place != old.place:
        update["place"] = new.place.model_copy(update={"facing": new.place.facing % FULL})
        update["reserve"] = None
    return new.model_copy(update=update)


def _renew_contacts(state: EmpireState, unit_id: str) -> EmpireState:
    """Return the state with the unit's contacts at its new place: remove broken contacts, add touched enemies."""
    unit = state.unit(unit_id)
    broken = [{unit_id, foe.id} for foe in state.opponents(unit_id) if touching(unit, foe) is False]
    contacts = tuple(contact for contact in state.contacts if {contact.attacker, contact.defender} not in broken)
    state = state.model_copy(update={"contacts": contacts})
    if broken and not state.opponents(unit_id):
        state = break_contacts(state, unit_id)
    for enemy in () if unit.is_piece else state.foes(unit):
        if touching(unit, enemy):
            state = add_contact(state, unit_id, enemy.id, flank=False)
    return state


UMPIRE_TOOLS: UmpireTools[EmpireState] = UmpireTools(
    add_unit=add_unit,
    remove_unit=remove_unit,
    settle=settle_correction,
    line=lambda state, unit_id: f"{state.unit(unit_id).name}: {unit_summary(state.unit(unit_id), state.options)}.",
    set_down=WAYS.set_down,
)
