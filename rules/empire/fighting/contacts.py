"""Who touches whom: units meet, part, and make up one melee (BE-5, BE-6.1)."""

from rules.empire.model import Contact, EmpireState, EmpireUnit
from rules.empire.phases import Phase


def join(state: EmpireState, attacker_id: str, defender_id: str, *, flank: bool) -> EmpireState:
    """The state with the two in contact, the attacker having charged; who is in contact supports nobody.

    Units that are in contact already stay as they were.
    """
    pair = {attacker_id, defender_id}
    if any({each.attacker, each.defender} == pair for each in state.contacts):
        return state
    met = Contact(attacker=attacker_id, defender=defender_id, flank=flank)
    supports = tuple(each for each in state.supports if each.unit not in pair)
    return state.model_copy(update={"contacts": (*state.contacts, met), "supports": supports})


def part(state: EmpireState, unit_id: str) -> EmpireState:
    """The state with the unit in contact with nobody; it supports nobody, and nobody a friend who fights no more."""
    contacts = tuple(each for each in state.contacts if unit_id not in (each.attacker, each.defender))
    fighting = {unit for each in contacts for unit in (each.attacker, each.defender)}
    supports = tuple(each for each in state.supports if each.unit != unit_id and each.friend in fighting)
    return state.model_copy(update={"contacts": contacts, "supports": supports})


def in_contact(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether it touches an enemy."""
    return bool(state.opponents(unit.id))


def melee_of(state: EmpireState, unit_id: str) -> tuple[str, ...]:
    """Ids of all that are in one melee with the unit, itself first: those it touches, and those they touch (BE-5)."""
    group = [unit_id]
    for each in group:
        group.extend(other.id for other in state.opponents(each) if other.id not in group)
    return tuple(group)


def open_melees(state: EmpireState) -> tuple[Contact, ...]:
    """Contacts whose melee is still to be fought this turn."""
    fought = {unit for unit, each in state.units.items() if each.this_turn.fought}
    now = state.contacts if state.now is Phase.MELEE else ()
    return tuple(each for each in now if fought.isdisjoint(melee_of(state, each.attacker)))
