"""Flight: units that flee, rally and leave the field, their supports, and witnesses (MM-5.7 to MM-5.10)."""

from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite
from rules.magdala.arms import has_own_morale
from rules.magdala.engagement import end_melees_of, is_engaged
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.placement import base, distance_to_enemy
from rules.magdala.stored_prompts import add_prompt, change_prompt, forget_prompts, oldest_prompt, prompts_of
from rules.magdala.tables import limit

FLEEING = (Morale.RETREATING, Morale.ROUTED)
HELD = (Morale.PINNED, Morale.HALTED)
GONE_OR_GOING = (*FLEEING, Morale.PURSUING, Morale.OFF_TABLE)
BESIDE_THE_TESTS = (Test.UNDER_FIRE, Test.RETEST, Test.REACTION, Test.RETREAT, Test.PURSUIT, Test.PURSUIT_MOVE)

REACTION = Cite(rule="MM-5.10")


def _formed_friends(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Return the unit's friends that can fight, and neither flee nor pursue."""
    friends = (friend for friend in state.units_of(unit.side) if friend.id != unit.id)
    return tuple(friend for friend in friends if has_own_morale(friend) and friend.morale not in GONE_OR_GOING)


def possible_flight_witnesses(state: MagdalaState, fugitive: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Return the formed friends who may still react to a flight: countrymen, or anyone if the fugitive is European."""
    friends = (friend for friend in _formed_friends(state, fugitive) if friend.id not in fugitive.flight_seen_by)
    return tuple(friend for friend in friends if fugitive.european or friend.nation is fugitive.nation)


def find_supports(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Return the formed friends on whom the unit can fall back (ruling).

    A detachment has its parent as support; otherwise supports are no nearer the enemy than the unit.
    """
    free = (friend for friend in _formed_friends(state, unit) if not friend.is_at_half_strength)
    formed = tuple(friend for friend in free if not is_engaged(state, friend))
    parent = tuple(friend for friend in formed if friend.id == unit.parent)
    own = distance_to_enemy(state, unit)
    if parent or own is None:
        return parent or formed
    return tuple(f for f in formed if (far := distance_to_enemy(state, f)) is not None and far >= own)


def has_supports(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Whether the unit is regular or a detachment, and has formed friends to fall back on at half strength (MM-5.9)."""
    return (unit.regular or unit.is_detachment) and bool(find_supports(state, unit))


def flight_rule(unit: MagdalaUnit) -> Cite:
    """Return the rule by which a unit flees or pursues (MM-4.6, MM-5.7 to MM-5.10)."""
    if unit.morale is Morale.PURSUING:
        return Cite(rule="MM-4.6")
    if unit.morale is Morale.ROUTED:
        is_repeated = unit.retreats_in_a_row >= limit("retreats in a row that are a rout")
        return Cite(rule="MM-5.10" if is_repeated else "MM-5.8")
    if unit.retreats_in_a_row and not unit.leaving:
        return REACTION
    return Cite(rule="MM-5.9" if unit.leaving or unit.is_at_half_strength else "MM-5.7")


def remove_from_table(state: MagdalaState, unit_id: str) -> MagdalaState:
    """Return the state with a unit (or a general) off the table; a general with the unit stays on the table."""
    state = forget_prompts(end_melees_of(state, unit_id), unit_id)
    for led_unit in [unit for unit in state.units.values() if unit.general == unit_id]:
        state = state.changed(led_unit.id, general=None)
    return state.changed(unit_id, morale=Morale.OFF_TABLE, general=None, leaving=False)


def make_unit_leave_table(play: MagdalaPlay, unit_id: str) -> None:
    """Take the unit off the table, and a general with it (ruling)."""
    unit = play.state.unit(unit_id)
    leaders = (other.id for other in play.state.units.values() if other.id == unit.general and other.on_table)
    for leaver_id in (unit_id, *leaders):
        play.state = remove_from_table(play.state, leaver_id)
    play.note(f"{unit:leave} the table", flight_rule(unit))


def make_unit_flee(
    play: MagdalaPlay, unit_id: str, why: str, cite: Cite, morale: Morale = Morale.RETREATING, *, leaving: bool = False
) -> None:
    """Make the unit retreat or rout: it leaves its melee, owes a move, and alarms friends (MM-5.10)."""
    routs = morale is Morale.ROUTED
    play.state = forget_prompts(end_melees_of(play.state, unit_id), unit_id, () if routs else BESIDE_THE_TESTS)
    unit = play.state.unit(unit_id)
    play.change(unit_id, morale=morale, leaving=leaving or routs, flight_seen_by=() if routs else unit.flight_seen_by)
    play.state = add_prompt(play.state, unit_id, Test.RETREAT)
    is_said = cite == REACTION and not routs
    (play.note_calculation if is_said else play.note)(f"{unit:rout}" if routs else f"{unit:retreat}", cite, why)
    alarm_friends(play, unit_id)


def rally_unit(state: MagdalaState, unit_id: str, morale: Morale = Morale.STEADY) -> MagdalaState:
    """Return the state after the unit's flight or pursuit has ended, with its new `morale`."""
    calm = {"leaving": False, "retreats_in_a_row": 0, "pursuit_moves": 0, "flight_seen_by": ()}
    return state.changed(unit_id, morale=morale, half_effect_next_fire=morale in HELD, **calm)


def alarm_friends(play: MagdalaPlay, fugitive_id: str, way: BaseGeometry | None = None) -> None:
    """Make friends who see the flight owe a reaction test; `way` is the ground that the fugitive crossed (MM-5.10).

    Without positions, a `WITNESS` prompt reminds the umpire to say who saw the flight.
    """
    fugitive = play.state.unit(fugitive_id)
    friends = possible_flight_witnesses(play.state, fugitive)
    if not has_own_morale(fugitive) or not friends:
        return
    own_base, routing = base(fugitive), fugitive.morale is Morale.ROUTED
    if own_base is None:
        reminder = oldest_prompt(play.state, fugitive_id, Test.WITNESS)
        new = add_prompt(play.state, fugitive_id, Test.WITNESS, routing=routing)
        play.state = new if reminder is None else change_prompt(play.state, reminder, routing=routing)
        return
    ground = own_base.outline if way is None else way
    reach = limit("friends see the flight within")
    placed = ((friend, friend_base) for friend in friends if (friend_base := base(friend)))
    shaken = tuple(friend for friend, friend_base in placed if friend_base.outline.distance(ground) <= reach)
    for friend in shaken:
        play.state = _require_reaction(play.state, friend.id, fugitive_id, routing)
    play.change(fugitive_id, flight_seen_by=(*fugitive.flight_seen_by, *(friend.id for friend in shaken)))
    if shaken:
        text = f"{fugitive:They are} seen within {reach} inches by {', '.join(friend.name for friend in shaken)}"
        play.note_calculation(text, REACTION, "they test their reaction")


def _require_reaction(state: MagdalaState, unit_id: str, fugitive_id: str, routing: bool) -> MagdalaState:
    """Return the state in which the unit owes one reaction test, for the worst flight among its friends (ruling)."""
    owed_test = next((prompt for prompt in prompts_of(state, unit_id, Test.REACTION) if not prompt.failed), None)
    if owed_test is None:
        return add_prompt(state, unit_id, Test.REACTION, by=fugitive_id, routing=routing)
    return change_prompt(state, owed_test, by=fugitive_id, routing=True) if routing and not owed_test.routing else state


def give_way_at_half_strength(play: MagdalaPlay, unit_id: str) -> None:
    """Make a unit at half strength retreat on its supports or off the field (MM-5.9), unless it is in melee."""
    unit = play.state.unit(unit_id)
    stands = unit.on_table and has_own_morale(unit) and unit.morale not in GONE_OR_GOING
    if not (stands and unit.is_at_half_strength) or is_engaged(play.state, unit):
        return
    behind = has_supports(play.state, unit)
    if unit.on_supports and behind:
        return
    play.change(unit_id, on_supports=False)
    why = f"on {unit:their} supports, at half strength" if behind else "off the field, at half strength"
    make_unit_flee(play, unit_id, why, Cite(rule="MM-5.9"), leaving=not behind)
