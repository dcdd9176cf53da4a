"""Who is in contact with whom (MM-4): made by a move, ended by a halt, a rout or a death."""

from rules.core.tabletop import table
from rules.core.tabletop.placement import placed
from rules.magdala.arms import LEADERS, is_fighter
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Test
from rules.magdala.placement import base, with_leader
from rules.magdala.stored_prompts import settle

OUT_OF_MELEE = {
    "melee_with": None,
    "melee_attacker": False,
    "melee_attack": Attack.FRONT,
    "melee_round": 0,
    "melee_lost_in_a_row": 0,
}


def can_fight(attacker: MagdalaUnit, defender: MagdalaUnit) -> bool:
    """Whether one may attack the other: leaders fight with their units alone, and wagons attack nobody (MM-4)."""
    return is_fighter(attacker) and defender.troop not in LEADERS


def attackers_of(state: MagdalaState, unit_id: str) -> tuple[MagdalaUnit, ...]:
    """Enemies whose melee is with this unit."""
    return tuple(unit for unit in state.units.values() if unit.melee_with == unit_id and unit.on_table)


def in_contact(state: MagdalaState, unit_id: str) -> tuple[MagdalaUnit, ...]:
    """Every enemy in contact with a unit, whichever of the two came."""
    own = state.unit(unit_id).melee_with
    ids = dict.fromkeys((*((own,) if own else ()), *(unit.id for unit in attackers_of(state, unit_id))))
    return tuple(state.unit(other) for other in ids)


def engaged(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Whether the unit is in melee."""
    return bool(unit.melee_with or attackers_of(state, unit.id))


def pairs(state: MagdalaState) -> tuple[tuple[MagdalaUnit, MagdalaUnit], ...]:
    """Every melee as (attacker, defender), each once."""
    found: dict[frozenset[str], tuple[MagdalaUnit, MagdalaUnit]] = {}
    for unit in state.units.values():
        if unit.melee_with and unit.on_table:
            enemy = state.unit(unit.melee_with)
            found.setdefault(frozenset((unit.id, enemy.id)), roles(unit, enemy))
    return tuple(found.values())


def roles(one: MagdalaUnit, other: MagdalaUnit) -> tuple[MagdalaUnit, MagdalaUnit]:
    """Of two in melee, the attacker and the defender."""
    came = one.melee_with == other.id and (one.melee_attacker or other.melee_with != one.id)
    met = other.melee_with == one.id and (other.melee_attacker or one.melee_with != other.id)
    return (other, one) if met and not came else (one, other)


def melee_of(state: MagdalaState, unit_id: str) -> tuple[MagdalaUnit, ...]:
    """Everyone in the same melee: whoever is in contact with the unit, with those, and so on."""
    found = {unit_id: state.unit(unit_id)}
    waiting = [unit_id]
    while waiting:
        for enemy in in_contact(state, waiting.pop()):
            if enemy.id not in found:
                found[enemy.id] = enemy
                waiting.append(enemy.id)
    return tuple(found.values())


def coming_in(unit: MagdalaUnit) -> bool:
    """Whether it is an attacker who has yet to strike a blow at its enemy."""
    return unit.melee_attacker and unit.melee_round == 1 and unit.melee_with not in unit.this_turn.fought_with


def engage(state: MagdalaState, attacker_id: str, target_id: str, attack: Attack = Attack.FRONT) -> MagdalaState:
    """The state with the attacker in melee, its first round to be fought; a defender already in one keeps its own."""
    attacker, target = state.unit(attacker_id), state.unit(target_id)
    came = {
        "melee_with": target_id,
        "melee_attacker": True,
        "melee_attack": attack,
        "melee_round": 1,
        "melee_lost_in_a_row": 0,
    }
    state = state.with_unit(attacker.model_copy(update=came))
    if target.melee_with is None:
        met = {"melee_with": attacker_id, "melee_attacker": False, "melee_round": 1, "melee_lost_in_a_row": 0}
        state = state.with_unit(target.model_copy(update=met))
    return state


def break_off(state: MagdalaState, unit_id: str) -> MagdalaState:
    """The state with a unit out of every melee; whom it leaves fights on with any other enemy in contact.

    A melee in which nobody could fight is over too.
    """
    left = in_contact(state, unit_id)
    state = state.with_unit(state.unit(unit_id).model_copy(update=OUT_OF_MELEE))
    for enemy in left:
        if state.unit(enemy.id).melee_with == unit_id:
            state = state.with_unit(state.unit(enemy.id).model_copy(update=OUT_OF_MELEE))
    for enemy in left:
        if state.unit(enemy.id).melee_with is None and (others := attackers_of(state, enemy.id)):
            other = others[0]
            faces = {"melee_with": other.id, "melee_attacker": False, "melee_round": other.melee_round}
            state = state.with_unit(state.unit(enemy.id).model_copy(update=faces))
    idle = (pair for pair in pairs(state) if not can_fight(*pair))
    state = state.with_unit(*(each.model_copy(update=OUT_OF_MELEE) for pair in idle for each in pair))
    fire = (
        prompt for prompt in state.prompts if prompt.test is Test.DEFENSIVE_FIRE and unit_id in (prompt.unit, prompt.by)
    )
    return settle(state, *fire)


def stop_short(state: MagdalaState, unit_id: str) -> MagdalaState:
    """The state with an attacker halted short of contact (ruling): out of melee, and a little off where it stands."""
    unit = state.unit(unit_id)
    enemy = state.units.get(unit.melee_with or "")
    state = break_off(state, unit_id)
    here, there = base(unit), base(enemy) if enemy else None
    if here is None or there is None:
        return state
    back = table.bearing(there.at, here.at)
    wanted = state.options.stopped_short - table.gap(here, there)
    moved = here.moved(table.shifted(here.at, back, max(wanted, 0.0)))
    return with_leader(state, state.unit(unit_id).model_copy(update={"place": placed(moved)}))
