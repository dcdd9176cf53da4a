"""Retreats and routs: the choice to retreat (MM-5.7), and the moves of units that must (MM-5.8 to MM-5.10)."""

from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, Test
from rules.magdala.orders import find, own_turn
from rules.magdala.placement import gap, nearest
from rules.magdala.prompts import offering, still_owes
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle
from rules.magdala.telling import Told, told

from . import flight
from .fallback import full_move, leave, travel
from .flight import HELD, Outcome, decided, pinned_down, rally, supports
from .withdraw import Way, way_back, way_off, way_to

LEFT_THE_TABLE = "left the table"
REACHED_SUPPORTS = "reached its supports"


PINNED = Cite(rule="MM-5.1", mark=Mark.RULING)


class Retreat(Action):
    """The move of a unit that retreats or routs; without positions one says where it has come to."""

    kind: ClassVar[str] = "retreat"
    circumstance_names: ClassVar[tuple[str, ...]] = (REACHED_SUPPORTS, LEFT_THE_TABLE)


class Retire(Action):
    """A unit pinned or halted by fire chooses to retreat (MM-5.7)."""

    kind: ClassVar[str] = "retire"


def retreat(state: MagdalaState, action: Retreat, dice: Dice) -> Told:
    """Makes the move owed. Raises Refused when none is, or it is not the unit's turn."""
    unit = find(state, action.unit)
    prompt = first_prompt(state, unit.id, Test.RETREAT)
    if prompt is None:
        hint = " To retreat by choice: retire." if unit.morale in HELD else ""
        raise Refused(f"{unit.name} owes no retreat this turn.{hint}", Cite(rule="MM-5.9"))
    own_turn(state, unit)
    unit = decided(state, unit)
    state = state.with_unit(unit)
    reckoned = full_move(state, unit, dice)
    state, steps = travel(
        settle(state, prompt), unit.id, _way(state, unit), float(reckoned.score or 0), off=_leaves(unit)
    )
    if state.unit(unit.id).on_table:
        memory = state.unit(unit.id).this_turn.model_copy(update={"retreated": True})
        state = state.with_unit(state.unit(unit.id).model_copy(update={"this_turn": memory}))
        state, arrived = _arrive(state, unit.id, action.circumstances)
        steps += arrived
    verb = "flees" if unit.morale is Morale.ROUTED else "retreats"
    return told(state, unit.id, f"{unit.name} {verb}", (reckoned, *steps))


def retire(state: MagdalaState, action: Retire, _dice: Dice) -> Told:
    """The unit turns to retreat. Raises Refused unless it is pinned or halted, and owes nothing else."""
    unit = find(state, action.unit)
    rule = Cite(rule="MM-5.7")
    if not is_fighter(unit) or unit.morale not in HELD or engaged(state, unit):
        raise Refused(f"{unit.name} is not halted by fire: it moves under orders, or not at all.", rule)
    if pinned_down(unit):
        raise Refused(f"{unit.name} is pinned: it holds its ground for a whole turn of its own first.", PINNED)
    if unit.this_turn.retreated:
        raise Refused(f"{unit.name} has retreated this turn. It may again in its next.", rule)
    owing = next((prompt for prompt in prompts_of(state, unit.id) if prompt.test is not Test.WITNESS), None)
    if owing is not None:
        raise still_owes(state, owing, rule)
    state, steps = flight.retreat(state, unit.id, "by its own choice", rule)
    return told(state, unit.id, f"{unit.name} retreats", steps)


def _leaves(unit: MagdalaUnit) -> bool:
    """Whether it makes for the edge, and so off the table: in rout, or at half strength without supports."""
    return unit.morale is Morale.ROUTED or unit.leaving


def _way(state: MagdalaState, unit: MagdalaUnit) -> Way | None:
    """Off the field, to its supports, or straight from the enemy."""
    if _leaves(unit):
        return way_off(state, unit)
    support = _support(state, unit)
    if unit.half_strength and support is not None:
        return way_to(unit, support, state.options.reaches_supports / 2)
    return way_back(state, unit)


def _support(state: MagdalaState, unit: MagdalaUnit) -> MagdalaUnit | None:
    return nearest(unit, supports(state, unit))


def _arrive(state: MagdalaState, unit_id: str, said: tuple[str, ...]) -> Outcome:
    """Where the move leaves it: gone, with its supports, to test again, or halted after a retreat by choice."""
    unit = state.unit(unit_id)
    if LEFT_THE_TABLE in said or (unit.morale is Morale.ROUTED and unit.place is None):
        return leave(state, unit_id)
    if _leaves(unit) or unit.retreats_in_a_row:
        return state, ()
    if unit.half_strength:
        return _with_supports(state, unit, REACHED_SUPPORTS in said)
    state = rally(state, unit_id, Morale.HALTED)
    verdict = "has retreated, and halts; it may test to go on in a later turn"
    return state, (Step(text=unit.name, cite=Cite(rule="MM-5.7", mark=Mark.RULING), verdict=verdict),)


def _with_supports(state: MagdalaState, unit: MagdalaUnit, said: bool) -> Outcome:
    support = _support(state, unit)
    apart = gap(unit, support) if support is not None else None
    if not said and (apart is None or apart > state.options.reaches_supports):
        return state, ()
    state = rally(state, unit.id)
    state = state.with_unit(state.unit(unit.id).model_copy(update={"on_supports": True}))
    return state, (
        Step(text=unit.name, cite=Cite(rule="MM-5.9", mark=Mark.RULING), verdict="stands with its supports"),
    )


RETREAT: Deed[MagdalaState] = Deed(Retreat, retreat, legal=offering(Retreat))
RETIRE: Deed[MagdalaState] = Deed(Retire, retire, legal=offering(Retire))
