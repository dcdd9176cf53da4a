"""What passing or failing a test makes of a unit (MM-5.7, MM-5.8, MM-5.10), once nobody throws it again."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.magdala.arms import is_british_infantry, is_legion
from rules.magdala.engagement import break_off, coming_in, engaged, in_contact, stop_short
from rules.magdala.fleeing.fallback import fall_back
from rules.magdala.fleeing.flight import give_way, rally, remove, retreat, rout
from rules.magdala.model import MagdalaPlay, MagdalaUnit, Morale, StoredPrompt, Test, Troop
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit

from .casualties import How, hold_back, inflict, under_fire
from .morale_trial import IN_SQUARE


def passed(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """The test is passed."""
    unit = play.state.unit(prompt.unit)
    if prompt.test is Test.RETEST:
        play.state = rally(play.state, unit.id)
        play.say(Step(text=unit.name, cite=Cite(rule="MM-5.7"), verdict="may advance, and fire at full effect"))
    elif prompt.test is Test.REACTION and unit.morale is Morale.RETREATING:
        _has_rallied(play, unit)
    elif prompt.test is Test.PURSUIT:
        play.state = rally(play.state, unit.id)
    elif prompt.test is Test.UNDER_FIRE:
        under_fire(play, unit.id)


def _has_rallied(play: MagdalaPlay, unit: MagdalaUnit) -> None:
    """It retreats no further; whom fire had pinned or halted before is halted still (ruling)."""
    was_held = unit.half_effect_next_fire
    play.state = rally(play.state, unit.id, Morale.HALTED if was_held else Morale.STEADY)
    verdict = "has rallied, halted as it was before" if was_held else "has rallied"
    play.say(
        Step(text=unit.name, cite=Cite(rule="MM-5.10", mark=Mark.RULING if was_held else Mark.TEXT), verdict=verdict)
    )
    give_way(play, unit.id)


def failed(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """The test is failed, and stands so."""
    if prompt.test is Test.MELEE_LOST:
        _melee_lost(play, prompt)
    elif prompt.test is Test.RETEST:
        _slinks_back(play, prompt.unit)
    elif prompt.test is Test.REACTION:
        _shaken(play, prompt)
    elif prompt.test is Test.PURSUIT:
        pursues(play, prompt)
    else:
        _halts(play, prompt.unit)


def _halts(play: MagdalaPlay, unit_id: str) -> None:
    """Failed under fire: it halts, and fires at half effect (MM-5.7). An attacker does not reach its enemy."""
    unit = play.state.unit(unit_id)
    if coming_in(unit):
        play.state = stop_short(play.state, unit_id)
    play.state = hold_back(play.state, unit_id, Morale.HALTED)
    verdict = "halts; fires at half effect; may retreat at once, or test again after a turn"
    play.say(Step(text=unit.name, cite=Cite(rule="MM-5.7"), verdict=verdict))
    give_way(play, unit_id)


def _slinks_back(play: MagdalaPlay, unit_id: str) -> None:
    """Failed when it tried to go on: back half a move, halted again, and 1 more slinks off (MM-5.7)."""
    play.state = break_off(play.state, unit_id)
    fall_back(play, unit_id, Cite(rule="MM-5.7"))
    play.state = hold_back(play.state, unit_id, Morale.HALTED)
    inflict(play, unit_id, limit("figures that slink off"), unit_id, How.SLINKING_OFF)


def fights_on(unit: MagdalaUnit) -> bool:
    """British infantry and the Foreign Legion never rout from a melee (MM-5.8)."""
    return is_british_infantry(unit) or is_legion(unit)


def _melee_lost(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Failed after losing a melee: broken and routed, save for British infantry and the Legion (MM-5.8)."""
    unit = play.state.unit(prompt.unit)
    if not fights_on(unit):
        victors = in_contact(play.state, unit.id)
        rout(play, unit.id, "broken in melee", Cite(rule="MM-5.8"))
        for victor in victors:
            _victorious(play, victor.id, unit.id)
        return
    if unit.in_square or IN_SQUARE in prompt.circumstances:
        play.say(Step(text=unit.name, cite=Cite(rule="MM-5.8"), verdict="fights on in its square"))
        return
    play.say(Step(text=unit.name, cite=Cite(rule="MM-5.8", mark=Mark.RULING), verdict="fights on, but breaks contact"))
    play.state = break_off(play.state, unit.id)
    fall_back(play, unit.id, Cite(rule="MM-5.8"))
    inflict(play, unit.id, limit("figures that slink off"), unit.id, How.FALLING_BACK)


def _victorious(play: MagdalaPlay, victor_id: str, routed_id: str) -> None:
    """Regular infantry rally on the spot; anyone else free to do so tests for pursuit (MM-4.6)."""
    victor = play.state.unit(victor_id)
    if not victor.on_table or engaged(play.state, victor):
        return
    if victor.troop is not Troop.REGULAR_INFANTRY:
        play.state = call_for(play.state, victor_id, Test.PURSUIT, by=routed_id)
        return
    play.state = rally(forget(play.state, victor_id, MOVES), victor_id)
    play.say(Step(text=victor.name, cite=Cite(rule="MM-4.6"), verdict="rallies on the spot"))


def _shaken(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Less than 4: it retreats a turn and tests again; the second retreat in a row is a rout (MM-5.10)."""
    times = play.state.unit(prompt.unit).retreats_in_a_row + 1
    play.change(prompt.unit, retreats_in_a_row=times)
    rule = Cite(rule="MM-5.10")
    if times >= limit("retreats in a row that are a rout"):
        rout(play, prompt.unit, "its second retreat in a row", rule)
    else:
        retreat(play, prompt.unit, "one turn, then it tests again", rule)


def pursues(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """They pursue: the routed enemy is destroyed, and they go on after him in their own turns (MM-4.6)."""
    unit, routed = play.state.unit(prompt.unit), play.state.units.get(prompt.by)
    play.state = forget(play.state, unit.id, (Test.REACTION,))
    play.change(unit.id, morale=Morale.PURSUING, pursuit_moves=0)
    play.say(Step(text=unit.name, cite=Cite(rule="MM-4.6"), verdict="pursues"))
    if routed is not None and routed.on_table:
        play.state = remove(play.state, routed.id)
        play.say(Step(text=routed.name, cite=Cite(rule="MM-4.6"), verdict="is destroyed"))
