"""Units that retreat, rout and leave the field (MM-5.7 to MM-5.10), and the friends who see them go."""

from shapely.geometry.base import BaseGeometry

from rules.core.model import Cite
from rules.core.report import Step
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import break_off, engaged
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.placement import base, gap
from rules.magdala.stored_prompts import amend, call_for, first_prompt, forget, prompts_of
from rules.magdala.tables import limit

FLEEING = (Morale.RETREATING, Morale.ROUTED)
HELD = (Morale.PINNED, Morale.HALTED)
GONE_OR_GOING = (*FLEEING, Morale.PURSUING, Morale.OFF_TABLE)
BESIDE_THE_TESTS = (Test.UNDER_FIRE, Test.RETEST, Test.REACTION, Test.RETREAT, Test.PURSUIT, Test.PURSUIT_MOVE)


def remove(state: MagdalaState, unit_id: str) -> MagdalaState:
    """The state with a unit (or a general) off the table; a general with it stays behind."""
    state = forget(break_off(state, unit_id), unit_id)
    gone = {"morale": Morale.OFF_TABLE, "general": None, "leaving": False}
    led = (unit.model_copy(update={"general": None}) for unit in state.units.values() if unit.general == unit_id)
    return state.with_unit(*led, state.unit(unit_id).model_copy(update=gone))


def retreat(play: MagdalaPlay, unit_id: str, why: str, cite: Cite, leaving: bool = False) -> None:
    """The unit is to retreat: out of melee, a retreat move owed, and friends see it (MM-5.10)."""
    play.state = forget(break_off(play.state, unit_id), unit_id, BESIDE_THE_TESTS)
    play.change(unit_id, morale=Morale.RETREATING, leaving=leaving)
    _takes_flight(play, unit_id, Step(text=f"{play.state.unit(unit_id).name} retreats", cite=cite, verdict=why))


def rout(play: MagdalaPlay, unit_id: str, why: str, cite: Cite) -> None:
    """The unit is broken: out of melee, a rout move owed, and friends see it (MM-5.10)."""
    play.state = forget(break_off(play.state, unit_id), unit_id)
    play.change(unit_id, morale=Morale.ROUTED, leaving=True, flight_seen_by=())
    _takes_flight(play, unit_id, Step(text=f"{play.state.unit(unit_id).name} routs", cite=cite, verdict=why))


def _takes_flight(play: MagdalaPlay, unit_id: str, step: Step) -> None:
    play.state = call_for(play.state, unit_id, Test.RETREAT)
    play.say(step)
    alarm(play, unit_id)


def rally(state: MagdalaState, unit_id: str, morale: Morale = Morale.STEADY) -> MagdalaState:
    """The state with a unit's flight or pursuit over."""
    calm = {
        "morale": morale,
        "leaving": False,
        "retreats_in_a_row": 0,
        "pursuit_moves": 0,
        "flight_seen_by": (),
        "half_effect_next_fire": morale in HELD,
    }
    return state.with_unit(state.unit(unit_id).model_copy(update=calm))


def pinned_down(unit: MagdalaUnit) -> bool:
    """Whether a unit pinned where it stands has yet to stand so through a turn of its own (MM-5.1)."""
    return unit.morale is Morale.PINNED and unit.held_turns < limit("turns held before testing again")


def who_may_see(state: MagdalaState, fugitive: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Friends its flight may shake: fellow countrymen, or anyone if it is European; none twice, none in flight."""
    return tuple(
        friend
        for friend in state.of_side(fugitive.side)
        if friend.id != fugitive.id
        and is_fighter(friend)
        and friend.morale not in GONE_OR_GOING
        and friend.id not in fugitive.flight_seen_by
        and (fugitive.european or friend.nation is fugitive.nation)
    )


def alarm(play: MagdalaPlay, fugitive_id: str, way: BaseGeometry | None = None) -> None:
    """Friends within 12" of a fugitive, or of the ground it covers on its `way`, owe a reaction test (MM-5.10).

    Without positions the umpire says who saw it: a reminder is owed in their place.
    """
    fugitive = play.state.unit(fugitive_id)
    friends = who_may_see(play.state, fugitive)
    if not is_fighter(fugitive) or not friends:
        return
    here = base(fugitive)
    if here is None:
        _remind(play, fugitive)
        return
    ground = here.outline if way is None else way
    reach = limit("friends see the flight within")
    shaken = tuple(f for f in friends if (there := base(f)) and there.outline.distance(ground) <= reach)
    for friend in shaken:
        play.state = call_for_reaction(play.state, friend.id, fugitive)
    play.change(fugitive_id, flight_seen_by=(*fugitive.flight_seen_by, *(friend.id for friend in shaken)))
    if shaken:
        text = f"It is seen within {reach} inches by {', '.join(friend.name for friend in shaken)}"
        play.say(Step(text=text, cite=Cite(rule="MM-5.10"), verdict="each tests its reaction"))


def _remind(play: MagdalaPlay, fugitive: MagdalaUnit) -> None:
    routing = fugitive.morale is Morale.ROUTED
    reminder = first_prompt(play.state, fugitive.id, Test.WITNESS)
    if reminder is not None:
        play.state = amend(play.state, reminder, routing=routing)
    else:
        play.state = call_for(play.state, fugitive.id, Test.WITNESS, routing=routing)


def call_for_reaction(state: MagdalaState, unit_id: str, fugitive: MagdalaUnit) -> MagdalaState:
    """A reaction test owed because of a fugitive; friends in flight at one time are one test (ruling), the worst."""
    routing = fugitive.morale is Morale.ROUTED
    owing = next((prompt for prompt in prompts_of(state, unit_id, Test.REACTION) if not prompt.failed), None)
    if owing is None:
        return call_for(state, unit_id, Test.REACTION, by=fugitive.id, routing=routing)
    return amend(state, owing, by=fugitive.id, routing=True) if routing and not owing.routing else state


def supports(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Formed friends to fall back on (ruling): no nearer the enemy than the unit; a detachment's parent always."""
    formed = tuple(
        friend
        for friend in state.of_side(unit.side)
        if friend.id != unit.id
        and is_fighter(friend)
        and friend.morale not in GONE_OR_GOING
        and not friend.half_strength
        and not engaged(state, friend)
    )
    parent = tuple(friend for friend in formed if friend.id == unit.parent)
    own = from_the_enemy(state, unit)
    if parent or own is None:
        return parent or formed
    return tuple(f for f in formed if (far := from_the_enemy(state, f)) is not None and far >= own)


def from_the_enemy(state: MagdalaState, unit: MagdalaUnit) -> float | None:
    """Inches to the nearest enemy; None where that cannot be measured."""
    gaps = [inches for enemy in state.enemies(unit.side) if (inches := gap(unit, enemy)) is not None]
    return min(gaps, default=None)


def has_supports(state: MagdalaState, unit: MagdalaUnit) -> bool:
    """Whether a unit at half strength falls back on supports: regulars and detachments that have any (MM-5.9)."""
    return (unit.regular or unit.is_detachment) and bool(supports(state, unit))


def decided(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit:
    """The unit as it sets out in retreat: at half strength its supports are looked for anew each turn (MM-5.9)."""
    if unit.morale is not Morale.RETREATING or not unit.half_strength:
        return unit
    return unit.model_copy(update={"leaving": not has_supports(state, unit)})


def cause(unit: MagdalaUnit) -> Cite:
    """The rule by which a unit flees or pursues (MM-4.6, MM-5.7 to MM-5.10)."""
    if unit.morale is Morale.PURSUING:
        return Cite(rule="MM-4.6")
    if unit.morale is Morale.ROUTED:
        twice = unit.retreats_in_a_row >= limit("retreats in a row that are a rout")
        return Cite(rule="MM-5.10" if twice else "MM-5.8")
    if unit.retreats_in_a_row and not unit.leaving:
        return Cite(rule="MM-5.10")
    return Cite(rule="MM-5.9" if unit.leaving or unit.half_strength else "MM-5.7")


def give_way(play: MagdalaPlay, unit_id: str) -> None:
    """At half strength a unit retreats: on its supports, or off the field (MM-5.9). A melee is fought out first."""
    unit = play.state.unit(unit_id)
    if not (unit.half_strength and unit.on_table and is_fighter(unit)):
        return
    if unit.morale in GONE_OR_GOING or engaged(play.state, unit):
        return
    behind = has_supports(play.state, unit)
    if unit.on_supports and behind:
        return
    play.change(unit_id, on_supports=False)
    why = "on its supports, at half strength" if behind else "off the field, at half strength"
    retreat(play, unit_id, why, Cite(rule="MM-5.9"), leaving=not behind)
