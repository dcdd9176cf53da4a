"""Leaders whom no stack needs, and command officers, go where they are needed, or back to their own (TA-9.6)."""

from collections.abc import Collection, Iterable

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, of_formation, units_at
from rules.tanga.model import BRITISH, Arm, TangaState, TangaUnit
from rules.tanga.ways.next_hex import preferred
from rules.tanga.ways.prohibited import prohibited

from . import marching
from .reorganise import leads
from .stacks import has_leader
from .stepped import Stepped, acted, ids, in_order, names

LEADERS = Cite(rule="TA-9.6")
NEAREST = Cite(rule="TA-9.6", mark=Mark.RULING)
"""Of equally near hexes the one the Move chart prefers."""


def move_leaders(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next leader sets out."""
    for leader in in_order(play.state, _idle(play.state, formation)):
        decision = _whither(play.state, leader)
        if decision is None:
            acted(play, ids((leader,)))
            continue
        decision = decision.by_word(forced)
        assert decision.chosen is not None
        why = f"to units at {board_of(play.state).title(decision.chosen)} (TA-9.6)"
        marching.begin(play, (leader,), decision.chosen, why=why)
        return Stepped(decision)
    return None


def _idle(state: TangaState, formation: str) -> Iterable[TangaUnit]:
    """Leaders that have not moved: those of battalions who lead nobody in good order, and every command officer."""
    for unit in of_formation(state, formation):
        idle = unit.is_leader and unit.on_map and unit.id not in state.british.acted and not unit.moved
        if idle and (unit.arm is Arm.COMMANDER or not leads(state, unit, good=True)):
            yield unit


def _whither(state: TangaState, leader: TangaUnit) -> Decision | None:
    """The nearest hex that wants him: disrupted without a leader, else those of his formation; None: he stays."""
    commands = leader.arm is Arm.COMMANDER
    own = [unit for unit in _friends(state) if unit.formation == leader.formation]
    alone = [unit for unit in (_friends(state) if commands else own) if unit.is_disrupted]
    here = units_at(state, leader.at) if leader.at else ()
    others = [unit for unit in here if unit.is_leader and unit.id != leader.id]
    if any(unit.is_disrupted for unit in here) and not others:
        return None
    needy = {unit.at for unit in alone if unit.at is not None and not has_leader(state, unit)}
    first = _nearest(state, leader, needy, "disrupted units without a leader")
    if first is not None:
        return first
    return _nearest(state, leader, {unit.at for unit in own if unit.at is not None}, "units of his formation")


def _friends(state: TangaState) -> list[TangaUnit]:
    return [unit for unit in state.units.values() if unit.side == BRITISH and unit.on_map and unit.is_combat]


def _nearest(state: TangaState, leader: TangaUnit, wanted: Collection[Hex], what: str) -> Decision | None:
    """The nearest of some hexes; None where there is none, or he is in one."""
    assert leader.at is not None
    open_ = {hex_ for hex_ in wanted if prohibited(state, (leader,), hex_, ending=True) is None}
    if not open_ or leader.at in wanted:
        return None
    least = min(leader.at.distance(hex_) for hex_ in open_)
    candidates = tuple(sorted(hex_ for hex_ in open_ if leader.at.distance(hex_) == least))
    goal, rows = preferred(state, (leader,), candidates)
    return Decision(
        question=Question.LEADER,
        chart="move" if rows else "",
        units=(leader.id,),
        candidates=candidates,
        rows=rows,
        chosen=goal,
        why=f"{names(state, (leader,))} goes to the nearest {what}, in {board_of(state).title(goal)}",
        cite=NEAREST if len(candidates) > 1 else LEADERS,
    )
