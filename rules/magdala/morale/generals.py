"""Generals rally by having a failed test thrown again, and run risks (MM-6)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.model import Cite, Mark
from rules.core.odds import Odds, outcomes
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import sums
from rules.core.wording import percent
from rules.magdala.action_types import PromptedType, conclude, find
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, StoredPrompt, Test
from rules.magdala.stored_prompts import first_prompt, prompts_of, settle
from rules.magdala.tables import SIDES, TABLES

from . import consequences
from .flight import remove
from .standing import general_with, in_danger, may_be_thrown_again
from .testing import TestType, told

RULE, RULED = Cite(rule="MM-6"), Cite(rule="MM-6", mark=Mark.RULING)
RISK_DICE = 2
SPREAD = sums(RISK_DICE, SIDES)
UNHURT = "unhurt"


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


class RerollType(TestType[Reroll]):
    """The second throw of a failed test, which stands as it falls (MM-6)."""

    action = Reroll

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Reroll]:  # noqa: ARG002
        """The second throw of a test that has failed."""
        if prompt.failed:
            yield Reroll(unit=prompt.unit, secret=prompt.secret)

    def plan(self, state: MagdalaState, action: Reroll, *, supposing: bool = False) -> StoredPrompt:
        """The failed test. Raises Refused when none waits, or no unwounded general is there."""
        unit = find(state, action.unit)
        prompt, general = _waiting(state, unit.id), in_danger(state, unit)
        if prompt is None:
            raise Refused(f"{unit.name} has no failed test that could be thrown again.", RULE)
        if not may_be_thrown_again(state, prompt):
            raise Refused(f"No unwounded general is with {unit.name} any more: accept the failure.", RULE)
        if general is not None:
            raise Refused(f"{general.name} is in danger himself: throw for his risk first.", RULED)
        return prompt if supposing else _as_openly(prompt, action)

    def label(self, state: MagdalaState, plan: StoredPrompt) -> str:
        """`Re-roll Berkshires with General Graham: 72%`; no chance where it would tell what was said in secret."""
        unit = state.unit(plan.unit)
        general = general_with(state, unit)
        chance = "" if plan.secret else self.trial(state, plan).said_chance
        return f"Re-roll {unit.name} with {general.name if general else 'the general'}{chance}"


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
        failed, fire = _waiting(state, unit.id), first_prompt(state, unit.id, Test.DEFENSIVE_FIRE)
        if failed is not None:
            return _as_openly(failed, action)
        if fire is None:
            raise Refused(f"{unit.name} is offered nothing that it could decline.", RULE)
        return fire

    def label(self, state: MagdalaState, plan: StoredPrompt) -> str:
        """`Berkshires holds its fire`, or accepts how its test fell, which may be a secret."""
        return f"{state.unit(plan.unit).name} {'accepts its result' if plan.failed else 'holds its fire'}"

    def danger(self, plan: StoredPrompt) -> bool:
        """That a failure is to stand."""
        return plan.failed

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """The failure stands, or no shot is fired."""
        name = play.state.unit(plan.unit).name
        play.state = settle(play.state, plan)
        if plan.failed:
            consequences.failed(play, plan)
            told(play, plan, f"{name}: {plan.test.value}, failed, stands")
        else:
            play.note(name, Cite(rule="MM-4.1"), "holds its fire")
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
            why = f"{general.name} has not been in danger: no unit he is with took more than 2 hits at once."
            raise Refused(why, RULE)
        return prompt

    def label(self, state: MagdalaState, plan: StoredPrompt) -> str:
        """`Risk to General Graham: 92%` to be unhurt."""
        return f"Risk to {state.unit(plan.unit).name}: {percent(_unhurt())}"

    def odds(self, state: MagdalaState, plan: StoredPrompt) -> Odds:
        """The exact chances of each fate."""
        return Odds(
            question=f"{state.unit(plan.unit).name}: risk",
            outcomes=outcomes(SPREAD, lambda total: (_fate(total), _fate(total) == UNHURT)),
            spread=SPREAD,
            spread_of="2D6",
            pass_from=next(total for total, _ in SPREAD if _fate(total) == UNHURT),
        )

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """His fate, by the chart."""
        general = play.state.unit(plan.unit)
        thrown = play.throw(RISK_DICE, SIDES, f"{general.name}: risk", side=general.side)
        fate = _fate(thrown.total)
        step = Step(text=thrown.label, cite=RULE, verdict=fate, chance=_unhurt(), hope="to be unhurt")
        play.say(step.model_copy(update={"throws": (thrown,), "start": Fraction(thrown.total)}))
        play.state = settle(play.state, plan)
        if fate != UNHURT:
            play.change(general.id, health=Health(fate))
        if fate == Health.KILLED:
            play.state = remove(play.state, general.id)
        conclude(play, f"{general.name} is {fate}", general.id)


def _waiting(state: MagdalaState, unit_id: str) -> StoredPrompt | None:
    """The failed test that waits for a general's word."""
    return next((prompt for prompt in prompts_of(state, unit_id) if prompt.failed), None)


def _as_openly(prompt: StoredPrompt, action: Action) -> StoredPrompt:
    """What follows of a secret test is secret too, and of an open one open. Raises Refused."""
    if prompt.secret and not action.secret:
        raise Refused("That test was thrown in secret: settle it in secret too.", RULED)
    if action.secret and not prompt.secret:
        raise Refused("Everyone saw that test: settle it in the open too. Leave “secret” out.", RULED)
    return prompt


def _fate(total: int) -> str:
    return TABLES.charts["risk-to-generals"].read(total, "The general is")


def _unhurt() -> Fraction:
    return sum((chance for total, chance in SPREAD if _fate(total) == UNHURT), Fraction(0))


REROLL, DECLINE, RISK = RerollType(), DeclineType(), RiskType()
