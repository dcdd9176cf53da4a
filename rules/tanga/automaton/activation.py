"""Fire, melee and rally of a formation, stack by stack (TA-4, TA-5, TA-H.5 to TA-H.8)."""

from collections.abc import Sequence

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
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


def fire(state: TangaState, formation: str, dice: Dice, forced: Hex | None) -> Stepped | None:
    """The next stack fires at the target the chart gives it, unless its TCF is under 2 (TA-4).

    Those of it who did not add to the TCF come next, with a target of their own (TA-H.5).
    """
    stack = _next_stack(state, formation)
    if not stack:
        return None
    fresh = [unit for unit in stack if not unit.fired]
    decision = target.target(state, fresh, melee=False) if fresh else None
    if decision is None or decision.chosen is None:
        return Stepped(acted(state, ids(stack)))
    decision = decision.by_word(forced)
    at = decision.chosen
    assert at is not None
    reckoned = fires.reckon(state, fresh, at)
    firers = (reckoned.shooter, *reckoned.support)
    if (held := fires.holds_fire(state, reckoned)) is not None:
        return Stepped(acted(state, ids(firers)), (held,), decision)
    told = f"{names(state, firers)} {plural(firers, 'fires', 'fire')} at {board_of(state).title(at)} (TA-4)"
    if state.options.resolution is Resolution.OWN:
        state = asking.ask(state, Ask.FIRE_RESULT, reckoned.shooter, at)
        return Stepped(state, (reckoned.factor.step,), decision, told)
    state, steps = fires.fire(state, fresh, at, dice)
    return Stepped(state, steps, decision, told)


def melee(state: TangaState, formation: str, dice: Dice, forced: Hex | None) -> Stepped | None:
    """The next stack attacks an adjacent hex by the chart, unless its hit chance is under 7 (TA-5, TA-H.7)."""
    stack = _next_stack(state, formation)
    if not stack:
        return None
    state, here = acted(state, ids(stack)), stack[0].at
    assert here is not None
    fought = any(unit.fought for unit in melees.fighters(units_at(state, here)))
    decision = None if fought else target.target(state, stack, melee=True)
    if decision is None or decision.chosen is None:
        return Stepped(state)
    decision = decision.by_word(forced)
    there = decision.chosen
    assert there is not None
    if not melees.begins(state, here, BRITISH, there):
        weak = melees.factor(state, here, BRITISH, there).step
        verdict = f"under {melees.least(state, BRITISH)}, they begin no melee"
        return Stepped(state, (weak.model_copy(update={"cite": melees.BEGINS_NONE, "verdict": verdict}),), decision)
    told = f"{names(state, stack)} {plural(stack, 'attacks', 'attack')} {board_of(state).title(there)} (TA-5)"
    if state.options.resolution is Resolution.OWN:
        return Stepped(asking.ask(state, Ask.MELEE_RESULT, stack[0], there), (), decision, told)
    state, steps = melees.melee(state, here, there, dice)
    return Stepped(state, steps, decision, told)


def rally(state: TangaState, formation: str, dice: Dice, _forced: Hex | None) -> Stepped | None:
    """The next disrupted unit in its RO hex tries to rally (TA-H.8)."""
    for unit in in_order(state, of_formation(state, formation)):
        if rallies.may_rally(unit) and unit.id not in state.british.acted:
            return _rally(acted(state, (unit.id,)), unit, dice)
    return None


def _rally(state: TangaState, unit: TangaUnit, dice: Dice) -> Stepped:
    if state.options.resolution is Resolution.OWN:
        return Stepped(asking.ask(state, Ask.RALLY_RESULT, unit, unit.at))
    state, steps = rallies.rally(state, unit.id, dice)
    told = f"{names(state, (unit,))} rallies (TA-H.8)" if state.units[unit.id].is_good else ""
    return Stepped(state, steps, told=told)


def _next_stack(state: TangaState, formation: str) -> Sequence[TangaUnit]:
    """Combat units in good order of the next hex, all together; nobody of a collapsed formation attacks (TA-7)."""
    if state.formation(formation).collapsed:
        return ()
    waiting = ready(state, formation, state.british.acted)
    if not waiting or waiting[0].at is None:
        return ()
    there = units_at(state, waiting[0].at)
    return in_order(state, (unit for unit in there if unit.is_good and unit.is_combat and unit in waiting))
