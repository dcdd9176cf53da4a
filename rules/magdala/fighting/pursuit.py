"""Pursuit of a routed enemy (MM-4.6): the throw that may hold the victors back, and the moves of those it did not."""

from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.fleeing.fallback import full_move, leave, travel
from rules.magdala.fleeing.flight import Outcome, rally
from rules.magdala.fleeing.withdraw import way_on
from rules.magdala.model import MagdalaState, MagdalaUnit, StoredPrompt, Test, Troop
from rules.magdala.morale.morale_trial import GENERAL
from rules.magdala.morale.taken import asked, odds_of, take, to_take
from rules.magdala.orders import find, own_turn
from rules.magdala.prompts import offering
from rules.magdala.stored_prompts import first_prompt, settle
from rules.magdala.tables import limit
from rules.magdala.telling import Told, told

RULE = Cite(rule="MM-4.6")
LEFT_THE_TABLE = "left the table"


class Pursuit(Action):
    """The pursuit test a victor owes, or a pursuer's next move; without positions one says when it left the table."""

    kind: ClassVar[str] = "pursuit"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = (GENERAL, LEFT_THE_TABLE)


def pursue(state: MagdalaState, action: Pursuit, dice: Dice) -> Told:
    """Throws the test, or makes the move. Raises Refused when the unit owes neither."""
    unit = find(state, action.unit)
    move = first_prompt(state, unit.id, Test.PURSUIT_MOVE)
    if move is None:
        return take(*asked(state, _test(state, action), action), dice)
    own_turn(state, unit)
    if action.secret:
        raise Refused(f"Everyone sees {unit.name} pursue. Leave “secret” out.", RULE)
    moved, steps = _chase(settle(state, move), unit, dice, LEFT_THE_TABLE in action.circumstances)
    return told(moved, unit.id, f"{unit.name} pursues", steps)


def odds(state: MagdalaState, action: Pursuit) -> Odds:
    """The exact chances of the test."""
    return odds_of(*asked(state, _test(state, action), action))


def _test(state: MagdalaState, action: Pursuit) -> StoredPrompt:
    unit = find(state, action.unit)
    if unit.troop is Troop.REGULAR_INFANTRY:
        raise Refused(f"{unit.name}, regular infantry, rallies on the spot and never pursues.", RULE)
    return to_take(first_prompt(state, unit.id, Test.PURSUIT), unit, "pursuit test: it has routed nobody", RULE)


def _chase(state: MagdalaState, unit: MagdalaUnit, dice: Dice, gone: bool) -> Outcome:
    """Regular cavalry halt and rally after two moves; others chase the enemy off the table and never rally."""
    reckoned = full_move(state, unit, dice)
    state = state.with_unit(unit.model_copy(update={"pursuit_moves": unit.pursuit_moves + 1}))
    rallies = unit.troop is Troop.REGULAR_CAVALRY
    state, steps = travel(state, unit.id, way_on(state, unit), float(reckoned.score or 0), off=not rallies)
    if gone and state.unit(unit.id).on_table:
        state, steps = leave(state, unit.id)
    if (
        rallies
        and state.unit(unit.id).on_table
        and unit.pursuit_moves + 1 >= limit("moves of pursuit by regular cavalry")
    ):
        state = rally(state, unit.id)
        steps += (Step(text=unit.name, cite=RULE, verdict="halts and rallies"),)
    return state, (reckoned, *steps)


DEED: Deed[MagdalaState] = Deed(Pursuit, pursue, odds, offering(Pursuit))
