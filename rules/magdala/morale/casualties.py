"""Casualties, and what follows at once: automatic halts, tests owed, generals at risk, units gone."""

from enum import StrEnum

from rules.core.model import Cite
from rules.core.report import Step
from rules.magdala.arms import COMMANDERS, LEADERS, arm, is_fighter, is_infantry
from rules.magdala.engagement import coming_in, stop_short
from rules.magdala.fleeing.flight import GONE_OR_GOING, give_way, remove
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.stored_prompts import call_for, first_prompt, forget
from rules.magdala.tables import limit, value


class How(StrEnum):
    """What made a casualty."""

    FIRE = "fire"
    MELEE = "melee"
    SLINKING_OFF = "slinking off"
    FALLING_BACK = "falling back"


CITES = {
    How.FIRE: Cite(rule="MM-3.6"),
    How.MELEE: Cite(rule="MM-4.3"),
    How.SLINKING_OFF: Cite(rule="MM-5.7"),
    How.FALLING_BACK: Cite(rule="MM-5.8"),
}


def inflict(play: MagdalaPlay, target_id: str, hits: int, by: str, how: How) -> None:
    """Takes `hits` on a unit by `by` (a unit's id), and says what that makes of it and what it now owes.

    Fire that hits nothing is worth telling too: the unit is under fire (MM-5.10).
    """
    unit = play.state.unit(target_id)
    lost = min(hits, unit.strength)
    memory = unit.this_turn
    if how is How.FIRE:
        start = memory.figures_at_start or unit.strength + memory.fire_casualties
        fire = {"under_fire": True, "fire_casualties": memory.fire_casualties + lost, "figures_at_start": start}
        memory = memory.model_copy(update=fire)
    play.change(target_id, casualties=unit.casualties + lost, this_turn=memory)
    if not lost:
        return
    hurt = play.state.unit(target_id)
    play.say(Step(text=f"{unit.name} loses {lost}", cite=CITES[how], verdict=f"{hurt.strength} of {unit.figures} left"))
    play.state = _risk_to_general(play.state, hurt, hits, by, how)
    if not hurt.strength:
        _destroyed(play, hurt, CITES[how])
        return
    if how is How.FIRE:
        under_fire(play, target_id)
    give_way(play, target_id)


def under_fire(play: MagdalaPlay, unit_id: str) -> None:
    """An automatic halt, or a test owed, for the fire casualties of this turn (MM-5.1, MM-5.2)."""
    unit = play.state.unit(unit_id)
    memory = unit.this_turn
    if not is_fighter(unit) or unit.morale in GONE_OR_GOING:
        return
    if must_halt(unit):
        automatic_halt(play, unit)
        return
    if unit.morale is Morale.PINNED and memory.halted:
        return
    untested = memory.fire_casualties - memory.tested_casualties
    owing = first_prompt(play.state, unit_id, Test.UNDER_FIRE)
    if owing is None and untested >= value("tests-due", arm(unit)):
        play.state = call_for(play.state, unit_id, Test.UNDER_FIRE)


def must_halt(unit: MagdalaUnit) -> bool:
    """Advancing infantry that lost more than 10% of its figures to fire this turn (MM-5.1)."""
    memory = unit.this_turn
    percent = limit("automatic halt of advancing infantry")
    too_many = 100 * memory.fire_casualties > percent * memory.figures_at_start
    return is_infantry(unit) and memory.advanced and unit.morale is Morale.STEADY and too_many


def automatic_halt(play: MagdalaPlay, unit: MagdalaUnit) -> None:
    """Halted by that fire and pinned, firing at half effect; it does not test as well (MM-5.1)."""
    play.state = forget(play.state, unit.id, (Test.UNDER_FIRE,))
    if coming_in(unit):
        play.state = stop_short(play.state, unit.id)
    play.state = hold_back(play.state, unit.id, Morale.PINNED)
    lost, start = unit.this_turn.fire_casualties, unit.this_turn.figures_at_start
    percent = limit("automatic halt of advancing infantry")
    play.say(
        Step(
            text=f"{unit.name}, advancing, has lost {lost} of {start} to fire this turn, more than {percent}%",
            cite=Cite(rule="MM-5.1"),
            verdict="halted at once and pinned, firing at half effect; no test",
        )
    )


def hold_back(state: MagdalaState, unit_id: str, morale: Morale) -> MagdalaState:
    """The state with a unit pinned or halted from now, its fire casualties so far answered for (MM-5.1, MM-5.7)."""
    unit = state.unit(unit_id)
    answered = {"halted": True, "tested_casualties": unit.this_turn.fire_casualties}
    held = {
        "morale": morale,
        "half_effect_next_fire": True,
        "held_turns": 0,
        "this_turn": unit.this_turn.model_copy(update=answered),
    }
    return state.with_unit(unit.model_copy(update=held))


def _risk_to_general(state: MagdalaState, unit: MagdalaUnit, hits: int, by: str, how: How) -> MagdalaState:
    """More than 2 hits at once put the general with the unit at risk (MM-6)."""
    general = state.units.get(unit.general or "")
    in_danger = how in (How.FIRE, How.MELEE) and hits > state.options.risk_hits
    if general is None or not in_danger or general.troop not in COMMANDERS or not general.on_table:
        return state
    return call_for(state, general.id, Test.GENERAL_RISK, by=by)


def _destroyed(play: MagdalaPlay, unit: MagdalaUnit, cite: Cite) -> None:
    if unit.troop in LEADERS:
        play.change(unit.id, health=Health.KILLED)
    play.state = remove(play.state, unit.id)
    play.say(Step(text=f"{unit.name} is no more", cite=cite))
