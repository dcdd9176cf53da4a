"""What passing or failing a test makes of a unit (MM-4.6, MM-5.7, MM-5.8, MM-5.10), once nobody throws it again."""

from rules.core.model import Cite
from rules.magdala.arms import is_british_infantry, is_legion
from rules.magdala.engagement import break_off, engaged, in_contact
from rules.magdala.model import MagdalaPlay, MagdalaUnit, Morale, StoredPrompt, Test, Troop
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit

from .casualties import How, hold_back, inflict, under_fire
from .flight import give_way, rally, remove, retreat, rout
from .trials import IN_SQUARE
from .way_back import fall_back

PURSUIT, FAILED = Cite(rule="MM-4.6"), Cite(rule="MM-5.7")
BEATEN, REACTION = Cite(rule="MM-5.8"), Cite(rule="MM-5.10")


def passed(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """The test is passed. Who rallies, and was pinned or halted by fire before, is halted still (ruling)."""
    unit = play.state.unit(prompt.unit)
    if prompt.test is Test.UNDER_FIRE:
        under_fire(play, unit.id)
    elif prompt.test in (Test.RETEST, Test.PURSUIT):
        play.state = rally(play.state, unit.id)
        if prompt.test is Test.RETEST:
            play.note(unit.name, FAILED, "may advance, and fire at full effect")
    elif prompt.test is Test.REACTION and unit.morale is Morale.RETREATING:
        held = unit.half_effect_next_fire
        play.state = rally(play.state, unit.id, Morale.HALTED if held else Morale.STEADY)
        verdict = "has rallied, halted as it was before" if held else "has rallied"
        play.note(unit.name, REACTION.ruled if held else REACTION, verdict)
        give_way(play, unit.id)


def failed(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """The test is failed, and stands so."""
    follows = {Test.MELEE_LOST: _melee_lost, Test.RETEST: _slinks_back, Test.REACTION: _shaken, Test.PURSUIT: _pursues}
    follows.get(prompt.test, _halts)(play, prompt)


def _halts(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Failed under fire: it halts, and fires at half effect (MM-5.7)."""
    play.state = hold_back(play.state, prompt.unit, Morale.HALTED)
    verdict = "halts; fires at half effect; may retreat at once, or test again after a turn"
    play.note(play.state.unit(prompt.unit).name, FAILED, verdict)
    give_way(play, prompt.unit)


def _slinks_back(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Failed when it tried to go on: back half a move, halted again, and 1 more slinks off (MM-5.7)."""
    play.state = break_off(play.state, prompt.unit)
    fall_back(play, prompt.unit, FAILED)
    play.state = hold_back(play.state, prompt.unit, Morale.HALTED)
    inflict(play, prompt.unit, limit("figures that slink off"), prompt.unit, How.SLINKING_OFF)


def fights_on(unit: MagdalaUnit) -> bool:
    """British infantry and the Foreign Legion never rout from a melee (MM-5.8)."""
    return is_british_infantry(unit) or is_legion(unit)


def _melee_lost(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Failed after losing a melee: broken and routed, save for British infantry and the Legion (MM-5.8)."""
    unit = play.state.unit(prompt.unit)
    if not fights_on(unit):
        victors = in_contact(play.state, unit.id)
        rout(play, unit.id, "broken in melee", BEATEN)
        for victor in victors:
            _victorious(play, victor.id, unit.id)
    elif unit.in_square or IN_SQUARE in prompt.circumstances:
        play.note(unit.name, BEATEN, "fights on in its square")
    else:
        play.note(unit.name, BEATEN.ruled, "fights on, but breaks contact")
        play.state = break_off(play.state, unit.id)
        fall_back(play, unit.id, BEATEN)
        inflict(play, unit.id, limit("figures that slink off"), unit.id, How.FALLING_BACK)


def _victorious(play: MagdalaPlay, victor_id: str, routed_id: str) -> None:
    """Regular infantry rally on the spot; anyone else free to do so tests for pursuit (MM-4.6)."""
    victor = play.state.unit(victor_id)
    if not victor.on_table or engaged(play.state, victor):
        return
    if victor.troop is Troop.REGULAR_INFANTRY:
        play.state = rally(forget(play.state, victor_id, MOVES), victor_id)
        play.note(victor.name, PURSUIT, "rallies on the spot")
    else:
        play.state = call_for(play.state, victor_id, Test.PURSUIT, by=routed_id)


def _shaken(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Less than 4: it retreats a turn and tests again; the second retreat in a row is a rout (MM-5.10)."""
    times = play.state.unit(prompt.unit).retreats_in_a_row + 1
    play.change(prompt.unit, retreats_in_a_row=times)
    if times >= limit("retreats in a row that are a rout"):
        rout(play, prompt.unit, "its second retreat in a row", REACTION)
    else:
        retreat(play, prompt.unit, "one turn, then it tests again", REACTION)


def _pursues(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """They pursue: the routed enemy is destroyed, and they go on after him in their own turns (MM-4.6)."""
    unit, routed = play.state.unit(prompt.unit), play.state.units.get(prompt.by)
    play.state = forget(play.state, unit.id, (Test.REACTION,))
    play.change(unit.id, morale=Morale.PURSUING, pursuit_moves=0)
    play.note(unit.name, PURSUIT, "pursues")
    if routed is not None and routed.on_table:
        play.state = remove(play.state, routed.id)
        play.note(routed.name, PURSUIT, "is destroyed")
