"""The British turn as a chain of small steps, each of the state alone; played on, told and explained (TA-2, TA-H.0)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from rules.core.automaton.decisions import Stepped, explained, headline
from rules.core.catalog import Explained
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.combat.retreats import begin_german_phase
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, Condition, Formation, TangaState, TangaUnit
from rules.tanga.progress import BritishTurn, Decision, Stage, mark
from rules.tanga.scene import scene

from . import attacking, joining, marching, moving, preparing
from .stacks import names

TRACE = Cite(rule="TA-0.3", mark=Mark.RULING)
MOST_STEPS = 20_000
"""Far more small steps than the largest formation's activation can have."""
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


def play_on(
    play: Play[TangaState], first: Callable[[Play[TangaState]], Stepped] = step, *, one_decision: bool = False
) -> str:
    """Plays until the formation has acted, something is asked or, if told so, the first decision; returns the headline.

    Decisions are kept, with the state before the last, for overruling. Raises AssertionError rather than play for ever.
    """
    formation, steps = acting(play.state), list[Stepped]()
    while len(steps) < MOST_STEPS:
        before, taken = play.state, (step if steps else first)(play)
        steps.append(taken)
        if taken.decision is not None:
            last = before.model_copy(update={"before_last": None, "decisions": ()})
            play.set(decisions=(*before.decisions, taken.decision), before_last=last)
            play.tell(units=tuple(dict.fromkeys((*play.report.units, *taken.decision.units))))
        now = play.state.british
        if now.asked is not None or now.formation is None or (one_decision and taken.decision is not None):
            return told(play.state, formation, steps)
    raise AssertionError(f"{formation}: the British turn does not come to its end")


def told(state: TangaState, formation: Formation | None, steps: Iterable[Stepped]) -> str:
    """What each stack of the formation did; where nobody did anything, why."""
    if formation is None:
        return "The British turn ends."
    return headline(formation.name, steps, state.decisions[-1].why if state.decisions else "nothing to do")


def explain(state: TangaState, number: int | None) -> Explained | None:
    """Decision `number` of those of the last activation, or its newest real choice; None where nothing was decided.

    Raises Refused on a number that none of them has.
    """
    return explained(
        state.decisions,
        number,
        partial(about, state),
        board_of(state).title,
        whose=lambda decision: next((state.formation(unit.formation).name for unit in _still(state, decision)), ""),
        scene=scene(state),
        side=BRITISH,
        cite=TRACE,
        followed=state.retreats,
    )


def about(state: TangaState, decision: Decision) -> str:
    """`target of A and B`: what was decided, and whose it was."""
    return f"{decision.question.value} of {names(state, _still(state, decision))}"


def _still(state: TangaState, decision: Decision) -> Sequence[TangaUnit]:
    """Those it was made for who are still counters of the game."""
    return [state.units[unit] for unit in decision.units if unit in state.units]
