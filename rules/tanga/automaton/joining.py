"""Joining of units into full stacks (a leader, two infantry, an MG), and leaders sent to units in need (TA-9)."""

from collections.abc import Collection, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga import victory
from rules.tanga.field import board_of, of_formation
from rules.tanga.model import BRITISH, Arm, Formation, Kind, TangaState, TangaUnit
from rules.tanga.progress import Decision, Question
from rules.tanga.ways import decide, may_end

from . import marching
from .preparing import enter_roll
from .stacks import MOST, companions, garrisons, ids, in_order, mark_acted, mf_left, names, ready, stack_of
from .step_results import StepResult

COMES = Cite(rule="TA-9.1", mark=Mark.RULING)
"""Citation for the choice of a stack to join: the fullest, then the nearest, then by the Move chart."""
LEADERS = Cite(rule="TA-9.6")
NEAREST = Cite(rule="TA-9.6", mark=Mark.RULING)
"""Citation for the choice by the Move chart among equally near hexes."""


def reorganise(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unit that joins a stack: lone company, MG without infantry, idle leader (TA-9.1).

    Return None if no unit is left to join.
    """
    if (rolled := enter_roll(play, formation)) is not None:
        return rolled
    state = play.state
    singles = _units_to_join(state, formation.id) if formation.kind is not Kind.STAFF else []
    guns = [(unit, 0) for unit, _ in singles if unit.arm is not Arm.INFANTRY]
    found = ((unit, hosts) for unit, least in singles + guns if (hosts := _stacks_to_join(state, unit, least)))
    unit, hosts = next(found, (None, ()))
    if unit is None:
        return None
    joins, title = f"{names(state, (unit,))} joins the stack that lacks it, in", board_of(state).title
    decision = decide(state, (unit,), Question.STACK, hosts, COMES, lambda hex_, _: f"{joins} {title(hex_)}")
    decision = decision.by_word(forced)
    others = in_order(state, (one for one in units_at(state, decision.taken) if one.is_good and one.is_combat))
    mark_acted(play, ids((unit,)))
    marching.begin(play, (unit,), decision.taken, why=f"to join {names(state, others)}", rule="TA-9.1")
    return StepResult(decision)


def _units_to_join(state: TangaState, formation: str) -> list[tuple[TangaUnit, int]]:
    """Return the units that should join others, each with its present stack size.

    Combat units come first, last in acting order first, then idle leaders. Companies needed by a leader or gun stay,
    and so does every unit in a victory hex.
    """
    settled, kept, single = state.british.acted, victory.hexes(state), _lone_units(state, formation)
    alone = [unit for unit in ready(state, formation, settled) if unit.id in single and not _is_needed(state, unit)]
    leaders = (one for one in of_formation(state, formation) if one.is_leader and one.on_map and one.id not in settled)
    idle = (leader for leader in in_order(state, leaders) if not _leads(state, leader, good=False))
    return [(unit, single.get(unit.id, 1)) for unit in (*reversed(alone), *idle) if unit.at not in kept]


def _lone_units(state: TangaState, formation: str) -> dict[str, int]:
    """Return the units that would move without another company, by id, each with its stack's size."""
    alone: dict[str, int] = {}
    stacked = {unit.id for unit in ready(state, formation) if garrisons(state, unit)}
    for lead in ready(state, formation):
        if lead.id in stacked or lead.arm not in MOST:
            continue
        stack = stack_of(state, lead, stacked)
        stacked |= set(ids(stack))
        companies = {unit.id for unit in stack if unit.arm is Arm.INFANTRY}
        alone |= {unit.id: len(stack) for unit in stack if unit.is_combat and not companies - {unit.id}}
    return alone


def _is_needed(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit is the only infantry with a leader, MG or artillery, which it must not leave alone (TA-9.1)."""
    there = [one for one in companions(state, unit) if one.id != unit.id]
    good = [one for one in there if one.is_good and one.is_combat]
    if unit.arm is not Arm.INFANTRY or any(one.arm is Arm.INFANTRY for one in good):
        return False
    return bool(good) or (any(one.is_leader for one in there) and not any(one.is_combat for one in there))


def _leads(state: TangaState, leader: TangaUnit, *, good: bool) -> bool:
    """Whether the leader is the first leader in his hex and has combat units there; if `good`, one in good order."""
    there = companions(state, leader)
    first = next(unit for unit in in_order(state, there) if unit.is_leader)
    return first.id == leader.id and any(unit.is_combat and (unit.is_good or not good) for unit in there)


def _stacks_to_join(state: TangaState, unit: TangaUnit, least: int) -> Sequence[Hex]:
    """Return the reachable hexes with stacks of at least `least` units that lack such a unit (TA-9.1).

    Only the fullest stacks count, then the nearest. Reach counts ways and room, not MF alone (ruling).
    """
    here, left = unit_hex(unit), mf_left((unit,))
    own = {unit_hex(one) for one in ready(state, unit.formation)} - {here}
    near = {hex_ for hex_ in own if here.distance(hex_) <= left and _can_use(state, hex_, unit, least)}
    found = {hex_ for hex_ in near if marching.arrives(state, (unit,), hex_)}
    worth = {hex_: (-_stack_size(companions(state, unit, hex_)), here.distance(hex_)) for hex_ in found}
    return sorted(hex_ for hex_ in worth if worth[hex_] == min(worth.values()))


def _can_use(state: TangaState, hex_: Hex, unit: TangaUnit, least: int) -> bool:
    """Whether a hex's stack has at least `least` units, can use another unit of this arm, and has room for the unit.

    A company may join a leader and an MG without infantry; all other units join companies only.
    """
    there = [one for one in companions(state, unit, hex_) if one.is_good]
    moving = [one for one in there if one.arm in MOST and not garrisons(state, one)]
    companies = unit.arm is Arm.INFANTRY or any(one.arm is Arm.INFANTRY for one in moving)
    if not companies or not any(one.is_combat for one in moving) or _stack_size(there) < least:
        return False
    same = sum(one.is_leader if unit.is_leader else one.arm is unit.arm for one in there)
    return same < MOST[unit.arm] and may_end(state, (unit,), hex_)


def _stack_size(units: Sequence[TangaUnit]) -> int:
    """Return the number of good-order units that count for a full stack: one leader, two infantry, one MG (TA-9.1)."""
    arms = [Arm.LEADER if unit.is_leader else unit.arm for unit in units if unit.is_good]
    return sum(min(arms.count(arm), MOST[arm]) for arm in (Arm.LEADER, Arm.INFANTRY, Arm.MACHINE_GUN))


def move_leaders(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unmoved leader without units to lead, or command officer (TA-9.6).

    Return None if no leader is left to move.
    """
    state = play.state
    leaders = (unit for unit in of_formation(state, formation.id) if unit.is_leader and unit.on_map and not unit.moved)
    for leader in in_order(state, (one for one in leaders if one.id not in state.british.acted)):
        if leader.arm is not Arm.COMMANDER and _leads(state, leader, good=True):
            continue
        if (decision := _choose_needy_hex(state, leader)) is None:
            mark_acted(play, ids((leader,)))
            continue
        decision = decision.by_word(forced)
        why = f"to units at {board_of(state).title(decision.taken)}"
        marching.begin(play, (leader,), decision.taken, why=why, rule="TA-9.6")
        return StepResult(decision)
    return None


def _choose_needy_hex(state: TangaState, leader: TangaUnit) -> Decision | None:
    """Return the choice of the nearest hex in need of the leader; None if he stays.

    Disrupted units come first, then his formation's units.
    """
    here = unit_hex(leader)
    friends = [unit for unit in state.units.values() if unit.side == BRITISH and unit.on_map and unit.is_combat]
    own = [unit for unit in friends if unit.formation == leader.formation]
    alone = [unit for unit in (friends if leader.arm is Arm.COMMANDER else own) if unit.is_disrupted]
    led = {unit.at for unit in state.units.values() if unit.is_leader and unit.id != leader.id}
    if here not in led and any(unit.is_disrupted for unit in units_at(state, here)):
        return None
    needy = {unit_hex(unit) for unit in alone} - led - {here}
    found = _choose_nearest(state, leader, needy, "disrupted units without a leader")
    return found or _choose_nearest(state, leader, {unit_hex(unit) for unit in own}, "units of his formation")


def _choose_nearest(state: TangaState, leader: TangaUnit, wanted: Collection[Hex], what: str) -> Decision | None:
    """Return the choice of the nearest open `wanted` hex; None without such a hex, or if the leader is in one."""
    here, title, who = unit_hex(leader), board_of(state).title, names(state, (leader,))
    open_ = [hex_ for hex_ in wanted if may_end(state, (leader,), hex_)]
    if not open_ or here in wanted:
        return None
    nearest = sorted(hex_ for hex_ in open_ if here.distance(hex_) == min(map(here.distance, open_)))
    goes = f"{who} goes to the nearest {what}, in"
    decision = decide(state, (leader,), Question.LEADER, nearest, NEAREST, lambda hex_, _: f"{goes} {title(hex_)}")
    return decision if decision.rows else decision.model_copy(update={"chart": "", "cite": LEADERS})
