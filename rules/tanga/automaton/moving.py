"""Movement of stacks in good order: whither, building where they have come to, MGs out of reach (TA-9.B, TA-9.5)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, is_next_to
from rules.tanga.model import GERMAN, Arm, TangaState, TangaUnit
from rules.tanga.ways.next_hex import preferred
from rules.tanga.ways.prohibited import prohibited, stays_behind

from . import marching, objective
from .stacks import mf_left, ready, stack_of
from .stepped import Stepped, acted, ids, names

ENTRY = "TA-9.A"
GUN_AWAY = Cite(rule="TA-9.5", mark=Mark.RULING)
"""A revealed MG that begins next to a German moves away first."""
BUILDS = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def move(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next stack builds, stays, or sets out for its entry hex or objective; MGs next to Germans go first."""
    state = play.state
    if state.formation(formation).collapsed:
        return None
    waiting = ready(state, formation, state.british.acted)
    if not waiting:
        return None
    for unit in waiting:
        if unit.at is not None and stays_behind(state, (unit,), unit.at):
            return _gun_away(play, unit, forced)
    stack = stack_of(state, waiting[0], state.british.acted)
    decision = objective.objective(state, stack).by_word(forced)
    stack = tuple(unit for unit in stack if unit.id in decision.units)
    here, goal = stack[0].at, decision.chosen
    if goal is None or goal == here:
        return _stay(play, stack, decision)
    marching.begin(play, stack, goal, why=_whither(state, decision))
    return Stepped(decision)


def _whither(state: TangaState, decision: Decision) -> str:
    assert decision.chosen is not None
    kind = "entry hex" if decision.cite.rule == ENTRY else "objective"
    return f"{marching.TOWARDS}{kind} {board_of(state).title(decision.chosen)} ({decision.cite.rule})"


def _stay(play: Play[TangaState], stack: Sequence[TangaUnit], decision: Decision) -> Stepped:
    """Who the decision is for stays, and builds if it says so and there is leave to (TA-9.B rows 1 and 2, TA-H.8)."""
    acted(play, ids(stack))
    builder = next((unit for unit in stack if unit.arm is Arm.INFANTRY), stack[0])
    here, state = builder.at, play.state
    assert here is not None
    free = not builder.stirred and here not in state.improved and not is_next_to(state, here, GERMAN)
    if not objective.builds(decision) or builder.arm is not Arm.INFANTRY or not free:
        return Stepped(decision)
    play.change(builder.id, stirred=True)
    play.set(improved=tuple(sorted((*state.improved, here))))
    who, where = names(state, (builder,)), board_of(state).title(here)
    play.say(Step(text=f"{who} builds in {where}", cite=BUILDS, verdict="improved position"))
    return Stepped(decision, f"{who} builds an improved position in {where} (TA-9.B)")


def _gun_away(play: Play[TangaState], gun: TangaUnit, forced: Hex | None) -> Stepped:
    """The MG goes to a neighbouring hex that is next to no German, by the Move chart; if none is open it stays."""
    assert gun.at is not None
    state = play.state
    left, board = mf_left((gun,)), board_of(state)
    open_ = tuple(
        hex_
        for hex_ in gun.at.neighbours()
        if (board.cost(hex_) or left + 1) <= left and prohibited(state, (gun,), hex_, ending=True) is None
    )
    if not open_:
        acted(play, (gun.id,))
        return Stepped()
    goal, rows = preferred(state, (gun,), open_)
    decision = Decision(
        question=Question.STEP,
        chart="move",
        units=(gun.id,),
        candidates=open_,
        rows=rows,
        chosen=goal,
        why=f"{names(state, (gun,))}, next to Germans, moves away to {board.title(goal)}",
        cite=GUN_AWAY,
    ).by_word(forced)
    marching.begin(play, (gun,), decision.chosen or goal, why="away from Germans (TA-9.5)")
    return Stepped(decision)
