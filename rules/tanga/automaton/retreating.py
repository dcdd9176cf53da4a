"""Retreat of the disrupted, rout of the collapsed: choosing the RO hex and going there (TA-6, TA-7, TA-9.C)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hex_of, nearest_of
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.combat.retreats import in_parties
from rules.tanga.field import board_of, of_formation
from rules.tanga.model import GERMAN, Arm, Formation, TangaState, TangaUnit
from rules.tanga.progress import Decision, Question
from rules.tanga.ways import decide, may_end, retreat_hex

from . import marching
from .stacks import MOST, Stepped, acted, companions, does, ids, in_order, names

STAYS = Cite(rule="TA-9")
GATHERS = Cite(rule="TA-6", mark=Mark.RULING)
"""Who retreats alone joins another company that has retreated, where it is within reach and no nearer to Germans."""


def retreat(play: Play[TangaState], formation: Formation, forced: Hex | None) -> Stepped | None:
    """The next stack sets out for its RO hex, or is marked as retreating where it stands, being there already.

    It keeps the RO hex it has unless a German has come near (TA-9.C). Leaders go with the last of their hex (TA-6).
    """
    state, rout = play.state, formation.collapsed
    units = (unit for unit in of_formation(state, formation.id) if unit.on_map and unit.is_combat)
    waiting = [one for one in units if one.id not in state.british.acted and (rout or one.is_disrupted)]
    if not waiting:
        return None
    lead = in_order(state, waiting)[0]
    stack, _ = in_parties(state, in_order(state, (unit for unit in waiting if unit.at == lead.at)))
    there = companions(state, lead)
    if not any(unit.is_combat and unit not in stack for unit in there):
        stack = (*stack, *(unit for unit in there if unit.is_leader))
    here, near = hex_of(lead), nearest_of(state, hex_of(lead), GERMAN)
    most = state.options.rout_hexes if rout else state.options.retreat_hexes
    decision = _gathering(state, stack, most)
    if decision is None and (lead.ro is None or (near is not None and near <= state.options.ro_kept_beyond)):
        decision = retreat_hex(state, stack, rout=rout)
    decision = decision and decision.by_word(forced)
    goal = decision.taken if decision else lead.ro or here
    marked = [one.model_copy(update={"ro": goal, "retreating": True}) if one.is_combat else one for one in stack]
    play.state = state.with_unit(*marked)
    title = board_of(state).title(goal)
    if goal != here:
        why = f"{marching.TOWARDS}RO hex {title} (TA-9.C)"
        return marching.begin(play, marked, goal, decision, hexes=most, why=why)
    acted(play, ids(marked))
    play.note(f"{names(state, marked)} in RO hex {title}", STAYS, "retreating, stays")
    return Stepped(decision, f"{does(state, marked, 'stay')} in RO hex {title} (TA-9)")


def _gathering(state: TangaState, stack: Sequence[TangaUnit], most: int) -> Decision | None:
    """Where a company that retreats alone joins another, as in reorganising: the nearest, by the Move chart (TA-6)."""
    lead, here = stack[0], hex_of(stack[0])
    own = nearest_of(state, here, GERMAN)
    if sum(unit.is_combat for unit in stack) > 1 or lead.arm is not Arm.INFANTRY:
        return None
    found = set()
    for hex_ in {unit.at for unit in map(state.unit, state.british.acted) if unit.at is not None}:
        near = nearest_of(state, hex_, GERMAN)
        further = near is None or own is None or near >= own
        if further and 0 < here.distance(hex_) <= most and _lacks(state, hex_, lead):
            found.add(hex_)
    if not found:
        return None
    hexes = sorted(hex_ for hex_ in found if here.distance(hex_) == min(map(here.distance, found)))
    joins = f"{names(state, stack)} join the nearest that retreat, to rally together"
    return decide(state, stack, Question.STACK, hexes, GATHERS, lambda _hex, _row: joins)


def _lacks(state: TangaState, hex_: Hex, unit: TangaUnit) -> bool:
    """Whether a single disrupted company of its formation is in the hex, with room for another."""
    there = [one for one in companions(state, unit, hex_) if one.arm is Arm.INFANTRY]
    if not 0 < len(there) < MOST[Arm.INFANTRY] or any(one.is_good for one in there):
        return False
    return may_end(state, (unit,), hex_)
