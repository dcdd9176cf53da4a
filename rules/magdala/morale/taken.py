"""Taking a test: thrown, then settled at once, or left to a general who may have it thrown again (MM-6)."""

from dataclasses import dataclass, replace
from typing import TypeVar

from rules.core.model import UMPIRE, Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import Against
from rules.core.trial import Trial
from rules.core.wording import likely
from rules.magdala.action_types import PromptedType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, StoredPrompt, Test, Troop
from rules.magdala.stored_prompts import call_for, settle
from rules.magdala.tables import SIDES, value

from . import consequences
from .generalship import check_said, general_with, may_be_thrown_again
from .morale_trial import morale_trial
from .reaction_trial import reaction_trial

A = TypeVar("A", bound=Action)


@dataclass(frozen=True)
class PlannedTest:
    """A test with what is said of the moment, and its throw.

    One `opened` nobody owed before it was taken; one `supposed` is only asked about.
    """

    prompt: StoredPrompt
    trial: Trial
    opened: bool = False
    supposed: bool = False


class TestType(PromptedType[A, PlannedTest]):
    """A test of a unit that a general may have thrown again."""

    def label(self, state: MagdalaState, plan: PlannedTest) -> str:
        """`Morale of Berkshires: 72%`."""
        name = state.unit(plan.prompt.unit).name
        return f"{self.action.kind.capitalize()} of {name}{plan.trial.said_chance}"

    def odds(self, state: MagdalaState, plan: PlannedTest) -> Odds:  # noqa: ARG002
        """Its exact chances; of a unit that owes none those it would have if it tested now."""
        trial = plan.trial
        return (replace(trial, question=f"{trial.text}, if it tested now") if plan.supposed else trial).odds()

    def resolve(self, play: MagdalaPlay, plan: PlannedTest) -> None:
        """Throws it, and what follows, follows."""
        take(play, plan)


def planned(
    state: MagdalaState, prompt: StoredPrompt, action: Action, *, opened: bool = False, supposed: bool = False
) -> PlannedTest:
    """The test with what the action says of the moment. Raises Refused when that cannot be so (MM-6)."""
    check_said(state, state.unit(prompt.unit), action.circumstances)
    said = prompt.model_copy(update={"circumstances": action.circumstances, "secret": action.secret})
    return PlannedTest(said, trial_of(state, said), opened, supposed)


def trial_of(state: MagdalaState, prompt: StoredPrompt) -> Trial:
    """The throw that settles a test owed."""
    unit = state.unit(prompt.unit)
    if prompt.test is Test.REACTION:
        return reaction_trial(state, unit, prompt.routing, prompt.circumstances)
    if prompt.test is Test.PURSUIT:
        return _pursuit_trial(unit)
    return morale_trial(state, unit, prompt.test, prompt.circumstances, prompt.lost_in_a_row)


def _pursuit_trial(unit: MagdalaUnit) -> Trial:
    """D6: they pursue unless they roll a 6, regular cavalry a 5 or 6 (MM-4.6)."""
    needed = value("pursuit", "regular cavalry" if unit.troop is Troop.REGULAR_CAVALRY else "any other troops")
    return Trial(
        unit=unit.id,
        text=f"{unit.name}: pursuit",
        cite=Cite(rule="MM-4.6"),
        test=Against(1, SIDES, needed),
        hope="to rally",
        passed="rallies on the spot",
        failed="pursues",
    )


def to_take(prompt: StoredPrompt | None, unit: MagdalaUnit, what: str, cite: Cite) -> StoredPrompt:
    """The test owed, if it is still to be thrown. Raises Refused when there is none, or it waits for a general."""
    if prompt is None:
        raise Refused(f"{unit.name} owes no {what}.", cite)
    if prompt.failed:
        raise Refused(
            f"{unit.name} has failed its test. Have its general throw it again, or accept it.", Cite(rule="MM-6")
        )
    return prompt


def take(play: MagdalaPlay, plan: PlannedTest) -> None:
    """Throws a test. Failed with an unwounded general there, it waits for him; else what follows, follows."""
    prompt, trial = plan.prompt, plan.trial
    good = trial.throw(play)
    play.state = settle(play.state, prompt)
    if plan.opened:
        play.set(events=play.state.events + 1)
    _remember(play, prompt)
    if good:
        consequences.passed(play, prompt)
    elif may_be_thrown_again(play.state, prompt):
        failed = prompt.model_copy(update={"failed": True}).model_dump(exclude={"key"})
        play.state = call_for(play.state, **failed)
        play.say(_waits(play.state, prompt, trial))
    else:
        consequences.failed(play, prompt)
    _told(play, prompt, f"{trial.text}: {trial.passed if good else trial.failed}")


def take_again(play: MagdalaPlay, plan: PlannedTest) -> None:
    """The general has a failed test thrown once more, and that stands (MM-6)."""
    prompt, trial = plan.prompt, plan.trial
    good = trial.throw(play)
    play.state = settle(play.state, prompt)
    if good:
        consequences.passed(play, prompt)
    else:
        consequences.failed(play, prompt)
    _told(play, prompt, f"{trial.text}, thrown again: {trial.passed if good else trial.failed}")


def accept(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """A failed test is let stand."""
    play.state = settle(play.state, prompt)
    consequences.failed(play, prompt)
    _told(play, prompt, f"{play.state.unit(prompt.unit).name}: {prompt.test.value}, failed, stands")


def _told(play: MagdalaPlay, prompt: StoredPrompt, headline: str) -> None:
    """A test asked for in secret, and what follows of it, is for the unit's own side and the umpire."""
    conclude(play, headline, prompt.unit)
    if prompt.secret:
        play.tell(audience=frozenset((play.report.side, UMPIRE)))


def _remember(play: MagdalaPlay, prompt: StoredPrompt) -> None:
    """Which fire casualties a test answered for, or that this turn's retest is taken."""
    memory = play.state.unit(prompt.unit).this_turn
    marks: dict[Test, dict[str, object]] = {
        Test.UNDER_FIRE: {"tested_casualties": memory.fire_casualties},
        Test.RETEST: {"retested": True},
    }
    play.change(prompt.unit, this_turn=memory.model_copy(update=marks.get(prompt.test, {})))


def _waits(state: MagdalaState, prompt: StoredPrompt, trial: Trial) -> Step:
    general = general_with(state, state.unit(prompt.unit))
    who = general.name if general else "The general"
    chance = "" if trial.secret else f": {likely(trial.test.chance)} {trial.hope}"
    return Step(text=who, cite=Cite(rule="MM-6"), verdict=f"may have it thrown again{chance}")
