"""Fire, melee and rally of a formation, stack by stack (TA-4, TA-5, TA-H.5 to TA-H.8)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.tanga.combat import fire as fires
from rules.tanga.combat import melee as melees
from rules.tanga.combat import rally as rallies
from rules.tanga.field import board_of, of_formation, units_at
from rules.tanga.model import BRITISH, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import Ask

from . import asking, target
from .stacks import ready
from .stepped import Stepped, acted, ids, in_order, names, plural


def fire(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next stack fires at the target the chart gives it, unless its TCF is under 2 (TA-4).

    Those of it who did not add to the TCF come next, with a target of their own (TA-H.5).
    """
    state = play.state
    stack = _next_stack(state, formation)
    if not stack:
        return None
    fresh = [unit for unit in stack if not unit.fired]
    decision = target.target(state, fresh, melee=False) if fresh else None
    if decision is None or decision.chosen is None:
        acted(play, ids(stack))
        return Stepped()
    decision = decision.by_word(forced)
    at = decision.chosen
    assert at is not None
    reckoned = fires.reckon(state, fresh, at)
    firers = (reckoned.shooter, *reckoned.support)
    if (held := fires.holds_fire(state, reckoned)) is not None:
        acted(play, ids(firers))
        play.say(held)
        return Stepped(decision)
    told = f"{names(state, firers)} {plural(firers, 'fires', 'fire')} at {board_of(state).title(at)} (TA-4)"
    if state.options.resolution is Resolution.OWN:
        asking.ask(play, Ask.FIRE_RESULT, reckoned.shooter, at)
        play.say(reckoned.factor.step)
    else:
        fires.fire(play, reckoned)
    return Stepped(decision, told)


def melee(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next stack attacks an adjacent hex by the chart, unless its hit chance is under 7 (TA-5, TA-H.7)."""
    stack = _next_stack(play.state, formation)
    if not stack:
        return None
    acted(play, ids(stack))
    state, here = play.state, stack[0].at
    assert here is not None
    fought = any(unit.fought for unit in melees.fighters(units_at(state, here)))
    decision = None if fought else target.target(state, stack, melee=True)
    if decision is None or decision.chosen is None:
        return Stepped()
    decision = decision.by_word(forced)
    there = decision.chosen
    assert there is not None
    if not melees.begins(state, here, BRITISH, there):
        weak = melees.factor(state, here, BRITISH, there).step
        verdict = f"under {melees.least(state, BRITISH)}, they begin no melee"
        play.say(weak.model_copy(update={"cite": melees.BEGINS_NONE, "verdict": verdict}))
        return Stepped(decision)
    told = f"{names(state, stack)} {plural(stack, 'attacks', 'attack')} {board_of(state).title(there)} (TA-5)"
    if state.options.resolution is Resolution.OWN:
        asking.ask(play, Ask.MELEE_RESULT, stack[0], there)
    else:
        melees.melee(play, here, there)
    return Stepped(decision, told)


def rally(play: Play[TangaState], formation: str, _forced: Hex | None) -> Stepped | None:
    """The next disrupted unit in its RO hex tries to rally (TA-H.8)."""
    for unit in in_order(play.state, of_formation(play.state, formation)):
        if rallies.may_rally(unit) and unit.id not in play.state.british.acted:
            acted(play, (unit.id,))
            return _rally(play, unit)
    return None


def _rally(play: Play[TangaState], unit: TangaUnit) -> Stepped:
    if play.state.options.resolution is Resolution.OWN:
        asking.ask(play, Ask.RALLY_RESULT, unit, unit.at)
        return Stepped()
    rallies.rally(play, unit.id)
    rallied = play.state.units[unit.id].is_good
    return Stepped(told=f"{names(play.state, (unit,))} rallies (TA-H.8)" if rallied else "")


def _next_stack(state: TangaState, formation: str) -> Sequence[TangaUnit]:
    """Combat units in good order of the next hex, all together; nobody of a collapsed formation attacks (TA-7)."""
    if state.formation(formation).collapsed:
        return ()
    waiting = ready(state, formation, state.british.acted)
    if not waiting or waiting[0].at is None:
        return ()
    there = units_at(state, waiting[0].at)
    return in_order(state, (unit for unit in there if unit.is_good and unit.is_combat and unit in waiting))
