"""The British turn as a chain of small steps: what comes next is a function of the state alone (TA-2, TA-H.0)."""

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.tanga.combat.retreats import begin_german_phase
from rules.tanga.field import of_formation
from rules.tanga.model import BRITISH, Condition, Formation, TangaState
from rules.tanga.progress import BritishTurn, Stage

from . import activation, landing, leaders, marching, moving, recovery, reorganise, retreating
from .stepped import StageRule, Stepped, mark

__all__ = ["Stepped", "acting", "is_over", "step"]

STAGES: dict[Stage, StageRule] = {
    Stage.RECOVER: recovery.recover,
    Stage.RETREAT: retreating.retreat,
    Stage.DEBARK: landing.debark,
    Stage.REORGANISE: reorganise.reorganise,
    Stage.MOVE: moving.move,
    Stage.LEADERS: leaders.move_leaders,
    Stage.FIRE: activation.fire,
    Stage.MELEE: activation.melee,
    Stage.RALLY: activation.rally,
}
ORDER = tuple(STAGES)


def step(play: Play[TangaState], forced: Hex | None = None) -> Stepped:
    """Takes the next small step; `forced` is taken in place of what the step decides.

    Raises AssertionError while a question is open, or when there is no formation left to act.
    """
    now = play.state.british
    assert now.asked is None, "a question holds the British turn up"
    if now.formation is None:
        return _begin(play)
    if now.march is not None:
        return marching.advance(play, forced)
    return STAGES[now.stage](play, now.formation, forced) or _next_stage(play)


def acting(state: TangaState) -> Formation | None:
    """The formation that acts, or acts next; None when all have (TA-2)."""
    now = state.british
    if now.formation is not None:
        return state.formation(now.formation)
    left = (one for one in state.formations.values() if one.side == BRITISH and one.id not in now.done)
    return min((one for one in left if _can_act(state, one)), key=lambda one: (one.order, one.id), default=None)


def is_over(state: TangaState) -> bool:
    """Whether every formation has acted."""
    return acting(state) is None


def _can_act(state: TangaState, formation: Formation) -> bool:
    """Whether anybody of a formation is on the map, or still to land now."""
    come = formation.arrives <= state.turn
    units = of_formation(state, formation.id)
    return any(
        unit.on_map or (come and unit.condition is not Condition.ELIMINATED and unit.is_combat) for unit in units
    )


def _begin(play: Play[TangaState]) -> Stepped:
    formation = acting(play.state)
    if formation is None:
        begin_german_phase(play)
    else:
        mark(play, formation=formation.id, stage=ORDER[0], acted=())
    return Stepped()


def _next_stage(play: Play[TangaState]) -> Stepped:
    """On to the next stage; after the last the formation has acted, and after the last formation come the Germans."""
    now = play.state.british
    place = ORDER.index(now.stage) + 1
    if place < len(ORDER):
        mark(play, stage=ORDER[place], acted=())
        return Stepped()
    assert now.formation is not None
    done = BritishTurn(done=(*now.done, now.formation), running=now.running, waved=now.waved, count=now.count)
    play.set(british=done)
    return _begin(play) if is_over(play.state) else Stepped()
