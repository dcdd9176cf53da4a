"""Casualties, and what follows at once: automatic halts, tests owed, generals at risk, units gone (MM-5.1, MM-6)."""

from enum import StrEnum

from rules.core.model import Cite
from rules.magdala.arms import COMMANDERS, LEADERS, arm, is_fighter, is_infantry
from rules.magdala.engagement import coming_in, stop_short
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, Morale, Test
from rules.magdala.stored_prompts import call_for, first_prompt, forget
from rules.magdala.tables import limit, value

from .flight import give_way, remove
from .standing import GONE_OR_GOING


class How(StrEnum):
    """What made a casualty, by its rule."""

    FIRE = "MM-3.6"
    MELEE = "MM-4.3"
    SLINKING_OFF = "MM-5.7"
    FALLING_BACK = "MM-5.8"


def inflict(play: MagdalaPlay, target_id: str, hits: int, by: str, how: How) -> None:
    """Takes `hits` on a unit by `by` (a unit's id), and says what that makes of it and what it now owes.

    Fire that hits nothing is worth telling too: the unit is under fire (MM-5.10).
    """
    unit, cite = play.state.unit(target_id), Cite(rule=how)
    lost = min(hits, unit.strength)
    memory = unit.this_turn
    if how is How.FIRE:
        start = memory.figures_at_start or unit.strength + memory.fire_casualties
        fire = {"under_fire": True, "fire_casualties": memory.fire_casualties + lost, "figures_at_start": start}
        memory = memory.model_copy(update=fire)
    play.change(target_id, casualties=unit.casualties + lost, this_turn=memory)
    if not lost:
        return
    left = unit.strength - lost
    play.note(f"{unit.name} loses {lost}", cite, f"{left} of {unit.figures} left")
    general = play.state.units.get(unit.general or "")
    in_danger = how in (How.FIRE, How.MELEE) and hits > play.state.options.risk_hits
    if in_danger and general is not None and general.troop in COMMANDERS and general.on_table:
        play.state = call_for(play.state, general.id, Test.GENERAL_RISK, by=by)
    if not left:
        if unit.troop in LEADERS:
            play.change(unit.id, health=Health.KILLED)
        play.state = remove(play.state, unit.id)
        play.note(f"{unit.name} is no more", cite)
        return
    if how is How.FIRE:
        under_fire(play, target_id)
    give_way(play, target_id)


def under_fire(play: MagdalaPlay, unit_id: str) -> None:
    """An automatic halt, or a test owed, for the fire casualties of this turn (MM-5.1, MM-5.2)."""
    unit = play.state.unit(unit_id)
    memory = unit.this_turn
    lost, start = memory.fire_casualties, memory.figures_at_start
    percent = limit("automatic halt of advancing infantry")
    if not is_fighter(unit) or unit.morale in GONE_OR_GOING:
        return
    advancing = is_infantry(unit) and memory.advanced and unit.morale is Morale.STEADY
    if advancing and 100 * lost > percent * start:
        play.state = hold_back(forget(play.state, unit_id, (Test.UNDER_FIRE,)), unit_id, Morale.PINNED)
        text = f"{unit.name}, advancing, has lost {lost} of {start} to fire this turn, more than {percent}%"
        play.note(text, Cite(rule="MM-5.1"), "halted at once and pinned, firing at half effect; no test")
        return
    answered_for = unit.morale is Morale.PINNED and memory.halted
    enough = lost - memory.tested_casualties >= value("tests-due", arm(unit))
    if enough and not answered_for and first_prompt(play.state, unit_id, Test.UNDER_FIRE) is None:
        play.state = call_for(play.state, unit_id, Test.UNDER_FIRE)


def hold_back(state: MagdalaState, unit_id: str, morale: Morale) -> MagdalaState:
    """The state with a unit pinned or halted from now, its fire casualties so far answered for (MM-5.1, MM-5.7).

    An attacker who has yet to strike does not reach its enemy.
    """
    if coming_in(state.unit(unit_id)):
        state = stop_short(state, unit_id)
    unit = state.unit(unit_id)
    answered = {"halted": True, "tested_casualties": unit.this_turn.fire_casualties}
    memory = unit.this_turn.model_copy(update=answered)
    held = {"morale": morale, "half_effect_next_fire": True, "held_turns": 0, "this_turn": memory}
    return state.with_unit(unit.model_copy(update=held))
