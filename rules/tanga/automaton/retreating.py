"""Retreat of the disrupted, rout of the collapsed: choosing the RO hex and going there (TA-6, TA-7, TA-9.C)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat.retreats import in_parties
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, has_room, nearest, of_formation, units_at
from rules.tanga.model import GERMAN, Arm, TangaState, TangaUnit
from rules.tanga.ways.next_hex import preferred
from rules.tanga.ways.prohibited import prohibited
from rules.tanga.ways.retreat_hex import retreat_hex

from . import marching
from .stacks import MOST
from .stepped import Stepped, acted, ids, in_order, names, plural

STAYS = Cite(rule="TA-9")
GATHERS = Cite(rule="TA-6", mark=Mark.RULING)
"""Who retreats alone joins another company that has retreated, where it is within reach and no nearer to Germans."""


def retreat(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next stack sets out for its RO hex, or is marked where it stands."""
    state = play.state
    rout = state.formation(formation).collapsed
    waiting = [
        unit
        for unit in of_formation(state, formation)
        if unit.on_map and unit.is_combat and unit.id not in state.british.acted and (rout or unit.is_disrupted)
    ]
    if not waiting:
        return None
    lead = in_order(state, waiting)[0]
    together, _ = in_parties(state, in_order(state, (unit for unit in waiting if unit.at == lead.at)))
    stack = _with_leaders(state, together)
    most = state.options.rout_hexes if rout else state.options.retreat_hexes
    decision = _gathering(state, stack, most) or _choice(state, stack, rout=rout)
    if decision is None:
        return _go(play, stack, lead.ro, most)
    decision = decision.by_word(forced)
    return _go(play, stack, decision.chosen, most, decision)


def _with_leaders(state: TangaState, stack: Sequence[TangaUnit]) -> tuple[TangaUnit, ...]:
    """Leaders of the formation go with the last units of their hex (TA-6)."""
    assert stack[0].at is not None
    there = [unit for unit in units_at(state, stack[0].at) if unit.formation == stack[0].formation]
    if any(unit.is_combat and unit not in stack for unit in there):
        return tuple(stack)
    return (*stack, *(unit for unit in there if unit.is_leader))


def _choice(state: TangaState, stack: Sequence[TangaUnit], *, rout: bool) -> Decision | None:
    """A new RO hex; None where the one it has is kept, unless a German has come near (TA-9.C)."""
    lead = stack[0]
    assert lead.at is not None
    near = nearest(state, lead.at, GERMAN)
    if lead.ro is not None and (near is None or near > state.options.ro_kept_beyond):
        return None
    return retreat_hex(state, stack, rout=rout)


def _go(
    play: Play[TangaState], stack: Sequence[TangaUnit], ro: Hex | None, most: int, decision: Decision | None = None
) -> Stepped:
    """Marks the stack as retreating, and sends it on its way unless it is in its RO hex already."""
    here = stack[0].at
    assert here is not None
    ro = ro or here
    marked = tuple(unit.model_copy(update={"ro": ro, "retreating": True}) if unit.is_combat else unit for unit in stack)
    play.state = play.state.with_unit(*marked)
    who, title = names(play.state, marked), board_of(play.state).title(ro)
    if ro != here:
        marching.begin(play, marked, ro, hexes=most, why=f"{marching.TOWARDS}RO hex {title} (TA-9.C)")
        return Stepped(decision)
    acted(play, ids(marked))
    play.say(Step(text=f"{who} in RO hex {title}", cite=STAYS, verdict="retreating, stays"))
    return Stepped(decision, f"{who} {plural(marked, 'stays', 'stay')} in RO hex {title} (TA-9)")


def _gathering(state: TangaState, stack: Sequence[TangaUnit], most: int) -> Decision | None:
    """Where a company that retreats alone joins another, as in reorganising: the nearest, by the Move chart (TA-6)."""
    combat = [unit for unit in stack if unit.is_combat]
    lead, here = stack[0], stack[0].at
    assert here is not None
    if len(combat) > 1 or lead.arm is not Arm.INFANTRY:
        return None
    own = nearest(state, here, GERMAN)
    found = []
    for unit in (state.units[key] for key in state.british.acted):
        if unit.at is None or not 0 < here.distance(unit.at) <= most or not _lacks(state, unit.at, lead):
            continue
        near = nearest(state, unit.at, GERMAN)
        if near is None or own is None or near >= own:
            found.append(unit.at)
    least = min((here.distance(hex_) for hex_ in found), default=0)
    candidates = tuple(sorted({hex_ for hex_ in found if here.distance(hex_) == least}))
    if not candidates:
        return None
    goal, rows = preferred(state, (lead,), candidates)
    return Decision(
        question=Question.STACK,
        chart="move",
        units=ids(stack),
        candidates=candidates,
        rows=rows,
        chosen=goal,
        why=f"{names(state, stack)} join the nearest that retreat, to rally together",
        cite=GATHERS,
    )


def _lacks(state: TangaState, hex_: Hex, unit: TangaUnit) -> bool:
    """Whether a single disrupted company of its formation is in the hex, with room for another."""
    there = [one for one in units_at(state, hex_) if one.formation == unit.formation and one.arm is Arm.INFANTRY]
    if not 0 < len(there) < MOST[Arm.INFANTRY] or any(one.is_good for one in there):
        return False
    return has_room(state, hex_, unit.formation, (unit,)) and not prohibited(state, (unit,), hex_, ending=True)
