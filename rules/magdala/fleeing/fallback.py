"""Moves that units make without orders: back half a move, off in retreat or rout, after a beaten enemy."""

from fractions import Fraction

from rules.core.dice import Dice, Throw
from rules.core.model import Cite
from rules.core.report import Modifier, Step
from rules.core.wording import number
from rules.magdala.model import MagdalaState, MagdalaUnit
from rules.magdala.moving import allowance
from rules.magdala.moving.formation import UNDER_WAY
from rules.magdala.tables import SIDES

from .flight import FLEEING, Outcome, alarm, cause, remove
from .withdraw import Way, go, leads_off, way_back

HALF = Fraction(1, 2)


def full_move(state: MagdalaState, unit: MagdalaUnit, dice: Dice) -> Step:
    """The inches of a unit's whole move, as the score of a step; native and irregular troops throw for them (MM-2)."""
    return _move(state, unit, dice, ())


def half_move(state: MagdalaState, unit: MagdalaUnit, dice: Dice, cite: Cite) -> Step:
    """The inches of half a move."""
    return _move(state, unit, dice, (Modifier(value=HALF, reason="half a move", cite=cite, times=True),))


def fall_back(state: MagdalaState, unit_id: str, dice: Dice, cite: Cite) -> Outcome:
    """Back half a move, straight from the enemy (MM-5.7, MM-5.8)."""
    unit = state.unit(unit_id)
    reckoned = half_move(state, unit, dice, cite)
    state, seen = travel(state, unit_id, way_back(state, unit), float(reckoned.score or 0), off=False)
    back = Step(text=unit.name, cite=cite, verdict=f"falls back half a move, {number(reckoned.score or HALF)} inches")
    return state, (reckoned, back, *seen)


def travel(state: MagdalaState, unit_id: str, way: Way | None, inches: float, off: bool) -> Outcome:
    """The unit goes so far along its way, seen by friends if it flees; over the edge it is gone, unless not `off`.

    Without a position nothing moves: the players do it on their table, and are reminded of the friends who see it.
    """
    unit = state.unit(unit_id)
    if way is None:
        state = state.with_unit(unit.model_copy(update=UNDER_WAY))
        return alarm(state, unit_id) if unit.morale in FLEEING else (state, ())
    far = min(inches, way.inches)
    state, ground = go(state, unit, way, far)
    steps: tuple[Step, ...] = ()
    if unit.morale in FLEEING:
        state, steps = alarm(state, unit_id, ground)
    if off and leads_off(way, inches):
        state, left = leave(state, unit_id)
        steps += left
    return state, steps


def leave(state: MagdalaState, unit_id: str) -> Outcome:
    """The unit leaves the table, and a general with it (ruling)."""
    unit = state.unit(unit_id)
    rule = cause(unit)
    leaders = (other.id for other in state.units.values() if other.id == unit.general and other.on_table)
    for gone in (unit_id, *leaders):
        state = remove(state, gone)
    return state, (Step(text=unit.name, cite=rule, verdict="leaves the table"),)


def _move(state: MagdalaState, unit: MagdalaUnit, dice: Dice, modifiers: tuple[Modifier, ...]) -> Step:
    own = allowance.rate(unit, state.options)
    throw: Throw | None = dice.throw(own.dice, SIDES, f"{unit.name}: move", side=unit.side) if own.dice else None
    return allowance.allowed(own, throw, modifiers)
