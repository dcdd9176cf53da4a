"""Contacts in melee: which units fight each other, which side is struck, how contacts begin and end (MM-4)."""

from collections.abc import Iterable, Mapping
from functools import partial

from rules.core.memo import cache_by_identity
from rules.core.tabletop import table
from rules.core.tabletop.battle import CACHE_SIZE
from rules.core.tabletop.placement import place_of_base
from rules.core.tabletop.table import Base, extent_along_bearing
from rules.magdala.arms import LEADERS, has_own_morale
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Test
from rules.magdala.placement import WAYS, base, move_with_leader
from rules.magdala.stored_prompts import remove_prompts

FLANK, REAR = "flank", "rear"
SAID: Mapping[str, Attack] = {FLANK: Attack.FLANK, REAR: Attack.REAR}
OUT_OF_MELEE = {name: field.default for name, field in MagdalaUnit.model_fields.items() if name.startswith("melee_")}


def can_attack(attacker: MagdalaUnit, defender: MagdalaUnit) -> bool:
    """Whether `attacker` may attack `defender`: leaders fight only within their units, wagons attack nobody (MM-4)."""
    return has_own_morale(attacker) and defender.troop not in LEADERS


def find_attackers(state: MagdalaState, unit_id: str) -> tuple[MagdalaUnit, ...]:
    """Return the units on the table whose melee opponent is this unit."""
    return _attackers_by_target(state.units).get(unit_id, ())


@partial(cache_by_identity, most=CACHE_SIZE)
def _attackers_by_target(units: Mapping[str, MagdalaUnit]) -> Mapping[str, tuple[MagdalaUnit, ...]]:
    attackers: dict[str, tuple[MagdalaUnit, ...]] = {}
    for unit in units.values():
        if unit.melee_with is not None and unit.on_table:
            attackers[unit.melee_with] = (*attackers.get(unit.melee_with, ()), unit)
    return attackers


def enemies_in_contact(state: MagdalaState, unit_id: str) -> tuple[MagdalaUnit, ...]:
    """Return every enemy in melee with the unit, as attacker or as defender."""
    ids = dict.fromkeys((state.unit(unit_id).melee_with, *(unit.id for unit in find_attackers(state, unit_id))))
    return tuple(state.unit(enemy_id) for enemy_id in ids if enemy_id)


def is_engaged(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Whether the unit is engaged in melee."""
    return bool(unit.melee_with or find_attackers(state, unit.id))


def melee_pairs(state: MagdalaState) -> tuple[tuple[MagdalaUnit, MagdalaUnit], ...]:
    """Return every melee once, as (attacker, defender)."""
    melees: dict[frozenset[str], tuple[MagdalaUnit, MagdalaUnit]] = {}
    for unit in state.units.values():
        if unit.melee_with and unit.on_table:
            enemy = state.unit(unit.melee_with)
            melees.setdefault(frozenset((unit.id, enemy.id)), attacker_and_defender(unit, enemy))
    return tuple(melees.values())


def attacker_and_defender(unit: MagdalaUnit, enemy: MagdalaUnit) -> tuple[MagdalaUnit, MagdalaUnit]:
    """Return two units in melee as (attacker, defender)."""
    came = unit.melee_with == enemy.id and (unit.melee_attacker or enemy.melee_with != unit.id)
    met = enemy.melee_with == unit.id and (enemy.melee_attacker or unit.melee_with != enemy.id)
    return (enemy, unit) if met and not came else (unit, enemy)


def start_melee(state: MagdalaState, attacker_id: str, target_id: str, attack: Attack = Attack.FRONT) -> MagdalaState:
    """Return the state with the attacker in the first round of a melee.

    A defender already in melee keeps its opponent.
    """
    fields = {"melee_with": target_id, "melee_attacker": True, "melee_attack": attack, "melee_round": 1}
    state = state.changed(attacker_id, **{**OUT_OF_MELEE, **fields})
    if state.unit(target_id).melee_with is not None:
        return state
    return state.changed(target_id, melee_with=attacker_id, melee_attacker=False, melee_round=1, melee_lost_in_a_row=0)


def end_melees_of(state: MagdalaState, unit_id: str) -> MagdalaState:
    """Return the state with the unit out of all melees. Its former enemies go on fighting their other attackers."""
    enemies = [enemy.id for enemy in enemies_in_contact(state, unit_id)]
    for fighter in (unit_id, *(enemy for enemy in enemies if state.unit(enemy).melee_with == unit_id)):
        state = state.changed(fighter, **OUT_OF_MELEE)
    for enemy in enemies:
        attackers = find_attackers(state, enemy)
        if attackers and state.unit(enemy).melee_with is None:
            first = attackers[0]
            state = state.changed(enemy, melee_with=first.id, melee_attacker=False, melee_round=first.melee_round)
    idle = (unit for pair in melee_pairs(state) if not can_attack(*pair) for unit in pair)
    state = state.with_unit(*(unit.model_copy(update=OUT_OF_MELEE) for unit in idle))
    fires = (prompt for prompt in state.prompts if prompt.test is Test.DEFENSIVE_FIRE)
    return remove_prompts(state, *(fire for fire in fires if unit_id in (fire.unit, fire.by)))


def stop_attacker_short(state: MagdalaState, unit_id: str) -> MagdalaState:
    """Return the state after the attacker stops short of the enemy (ruling); unchanged if the attacker has struck."""
    unit = state.unit(unit_id)
    enemy = state.units.get(unit.melee_with or "")
    if not unit.melee_attacker or unit.melee_round > 1 or unit.melee_with in unit.this_turn.fought_with:
        return state
    state = end_melees_of(state, unit_id)
    own_base, enemy_base = base(unit), base(enemy) if enemy else None
    if own_base is None or enemy_base is None:
        return state
    bearing = table.bearing(enemy_base.at, own_base.at)
    distance = state.options.stopped_short - table.gap(own_base, enemy_base)
    moved = own_base.moved_to(table.shift_point(own_base.at, bearing, max(distance, 0.0)))
    return move_with_leader(state, state.unit(unit_id).model_copy(update={"place": place_of_base(moved)}))


def find_stated_attack(words: Iterable[str], by_word: Mapping[str, Attack] = SAID) -> Attack | None:
    """Return the attack direction that the circumstances state: front, flank or rear; None if they do not say."""
    return next((by_word[word] for word in words if word in by_word), None)


def side_struck(state: MagdalaState, defender: MagdalaUnit, came_from: Base, stands: Base) -> Attack:
    """Return whether an attacker from `came_from`, now at `stands`, strikes the front, flank or rear of `defender`."""
    own_base, beyond = base(defender), state.options.flank_beyond
    if own_base is None or defender.in_square or not WAYS.is_flank_attack(defender, came_from, beyond):
        return Attack.FRONT
    width, depth = contact_lengths(stands, own_base)
    return Attack.REAR if width >= depth else Attack.FLANK


def contact_lengths(ours: Base, theirs: Base) -> tuple[float, float]:
    """Return the inches along which two bases touch: along the width of `theirs`, and along its depth."""
    return _contact_length(ours, theirs, theirs.facing + 90), _contact_length(ours, theirs, theirs.facing)


def _contact_length(ours: Base, theirs: Base, bearing: float) -> float:
    low, high = extent_along_bearing(theirs, bearing)
    from_, to = extent_along_bearing(ours, bearing)
    return min(high, to) - max(low, from_)
