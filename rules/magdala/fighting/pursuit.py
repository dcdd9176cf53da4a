"""Pursuit of a routed enemy (MM-4.6): the throw that may hold the victors back, and the moves of those it did not."""

from dataclasses import dataclass
from typing import ClassVar

from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.action_types import PromptedType, conclude
from rules.magdala.fleeing.fallback import full_move, leave, travel
from rules.magdala.fleeing.flight import rally
from rules.magdala.fleeing.withdraw import way_on
from rules.magdala.model import MagdalaPlay, MagdalaState, Test, Troop
from rules.magdala.morale.generalship import GENERAL
from rules.magdala.morale.taken import PlannedTest, planned, take, to_take
from rules.magdala.orders import find, own_turn
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle
from rules.magdala.tables import limit

RULE = Cite(rule="MM-4.6")
LEFT_THE_TABLE = "left the table"


class Pursuit(Action):
    """The pursuit test a victor owes, or a pursuer's next move; without positions one says when it left the table."""

    kind: ClassVar[str] = "pursuit"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = (GENERAL, LEFT_THE_TABLE)


@dataclass(frozen=True)
class PursuitPlan:
    """The victor, its test, or None for its next move; without positions it may be said to have left the table."""

    unit: str
    test: PlannedTest | None
    gone: bool = False


class PursuitType(PromptedType[Pursuit, PursuitPlan]):
    """Whether the victors go after the routed, and how far (MM-4.6)."""

    action = Pursuit
    settles = (Test.PURSUIT, Test.PURSUIT_MOVE)

    def plan(self, state: MagdalaState, action: Pursuit, *, supposing: bool = False) -> PursuitPlan:
        """The move or the test owed; `supposing` asks for the test alone. Raises Refused when it owes neither."""
        unit = find(state, action.unit)
        if not supposing and first_prompt(state, unit.id, Test.PURSUIT_MOVE) is not None:
            own_turn(state, unit)
            if action.secret:
                raise Refused(f"Everyone sees {unit.name} pursue. Leave “secret” out.", RULE)
            return PursuitPlan(unit.id, None, LEFT_THE_TABLE in action.circumstances)
        if unit.troop is Troop.REGULAR_INFANTRY:
            raise Refused(f"{unit.name}, regular infantry, rallies on the spot and never pursues.", RULE)
        owed = first_prompt(state, unit.id, Test.PURSUIT)
        prompt = to_take(owed, unit, "pursuit test: it has routed nobody", RULE)
        return PursuitPlan(unit.id, planned(state, prompt, action))

    def label(self, state: MagdalaState, plan: PursuitPlan) -> str:
        """`Berbers pursue`, or `Pursuit of Hussars: 33%` to rally."""
        name = state.unit(plan.unit).name
        return f"Pursuit of {name}{plan.test.trial.said_chance}" if plan.test else f"{name} pursues"

    def odds(self, state: MagdalaState, plan: PursuitPlan) -> Odds:
        """The exact chances of the test."""
        return plan.test.trial.odds() if plan.test else super().odds(state, plan)

    def resolve(self, play: MagdalaPlay, plan: PursuitPlan) -> None:
        """Throws the test, or makes the move."""
        if plan.test is not None:
            take(play, plan.test)
            return
        play.state = settle(play.state, *prompts_of(play.state, plan.unit, Test.PURSUIT_MOVE)[:1])
        name = play.state.unit(plan.unit).name
        _chase(play, plan)
        conclude(play, f"{name} pursues", plan.unit)


def _chase(play: MagdalaPlay, plan: PursuitPlan) -> None:
    """Regular cavalry halt and rally after two moves; others chase the enemy off the table and never rally."""
    unit = play.state.unit(plan.unit)
    inches = full_move(play, unit)
    play.change(unit.id, pursuit_moves=unit.pursuit_moves + 1)
    rallies = unit.troop is Troop.REGULAR_CAVALRY
    travel(play, unit.id, way_on(play.state, unit), float(inches), off=not rallies)
    if plan.gone and play.state.unit(unit.id).on_table:
        leave(play, unit.id)
    now = play.state.unit(unit.id)
    if rallies and now.on_table and now.pursuit_moves >= limit("moves of pursuit by regular cavalry"):
        play.state = rally(play.state, unit.id)
        play.say(Step(text=unit.name, cite=RULE, verdict="halts and rallies"))


PURSUIT = PursuitType()
