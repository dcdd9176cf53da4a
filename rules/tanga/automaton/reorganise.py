"""Reorganising: one leader, two infantry and one MG to a hex where possible (TA-9.1)."""

from collections.abc import Iterable, Sequence

from rules.core.hexboard.hexes import Hex, reach
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, has_room, of_formation, units_at
from rules.tanga.model import Arm, Kind, TangaState, TangaUnit
from rules.tanga.victory import victory_hexes
from rules.tanga.ways.next_hex import CHART, preferred
from rules.tanga.ways.prohibited import prohibited

from . import marching, recovery
from .stacks import MOST, garrisons, mf_left, ready, stack_of
from .stepped import Stepped, acted, ids, in_order, names

COMES = Cite(rule="TA-9.1", mark=Mark.RULING)
"""Who needs another comes to the hex with most of a stack, the nearest of them, else as the Move chart has it."""


def reorganise(play: Play[TangaState], formation: str, forced: Hex | None) -> Stepped | None:
    """The next unit that joins another: single companies, MGs without infantry, leaders without a stack."""
    state = play.state
    if state.formation(formation).collapsed:
        return None
    if (rolled := recovery.enter_roll(play, formation, forced)) is not None:
        return rolled
    if state.formation(formation).kind is Kind.STAFF:
        return None
    singles = _singles(state, formation)
    guns = ((unit, 0) for unit, _ in singles if unit.arm is not Arm.INFANTRY)
    for unit, least in (*singles, *guns):
        if hosts := _hosts(state, unit, least):
            return _join(play, unit, hosts, forced)
    return None


def _singles(state: TangaState, formation: str) -> list[tuple[TangaUnit, int]]:
    """Who is to join others, each with how much of a stack it is with now; those who come last in the order first.

    The leads stay where they are. Nobody leaves a victory hex to join, and no company those who would go on alone.
    """
    settled, kept = state.british.acted, victory_hexes(state)
    single = _alone(state, formation)
    alone = [unit for unit in ready(state, formation, settled) if unit.id in single and not _is_needed(state, unit)]
    led = (one for one in of_formation(state, formation) if one.is_leader and one.on_map and one.id not in settled)
    idle = (leader for leader in in_order(state, led) if not leads(state, leader, good=False))
    return [(unit, single.get(unit.id, 1)) for unit in (*reversed(alone), *idle) if unit.at not in kept]


def _alone(state: TangaState, formation: str) -> dict[str, int]:
    """Those with whom no (other) company would move, by id: of three in a hex the third, MGs without infantry.

    With each how many would move together, itself among them.
    """
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
    """Whether a company is the last with a leader, an MG or artillery, who would be left to go on alone (TA-9.1)."""
    assert unit.at is not None
    there = [one for one in units_at(state, unit.at) if one.formation == unit.formation and one.id != unit.id]
    good = [one for one in there if one.is_good and one.is_combat]
    if unit.arm is not Arm.INFANTRY or any(one.arm is Arm.INFANTRY for one in good):
        return False
    return bool(good) or (any(one.is_leader for one in there) and not any(one.is_combat for one in there))


def leads(state: TangaState, leader: TangaUnit, *, good: bool) -> bool:
    """Whether a leader has combat units with him (in `good` order), and is not one leader too many there."""
    assert leader.at is not None
    there = [unit for unit in units_at(state, leader.at) if unit.formation == leader.formation]
    first = next(unit for unit in in_order(state, there) if unit.is_leader)
    return first.id == leader.id and any(unit.is_combat and (unit.is_good or not good) for unit in there)


def _hosts(state: TangaState, unit: TangaUnit, least: int) -> tuple[Hex, ...]:
    """Hexes of stacks of `least` or more that lack just such a unit and that it reaches.

    Of them those with most of a stack, and of these the nearest in hexes.
    """
    assert unit.at is not None
    lacking = {hex_ for hex_ in _hexes(state, unit) if _lacks(state, hex_, unit, least)}
    if not lacking:
        return ()
    found = lacking & reach(unit.at, mf_left((unit,)), lambda hex_: _cost(state, unit, hex_)).keys()
    order = {hex_: (-_stacked(_good(state, hex_, unit)), unit.at.distance(hex_)) for hex_ in sorted(found)}
    return tuple(hex_ for hex_ in order if order[hex_] == min(order.values()))


def _hexes(state: TangaState, unit: TangaUnit) -> Iterable[Hex]:
    own = of_formation(state, unit.formation)
    return {one.at for one in own if one.at is not None and one.is_combat and one.is_good and one.at != unit.at}


def _cost(state: TangaState, unit: TangaUnit, hex_: Hex) -> int | None:
    if prohibited(state, (unit,), hex_, ending=False) is not None:
        return None
    return board_of(state).cost(hex_)


def _lacks(state: TangaState, hex_: Hex, unit: TangaUnit, least: int) -> bool:
    """Whether the stack in a hex, of `least` or more, lacks such a unit, and there is room and leave for it.

    A company may come to a leader and an MG without one; who is no company comes to companies alone.
    """
    there = _good(state, hex_, unit)
    moving = [one for one in there if one.arm in MOST and not garrisons(state, one)]
    companies = unit.arm is Arm.INFANTRY or any(one.arm is Arm.INFANTRY for one in moving)
    if not companies or not any(one.is_combat for one in moving) or _stacked(there) < least:
        return False
    same = sum(one.is_leader if unit.is_leader else one.arm is unit.arm for one in there)
    if same >= MOST[unit.arm] or not has_room(state, hex_, unit.formation, (unit,)):
        return False
    return prohibited(state, (unit,), hex_, ending=True) is None


def _good(state: TangaState, hex_: Hex, unit: TangaUnit) -> list[TangaUnit]:
    return [one for one in units_at(state, hex_) if one.is_good and one.formation == unit.formation]


def _stacked(units: Sequence[TangaUnit]) -> int:
    """How much of one leader, two infantry and one MG some units are (TA-9.1)."""
    leaders = sum(unit.is_leader for unit in units)
    return min(leaders, MOST[Arm.LEADER]) + sum(
        min(sum(unit.arm is arm for unit in units), MOST[arm]) for arm in (Arm.INFANTRY, Arm.MACHINE_GUN)
    )


def _join(play: Play[TangaState], unit: TangaUnit, hosts: tuple[Hex, ...], forced: Hex | None) -> Stepped:
    state = play.state
    decision = _decision(state, unit, hosts).by_word(forced)
    goal = decision.chosen
    assert goal is not None
    others = tuple(one for one in units_at(state, goal) if one.is_good and one.is_combat)
    why = f"to join {names(state, in_order(state, others))} (TA-9.1)"
    acted(play, ids((unit,)))
    marching.begin(play, (unit,), goal, why=why)
    return Stepped(decision)


def _decision(state: TangaState, unit: TangaUnit, hosts: tuple[Hex, ...]) -> Decision:
    """Of the hosts the one the Move chart prefers (TA-9.1)."""
    assert unit.at is not None
    goal, rows = preferred(state, (unit,), hosts)
    return Decision(
        question=Question.STACK,
        chart=CHART,
        units=(unit.id,),
        candidates=hosts,
        rows=rows,
        chosen=goal,
        why=f"{names(state, (unit,))} joins the stack that lacks it, in {board_of(state).title(goal)}",
        cite=COMES,
    )
