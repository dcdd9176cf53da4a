"""What passing or failing a test makes of a unit (MM-5.7, MM-5.8, MM-5.10), once nobody throws it again."""

from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.magdala.arms import is_british_infantry, is_legion
from rules.magdala.engagement import break_off, coming_in, engaged, in_contact, stop_short
from rules.magdala.fleeing.fallback import fall_back
from rules.magdala.fleeing.flight import Outcome, give_way, rally, remove, retreat, rout
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, Troop
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit

from .casualties import How, hold_back, inflict, under_fire
from .morale_trial import IN_SQUARE


def passed(state: MagdalaState, prompt: StoredPrompt) -> Outcome:
    """The test is passed."""
    name = state.unit(prompt.unit).name
    if prompt.test is Test.RETEST:
        step = Step(text=name, cite=Cite(rule="MM-5.7"), verdict="may advance, and fire at full effect")
        return rally(state, prompt.unit), (step,)
    if prompt.test is Test.REACTION and state.unit(prompt.unit).morale is Morale.RETREATING:
        return _has_rallied(state, prompt.unit)
    if prompt.test is Test.PURSUIT:
        return rally(state, prompt.unit), ()
    if prompt.test is Test.UNDER_FIRE:
        return under_fire(state, prompt.unit)
    return state, ()


def _has_rallied(state: MagdalaState, unit_id: str) -> Outcome:
    """It retreats no further; whom fire had pinned or halted before is halted still (ruling)."""
    unit = state.unit(unit_id)
    was_held = unit.half_effect_next_fire
    state = rally(state, unit_id, Morale.HALTED if was_held else Morale.STEADY)
    verdict = "has rallied, halted as it was before" if was_held else "has rallied"
    cite = Cite(rule="MM-5.10", mark=Mark.RULING if was_held else Mark.TEXT)
    state, gone = give_way(state, unit_id)
    return state, (Step(text=unit.name, cite=cite, verdict=verdict), *gone)


def failed(state: MagdalaState, prompt: StoredPrompt, dice: Dice) -> Outcome:
    """The test is failed, and stands so."""
    if prompt.test is Test.MELEE_LOST:
        return _melee_lost(state, prompt, dice)
    if prompt.test is Test.RETEST:
        return _slinks_back(state, prompt.unit, dice)
    if prompt.test is Test.REACTION:
        return _shaken(state, prompt)
    if prompt.test is Test.PURSUIT:
        return pursues(state, prompt)
    return _halts(state, prompt.unit)


def _halts(state: MagdalaState, unit_id: str) -> Outcome:
    """Failed under fire: it halts, and fires at half effect (MM-5.7). An attacker does not reach its enemy."""
    unit = state.unit(unit_id)
    if coming_in(unit):
        state = stop_short(state, unit_id)
    state = hold_back(state, unit_id, Morale.HALTED)
    verdict = "halts; fires at half effect; may retreat at once, or test again after a turn"
    steps: tuple[Step, ...] = (Step(text=unit.name, cite=Cite(rule="MM-5.7"), verdict=verdict),)
    state, gone = give_way(state, unit_id)
    return state, (*steps, *gone)


def _slinks_back(state: MagdalaState, unit_id: str, dice: Dice) -> Outcome:
    """Failed when it tried to go on: back half a move, halted again, and 1 more slinks off (MM-5.7)."""
    state, back = fall_back(break_off(state, unit_id), unit_id, dice, Cite(rule="MM-5.7"))
    state = hold_back(state, unit_id, Morale.HALTED)
    state, lost = inflict(state, unit_id, limit("figures that slink off"), unit_id, How.SLINKING_OFF)
    return state, (*back, *lost)


def fights_on(unit: MagdalaUnit) -> bool:
    """British infantry and the Foreign Legion never rout from a melee (MM-5.8)."""
    return is_british_infantry(unit) or is_legion(unit)


def _melee_lost(state: MagdalaState, prompt: StoredPrompt, dice: Dice) -> Outcome:
    """Failed after losing a melee: broken and routed, save for British infantry and the Legion (MM-5.8)."""
    unit = state.unit(prompt.unit)
    if not fights_on(unit):
        victors = in_contact(state, unit.id)
        state, steps = rout(state, unit.id, "broken in melee", Cite(rule="MM-5.8"))
        for victor in victors:
            state, after = _victorious(state, victor.id, unit.id)
            steps += after
        return state, steps
    if unit.in_square or IN_SQUARE in prompt.circumstances:
        return state, (Step(text=unit.name, cite=Cite(rule="MM-5.8"), verdict="fights on in its square"),)
    step = Step(text=unit.name, cite=Cite(rule="MM-5.8", mark=Mark.RULING), verdict="fights on, but breaks contact")
    state, back = fall_back(break_off(state, unit.id), unit.id, dice, Cite(rule="MM-5.8"))
    state, lost = inflict(state, unit.id, limit("figures that slink off"), unit.id, How.FALLING_BACK)
    return state, (step, *back, *lost)


def _victorious(state: MagdalaState, victor_id: str, routed_id: str) -> Outcome:
    """Regular infantry rally on the spot; anyone else free to do so tests for pursuit (MM-4.6)."""
    victor = state.unit(victor_id)
    if not victor.on_table or engaged(state, victor):
        return state, ()
    if victor.troop is not Troop.REGULAR_INFANTRY:
        return call_for(state, victor_id, Test.PURSUIT, by=routed_id), ()
    state = rally(forget(state, victor_id, MOVES), victor_id)
    return state, (Step(text=victor.name, cite=Cite(rule="MM-4.6"), verdict="rallies on the spot"),)


def _shaken(state: MagdalaState, prompt: StoredPrompt) -> Outcome:
    """Less than 4: it retreats a turn and tests again; the second retreat in a row is a rout (MM-5.10)."""
    unit = state.unit(prompt.unit)
    times = unit.retreats_in_a_row + 1
    counted = state.with_unit(unit.model_copy(update={"retreats_in_a_row": times}))
    rule = Cite(rule="MM-5.10")
    if times >= limit("retreats in a row that are a rout"):
        return rout(counted, unit.id, "its second retreat in a row", rule)
    return retreat(counted, unit.id, "one turn, then it tests again", rule)


def pursues(state: MagdalaState, prompt: StoredPrompt) -> Outcome:
    """They pursue: the routed enemy is destroyed, and they go on after him in their own turns (MM-4.6)."""
    unit, routed = state.unit(prompt.unit), state.units.get(prompt.by)
    state = forget(state, unit.id, (Test.REACTION,))
    state = state.with_unit(unit.model_copy(update={"morale": Morale.PURSUING, "pursuit_moves": 0}))
    steps: tuple[Step, ...] = (Step(text=unit.name, cite=Cite(rule="MM-4.6"), verdict="pursues"),)
    if routed is not None and routed.on_table:
        state = remove(state, routed.id)
        steps += (Step(text=routed.name, cite=Cite(rule="MM-4.6"), verdict="is destroyed"),)
    return state, steps
