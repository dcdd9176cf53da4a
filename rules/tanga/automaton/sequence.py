"""The British turn as a sequence of small steps, with its report (TA-2, TA-H.0)."""

from collections.abc import Callable, Iterable, Mapping

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.tanga.combat.retreats import begin_german_phase
from rules.tanga.model import BRITISH, Condition, Formation, TangaState
from rules.tanga.progress import BritishTurn, Stage, change_progress

from . import attacking, joining, marching, moving, preparing
from .step_results import StepResult, activation_headline

MOST_STEPS = 20_000
"""Maximum number of steps in an activation. More steps would mean an endless loop."""
STAGES: Mapping[Stage, Callable[[Play[TangaState], Formation, Hex | None], StepResult | None]] = {
    Stage.RECOVER: preparing.prepare_formation,
    Stage.RETREAT: marching.retreat_next_stack,
    Stage.DEBARK: preparing.land_next_stack,
    Stage.REORGANISE: joining.join_next_unit,
    Stage.MOVE: moving.move_next_stack,
    Stage.LEADERS: joining.move_next_leader,
    Stage.FIRE: attacking.fire_with_next_stack,
    Stage.MELEE: attacking.attack_with_next_stack,
    Stage.RALLY: attacking.rally_next_unit,
}
"""A formation's stages in order, each with the function that carries out the next step of the stage.

The function's last argument is the hex that the umpire chooses in place of the card. The function returns None once the
stage is complete.
"""
STAGE_ORDER = tuple(STAGES)
ROUT_STAGES = (Stage.RECOVER, Stage.RETREAT, Stage.LEADERS, Stage.RALLY)
"""Stages of a collapsed formation, which neither moves on nor attacks (TA-7)."""


def play_step(play: Play[TangaState], forced: Hex | None = None) -> StepResult:
    """Carry out the next step of the British turn. The hex `forced` overrules the card's choice.

    Raises AssertionError while a question is open.
    """
    now = play.state.british
    assert now.asked is None, "a question holds the British turn up"
    if now.formation is None:
        return _activate_next_formation(play)
    if now.march is not None:
        return marching.advance_march(play, now.march, forced)
    formation = play.state.formation(now.formation)
    acts = not formation.collapsed or now.stage in ROUT_STAGES
    if acts and (stepped := STAGES[now.stage](play, formation, forced)) is not None:
        return stepped
    if (place := STAGE_ORDER.index(now.stage) + 1) < len(STAGE_ORDER):
        change_progress(play, stage=STAGE_ORDER[place], acted=())
        return StepResult()
    done = (*now.done, now.formation)
    play.set(british=BritishTurn(done=done, running=now.running, waved=now.waved, count=now.count))
    return StepResult() if acting_formation(play.state) is not None else _activate_next_formation(play)


def _activate_next_formation(play: Play[TangaState]) -> StepResult:
    """Activate the next formation; after the last one, begin the German phases."""
    if (formation := acting_formation(play.state)) is None:
        begin_german_phase(play)
    else:
        change_progress(play, formation=formation.id, stage=STAGE_ORDER[0], acted=())
    return StepResult()


def acting_formation(state: TangaState) -> Formation | None:
    """Return the active formation, or the next formation on the map or due to land; None after the last (TA-2)."""
    now = state.british
    if now.formation is not None:
        return state.formation(now.formation)
    lands = {formation.id for formation in state.formations.values() if formation.arrives <= state.turn}
    alive = (unit for unit in state.units.values() if unit.condition is not Condition.ELIMINATED)
    able = {unit.formation for unit in alive if unit.on_map or (unit.is_combat and unit.formation in lands)}
    able -= {*now.done}
    british = [formation for formation in state.formations.values() if formation.side == BRITISH]
    candidates = [formation for formation in british if formation.id in able]
    return min(candidates, key=lambda formation: (formation.order, formation.id), default=None)


def play_steps(
    play: Play[TangaState], first: Callable[[Play[TangaState]], StepResult] = play_step, *, one_decision: bool = False
) -> str:
    """Carry out steps until the formation has acted or a question opens; return the headline.

    With `one_decision`, also stop after a decision. Raises AssertionError for an endless loop.
    """
    formation, steps = acting_formation(play.state), list[StepResult]()
    while len(steps) < MOST_STEPS:
        before, result = play.state, (play_step if steps else first)(play)
        steps.append(result)
        if result.decision is not None:
            last = before.model_copy(update={"before_last": None, "decisions": ()})
            play.set(decisions=(*before.decisions, result.decision), before_last=last)
            play.tell(units=tuple(dict.fromkeys((*play.report.units, *result.decision.units))))
        now = play.state.british
        if now.asked is not None or now.formation is None or (one_decision and result.decision is not None):
            return describe_activation(play.state, formation, steps)
    raise AssertionError(f"{formation}: the British turn does not come to its end")


def describe_activation(state: TangaState, formation: Formation | None, steps: Iterable[StepResult]) -> str:
    """Return a headline with the actions of each stack, or with the reason why no stack acted."""
    if formation is None:
        return "The British turn ends."
    return activation_headline(formation.name, steps, state.decisions[-1].why if state.decisions else "nothing to do")
