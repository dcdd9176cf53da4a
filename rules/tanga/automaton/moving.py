"""Movement of stacks in good order: where to, building where they have come to, MGs out of reach (TA-9.B, TA-9.5)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, hex_of, is_next_to
from rules.tanga.model import GERMAN, Arm, TangaState, TangaUnit
from rules.tanga.ways.choosing import decide
from rules.tanga.ways.prohibited import prohibited, stays_behind

from . import marching
from .objective import ENTRY, builds, objective
from .stacks import Stepped, acted, ids, mf_left, names, ready, stack_of

GUN_AWAY = Cite(rule="TA-9.5", mark=Mark.RULING)
"""A revealed MG that begins next to a German moves away first."""
BUILDS = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def move(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next stack builds, stays, or sets out for its entry hex or objective; MGs next to Germans go first."""
    state, done = play.state, play.state.british.acted
    waiting = () if state.formation(formation).collapsed else ready(state, formation, done)
    if not waiting:
        return None
    if gun := next((unit for unit in waiting if stays_behind(state, (unit,), hex_of(unit))), None):
        return _gun_away(play, gun, forced)
    stack = stack_of(state, waiting[0], done)
    decision = objective(state, stack).by_word(forced)
    stack, goal = tuple(unit for unit in stack if unit.id in decision.units), decision.chosen
    if goal is None or goal == stack[0].at:
        return _stay(play, stack, decision)
    kind = "entry hex" if decision.cite == ENTRY else "objective"
    why = f"{marching.TOWARDS}{kind} {board_of(state).title(goal)} ({decision.cite.rule})"
    marching.begin(play, stack, goal, why=why)
    return Stepped(decision)


def _stay(play: Play[TangaState], stack: Sequence[TangaUnit], decision: Decision) -> Stepped:
    """Who the decision is for stays, and builds if it says so and there is leave to (TA-9.B rows 1 and 2, TA-H.8)."""
    acted(play, ids(stack))
    state, builder = play.state, next((unit for unit in stack if unit.arm is Arm.INFANTRY), None)
    if builder is None or builder.stirred or not builds(decision):
        return Stepped(decision)
    here = hex_of(builder)
    if here in state.improved or is_next_to(state, here, GERMAN):
        return Stepped(decision)
    play.change(builder.id, stirred=True)
    play.set(improved=tuple(sorted((*state.improved, here))))
    who, where = names(state, (builder,)), board_of(state).title(here)
    play.say(Step(text=f"{who} builds in {where}", cite=BUILDS, verdict="improved position"))
    return Stepped(decision, f"{who} builds an improved position in {where} (TA-9.B)")


def _gun_away(play: Play[TangaState], gun: TangaUnit, forced: Hex | None) -> Stepped:
    """The MG goes to a neighbouring hex that is next to no German, by the Move chart; if none is open it stays."""
    state, left, board = play.state, mf_left((gun,)), board_of(play.state)
    near = (hex_ for hex_ in hex_of(gun).neighbours() if (board.cost(hex_) or left + 1) <= left)
    open_ = tuple(hex_ for hex_ in near if prohibited(state, (gun,), hex_, ending=True) is None)
    if not open_:
        acted(play, (gun.id,))
        return Stepped()
    away = f"{names(state, (gun,))}, next to Germans, moves away to"
    decision = decide(state, (gun,), Question.STEP, open_, GUN_AWAY, lambda hex_, _: f"{away} {board.title(hex_)}")
    decision = decision.by_word(forced)
    marching.begin(play, (gun,), decision.taken, why="away from Germans (TA-9.5)")
    return Stepped(decision)
