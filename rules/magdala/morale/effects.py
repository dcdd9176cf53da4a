"""Effects of casualties and tests on units: halts, owed tests, risks, flight (MM-4.6, MM-5.1 to MM-5.10)."""

from enum import StrEnum

from rules.core.model import Cite
from rules.magdala.arms import COMMANDERS, LEADERS, has_own_morale, is_infantry, morale_arm, never_routs
from rules.magdala.engagement import end_melees_of, enemies_in_contact, is_engaged, stop_attacker_short
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, Morale, StoredPrompt, Test, Troop
from rules.magdala.stored_prompts import MOVES, add_prompt, forget_prompts, oldest_prompt
from rules.magdala.tables import limit, value

from .flight import GONE_OR_GOING, REACTION, give_way_at_half_strength, make_unit_flee, rally_unit, remove_from_table
from .forced_moves import fall_back
from .trials import IN_SQUARE

PURSUIT, FAILED = Cite(rule="MM-4.6"), Cite(rule="MM-5.7")
BEATEN = Cite(rule="MM-5.8")


class CasualtyCause(StrEnum):
    """Causes of casualties; each value is a rule number."""

    FIRE = "MM-3.6"
    MELEE = "MM-4.3"
    SLINKING_OFF = "MM-5.7"
    FALLING_BACK = "MM-5.8"


def inflict_casualties(play: MagdalaPlay, target_id: str, hits: int, by: str, cause: CasualtyCause) -> None:
    """Remove the figures that the target loses by hits of the unit `by`, and apply the consequences.

    Fire puts the target under fire even without losses (MM-5.10).
    """
    unit, cite = play.state.unit(target_id), Cite(rule=cause)
    losses = min(hits, unit.strength)
    if cause is CasualtyCause.FIRE:
        before = unit.this_turn.fire_casualties
        start = unit.this_turn.figures_at_start or unit.strength + before
        play.remember(target_id, under_fire=True, fire_casualties=before + losses, figures_at_start=start)
    play.change(target_id, casualties=unit.casualties + losses)
    if not losses:
        return
    rest = unit.strength - losses
    author = play.state.units.get(by)
    is_struck = cause in (CasualtyCause.FIRE, CasualtyCause.MELEE)
    by_enemy = is_struck and (author is None or author.side != unit.side)
    (play.note_calculation if by_enemy else play.note)(f"{unit:lose} {losses}", cite, f"{rest} of {unit.figures} left")
    general = play.state.units.get(unit.general or "")
    in_danger = is_struck and hits > play.state.options.risk_hits
    if in_danger and general is not None and general.troop in COMMANDERS and general.on_table:
        play.state = add_prompt(play.state, general.id, Test.GENERAL_RISK, by=by)
    if not rest:
        if unit.troop in LEADERS:
            play.change(unit.id, health=Health.KILLED)
        play.state = remove_from_table(play.state, unit.id)
        play.note(f"{unit:are} no more", cite)
        return
    if cause is CasualtyCause.FIRE:
        halt_or_require_test(play, target_id)
    give_way_at_half_strength(play, target_id)


def halt_or_require_test(play: MagdalaPlay, unit_id: str) -> None:
    """Halt the unit, or make it owe a test, for this turn's casualties by fire (MM-5.1, MM-5.2)."""
    unit = play.state.unit(unit_id)
    memory = unit.this_turn
    losses, start = memory.fire_casualties, memory.figures_at_start
    percent = limit("automatic halt of advancing infantry")
    if not has_own_morale(unit) or unit.morale in GONE_OR_GOING:
        return
    advancing = is_infantry(unit) and memory.advanced and unit.morale is Morale.STEADY
    if advancing and 100 * losses > percent * start:
        play.state = halt_unit(forget_prompts(play.state, unit_id, (Test.UNDER_FIRE,)), unit_id, Morale.PINNED)
        text = f"{unit:have} lost {losses} of {start} to fire this turn, advancing: more than {percent}%"
        play.note(text, Cite(rule="MM-5.1"), "halted at once and pinned, firing at half effect; no test")
        return
    answered_for = unit.morale is Morale.PINNED and memory.halted
    is_due = losses - memory.tested_casualties >= value("tests-due", morale_arm(unit))
    if is_due and not answered_for and oldest_prompt(play.state, unit_id, Test.UNDER_FIRE) is None:
        play.state = add_prompt(play.state, unit_id, Test.UNDER_FIRE)


def halt_unit(state: MagdalaState, unit_id: str, morale: Morale) -> MagdalaState:
    """Return the state with the unit pinned or halted; its fire casualties so far need no test (MM-5.1, MM-5.7)."""
    state = stop_attacker_short(state, unit_id)
    memory = state.unit(unit_id).this_turn
    record = memory.model_copy(update={"halted": True, "tested_casualties": memory.fire_casualties})
    return state.changed(unit_id, morale=morale, half_effect_next_fire=True, held_turns=0, this_turn=record)


def apply_passed_test(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Apply the consequences of a passed test.

    If fire pinned or halted a unit before its retreat, the unit is halted when it rallies (ruling).
    """
    unit = play.state.unit(prompt.unit)
    if prompt.test is Test.UNDER_FIRE:
        halt_or_require_test(play, unit.id)
    elif prompt.test in (Test.RETEST, Test.PURSUIT):
        play.state = rally_unit(play.state, unit.id)
        if prompt.test is Test.RETEST:
            play.note(f"{unit.name} may advance, and fire at full effect", FAILED)
    elif prompt.test is Test.REACTION and unit.morale is Morale.RETREATING:
        was_held = unit.half_effect_next_fire
        play.state = rally_unit(play.state, unit.id, Morale.HALTED if was_held else Morale.STEADY)
        verdict = "rallied, halted as before" if was_held else "rallied"
        play.note_unit_result(unit.name, REACTION.as_ruling if was_held else REACTION, verdict)
        give_way_at_half_strength(play, unit.id)


def apply_failed_test(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Apply the consequences of a failed test that is not thrown again."""
    follows = {
        Test.MELEE_LOST: _rout_from_melee,
        Test.RETEST: _fall_back_and_halt,
        Test.REACTION: _retreat_or_rout,
        Test.PURSUIT: _start_pursuit,
    }
    follows.get(prompt.test, _halt_under_fire)(play, prompt)


def _halt_under_fire(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Halt a unit after a failed test under fire. The unit then fires at half effect (MM-5.7)."""
    play.state = halt_unit(play.state, prompt.unit, Morale.HALTED)
    unit = play.state.unit(prompt.unit)
    may = f"{unit:they} may retreat at once, or test again after a turn"
    play.note_unit_result(unit.name, FAILED, f"halted, and {unit:they fire} at half effect; {may}")
    give_way_at_half_strength(play, prompt.unit)


def _fall_back_and_halt(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Move a unit back after a failed test to go on, and halt it; 1 figure slinks off (MM-5.7)."""
    play.state = end_melees_of(play.state, prompt.unit)
    fall_back(play, prompt.unit, FAILED)
    play.state = halt_unit(play.state, prompt.unit, Morale.HALTED)
    inflict_casualties(play, prompt.unit, limit("figures that slink off"), prompt.unit, CasualtyCause.SLINKING_OFF)


def _rout_from_melee(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Rout a unit after a failed test for a lost melee. British infantry and the Legion fight on (MM-5.8)."""
    unit = play.state.unit(prompt.unit)
    if not never_routs(unit):
        victors = enemies_in_contact(play.state, unit.id)
        make_unit_flee(play, unit.id, "broken in melee", BEATEN, Morale.ROUTED)
        for victor in victors:
            _rally_or_pursue(play, victor.id, unit.id)
    elif unit.in_square or IN_SQUARE in prompt.circumstances:
        play.note(f"{unit:fight} on in square", BEATEN)
    else:
        play.note(f"{unit:fight} on, but {unit:they break} contact", BEATEN.as_ruling)
        play.state = end_melees_of(play.state, unit.id)
        fall_back(play, unit.id, BEATEN)
        inflict_casualties(play, unit.id, limit("figures that slink off"), unit.id, CasualtyCause.FALLING_BACK)


def _rally_or_pursue(play: MagdalaPlay, victor_id: str, routed_id: str) -> None:
    """Rally regular infantry that won a melee; require a pursuit test of any other victor (MM-4.6)."""
    victor = play.state.unit(victor_id)
    if not victor.on_table or is_engaged(play.state, victor):
        return
    if victor.troop is Troop.REGULAR_INFANTRY:
        play.state = rally_unit(forget_prompts(play.state, victor_id, MOVES), victor_id)
        play.note(f"{victor:rally} on the spot", PURSUIT)
    else:
        play.state = add_prompt(play.state, victor_id, Test.PURSUIT, by=routed_id)


def _retreat_or_rout(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Make a unit that failed its reaction test retreat for a turn; the second retreat in a row is a rout (MM-5.10)."""
    unit = play.state.unit(prompt.unit)
    times = unit.retreats_in_a_row + 1
    play.change(prompt.unit, retreats_in_a_row=times)
    if times >= limit("retreats in a row that are a rout"):
        make_unit_flee(play, prompt.unit, "the second retreat in a row", REACTION, Morale.ROUTED)
    else:
        make_unit_flee(play, prompt.unit, f"one turn, then {unit:they test} again", REACTION)


def _start_pursuit(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Start a pursuit: the routed enemy is destroyed, and pursuers continue in their own turns (MM-4.6)."""
    unit, routed = play.state.unit(prompt.unit), play.state.units.get(prompt.by)
    play.state = forget_prompts(play.state, unit.id, (Test.REACTION,))
    play.change(unit.id, morale=Morale.PURSUING, pursuit_moves=0)
    play.note(f"{unit:pursue}", PURSUIT)
    if routed is not None and routed.on_table:
        play.state = remove_from_table(play.state, routed.id)
        play.note(f"{routed:are} destroyed", PURSUIT)
