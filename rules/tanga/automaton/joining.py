"""Joining of units into full stacks (a leader, two infantry, an MG), and leaders sent to units in need (TA-9)."""

from collections.abc import Collection, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex, units_at
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga import victory
from rules.tanga.field import board_of, formation_units
from rules.tanga.model import BRITISH, Arm, Formation, Kind, TangaState, TangaUnit
from rules.tanga.progress import Decision, Question
from rules.tanga.ways import can_enter, choose_hex

from . import marching
from .preparing import throw_for_entry_hex
from .stacks import (
    MOST,
    formation_stack,
    good_order_units,
    least_mf_left,
    mark_acted,
    moving_stack,
    must_hold_victory_hex,
    short_names,
    sort_units,
    unit_ids,
)
from .step_results import StepResult

STACK_CHOICE = Cite(rule="TA-9.1", mark=Mark.RULING)
"""Citation for the order in which a stack to join is chosen: the fullest, then the nearest, then by the Move chart."""
LEADERS = Cite(rule="TA-9.6")
NEAREST = Cite(rule="TA-9.6", mark=Mark.RULING)
"""Citation for the choice by the Move chart among equally near hexes."""


def join_next_unit(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unit that joins a stack: a lone company, an MG without infantry, an idle leader.

    Return None if no unit is left that can join a stack (TA-9.1).
    """
    if (rolled := throw_for_entry_hex(play, formation)) is not None:
        return rolled
    state = play.state
    singles = _units_to_join(state, formation.id) if formation.kind is not Kind.STAFF else []
    guns = [(unit, 0) for unit, _ in singles if unit.arm is not Arm.INFANTRY]
    pairs = ((unit, goals) for unit, least in singles + guns if (goals := _stacks_to_join(state, unit, least)))
    unit, goals = next(pairs, (None, ()))
    if unit is None:
        return None
    joins, title = f"{short_names(state, (unit,))} joins the stack that lacks it, in", board_of(state).title
    decision = choose_hex(state, (unit,), Question.STACK, goals, STACK_CHOICE, lambda hex_, _: f"{joins} {title(hex_)}")
    decision = decision.overruled_by(forced)
    stack = units_at(state, decision.chosen_hex)
    members = sort_units(state, (member for member in stack if member.is_in_good_order and member.is_combat))
    mark_acted(play, (unit.id,))
    why = f"to join {short_names(state, members)}"
    marching.begin_march(play, (unit,), decision.chosen_hex, why=why, rule="TA-9.1")
    return StepResult(decision)


def _units_to_join(state: TangaState, formation: str) -> list[tuple[TangaUnit, int]]:
    """Return pairs of a unit that should join another stack, and the size of its present stack.

    Combat units come first, in reverse acting order, then idle leaders. Units in victory hexes stay.
    """
    acted, sizes = state.british.acted, _stack_sizes_of_lone_units(state, formation)
    ready = good_order_units(state, formation, acted)
    singles = [unit for unit in ready if unit.id in sizes and not _must_stay(state, unit)]
    leaders = (unit for unit in formation_units(state, formation) if unit.is_leader and unit.on_map)
    waiting = sort_units(state, (leader for leader in leaders if leader.id not in acted))
    idle = (leader for leader in waiting if not _leads_units(state, leader, good=False))
    victory_hexes = victory.victory_hexes(state)
    return [(unit, sizes.get(unit.id, 1)) for unit in (*reversed(singles), *idle) if unit.at not in victory_hexes]


def _stack_sizes_of_lone_units(state: TangaState, formation: str) -> dict[str, int]:
    """Return stack sizes by unit id, for each combat unit whose stack contains no other company."""
    sizes: dict[str, int] = {}
    stacked = {unit.id for unit in good_order_units(state, formation) if must_hold_victory_hex(state, unit)}
    for lead in good_order_units(state, formation):
        if lead.id in stacked or lead.arm not in MOST:
            continue
        stack = moving_stack(state, lead, stacked)
        stacked |= set(unit_ids(stack))
        companies = {unit.id for unit in stack if unit.arm is Arm.INFANTRY}
        sizes |= {unit.id: len(stack) for unit in stack if unit.is_combat and not companies - {unit.id}}
    return sizes


def _must_stay(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit is the only infantry with a leader, MG or artillery, and so may not leave them (TA-9.1)."""
    others = [other for other in formation_stack(state, unit) if other.id != unit.id]
    good = [other for other in others if other.is_in_good_order and other.is_combat]
    if unit.arm is not Arm.INFANTRY or any(other.arm is Arm.INFANTRY for other in good):
        return False
    return bool(good) or (any(other.is_leader for other in others) and not any(other.is_combat for other in others))


def _leads_units(state: TangaState, leader: TangaUnit, *, good: bool) -> bool:
    """Whether the leader is first in his hex and has combat units there. `good` counts only units in good order."""
    members = formation_stack(state, leader)
    first = next(unit for unit in sort_units(state, members) if unit.is_leader)
    return first.id == leader.id and any(unit.is_combat and (unit.is_in_good_order or not good) for unit in members)


def _stacks_to_join(state: TangaState, unit: TangaUnit, least_size: int) -> Sequence[Hex]:
    """Return the nearest hexes among those with the fullest stacks that the unit can join in one march (TA-9.1).

    Only stacks of at least `least_size` units count.
    """
    own_hex, mf = unit_hex(unit), least_mf_left((unit,))
    own = {unit_hex(friend) for friend in good_order_units(state, unit.formation)} - {own_hex}
    near = {hex_ for hex_ in own if own_hex.distance(hex_) <= mf and _can_use_unit(state, hex_, unit, least_size)}
    goals = {hex_ for hex_ in near if marching.can_reach(state, (unit,), hex_)}
    sizes = {hex_: _count_full_stack_units(formation_stack(state, unit, hex_)) for hex_ in goals}
    ranks = {hex_: (-sizes[hex_], own_hex.distance(hex_)) for hex_ in goals}
    return sorted(hex_ for hex_ in goals if ranks[hex_] == min(ranks.values()))


def _can_use_unit(state: TangaState, hex_: Hex, unit: TangaUnit, least_size: int) -> bool:
    """Whether a hex's stack of at least `least_size` units has space for the unit, and needs its arm.

    A company may join an MG without infantry; any other unit only joins a stack with infantry.
    """
    members = [member for member in formation_stack(state, unit, hex_) if member.is_in_good_order]
    moving = [member for member in members if member.arm in MOST and not must_hold_victory_hex(state, member)]
    companies = unit.arm is Arm.INFANTRY or any(member.arm is Arm.INFANTRY for member in moving)
    if not companies or not any(member.is_combat for member in moving) or _count_full_stack_units(members) < least_size:
        return False
    number = sum(member.is_leader if unit.is_leader else member.arm is unit.arm for member in members)
    return number < MOST[unit.arm] and can_enter(state, (unit,), hex_)


def _count_full_stack_units(units: Sequence[TangaUnit]) -> int:
    """Return the number of good-order units that count for a full stack: one leader, two infantry, one MG (TA-9.1)."""
    arms = [Arm.LEADER if unit.is_leader else unit.arm for unit in units if unit.is_in_good_order]
    return sum(min(arms.count(arm), MOST[arm]) for arm in (Arm.LEADER, Arm.INFANTRY, Arm.MACHINE_GUN))


def move_next_leader(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unmoved command officer, or leader without units to lead (TA-9.6).

    Return None if no leader is left to move.
    """
    state = play.state
    unmoved = (unit for unit in formation_units(state, formation.id) if unit.on_map and not unit.moved)
    leaders = (unit for unit in unmoved if unit.is_leader and unit.id not in state.british.acted)
    for leader in sort_units(state, leaders):
        if leader.arm is not Arm.COMMANDER and _leads_units(state, leader, good=True):
            continue
        if (decision := _choose_hex_for_leader(state, leader)) is None:
            mark_acted(play, (leader.id,))
            continue
        decision = decision.overruled_by(forced)
        why = f"to units at {board_of(state).title(decision.chosen_hex)}"
        marching.begin_march(play, (leader,), decision.chosen_hex, why=why, rule="TA-9.6")
        return StepResult(decision)
    return None


def _choose_hex_for_leader(state: TangaState, leader: TangaUnit) -> Decision | None:
    """Return the decision for the hex that a leader goes to; None if he stays.

    He prefers disrupted units without a leader to other units of his formation.
    """
    own_hex = unit_hex(leader)
    friends = [unit for unit in state.units.values() if unit.side == BRITISH and unit.on_map and unit.is_combat]
    own = [unit for unit in friends if unit.formation == leader.formation]
    needy_units = [unit for unit in (friends if leader.arm is Arm.COMMANDER else own) if unit.is_disrupted]
    led = {unit.at for unit in state.units.values() if unit.is_leader and unit.id != leader.id}
    if own_hex not in led and any(unit.is_disrupted for unit in units_at(state, own_hex)):
        return None
    needy = {unit_hex(unit) for unit in needy_units} - led - {own_hex}
    decision = _choose_nearest_hex(state, leader, needy, "disrupted units without a leader")
    return decision or _choose_nearest_hex(state, leader, {unit_hex(unit) for unit in own}, "units of his formation")


def _choose_nearest_hex(state: TangaState, leader: TangaUnit, goals: Collection[Hex], goal: str) -> Decision | None:
    """Return the decision for the nearest hex of `goals` that the leader can enter; None if he stays.

    `goal` describes the hexes in words.
    """
    own_hex, title, name = unit_hex(leader), board_of(state).title, short_names(state, (leader,))
    open_ = [hex_ for hex_ in goals if can_enter(state, (leader,), hex_)]
    if not open_ or own_hex in goals:
        return None
    nearest = sorted(hex_ for hex_ in open_ if own_hex.distance(hex_) == min(map(own_hex.distance, open_)))
    goes = f"{name} goes to the nearest {goal}, in"
    decision = choose_hex(state, (leader,), Question.LEADER, nearest, NEAREST, lambda hex_, _: f"{goes} {title(hex_)}")
    return decision if decision.rows else decision.model_copy(update={"chart": "", "cite": LEADERS})
