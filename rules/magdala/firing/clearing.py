"""Clearing a jammed machine gun (MM-3.7)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import Against
from rules.core.wording import percent
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState
from rules.magdala.orders import find, not_in_melee, own_turn, under_command
from rules.magdala.tables import SIDES, matter

from .mishaps import JAM, JAM_RULING


class Clear(Action):
    """Clears a jammed machine gun, on its own turn."""

    kind: ClassVar[str] = "clear"


@dataclass(frozen=True)
class ClearPlan:
    """The gun, and the D6 that is to be thrown."""

    unit: str
    test: Against


class ClearType(OwnTurnType[Clear, ClearPlan]):
    """One attempt a turn, from the turn after the jam: 4-6 clears it, and it may fire at once (MM-3.7)."""

    action = Clear

    def plan(self, state: MagdalaState, action: Clear, *, supposing: bool = False) -> ClearPlan:  # noqa: ARG002
        """The D6, where an attempt may be made now. Raises Refused."""
        unit = find(state, action.unit)
        own_turn(state, unit)
        if not unit.jammed:
            raise Refused(f"{unit.name} is not jammed.", JAM)
        under_command(state, unit)
        not_in_melee(unit)
        if unit.this_turn.has_fired:
            raise Refused(f"{unit.name} jammed this turn: it can be cleared in its next.", JAM)
        if unit.this_turn.tried_to_clear:
            raise Refused(f"{unit.name} has been tried this turn: one attempt a turn.", JAM_RULING)
        return ClearPlan(unit.id, Against(1, SIDES, matter("a jam clears on a D6 of at least")))

    def label(self, state: MagdalaState, plan: ClearPlan) -> str:
        """`Clear Gardner gun: 50%`."""
        return f"Clear {state.unit(plan.unit).name}: {percent(plan.test.chance)}"

    def odds(self, state: MagdalaState, plan: ClearPlan) -> Odds:
        """The chance of clearing the jam."""
        chance = plan.test.chance
        return Odds(
            question=f"Does {state.unit(plan.unit).name} clear its jam?",
            outcomes=(
                Outcome(label="cleared", chance=chance, good=True),
                Outcome(label="still jammed", chance=1 - chance, good=False),
            ),
            spread=plan.test.spread,
            spread_of="D6",
            pass_from=plan.test.needed,
        )

    def resolve(self, play: MagdalaPlay, plan: ClearPlan) -> None:
        """Throws the D6; cleared, the gun may fire at once."""
        unit = play.state.unit(plan.unit)
        throw = play.throw(1, SIDES, f"{unit.name}, clearing the jam", side=unit.side)
        cleared = plan.test.passes(throw)
        tried = unit.this_turn.model_copy(update={"tried_to_clear": True})
        play.change(unit.id, jammed=not cleared, this_turn=tried)
        verdict = "cleared" if cleared else "still jammed"
        play.say(
            Step(
                text="Clearing the jam",
                cite=JAM,
                throws=(throw,),
                score=Fraction(throw.total),
                needed=f"on {plan.test.needed} or more",
                chance=plan.test.chance,
                hope="to clear",
                verdict=verdict,
            )
        )
        outcome = "It may fire again at once." if cleared else "It may be tried again next turn."
        conclude(play, f"{unit.name} is {verdict}", unit.id, outcome=outcome)


CLEAR = ClearType()
