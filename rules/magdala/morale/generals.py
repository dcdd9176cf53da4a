"""Generals rally by having a failed test thrown again, and run risks (MM-6)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.chart import Row
from rules.core.model import Cite, Mark
from rules.core.odds import Odds, Outcome
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import sums
from rules.core.wording import percent
from rules.magdala.action_types import PromptedType, conclude
from rules.magdala.fleeing.flight import remove
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, StoredPrompt, Test
from rules.magdala.orders import find
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle
from rules.magdala.tables import SIDES, TABLES

from .generalship import general_with, in_danger, may_be_thrown_again
from .taken import PlannedTest, accept, take_again, trial_of

RULE = Cite(rule="MM-6")
RISK_FIRST = Cite(rule="MM-6", mark=Mark.RULING)
SECRECY = Cite(rule="MM-6", mark=Mark.RULING)
RISK_DICE = 2


class Reroll(Action):
    """The general with a unit has its failed test thrown again."""

    kind: ClassVar[str] = "reroll"
    can_be_secret: ClassVar[bool] = True


class Decline(Action):
    """Lets something offered go by: a re-roll, so that the failure stands, or the defender's fire."""

    kind: ClassVar[str] = "decline"
    can_be_secret: ClassVar[bool] = True


class Risk(Action):
    """2D6 for a general whose unit took more than 2 hits at once."""

    kind: ClassVar[str] = "risk"


class RerollType(PromptedType[Reroll, PlannedTest]):
    """The second throw of a failed test (MM-6)."""

    action = Reroll

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Reroll]:  # noqa: ARG002
        """The second throw of a test that has failed."""
        if prompt.failed:
            yield Reroll(unit=prompt.unit, secret=prompt.secret)

    def plan(self, state: MagdalaState, action: Reroll, *, supposing: bool = False) -> PlannedTest:
        """The failed test. Raises Refused when none waits, or no unwounded general is there."""
        unit = find(state, action.unit)
        prompt = waiting(state, unit.id)
        if prompt is None:
            raise Refused(f"{unit.name} has no failed test that could be thrown again.", RULE)
        if not may_be_thrown_again(state, prompt):
            raise Refused(f"No unwounded general is with {unit.name} any more: accept the failure.", RULE)
        general = in_danger(state, unit)
        if general is not None:
            raise Refused(f"{general.name} is in danger himself: throw for his risk first.", RISK_FIRST)
        if not supposing:
            _in_secret(action, prompt)
        return PlannedTest(prompt, trial_of(state, prompt))

    def label(self, state: MagdalaState, plan: PlannedTest) -> str:
        """`Re-roll Berkshires with General Graham: 72%`; no chance where it would tell what was said in secret."""
        unit = state.unit(plan.prompt.unit)
        general = general_with(state, unit)
        chance = "" if plan.prompt.secret else plan.trial.said_chance
        return f"Re-roll {unit.name} with {general.name if general else 'the general'}{chance}"

    def odds(self, state: MagdalaState, plan: PlannedTest) -> Odds:  # noqa: ARG002
        """The exact chances of the second throw."""
        return plan.trial.odds()

    def resolve(self, play: MagdalaPlay, plan: PlannedTest) -> None:
        """It stands as it falls."""
        take_again(play, plan)


class DeclineType(PromptedType[Decline, StoredPrompt]):
    """What is offered is let go by (MM-4.1, MM-6). The plan is the prompt itself."""

    action = Decline

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Decline]:  # noqa: ARG002
        """Letting stand what has failed, or holding fire."""
        if prompt.failed or prompt.test is Test.DEFENSIVE_FIRE:
            yield Decline(unit=prompt.unit, secret=prompt.secret)

    def plan(self, state: MagdalaState, action: Decline, *, supposing: bool = False) -> StoredPrompt:  # noqa: ARG002
        """Raises Refused when nothing is offered."""
        unit = find(state, action.unit)
        prompt = waiting(state, unit.id)
        if prompt is not None:
            _in_secret(action, prompt)
            return prompt
        fire = first_prompt(state, unit.id, Test.DEFENSIVE_FIRE)
        if fire is None:
            raise Refused(f"{unit.name} is offered nothing that it could decline.", RULE)
        return fire

    def label(self, state: MagdalaState, plan: StoredPrompt) -> str:
        """`Berkshires holds its fire`, or accepts how its test fell, which may be a secret."""
        name = state.unit(plan.unit).name
        return f"{name} accepts its result" if plan.failed else f"{name} holds its fire"

    def danger(self, plan: StoredPrompt) -> bool:
        """That a failure is to stand."""
        return plan.failed

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """The failure stands, or no shot is fired."""
        if plan.failed:
            accept(play, plan)
            return
        name = play.state.unit(plan.unit).name
        play.state = settle(play.state, plan)
        play.say(Step(text=name, cite=Cite(rule="MM-4.1"), verdict="holds its fire"))
        conclude(play, f"{name} holds its fire", plan.unit)


class RiskType(PromptedType[Risk, StoredPrompt]):
    """2: killed; 3: wounded (MM-6). The plan is the prompt itself."""

    action = Risk
    settles = (Test.GENERAL_RISK,)

    def plan(self, state: MagdalaState, action: Risk, *, supposing: bool = False) -> StoredPrompt:  # noqa: ARG002
        """Raises Refused when the general has not been in danger."""
        general = find(state, action.unit, "general")
        prompt = first_prompt(state, general.id, Test.GENERAL_RISK)
        if prompt is None:
            raise Refused(
                f"{general.name} has not been in danger: no unit he is with took more than 2 hits at once.", RULE
            )
        return prompt

    def label(self, state: MagdalaState, plan: StoredPrompt) -> str:
        """`Risk to General Graham: 92%` to be unhurt."""
        return f"Risk to {state.unit(plan.unit).name}: {percent(_unhurt())}"

    def odds(self, state: MagdalaState, plan: StoredPrompt) -> Odds:
        """The exact chances of each fate."""
        rows = TABLES.charts["risk-to-generals"].rows
        return Odds(
            question=f"{state.unit(plan.unit).name}: risk",
            outcomes=tuple(Outcome(label=row.cells[0].text, chance=_chance(row), good=row == rows[-1]) for row in rows),
            spread=sums(RISK_DICE, SIDES),
            spread_of="2D6",
            pass_from=rows[-1].low,
        )

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """His fate, by the chart."""
        general = play.state.unit(plan.unit)
        thrown = play.throw(RISK_DICE, SIDES, f"{general.name}: risk", side=general.side)
        row = TABLES.charts["risk-to-generals"].band(thrown.total)
        fate = row.cells[0].text
        play.say(
            Step(
                text=f"{general.name}: risk",
                cite=row.cite,
                throws=(thrown,),
                start=Fraction(thrown.total),
                verdict=fate,
                chance=_unhurt(),
                hope="to be unhurt",
            )
        )
        play.state = settle(play.state, plan)
        if fate in (Health.WOUNDED.value, Health.KILLED.value):
            play.change(general.id, health=Health(fate))
        if fate == Health.KILLED.value:
            play.state = remove(play.state, general.id)
        conclude(play, f"{general.name} is {fate}", general.id)


def waiting(state: MagdalaState, unit_id: str) -> StoredPrompt | None:
    """The failed test that waits for a general's word."""
    return next((prompt for prompt in prompts_of(state, unit_id) if prompt.failed), None)


def _in_secret(action: Action, prompt: StoredPrompt) -> None:
    """What follows of a secret test is secret too, and of an open one open. Raises Refused."""
    if prompt.secret and not action.secret:
        raise Refused("That test was thrown in secret: settle it in secret too.", SECRECY)
    if action.secret and not prompt.secret:
        raise Refused("Everyone saw that test: settle it in the open too. Leave “secret” out.", SECRECY)


def _chance(row: Row) -> Fraction:
    return sum((chance for total, chance in sums(RISK_DICE, SIDES) if row.holds(total)), Fraction(0))


def _unhurt() -> Fraction:
    return _chance(TABLES.charts["risk-to-generals"].rows[-1])


REROLL, DECLINE, RISK = RerollType(), DeclineType(), RiskType()
