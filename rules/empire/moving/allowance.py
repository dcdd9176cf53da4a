"""Permission to move, inches allowed, and the price of changes and turns (BE-1, BE-3, BE-6.2, BE-M.2, BE-M.3)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.marches import MarchLimits, Route
from rules.core.tabletop.place import TurnOnSpot
from rules.core.wording import decimal_text, inches, join_with_and
from rules.empire.conduct.charts import crew_move_inches
from rules.empire.conduct.testing import choose_test_type, conduct_test_prompt
from rules.empire.model import COMMANDERS, FORMED, EmpireState, EmpireUnit, Health
from rules.empire.phases import Phase
from rules.empire.placement import CONTACT
from rules.empire.shared import change_turn_record, require_may_act

from .formation import CHANGES, CHANGING, COSTLY

MOVING = Cite(rule="BE-6.2")
EXPLOITING = Cite(rule="BE-6.2", mark=Mark.HOUSE)
OUT = Cite(rule="BE-7")
PIECES = Cite(rule="BE-M.6", mark=Mark.HOUSE)
ASSUMED_TURN = 180.0
"""Degrees assumed for the turn of a unit whose facing is unknown."""


def require_may_move(state: EmpireState, unit: EmpireUnit) -> None:
    """Raise Refused unless the unit may move, or change its formation, now."""
    if unit.is_piece:
        require_may_act(state, unit, Phase.COMMANDERS)
        stays = f"{unit:are} out for a turn, and {unit:they stay} where {unit:they are}."
        refuse(OUT, (unit.health is Health.OUT, stays))
        return
    require_may_act(state, unit, Phase.UNITS, Phase.EXPLOITATION)
    turn, exploiting = unit.this_turn, state.current_phase is Phase.EXPLOITATION
    not_foremost = exploiting and not turn.opponent_gave_way
    tests = owes_conduct_test(state, unit)
    foes = join_with_and(foe.name for foe in state.opponents(unit.id))
    is_held = foes and not (tests and unit.shaken)
    refuse(EXPLOITING, (exploiting and unit.is_crew, f"{unit:make} no exploitation move: only foot and mounted do."))
    no_move = f"{unit:have} no exploitation move: none of {unit:their} opponents gave way this turn."
    refuse(MOVING, (not_foremost, no_move))
    refuse(CONTACT, (is_held, f"{unit:are} in contact with {foes}: {unit:they hold} until one side gives way."))
    if tests:
        first = f"{unit:are} shaken: {unit:they have} to rally" if unit.shaken else f"{unit:throw} {unit:their} conduct"
        why = f"{first} before {unit:they move}: /{choose_test_type(unit).action.kind}, then move {unit:them}."
        raise Refused(why, MOVING, (conduct_test_prompt(state, unit),))
    refuse(MOVING, (unit.shaken, f"{unit:remain} shaken: {unit:they do} not move before {unit:they rally}."))


def owes_conduct_test(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether the unit owes a conduct test before it moves, as foot, mounted and shaken units do (BE-6)."""
    tested = unit.this_turn.exploited if state.current_phase is Phase.EXPLOITATION else unit.this_turn.tested
    return not unit.is_piece and (unit.shaken or not unit.is_crew) and not tested


@dataclass(frozen=True)
class MoveAllowance:
    """A unit's movement allowance in inches, with reason and rule."""

    inches: float
    why: str
    cite: Cite


def move_allowance(state: EmpireState, unit: EmpireUnit) -> MoveAllowance:
    """Return the unit's total allowance this turn: by conduct, by limbering for crews, or by options for pieces."""
    if unit.is_piece:
        rides = state.options.commander_move if unit.arm in COMMANDERS else state.options.supply_move
        return MoveAllowance(rides, unit.arm.value, PIECES)
    if unit.is_crew:
        limbered = "limbered" if unit.limbered else "unlimbered"
        return MoveAllowance(crew_move_inches(unit), f"{unit.weapon.value}, {limbered}", MOVING)
    return MoveAllowance(unit.this_turn.allowed or 0.0, unit.this_turn.result or "conduct", MOVING)


def inches_left(state: EmpireState, unit: EmpireUnit) -> float:
    """Return the inches of the unit's allowance not spent yet."""
    return max(move_allowance(state, unit).inches - unit.this_turn.spent, 0.0)


def inches_left_in_words(state: EmpireState, unit: EmpireUnit) -> str:
    """Return the inches left in words, rounded down to tenths."""
    return decimal_text(math.floor(inches_left(state, unit) * 10) / 10)


def units_with_unused_move(state: EmpireState, side: str) -> Iterable[EmpireUnit]:
    """Yield the side's units that tested their conduct and have not used their move."""
    for unit in state.fighters(side) if side in state.acting_sides else ():
        turn, exploiting = unit.this_turn, state.current_phase is Phase.EXPLOITATION
        tested = turn.exploited if exploiting else turn.tested and state.current_phase is Phase.UNITS
        begun = turn.spent if exploiting else turn.moved
        if tested and not begun and (turn.allowed or 0) > turn.spent and not state.opponents(unit.id):
            yield unit


def allowance_step(state: EmpireState, unit: EmpireUnit) -> Step:
    """Return a report step with the inches that the unit may move."""
    allowed, spent = move_allowance(state, unit), unit.this_turn.spent
    reach = f"up to {inches(allowed.inches)}" + (f", {inches(spent)} of them spent before" if spent else "")
    return Step(text=f"{allowed.why[0].upper()}{allowed.why[1:]}", cite=allowed.cite, needed=reach)


def march_reach(state: EmpireState, unit: EmpireUnit, at_halt: Iterable[str]) -> MarchLimits:
    """Return how far the unit may march and still pay for the changes `at_halt` (BE-M.1, BE-M.2).

    Raises Refused if no inches are left to march.
    """
    full_allowance = move_allowance(state, unit)
    price = float(state.options.change_costs) * full_allowance.inches
    paid = price * sum(word in COSTLY and not _is_free_change(unit, word) for word in at_halt)
    free = inches_left(state, unit) - paid
    none, rule = f"{unit:do} not move: {_reason_not_to_move(unit)}", CHANGING if paid else full_allowance.cite
    if full_allowance.inches:
        none = f"{unit:have} no inches left to move this turn"
    refuse(rule, (free <= table.CLOSE, f"{none}."))
    return MarchLimits(free, free, rule)


def _is_free_change(unit: EmpireUnit, word: str) -> bool:
    """Whether the unit's last conduct test made the change free of cost."""
    return unit.this_turn.free_mounting if word in ("mount", "dismount") else unit.this_turn.free_change


def change_formation(state: EmpireState, unit: EmpireUnit, words: Iterable[str]) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Return the unit after the changes `words`, with their cost paid, and the report steps.

    If a change alters the unit's allowance, the share already spent stays equal. Raises Refused if a change is illegal.
    """
    simply, steps = "commanders, leaders, mules and wagons simply move", []
    for word in words:
        refuse(CHANGING, (word in COSTLY and unit.is_piece, f"{unit:have} no formation to change: {simply}."))
        after = CHANGES[word].apply(state, unit)
        if word in COSTLY:
            text, verb = f"{unit.name}: {word}", CHANGES[word].report_verb
            spent, step = _pay_for_change(state, unit, text, "change", verb, free=_is_free_change(unit, word))
            part = move_allowance(state, after).inches / move_allowance(state, unit).inches
            after = change_turn_record(after, spent=round(spent * part, 3))
            steps.append(step)
        unit = after
    return unit, tuple(steps)


def _pay_for_change(
    state: EmpireState, unit: EmpireUnit, text: str, nor: str, verb: str, instead: str = "", *, free: bool
) -> tuple[float, Step]:
    """Return the inches spent this turn, including a change's cost (option change_costs), and the report step.

    `text` begins the step; `nor`, `verb` and `instead` complete the refusals. Raises Refused if too few inches are
    left.
    """
    full_move, unspent = move_allowance(state, unit).inches, inches_left(state, unit)
    costs = 0.0 if free else float(state.options.change_costs) * full_move
    price_ = f"To {verb} costs {unit.name} {inches(costs)} of {unit:their} move"
    refuse(MOVING, (full_move <= 0, f"{unit.name} may not move this turn, nor {nor}: {_reason_not_to_move(unit)}."))
    refuse(CHANGING, (costs > unspent + table.CLOSE, f"{price_}; {unit:they have} {inches(unspent)} left.{instead}"))
    price = f"costs {inches(costs)}" if costs else "no penalty"
    return unit.this_turn.spent + costs, Step(text=text, cite=Cite(rule="BE-6") if free else CHANGING, needed=price)


def _reason_not_to_move(unit: EmpireUnit) -> str:
    """Return the reason why the unit has no inches to move."""
    return unit.this_turn.result or f"{unit:they have} no inches"


def turn_towards_route(state: EmpireState, unit: EmpireUnit, route: Route) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Return the unit facing along its route, and the report steps. Raises Refused if it lacks the inches.

    A formed unit turns free up to option free_turn degrees in total. Beyond that, it pays for a change of facing.
    """
    degrees = ASSUMED_TURN if isinstance(route.goal, TurnOnSpot) else 0.0
    if route.way is not None and unit.place is not None:
        degrees = abs((route.way.base.facing - unit.place.facing + 180) % 360 - 180)
    if degrees <= table.CLOSE:
        return unit, ()
    if unit.is_crew:
        return change_turn_record(unit, pivoted=True), (Step(text=f"{unit:pivot}", cite=Cite(rule="BE-3")),)
    if unit.is_piece or unit.formation not in FORMED:
        return unit, ()
    so_far, free_turn = unit.this_turn.turned + degrees, state.options.free_turn
    if so_far <= free_turn + table.CLOSE:
        return change_turn_record(unit, turned=round(so_far, 1)), ()
    text, verb = f"{unit:change} facing", f"turn more than {decimal_text(free_turn)}°"
    keep = f" “back” and “left” keep {unit:their} facing."
    spent, step = _pay_for_change(state, unit, text, "turn so far", verb, keep, free=unit.this_turn.free_change)
    return change_turn_record(unit, turned=0.0, spent=round(spent, 3)), (step,)
