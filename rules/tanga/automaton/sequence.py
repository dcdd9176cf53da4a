"""The British turn as a chain of small steps: what comes next is a function of the state alone (TA-2, TA-H.0)."""

from collections.abc import Callable, Mapping

from rules.core.automaton.decisions import Stepped
from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.tanga.combat.retreats import begin_german_phase
from rules.tanga.model import BRITISH, Condition, Formation, TangaState
from rules.tanga.progress import BritishTurn, Stage, mark

from . import attacking, joining, marching, moving, preparing

__all__ = ["Stepped", "acting", "step"]

STAGES: Mapping[Stage, Callable[[Play[TangaState], Formation, Hex | None], Stepped | None]] = {
    Stage.RECOVER: preparing.recover,
    Stage.RETREAT: marching.retreat,
    Stage.DEBARK: preparing.debark,
    Stage.REORGANISE: joining.reorganise,
    Stage.MOVE: moving.move,
    Stage.LEADERS: joining.move_leaders,
    Stage.FIRE: attacking.fire,
    Stage.MELEE: attacking.melee,
    Stage.RALLY: attacking.rally,
}
"""What a formation does, in this order. Each takes the stage's next step for the formation, the umpire's word in place
of what it decides; None when it has nothing (more) to do there."""
ORDER = tuple(STAGES)
IN_ROUT = (Stage.RECOVER, Stage.RETREAT, Stage.LEADERS, Stage.RALLY)
"""What a collapsed formation does: it neither moves on nor attacks (TA-7)."""


def step(play: Play[TangaState], forced: Hex | None = None) -> Stepped:
    """Takes the next small step, `forced` in place of what it decides. Raises AssertionError while one is asked."""
    now = play.state.british
    assert now.asked is None, "a question holds the British turn up"
    if now.formation is None:
        return _begin(play)
    if now.march is not None:
        return marching.advance(play, now.march, forced)
    formation = play.state.formation(now.formation)
    acts = not formation.collapsed or now.stage in IN_ROUT
    if acts and (stepped := STAGES[now.stage](play, formation, forced)) is not None:
        return stepped
    if (place := ORDER.index(now.stage) + 1) < len(ORDER):
        mark(play, stage=ORDER[place], acted=())
        return Stepped()
    done = (*now.done, now.formation)
    play.set(british=BritishTurn(done=done, running=now.running, waved=now.waved, count=now.count))
    return Stepped() if acting(play.state) is not None else _begin(play)


def _begin(play: Play[TangaState]) -> Stepped:
    """The next formation begins; where all have acted, the Germans do."""
    if (formation := acting(play.state)) is None:
        begin_german_phase(play)
    else:
        mark(play, formation=formation.id, stage=ORDER[0], acted=())
    return Stepped()


def acting(state: TangaState) -> Formation | None:
    """The formation that acts, or acts next, of those on the map or still to land now; None when all have (TA-2)."""
    now = state.british
    if now.formation is not None:
        return state.formation(now.formation)
    lands = {one.id for one in state.formations.values() if one.arrives <= state.turn}
    alive = (unit for unit in state.units.values() if unit.condition is not Condition.ELIMINATED)
    able = {unit.formation for unit in alive if unit.on_map or (unit.is_combat and unit.formation in lands)}
    able -= {*now.done}
    left = (one for one in state.formations.values() if one.side == BRITISH and one.id in able)
    return min(left, key=lambda one: (one.order, one.id), default=None)
