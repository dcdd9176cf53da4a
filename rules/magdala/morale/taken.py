"""Taking a test: thrown, then settled at once, or left to a general who may have it thrown again (MM-6)."""

from rules.core.dice import Dice
from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import likely
from rules.magdala.model import MagdalaState, MagdalaUnit, StoredPrompt, Test
from rules.magdala.stored_prompts import amend, call_for, settle
from rules.magdala.telling import Told, kept, told

from . import consequences
from .generalship import check_said, general_with, may_be_thrown_again
from .morale_trial import morale_trial
from .pursuit_trial import pursuit_trial
from .reaction_trial import reaction_trial
from .trials import Trial


def trial_of(state: MagdalaState, prompt: StoredPrompt) -> Trial:
    """The throw that settles a test owed."""
    unit = state.unit(prompt.unit)
    if prompt.test is Test.REACTION:
        return reaction_trial(state, unit, prompt.routing, prompt.circumstances)
    if prompt.test is Test.PURSUIT:
        return pursuit_trial(unit)
    return morale_trial(state, unit, prompt.test, prompt.circumstances, prompt.lost_in_a_row)


def take(state: MagdalaState, prompt: StoredPrompt, dice: Dice) -> Told:
    """Throws a test. Failed with an unwounded general there, it waits for him; else what follows, follows."""
    trial = trial_of(state, prompt)
    good, step = trial.throw(dice, state.unit(prompt.unit).side)
    state = _answered(settle(state, prompt), prompt)
    if good:
        state, after = consequences.passed(state, prompt)
    elif may_be_thrown_again(state, prompt):
        state = call_for(state, **prompt.model_copy(update={"failed": True}).model_dump(exclude={"key"}))
        after = (_waits(state, prompt, trial),)
    else:
        state, after = consequences.failed(state, prompt, dice)
    verdict = trial.passed if good else trial.failed
    return kept(prompt.secret, told(state, prompt.unit, f"{trial.text}: {verdict}", (step, *after)))


def take_again(state: MagdalaState, prompt: StoredPrompt, dice: Dice) -> Told:
    """The general has a failed test thrown once more, and that stands (MM-6)."""
    trial = trial_of(state, prompt)
    good, step = trial.throw(dice, state.unit(prompt.unit).side)
    state = settle(state, prompt)
    state, steps = consequences.passed(state, prompt) if good else consequences.failed(state, prompt, dice)
    verdict = trial.passed if good else trial.failed
    return kept(prompt.secret, told(state, prompt.unit, f"{trial.text}, thrown again: {verdict}", (step, *steps)))


def accept(state: MagdalaState, prompt: StoredPrompt, dice: Dice) -> Told:
    """A failed test is let stand."""
    state, steps = consequences.failed(settle(state, prompt), prompt, dice)
    headline = f"{state.unit(prompt.unit).name}: {prompt.test.value}, failed, stands"
    return kept(prompt.secret, told(state, prompt.unit, headline, steps))


def odds_of(state: MagdalaState, prompt: StoredPrompt) -> Odds:
    """The exact chances of a test owed."""
    return trial_of(state, prompt).odds()


def supposing(chances: Odds) -> Odds:
    """The chances of a test that is not owed."""
    return chances.model_copy(update={"question": f"{chances.question}, if it tested now"})


def asked(state: MagdalaState, prompt: StoredPrompt, action: Action) -> tuple[MagdalaState, StoredPrompt]:
    """The prompt with what is said of the moment, in secret or not. Raises Refused when that cannot be so (MM-6)."""
    check_said(state, state.unit(prompt.unit), action.circumstances)
    said = {"circumstances": action.circumstances, "secret": action.secret}
    return amend(state, prompt, **said), prompt.model_copy(update=said)


def to_take(prompt: StoredPrompt | None, unit: MagdalaUnit, what: str, cite: Cite) -> StoredPrompt:
    """The prompt, if it is still to be thrown. Raises Refused when there is none, or it waits for a general."""
    if prompt is None:
        raise Refused(f"{unit.name} owes no {what}.", cite)
    if prompt.failed:
        raise Refused(
            f"{unit.name} has failed its test. Have its general throw it again, or accept it.", Cite(rule="MM-6")
        )
    return prompt


def _answered(state: MagdalaState, prompt: StoredPrompt) -> MagdalaState:
    """The state remembering which fire casualties a test answered for, or that this turn's retest is taken."""
    unit = state.unit(prompt.unit)
    marks: dict[Test, dict[str, object]] = {
        Test.UNDER_FIRE: {"tested_casualties": unit.this_turn.fire_casualties},
        Test.RETEST: {"retested": True},
    }
    memory = unit.this_turn.model_copy(update=marks.get(prompt.test, {}))
    return state.with_unit(unit.model_copy(update={"this_turn": memory}))


def _waits(state: MagdalaState, prompt: StoredPrompt, trial: Trial) -> Step:
    general = general_with(state, state.unit(prompt.unit))
    who = general.name if general else "The general"
    secret = any(modifier.secret for modifier in trial.modifiers)
    chance = "" if secret else f": {likely(trial.chance)} {trial.hope}"
    return Step(text=who, cite=Cite(rule="MM-6"), verdict=f"may have it thrown again{chance}")
