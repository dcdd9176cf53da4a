"""Taking a test: thrown, then settled at once, or left to a general who may have it thrown again (MM-6)."""

from rules.core.dice import Dice
from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import likely
from rules.magdala.debts import amend, owe, settle
from rules.magdala.fighting.pursuit_trial import pursuit_trial
from rules.magdala.model import Debt, MagdalaState, MagdalaUnit, Test
from rules.magdala.telling import Told, kept, told

from . import consequences
from .generalship import check_said, general_with, may_be_thrown_again
from .morale_trial import morale_trial
from .reaction_trial import reaction_trial
from .trials import Trial


def trial_of(state: MagdalaState, debt: Debt) -> Trial:
    """The throw that settles a test owed."""
    unit = state.unit(debt.unit)
    if debt.test is Test.REACTION:
        return reaction_trial(state, unit, debt.routing, debt.circumstances)
    if debt.test is Test.PURSUIT:
        return pursuit_trial(unit)
    return morale_trial(state, unit, debt.test, debt.circumstances, debt.lost_in_a_row)


def take(state: MagdalaState, debt: Debt, dice: Dice) -> Told:
    """Throws a test. Failed with an unwounded general there, it waits for him; else what follows, follows."""
    trial = trial_of(state, debt)
    good, step = trial.throw(dice, state.unit(debt.unit).side)
    state = _answered(settle(state, debt), debt)
    if good:
        state, after = consequences.passed(state, debt)
    elif may_be_thrown_again(state, debt):
        state = owe(state, **debt.model_copy(update={"failed": True}).model_dump(exclude={"key"}))
        after = (_waits(state, debt, trial),)
    else:
        state, after = consequences.failed(state, debt, dice)
    verdict = trial.passed if good else trial.failed
    return kept(debt.secret, told(state, debt.unit, f"{trial.text}: {verdict}", (step, *after)))


def take_again(state: MagdalaState, debt: Debt, dice: Dice) -> Told:
    """The general has a failed test thrown once more, and that stands (MM-6)."""
    trial = trial_of(state, debt)
    good, step = trial.throw(dice, state.unit(debt.unit).side)
    state = settle(state, debt)
    state, steps = consequences.passed(state, debt) if good else consequences.failed(state, debt, dice)
    verdict = trial.passed if good else trial.failed
    return kept(debt.secret, told(state, debt.unit, f"{trial.text}, thrown again: {verdict}", (step, *steps)))


def accept(state: MagdalaState, debt: Debt, dice: Dice) -> Told:
    """A failed test is let stand."""
    state, steps = consequences.failed(settle(state, debt), debt, dice)
    headline = f"{state.unit(debt.unit).name}: {debt.test.value}, failed, stands"
    return kept(debt.secret, told(state, debt.unit, headline, steps))


def odds_of(state: MagdalaState, debt: Debt) -> Odds:
    """The exact chances of a test owed."""
    return trial_of(state, debt).odds()


def supposing(chances: Odds) -> Odds:
    """The chances of a test that is not owed."""
    return chances.model_copy(update={"question": f"{chances.question}, if it tested now"})


def asked(state: MagdalaState, debt: Debt, action: Action) -> tuple[MagdalaState, Debt]:
    """The debt with what is said of the moment, in secret or not. Raises Refused when that cannot be so (MM-6)."""
    check_said(state, state.unit(debt.unit), action.circumstances)
    said = {"circumstances": action.circumstances, "secret": action.secret}
    return amend(state, debt, **said), debt.model_copy(update=said)


def to_take(debt: Debt | None, unit: MagdalaUnit, what: str, cite: Cite) -> Debt:
    """The debt, if it is still to be thrown. Raises Refused when there is none, or it waits for a general."""
    if debt is None:
        raise Refused(f"{unit.name} owes no {what}.", cite)
    if debt.failed:
        raise Refused(
            f"{unit.name} has failed its test. Have its general throw it again, or accept it.", Cite(rule="MM-6")
        )
    return debt


def _answered(state: MagdalaState, debt: Debt) -> MagdalaState:
    """The state remembering which fire casualties a test answered for, or that this turn's retest is taken."""
    unit = state.unit(debt.unit)
    marks: dict[Test, dict[str, object]] = {
        Test.UNDER_FIRE: {"tested_casualties": unit.this_turn.fire_casualties},
        Test.RETEST: {"retested": True},
    }
    memory = unit.this_turn.model_copy(update=marks.get(debt.test, {}))
    return state.with_unit(unit.model_copy(update={"this_turn": memory}))


def _waits(state: MagdalaState, debt: Debt, trial: Trial) -> Step:
    general = general_with(state, state.unit(debt.unit))
    who = general.name if general else "The general"
    secret = any(modifier.secret for modifier in trial.modifiers)
    chance = "" if secret else f": {likely(trial.chance)} {trial.hope}"
    return Step(text=who, cite=Cite(rule="MM-6"), verdict=f"may have it thrown again{chance}")
