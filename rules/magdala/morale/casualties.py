"""Casualties, and what follows at once: automatic halts, tests owed, generals at risk, units gone."""

from enum import StrEnum

from rules.core.model import Cite
from rules.core.report import Step
from rules.magdala.arms import COMMANDERS, LEADERS, arm, is_fighter, is_infantry
from rules.magdala.engagement import coming_in, stop_short
from rules.magdala.fleeing.flight import GONE_OR_GOING, Outcome, give_way, remove
from rules.magdala.model import Health, MagdalaState, MagdalaUnit, Morale, Test
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


def inflict(state: MagdalaState, target_id: str, hits: int, by: str, how: How) -> Outcome:
    """Takes `hits` on a unit by `by` (a unit's id), and says what that makes of it and what it now owes.

    Fire that hits nothing is worth telling too: the unit is under fire (MM-5.10).
    """
    unit = state.unit(target_id)
    lost = min(hits, unit.strength)
    memory = unit.this_turn
    if how is How.FIRE:
        start = memory.figures_at_start or unit.strength + memory.fire_casualties
        fire = {"under_fire": True, "fire_casualties": memory.fire_casualties + lost, "figures_at_start": start}
        memory = memory.model_copy(update=fire)
    hurt = unit.model_copy(update={"casualties": unit.casualties + lost, "this_turn": memory})
    state = state.with_unit(hurt)
    if not lost:
        return state, ()
    steps: tuple[Step, ...] = (
        Step(text=f"{unit.name} loses {lost}", cite=CITES[how], verdict=f"{hurt.strength} of {unit.figures} left"),
    )
    state = _risk_to_general(state, hurt, hits, by, how)
    if not hurt.strength:
        return _destroyed(state, hurt, steps, CITES[how])
    if how is How.FIRE:
        state, halted = under_fire(state, target_id)
        steps += halted
    state, gone = give_way(state, target_id)
    return state, (*steps, *gone)


def under_fire(state: MagdalaState, unit_id: str) -> Outcome:
    """An automatic halt, or a test owed, for the fire casualties of this turn (MM-5.1, MM-5.2)."""
    unit = state.unit(unit_id)
    memory = unit.this_turn
    if not is_fighter(unit) or unit.morale in GONE_OR_GOING:
        return state, ()
    if must_halt(unit):
        return automatic_halt(state, unit)
    if unit.morale is Morale.PINNED and memory.halted:
        return state, ()
    untested = memory.fire_casualties - memory.tested_casualties
    owing = first_prompt(state, unit_id, Test.UNDER_FIRE)
    if owing is None and untested >= value("tests-due", arm(unit)):
        state = call_for(state, unit_id, Test.UNDER_FIRE)
    return state, ()


def must_halt(unit: MagdalaUnit) -> bool:
    """Advancing infantry that lost more than 10% of its figures to fire this turn (MM-5.1)."""
    memory = unit.this_turn
    percent = limit("automatic halt of advancing infantry")
    too_many = 100 * memory.fire_casualties > percent * memory.figures_at_start
    return is_infantry(unit) and memory.advanced and unit.morale is Morale.STEADY and too_many


def automatic_halt(state: MagdalaState, unit: MagdalaUnit) -> Outcome:
    """Halted by that fire and pinned, firing at half effect; it does not test as well (MM-5.1)."""
    state = forget(state, unit.id, (Test.UNDER_FIRE,))
    if coming_in(unit):
        state = stop_short(state, unit.id)
    state = hold_back(state, unit.id, Morale.PINNED)
    lost, start = unit.this_turn.fire_casualties, unit.this_turn.figures_at_start
    percent = limit("automatic halt of advancing infantry")
    step = Step(
        text=f"{unit.name}, advancing, has lost {lost} of {start} to fire this turn, more than {percent}%",
        cite=Cite(rule="MM-5.1"),
        verdict="halted at once and pinned, firing at half effect; no test",
    )
    return state, (step,)


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


def _destroyed(state: MagdalaState, unit: MagdalaUnit, steps: tuple[Step, ...], cite: Cite) -> Outcome:
    if unit.troop in LEADERS:
        state = state.with_unit(unit.model_copy(update={"health": Health.KILLED}))
    return remove(state, unit.id), (*steps, Step(text=f"{unit.name} is no more", cite=cite))
