"""Clearing a jammed machine gun: one attempt a turn, instead of firing (BE-4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.report import Modifier, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import Against
from rules.core.wording import percent
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase, remembering
from rules.empire.phases import Phase
from rules.empire.tables import adjustment, cite, value

from .machine_guns import JAM, steadiness
from .scores import SIDES

CHART = "clearing-a-jam"
NEEDED, FURTHER = "cleared on a D6 of", "each attempt after the first"
ONCE = Cite(rule="BE-4", mark=Mark.RULING)
"""One attempt a turn, in its phase of fire, instead of firing."""


class Clear(Action):
    """An attempt to clear the jam of `unit`."""

    kind: ClassVar[str] = "clear"


@dataclass(frozen=True)
class ClearPlan:
    """The gun, the attempts made before, and the D6 that is to be thrown."""

    unit: str
    attempts: int
    test: Against


class ClearType(ActionType[EmpireState, Clear, ClearPlan]):
    """One attempt at a D6 a turn; each after the first is easier or harder by the chart (BE-4)."""

    action = Clear

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Clear]:
        """Every jammed gun of the side."""
        for gun in state.fighters():
            if gun.jammed and viewer in (gun.side, UMPIRE) and unit in (None, gun.id):
                yield Clear(unit=gun.id)

    def plan(self, state: EmpireState, action: Clear, *, supposing: bool = False) -> ClearPlan:
        """The D6, where an attempt may be made now. Raises Refused."""
        unit = find_fighter(state, action.unit)
        if not unit.jammed:
            raise Refused(f"{unit.name} is not jammed.", JAM)
        if not supposing:
            _may_try(state, unit)
        return ClearPlan(unit.id, unit.clearing, Against(1, SIDES, value(CHART, NEEDED), modifiers(unit)))

    def label(self, state: EmpireState, plan: ClearPlan) -> str:
        """`Clear Gardner gun: 50%`."""
        return f"Clear {state.unit(plan.unit).name}: {percent(plan.test.chance)}"

    def odds(self, state: EmpireState, plan: ClearPlan) -> Odds:
        """The chance of clearing the jam."""
        clears = plan.test.chance
        found = (("cleared", clears, True), ("still jammed", 1 - clears, False))
        return Odds(
            question=f"Does {state.unit(plan.unit).name} clear its jam?",
            steps=(_step(plan),),
            outcomes=tuple(Outcome(label=label, chance=share, good=good) for label, share, good in found if share),
            spread=plan.test.spread,
            spread_of="D6",
            pass_from=plan.test.needed,
        )

    def resolve(self, play: Play[EmpireState], plan: ClearPlan) -> None:
        """Throws the D6; cleared, the gun fires again from the next turn on."""
        unit = play.state.unit(plan.unit)
        throw = play.throw(1, SIDES, f"{unit.name}, clearing the jam", side=unit.side)
        cleared = plan.test.passes(throw)
        tried = unit.model_copy(update={"jammed": not cleared, "clearing": 0 if cleared else plan.attempts + 1})
        play.state = play.state.with_unit(remembering(tried, shot=True))
        verdict = "cleared" if cleared else "still jammed"
        score, start = Fraction(plan.test.score(throw)), Fraction(throw.total)
        play.say(
            _step(plan).model_copy(update={"throws": (throw,), "start": start, "score": score, "verdict": verdict})
        )
        play.tell(
            headline=f"{unit.name} is {verdict}.",
            side=unit.side,
            outcome="It fires again from next turn on." if cleared else "It may be tried again next turn.",
            units=(unit.id,),
        )


def modifiers(unit: EmpireUnit) -> tuple[Modifier, ...]:
    """What is added to the D6: for attempts made before, and to a Maxim."""
    made = unit.clearing
    reason = f"after {made} attempt{'' if made == 1 else 's'}"
    further = (adjustment(CHART, FURTHER, reason, times=made),) if made else ()
    return (*further, *steadiness(unit))


def _may_try(state: EmpireState, unit: EmpireUnit) -> None:
    in_phase(state, unit, Phase.RIFLES)
    if unit.this_turn.shot:
        raise Refused(f"{unit.name} has fired this turn, or been tried: one attempt a turn. Try again next turn.", ONCE)


def _step(plan: ClearPlan) -> Step:
    return Step(
        text="Clearing the jam",
        cite=cite(CHART, NEEDED),
        modifiers=plan.test.modifiers,
        needed=f"against {plan.test.needed}",
        chance=plan.test.chance,
        hope="to clear",
    )


CLEAR = ClearType()
