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
"""Citation for the order in which a stack to join is chosen: the fullest, then the nearest, then by the Move chart."""
LEADERS = Cite(rule="TA-9.6")
NEAREST = Cite(rule="TA-9.6", mark=Mark.RULING)
"""Citation for the choice by the Move chart among equally near hexes."""


def reorganise(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unit to join a stack: a lone company, MG without infantry or idle leader (TA-9.1).

    Return None if no unit is left to join.
    """
    if (rolled := enter_roll(play, formation)) is not None:
        return rolled
    state = play.state
    singles = _units_to_join(state, formation.id) if formation.kind is not Kind.STAFF else []
    guns = [(unit, 0) for unit, _ in singles if unit.arm is not Arm.INFANTRY]
    pairs = ((unit, hosts) for unit, least in singles + guns if (hosts := _stacks_to_join(state, unit, least)))
    unit, hosts = next(pairs, (None, ()))
    if unit is None:
        return None
    joins, title = f"{names(state, (unit,))} joins the stack that lacks it, in", board_of(state).title
    decision = decide(state, (unit,), Question.STACK, hosts, COMES, lambda hex_, _: f"{joins} {title(hex_)}")
    decision = decision.by_word(forced)
    members = in_order(state, (unit for unit in units_at(state, decision.taken) if unit.is_good and unit.is_combat))
    mark_acted(play, ids((unit,)))
    marching.begin(play, (unit,), decision.taken, why=f"to join {names(state, members)}", rule="TA-9.1")
    return StepResult(decision)


def _units_to_join(state: TangaState, formation: str) -> list[tuple[TangaUnit, int]]:
    """Return the units that should join other stacks, each with the size of its present stack.

    Combat units come first, in reverse acting order, then idle leaders. Companies needed by a leader or gun are left
    out, and so are units in a victory hex.
    """
    settled, victory_hexes, sizes = state.british.acted, victory.hexes(state), _lone_units(state, formation)
    singles = [unit for unit in ready(state, formation, settled) if unit.id in sizes and not _is_needed(state, unit)]
    leaders = (
        unit for unit in of_formation(state, formation) if unit.is_leader and unit.on_map and unit.id not in settled
    )
    idle = (leader for leader in in_order(state, leaders) if not _leads(state, leader, good=False))
    return [(unit, sizes.get(unit.id, 1)) for unit in (*reversed(singles), *idle) if unit.at not in victory_hexes]


def _lone_units(state: TangaState, formation: str) -> dict[str, int]:
    """Return the combat units whose stack has no other company: the size of the stack, by unit id."""
    sizes: dict[str, int] = {}
    stacked = {unit.id for unit in ready(state, formation) if garrisons(state, unit)}
    for lead in ready(state, formation):
        if lead.id in stacked or lead.arm not in MOST:
            continue
        stack = stack_of(state, lead, stacked)
        stacked |= set(ids(stack))
        companies = {unit.id for unit in stack if unit.arm is Arm.INFANTRY}
        sizes |= {unit.id: len(stack) for unit in stack if unit.is_combat and not companies - {unit.id}}
    return sizes


def _is_needed(state: TangaState, unit: TangaUnit) -> bool:
    """Whether the unit is the only infantry with a leader, MG or artillery, and so must stay with them (TA-9.1)."""
    others = [other for other in companions(state, unit) if other.id != unit.id]
    good = [other for other in others if other.is_good and other.is_combat]
    if unit.arm is not Arm.INFANTRY or any(other.arm is Arm.INFANTRY for other in good):
        return False
    return bool(good) or (any(other.is_leader for other in others) and not any(other.is_combat for other in others))


def _leads(state: TangaState, leader: TangaUnit, *, good: bool) -> bool:
    """Whether the leader is the first leader in his hex and has combat units there; with `good`, in good order."""
    members = companions(state, leader)
    first = next(unit for unit in in_order(state, members) if unit.is_leader)
    return first.id == leader.id and any(unit.is_combat and (unit.is_good or not good) for unit in members)


def _stacks_to_join(state: TangaState, unit: TangaUnit, least: int) -> Sequence[Hex]:
    """Return the hexes in reach whose stacks have at least `least` units and can use this unit (TA-9.1).

    Return only the fullest of these stacks, and of those the nearest. A hex is in reach if a march arrives there by
    an open path with space in the stack (ruling).
    """
    own_hex, mf = unit_hex(unit), mf_left((unit,))
    own = {unit_hex(friend) for friend in ready(state, unit.formation)} - {own_hex}
    near = {hex_ for hex_ in own if own_hex.distance(hex_) <= mf and _can_use(state, hex_, unit, least)}
    hosts = {hex_ for hex_ in near if marching.arrives(state, (unit,), hex_)}
    worth = {hex_: (-_stack_size(companions(state, unit, hex_)), own_hex.distance(hex_)) for hex_ in hosts}
    return sorted(hex_ for hex_ in worth if worth[hex_] == min(worth.values()))


def _can_use(state: TangaState, hex_: Hex, unit: TangaUnit, least: int) -> bool:
    """Whether the stack in a hex has at least `least` units, can use another unit of this arm, and has space.

    A company may join a leader and an MG without infantry; all other units join companies only.
    """
    members = [member for member in companions(state, unit, hex_) if member.is_good]
    moving = [member for member in members if member.arm in MOST and not garrisons(state, member)]
    companies = unit.arm is Arm.INFANTRY or any(member.arm is Arm.INFANTRY for member in moving)
    if not companies or not any(member.is_combat for member in moving) or _stack_size(members) < least:
        return False
    number = sum(member.is_leader if unit.is_leader else member.arm is unit.arm for member in members)
    return number < MOST[unit.arm] and may_end(state, (unit,), hex_)


def _stack_size(units: Sequence[TangaUnit]) -> int:
    """Return the number of good-order units that count for a full stack: one leader, two infantry, one MG (TA-9.1)."""
    arms = [Arm.LEADER if unit.is_leader else unit.arm for unit in units if unit.is_good]
    return sum(min(arms.count(arm), MOST[arm]) for arm in (Arm.LEADER, Arm.INFANTRY, Arm.MACHINE_GUN))


def move_leaders(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the march of the next unmoved command officer, or leader without units to lead (TA-9.6).

    Return None if no leader is left to move.
    """
    state = play.state
    leaders = (unit for unit in of_formation(state, formation.id) if unit.is_leader and unit.on_map and not unit.moved)
    for leader in in_order(state, (unit for unit in leaders if unit.id not in state.british.acted)):
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
    """Return the decision to which hex the leader goes; None if he stays.

    He goes to the nearest disrupted units without a leader, else to the nearest units of his formation.
    """
    own_hex = unit_hex(leader)
    friends = [unit for unit in state.units.values() if unit.side == BRITISH and unit.on_map and unit.is_combat]
    own = [unit for unit in friends if unit.formation == leader.formation]
    needy_units = [unit for unit in (friends if leader.arm is Arm.COMMANDER else own) if unit.is_disrupted]
    led = {unit.at for unit in state.units.values() if unit.is_leader and unit.id != leader.id}
    if own_hex not in led and any(unit.is_disrupted for unit in units_at(state, own_hex)):
        return None
    needy = {unit_hex(unit) for unit in needy_units} - led - {own_hex}
    decision = _choose_nearest(state, leader, needy, "disrupted units without a leader")
    return decision or _choose_nearest(state, leader, {unit_hex(unit) for unit in own}, "units of his formation")


def _choose_nearest(state: TangaState, leader: TangaUnit, goals: Collection[Hex], description: str) -> Decision | None:
    """Return the decision for the nearest open hex of `goals`. Return None without one, or if the leader is in one."""
    own_hex, title, name = unit_hex(leader), board_of(state).title, names(state, (leader,))
    open_ = [hex_ for hex_ in goals if may_end(state, (leader,), hex_)]
    if not open_ or own_hex in goals:
        return None
    nearest = sorted(hex_ for hex_ in open_ if own_hex.distance(hex_) == min(map(own_hex.distance, open_)))
    goes = f"{name} goes to the nearest {description}, in"
    decision = decide(state, (leader,), Question.LEADER, nearest, NEAREST, lambda hex_, _: f"{goes} {title(hex_)}")
    return decision if decision.rows else decision.model_copy(update={"chart": "", "cite": LEADERS})
