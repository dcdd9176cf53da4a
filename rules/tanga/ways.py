"""Hexes open to stacks, and decisions by the card's charts, such as a march's next hex and the RO hex (TA-3, TA-9)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_barred_by, hexes_of_side, unit_hex, units_at
from rules.core.hexboard.ways import (
    Approach,
    adjacent_hexes,
    distance_to_nearest,
    hexes_within_steps,
    hexes_without,
    path_length_between,
)
from rules.core.model import Cite

from .charts import priority_chart
from .field import board_of, firing_hexes_with_range, firing_unit, has_space_for, hex_protection, opposing_side
from .model import BRITISH, Arm, Kind, TangaState, TangaUnit
from .priorities import ANY_SITUATION, Measure, Measures, Situation, apply_chart
from .progress import Decision, March, Question, describe_deciding_row

MOVING = Cite(rule="TA-9.5")
CHOOSING = Cite(rule="TA-9.C")
CHARTS = {Question.TARGET: "target", Question.OBJECTIVE: "objective", Question.RETREAT_HEX: "retreat-hex"}
"""Charts by question. All other questions use the Move chart (TA-9.5)."""
MOVE = "move"
MEASURES: Mapping[Measure, Callable[[TangaState, str, Hex], Any]] = {
    Measure.MACHINE_GUN: lambda state, _, hex_: first_unit_hit(state, hex_).arm is Arm.MACHINE_GUN,
    Measure.COMBAT_FACTOR: lambda state, _, hex_: first_unit_hit(state, hex_).cf,
    Measure.BLACK_POWDER: lambda state, _, hex_: first_unit_hit(state, hex_).black_powder,
    Measure.PROTECTION: lambda state, _, hex_: hex_protection(state, hex_),
    Measure.COST: lambda state, _, hex_: board_of(state).cost(hex_),
    Measure.UNDER_FIRE: lambda state, side, hex_: can_be_fired_at(state, hex_, side),
    Measure.FROM_ENEMY: lambda state, side, hex_: distance_to_nearest(hex_, hexes_of_side(state, opposing_side(side))),
    Measure.NUMBER: lambda _state, _side, hex_: hex_,
}
"""Functions that measure a hex for a chart row. Their arguments are the state, the stack's side and the hex."""


def passable_hexes(state: TangaState, units: Sequence[TangaUnit]) -> frozenset[Hex]:
    """Return the hexes that a stack may pass through.

    A stack of British machine guns, alone or with leaders, avoids hexes next to Germans (TA-9.5).
    """
    enemies = hexes_barred_by(state, opposing_side(units[0].side))
    beside = adjacent_hexes(enemies) if are_guns_alone(units) else frozenset()
    return hexes_without(board_of(state).land, enemies | beside | closed_beaches(state, units))


def are_guns_alone(units: Sequence[TangaUnit]) -> bool:
    """Whether the stack has only British machine guns and leaders. Such stacks avoid hexes next to Germans (TA-9.5)."""
    return units[0].side == BRITISH and {unit.arm for unit in units if unit.is_combat} == {Arm.MACHINE_GUN}


def can_enter(state: TangaState, units: Sequence[TangaUnit], hex_: Hex) -> bool:
    """Whether a stack may enter a hex and stay there."""
    return hex_ in passable_hexes(state, units) and can_stay(state, units, hex_)


def can_stay(state: TangaState, units: Sequence[TangaUnit], hex_: Hex) -> bool:
    """Whether a hex has space for the units (TA-9.5). Command officers alone always have space (TA-9.6)."""
    return all(unit.arm is Arm.COMMANDER for unit in units) or has_space_for(state, hex_, units[0].formation, units)


def guns_left_behind(state: TangaState, units: Sequence[TangaUnit], hex_: Hex) -> tuple[TangaUnit, ...]:
    """Return the British machine guns that may not follow their stack into a hex next to Germans (TA-9.5)."""
    if units[0].side != BRITISH or hex_ not in adjacent_hexes(hexes_barred_by(state, opposing_side(BRITISH))):
        return ()
    return tuple(unit for unit in units if unit.arm is Arm.MACHINE_GUN)


def closed_beaches(state: TangaState, units: Iterable[TangaUnit]) -> frozenset[Hex]:
    """Return the beach and beachhead hexes that a stack may not enter (TA-3).

    Staffs may enter all these hexes, inland units none, and other units only the hexes of their own beach.
    """
    closed = frozenset[Hex]()
    for unit in units:
        board, formation = board_of(state), state.formation(unit.formation)
        if unit.side == BRITISH and formation.kind is not Kind.STAFF:
            own = None if unit.inland else board.beaches.get(formation.beach)
            closed |= board.landing_hexes - ({own.beach, own.head} if own else set())
    return closed


def hexes_avoided_in_rout(state: TangaState, units: Sequence[TangaUnit]) -> frozenset[Hex]:
    """Return the hexes of steady friendly combat units, which routing units avoid if possible (TA-9.5).

    A steady unit neither retreats nor belongs to a collapsed formation.
    """
    routing = {unit.id for unit in units}
    barred = hexes_barred_by(state, units[0].side)
    friends = (unit for hex_ in barred for unit in units_at(state, hex_) if unit.is_combat)
    firm = (unit for unit in friends if not unit.retreating and not state.formation(unit.formation).collapsed)
    return frozenset(unit_hex(unit) for unit in firm if unit.id not in routing)


def choose_hex(
    state: TangaState,
    units: Sequence[TangaUnit],
    question: Question,
    hexes: Collection[Hex],
    cite: Cite,
    why: Callable[[Hex, str], str] = lambda _, row: row,
    *,
    situation: Situation = ANY_SITUATION,
    extra: Measures | None = None,
) -> Decision:
    """Return the decision for one of `hexes`, by the chart for `question`. `hexes` must not be empty.

    `why` returns the reason in words, given the chosen hex and the deciding row. `extra` adds measures of hexes.
    """
    chart = CHARTS.get(question, MOVE)
    side = units[0].side
    measures: Measures = {measure: partial(asks, state, side) for measure, asks in MEASURES.items()} | {**(extra or {})}
    chosen, rows = apply_chart(priority_chart(chart), hexes, measures, situation)
    assert chosen is not None, f"nothing to choose from for the {question.value}"
    return Decision(
        question=question,
        chart=chart,
        units=tuple(unit.id for unit in units),
        candidates=tuple(hexes),
        rows=rows,
        chosen=chosen,
        why=why(chosen, describe_deciding_row(rows)),
        cite=cite,
    )


def first_unit_hit(state: TangaState, hex_: Hex) -> TangaUnit:
    """Return the unit that takes the first hit when the hex is fired at. The hex must hold combat units."""
    unit = firing_unit(units_at(state, hex_))
    assert unit is not None
    return unit


def can_be_fired_at(state: TangaState, hex_: Hex, side: str) -> bool:
    """Whether an enemy of `side` that can still fire this turn has the hex in range and sight.

    Standing orders do not matter, because `side` does not know them (TA-9.5, TA-H.6).
    """
    near = (place for place, far in firing_hexes_with_range(state, opposing_side(side)) if place.distance(hex_) <= far)
    return any(board_of(state).sees(place, hex_) for place in near)


def choose_next_hex(state: TangaState, march: March) -> Decision:
    """Return the decision for a march's next hex (TA-9.5). If the march halts, no hex is chosen, and `why` says why."""
    units, title = tuple(state.units[unit] for unit in march.units), board_of(state).title
    ground = plan_approach(state, march, units)
    if fit := ground.allowed_steps(lambda hex_: not can_be_fired_at(state, hex_, units[0].side)):
        towards = f"towards {title(march.goal)}"
        return choose_hex(state, units, Question.STEP, fit, MOVING, lambda hex_, row: f"{hex_.label} {towards}: {row}")
    why = f"halts in {ground.current_hex.label}: {_halt_reason(march, ground, title(march.goal))}"
    return Decision(
        question=Question.STEP, chart=MOVE, units=march.units, candidates=(), chosen=None, why=why, cite=MOVING
    )


def _halt_reason(march: March, ground: Approach, goal: str) -> str:
    """Return the reason why a march halts."""
    if ground.current_hex == march.goal:
        return "it is there"
    if not ground.nearer_neighbours:
        return f"no legitimate path leads nearer {goal}"
    if len(ground.affordable_steps) < len(ground.nearer_neighbours):
        budget = f"{march.left} {'hexes' if march.retreats else 'MF'}"
        return f"of {budget} left there are too few for the next step towards {goal}"
    return f"ahead is no room to stay, nor a way through out of fire, towards {goal}"


def plan_approach(state: TangaState, march: March, units: tuple[TangaUnit, ...]) -> Approach:
    """Return what limits a march's next step: open hexes, their costs, and hexes with space.

    Routing units avoid steady friends if another path leads from the march's start to the goal. The start counts, not
    the present hex: otherwise units would halt among friends whom they pass.
    """
    board, open_ = board_of(state), passable_hexes(state, units)
    if march.retreats and state.formation(units[0].formation).collapsed:
        clear = open_ - hexes_avoided_in_rout(state, units)
        open_ = clear if path_length_between(march.goal, march.way[0], clear) is not None else open_

    def may_halt(hex_: Hex) -> bool:
        guns = guns_left_behind(state, units, hex_)
        return can_stay(state, [unit for unit in units if unit not in guns], hex_)

    return Approach(
        path=march.way,
        goal=march.goal,
        budget=march.left,
        open=open_,
        cost=lambda hex_: 1 if march.retreats else board.cost(hex_) or 1,
        has_space=lambda hex_: can_stay(state, units, hex_),
        may_step=lambda start, hex_: can_stay(state, guns_left_behind(state, units, hex_), start),
        may_end=may_halt,
    )


def choose_ro_hex(state: TangaState, units: Sequence[TangaUnit], *, rout: bool) -> Decision:
    """Return the decision for a stack's new RO hex: its own hex, or a hex with space in reach of the retreat (TA-9.C).

    Routing units avoid steady friends on their way, if possible.
    """
    own_hex, title = unit_hex(units[0]), board_of(state).title
    most = state.options.rout_hexes if rout else state.options.retreat_hexes
    every, hexes = passable_hexes(state, units), [own_hex]
    for open_ in (every - hexes_avoided_in_rout(state, units), every) if rout else (every,):
        reached = hexes_within_steps(own_hex, most, open_)
        hexes = [hex_ for hex_ in reached if hex_ == own_hex or can_stay(state, units, hex_)]
        if len(hexes) > 1:
            break
    return choose_hex(state, units, Question.RETREAT_HEX, hexes, CHOOSING, lambda at, row: f"RO hex {title(at)}: {row}")
