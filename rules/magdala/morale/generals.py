"""Generals: failed tests that they have thrown again, and the risks that they run (MM-6)."""

from rules.core.action_type import Caption
from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.test_action import Trial, TrialType
from rules.core.throws import ScoreThrow
from rules.magdala.model import Health, MagdalaPlay, MagdalaState, StoredPrompt, Test
from rules.magdala.shared import OwedActionType, complete_action
from rules.magdala.stored_prompts import oldest_prompt, remove_prompts, secret_test_audience
from rules.magdala.tables import SIDES, TABLES

from . import effects
from .flight import remove_from_table
from .testing import RerollableTestType, complete_report
from .trials import can_be_thrown_again, find_unwounded_general

RULE = Cite(rule="MM-6")


class Reroll(Action):
    """Have a unit's failed test thrown again by its general."""

    can_be_secret = True


class DeclineOffer(Action):
    """Decline a re-roll of a failed test, or the defender's fire."""

    kind = "decline"
    can_be_secret = True


class GeneralRisk(Action):
    """Throw 2D6 for a general whose unit took many hits at once (option risk_hits)."""

    kind = "risk"


class RerollType(RerollableTestType[Reroll], OwedActionType[Reroll]):
    """The second throw of a failed test; its result is final (MM-6)."""

    action = Reroll
    settles_failed = True
    owes_none = "have no failed test that could be thrown again."
    rule = RULE

    def settle(self, state: MagdalaState, action: Reroll, *, supposing: bool) -> StoredPrompt:
        """Return the failed test. Raises Refused if none waits, or no unwounded general is with the unit."""
        prompt = super().settle(state, action, supposing=supposing)
        unit = state.unit(prompt.unit)
        general = find_unwounded_general(state, unit)
        if not can_be_thrown_again(state, prompt):
            raise Refused(f"No unwounded general is with {unit.name} any more: accept the failure.", RULE)
        if general is not None and oldest_prompt(state, general.id, Test.GENERAL_RISK) is not None:
            raise Refused(f"{general:are} in danger himself: throw for his risk first.", RULE.as_ruling)
        return prompt

    def caption(self, state: MagdalaState, plan: StoredPrompt) -> Caption:
        """Return a caption such as `Re-roll Berkshires with General Graham: 72%`; a secret test shows no chance."""
        unit = state.unit(plan.unit)
        general = find_unwounded_general(state, unit)
        chance = None if plan.secret else self.trial(state, plan).public_chance
        return Caption(f"Re-roll {unit.name} with {general.name if general else 'the general'}", chance)

    def odds(self, state: MagdalaState, plan: StoredPrompt) -> Odds:
        """Return the chances of the second throw. For a secret test, only the unit's side and the umpire read them."""
        odds = super().odds(state, plan)
        return odds.model_copy(update={"audience": secret_test_audience(state, plan)}) if plan.secret else odds


class DeclineOfferType(OwedActionType[DeclineOffer]):
    """Declining a second throw of a failed test, or the defender's fire (MM-4.1, MM-6)."""

    action = DeclineOffer
    settles = (Test.DEFENSIVE_FIRE,)
    settles_failed = True
    owes_none = "are offered nothing that could be declined."
    rule = RULE

    def caption(self, state: MagdalaState, plan: StoredPrompt) -> Caption:
        """Return `Berkshires hold their fire`, or for a failed test, in red, `Berkshires accept their result`."""
        unit = state.unit(plan.unit)
        text = f"{unit:accept} {unit:their} result" if plan.failed else f"{unit:hold} {unit:their} fire"
        return Caption(text, danger=plan.failed)

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """Apply the failed test, or give up the defender's fire."""
        unit = play.state.unit(plan.unit)
        play.state = remove_prompts(play.state, plan)
        if plan.failed:
            effects.apply_failed_test(play, plan)
            complete_report(play, plan, f"{unit:accept} {unit:their} failed test: {plan.test.value}")
        else:
            play.note(f"{unit:hold} {unit:their} fire", Cite(rule="MM-4.1"), in_headline=True)
            complete_action(play, f"{unit:hold} {unit:their} fire", plan.unit)


class GeneralRiskType(TrialType[MagdalaState, GeneralRisk, StoredPrompt], OwedActionType[GeneralRisk]):
    """The risk to a general: killed on 2, wounded on 3 (MM-6)."""

    action = GeneralRisk
    settles = (Test.GENERAL_RISK,)
    owes_none = "have not been in danger: no unit he is with took more than 2 hits at once."
    rule = RULE
    says = "Risk to {}"
    says_hope = True

    def trial(self, state: MagdalaState, plan: StoredPrompt) -> Trial:
        """Return the test: 2D6, read on the chart."""
        general, fates = state.unit(plan.unit), TABLES.charts["risk-to-generals"]
        test = ScoreThrow(2, SIDES, fates.row("4 to 12").low or 0)
        name, words = f"{general.name}: risk", ("to be unhurt", "unhurt", "hurt")
        return Trial(
            general.id, name, RULE, test, *words, reads=lambda score: fates.text_for_score(score, "The general is")
        )

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """Throw for the general, and apply his fate by the chart."""
        general, trial = play.state.unit(plan.unit), self.trial(play.state, plan)
        fate = trial.result_of(trial.throw_dice(play).total)
        play.state = remove_prompts(play.state, plan)
        if fate != trial.passed:
            play.change(general.id, health=Health(fate))
        if fate == Health.KILLED:
            play.state = remove_from_table(play.state, general.id)
        complete_action(play, f"{general:are} {fate}", general.id)


REROLL, DECLINE, RISK = RerollType(), DeclineOfferType(), GeneralRiskType()
