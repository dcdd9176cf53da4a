"""Reorganising: one leader, two infantry and one MG to a hex where possible (TA-9.1)."""

from collections.abc import Iterable

from rules.core.dice import Dice
from rules.core.hexes import Hex, reach
from rules.core.model import Cite, Mark
from rules.tanga.decisions import Decision, Question
from rules.tanga.field import board_of, has_room, of_formation, units_at
from rules.tanga.model import Arm, Kind, TangaState, TangaUnit

from . import marching, recovery, ways
from .stacks import MOST, garrisons, mf_left, ready, stack_of
from .stepped import Stepped, acted, chosen, ids, in_order, names

NEAREST = Cite(rule="TA-9.1", mark=Mark.RULING)
"""Who needs another goes to the nearest, and of those the one the Move chart prefers."""


def reorganise(state: TangaState, formation: str, dice: Dice, forced: Hex | None) -> Stepped | None:
    """The next unit that joins another: single companies, MGs without infantry, leaders without a stack."""
    if state.formation(formation).collapsed:
        return None
    if (rolled := recovery.enter_roll(state, formation, dice, forced)) is not None:
        return rolled
    if state.formation(formation).kind is Kind.STAFF:
        return None
    for unit in _singles(state, formation):
        hosts = _hosts(state, unit)
        if hosts:
            return _join(state, unit, hosts, forced)
    return None


def _singles(state: TangaState, formation: str) -> list[TangaUnit]:
    """Who is to join others, those who come last in the order first: the leads stay where they are."""
    settled = state.british.acted
    single = _alone(state, formation)
    alone = [unit for unit in ready(state, formation, settled) if unit.id in single]
    led = (one for one in of_formation(state, formation) if one.is_leader and one.on_map and one.id not in settled)
    return [*reversed(alone), *(leader for leader in in_order(state, led) if not leads(state, leader, good=False))]


def _alone(state: TangaState, formation: str) -> set[str]:
    """Ids of those with whom no (other) company would move: of three in a hex the third, MGs without infantry."""
    alone: set[str] = set()
    stacked = {unit.id for unit in ready(state, formation) if garrisons(state, unit)}
    for lead in ready(state, formation):
        if lead.id in stacked or lead.arm not in MOST:
            continue
        stack = stack_of(state, lead, stacked)
        stacked |= set(ids(stack))
        companies = {unit.id for unit in stack if unit.arm is Arm.INFANTRY}
        alone |= {unit.id for unit in stack if unit.is_combat and not companies - {unit.id}}
    return alone


def leads(state: TangaState, leader: TangaUnit, *, good: bool) -> bool:
    """Whether a leader has combat units with him (in `good` order), and is not one leader too many there."""
    assert leader.at is not None
    there = [unit for unit in units_at(state, leader.at) if unit.formation == leader.formation]
    first = next(unit for unit in in_order(state, there) if unit.is_leader)
    return first.id == leader.id and any(unit.is_combat and (unit.is_good or not good) for unit in there)


def _hosts(state: TangaState, unit: TangaUnit) -> dict[Hex, int]:
    """Hexes of stacks that lack just such a unit and that it reaches, with the MF; only the nearest in hexes."""
    assert unit.at is not None
    lacking = {hex_ for hex_ in _hexes(state, unit) if _lacks(state, hex_, unit)}
    if not lacking:
        return {}
    found = reach(unit.at, mf_left((unit,)), lambda hex_: _cost(state, unit, hex_))
    near = {hex_: cost for hex_, cost in found.items() if hex_ in lacking}
    least = min((unit.at.distance(hex_) for hex_ in near), default=0)
    return {hex_: cost for hex_, cost in sorted(near.items()) if unit.at.distance(hex_) == least}


def _hexes(state: TangaState, unit: TangaUnit) -> Iterable[Hex]:
    own = of_formation(state, unit.formation)
    return {one.at for one in own if one.at is not None and one.is_combat and one.is_good and one.at != unit.at}


def _cost(state: TangaState, unit: TangaUnit, hex_: Hex) -> int | None:
    if ways.prohibited(state, (unit,), hex_, ending=False) is not None:
        return None
    return board_of(state).cost(hex_)


def _lacks(state: TangaState, hex_: Hex, unit: TangaUnit) -> bool:
    """Whether the stack in a hex lacks such a unit, and there is room and leave for it."""
    there = [one for one in units_at(state, hex_) if one.is_good and one.formation == unit.formation]
    infantry = [one for one in there if one.arm is Arm.INFANTRY]
    if not infantry or all(garrisons(state, one) for one in infantry):
        return False
    same = sum(one.is_leader if unit.is_leader else one.arm is unit.arm for one in there)
    if same >= MOST[unit.arm] or not has_room(state, hex_, unit.formation, (unit,)):
        return False
    return ways.prohibited(state, (unit,), hex_, ending=True) is None


def _join(state: TangaState, unit: TangaUnit, hosts: dict[Hex, int], forced: Hex | None) -> Stepped:
    decision = chosen(_decision(state, unit, hosts), forced)
    goal = decision.chosen
    assert goal is not None
    others = tuple(one for one in units_at(state, goal) if one.is_good and one.is_combat)
    why = f"to join {names(state, in_order(state, others))} (TA-9.1)"
    state = marching.begin(acted(state, ids((unit,))), (unit,), goal, why=why)
    return Stepped(state, decision=decision)


def _decision(state: TangaState, unit: TangaUnit, hosts: dict[Hex, int]) -> Decision:
    """Of the nearest hosts the one the Move chart prefers (TA-9.1)."""
    assert unit.at is not None
    goal, rows = ways.preferred(state, (unit,), tuple(hosts))
    return Decision(
        question=Question.STACK,
        chart=ways.CHART,
        units=(unit.id,),
        candidates=tuple(hosts),
        rows=rows,
        chosen=goal,
        why=f"{names(state, (unit,))} joins the nearest stack that lacks it, in {board_of(state).title(goal)}",
        cite=NEAREST,
    )
