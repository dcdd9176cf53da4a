"""Tests of morale and reaction. A failed test may wait for a general to have it thrown again (MM-5, MM-6)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from typing_extensions import override

from rules.core.action_type import A
from rules.core.ad_hoc import OURS, read_whole_number, throwaway_state
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.test_action import Trial, TrialType
from rules.core.wording import percent_in_words
from rules.magdala.arms import has_own_morale
from rules.magdala.engagement import is_engaged
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from rules.magdala.scenarios import TROOPS
from rules.magdala.shared import UMPIRES_CALL, PromptedType, complete_action, find_unit_on_table
from rules.magdala.stored_prompts import (
    add_prompt,
    new_prompt,
    oldest_prompt,
    refusal_for_prompt,
    remove_prompts,
    secret_test_audience,
)
from rules.magdala.tables import limit

from . import effects, trials
from .flight import FLEEING, GONE_OR_GOING, HELD, possible_flight_witnesses

DETACHMENT = "detachment"
MOST_LOSSES = 100
GENERALS = Cite(rule="MM-6")
FLYING, RULE = Cite(rule="MM-5.8", mark=Mark.RULING), Cite(rule="MM-5.10")


class RerollableTestType(TrialType[MagdalaState, A, StoredPrompt], PromptedType[A, StoredPrompt]):
    """A test that a general may have thrown again. The plan is a prompt, with an empty key for a hypothetical test."""

    def trial(self, state: MagdalaState, plan: StoredPrompt) -> Trial:
        """Return the test's throw. For a hypothetical test, the question says “if it tested now”."""
        trial = trials.make_trial(state, plan)
        return trial if plan.key else replace(trial, question=f"{trial.text}, if it tested now")

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, A]:
        """Return the state and the test of a question without a game. The unit is a detachment if `words` say so."""
        losses = read_whole_number(options, "losses", 0, MOST_LOSSES) if "losses" in options else 0
        troop = TROOPS.find(str(options["troop"]))
        figures = max(int(troop.fields["figures"]), losses + 1)
        parent = troop.make_unit("parent", troop.name, OURS, figures=figures, casualties=losses)
        sent_out = DETACHMENT in words
        unit = parent.model_copy(update={"id": "unit", "parent": parent.id if sent_out else None})
        circumstances = (*(word for word in words if word != DETACHMENT), UMPIRES_CALL)
        order: Any = self.action(unit=unit.id, circumstances=circumstances)
        return throwaway_state(MagdalaState, unit, *((parent,) if sent_out else ())), order

    def resolve(self, play: MagdalaPlay, plan: StoredPrompt) -> None:
        """Throw the test and apply its result. A failed test waits for an unwounded general with the unit (MM-6)."""
        unit, trial = play.state.unit(plan.unit), self.trial(play.state, plan)
        good = trial.take(play)
        if all(prompt.key != plan.key for prompt in play.state.prompts):
            play.set(events=play.state.events + 1)
            if plan.by:
                play.change(plan.by, flight_seen_by=(*play.state.unit(plan.by).flight_seen_by, unit.id))
        play.state = remove_prompts(play.state, plan)
        if plan.test is Test.UNDER_FIRE and not plan.failed:
            play.remember(unit.id, tested_casualties=unit.this_turn.fire_casualties)
        if plan.test is Test.RETEST:
            play.remember(unit.id, retested=True)
        if good:
            effects.apply_passed_test(play, plan)
        elif plan.failed or not trials.can_be_thrown_again(play.state, plan):
            effects.apply_failed_test(play, plan)
        else:
            play.state = add_prompt(play.state, **{**plan.model_dump(exclude={"key"}), "failed": True})
            general = trials.find_unwounded_general(play.state, unit)
            chance = "" if trial.has_secret_modifier else f": {percent_in_words(trial.test.chance)} {trial.hope}"
            play.note(general.name if general else "The general", GENERALS, f"may have it thrown again{chance}")
        suffix = ", thrown again" if plan.failed else ""
        complete_report(play, plan, f"{trial.text}{suffix}: {trial.passed if good else trial.failed}")


def complete_report(play: MagdalaPlay, prompt: StoredPrompt, headline: str) -> None:
    """Complete a test's report. Only the unit's side and the umpire may read the report of a secret test."""
    complete_action(play, headline, prompt.unit)
    if prompt.secret:
        play.tell(audience=secret_test_audience(play.state, prompt))


def prepare_test(state: MagdalaState, prompt: StoredPrompt, action: Action) -> StoredPrompt:
    """Return the test with the action's circumstances and secrecy. Raises Refused while it waits for a general."""
    unit = state.unit(prompt.unit)
    why = f"{unit:have} failed {unit:their} test. Have {unit:their} general throw it again, or accept it."
    refuse(GENERALS, (prompt.failed, why))
    trials.require_stated_general(state, unit, action.circumstances)
    return prompt.model_copy(update={"circumstances": action.circumstances, "secret": action.secret})


class MoraleTest(Action):
    """Take the morale test that a unit owes, or may take to go on; the umpire may call for one."""

    kind = "morale"
    can_be_secret = True
    circumstance_names = trials.MORALE_WORDS


class MoraleType(RerollableTestType[MoraleTest]):
    """A unit's morale test: under fire, after a lost round of melee, to go on again, or at the umpire's call (MM-5)."""

    action = MoraleTest
    settles = (Test.UNDER_FIRE, Test.MELEE_LOST, Test.RETEST)
    says = "Morale of {}"
    question_fields = ("troop", "losses")
    question_circumstances = (*(word for word in trials.MORALE_WORDS if word != UMPIRES_CALL), DETACHMENT)
    measured_circumstances = (trials.IMAM,)

    @override
    def circumstances_from_state(self, state: MagdalaState, unit: MagdalaUnit, action: MoraleTest) -> Iterable[str]:
        """Return the circumstances of lost rounds, which the game counts, and those that are false in the state."""
        return (*trials.ROUNDS_LOST, *(word for word, holds in trials.morale_facts(state, unit).items() if not holds))

    def suggest_actions(self, state: MagdalaState) -> Iterable[MoraleTest]:
        """Yield owed tests, and optional tests of held units."""
        yield from super().suggest_actions(state)
        yield from (MoraleTest(unit=unit.id) for unit in state.units_of(state.active) if unit.morale in HELD)

    def settle(self, state: MagdalaState, action: MoraleTest, *, supposing: bool) -> StoredPrompt:
        """Return the test that the unit owes, may choose, or takes at the umpire's call. Raises Refused without one."""
        unit = find_unit_on_table(state, action.unit)
        why = f"{unit:have} no morale of {unit:their} own: {unit:they test} with the troops {unit:they are} among."
        refuse(Cite(rule="MM-5.3"), (not has_own_morale(unit), why))
        owed = oldest_prompt(state, unit.id, *self.settles)
        return prepare_test(state, owed or _unowed_morale_test(state, unit, action.circumstances, supposing), action)


def _unowed_morale_test(
    state: MagdalaState, unit: MagdalaUnit, circumstances: tuple[str, ...], supposing: bool
) -> StoredPrompt:
    """Return a test that the unit does not owe: at the umpire's call, by choice to go on, or hypothetical.

    In a hypothetical test, a unit in melee has lost a round, and any other unit is under fire. Raises Refused if no
    test is possible.
    """
    calls, fights = UMPIRES_CALL in circumstances, is_engaged(state, unit)
    after_melee = any(word in circumstances for word in (trials.LOST_A_MELEE, *trials.ROUNDS_LOST))
    why = f"{unit:are} {unit.morale}: no such test holds {unit:them}. Set {unit:their} morale instead."
    refuse(FLYING, (calls and unit.morale in GONE_OR_GOING, why))
    if calls:
        return new_prompt(state, unit.id, Test.MELEE_LOST if after_melee else Test.UNDER_FIRE)
    refusal = _reason_against_going_on(state, unit)
    if not refusal:
        return new_prompt(state, unit.id, Test.RETEST)
    if not supposing:
        why = f"{unit.name} {unit.verb(refusal)}. The umpire may call for a test: with “{UMPIRES_CALL}”."
        raise Refused(why, Cite(rule="MM-5.2"))
    test = Test.MELEE_LOST if fights or after_melee else Test.UNDER_FIRE
    return StoredPrompt(key="", unit=unit.id, test=test, lost_in_a_row=(unit.melee_lost_in_a_row + 1) * fights)


def _reason_against_going_on(state: MagdalaState, unit: MagdalaUnit) -> str:
    """Return why a unit may not test to go on (MM-5.7); empty if it may."""
    memory, turns = unit.this_turn, limit("turns held before testing again")
    reasons = {
        "have no morale test to make": unit.morale not in HELD,
        f"are in melee: {unit:they fight} on, and {unit:they do} not test to go on": is_engaged(state, unit),
        f"test to go on in {unit:their} own turn": unit.side != state.active,
        f"have tested to go on this turn; {unit:they} may again in {unit:their} next": memory.retested,
        f"have retreated this turn; {unit:they} may test to go on in {unit:their} next": memory.retreated,
        f"are {unit.morale}: {unit:they} must first stand so for {turns} whole turn": unit.held_turns < turns,
    }
    return next((why for why, holds in reasons.items() if holds), "")


class Reaction(Action):
    """Take the reaction test of a unit that sees friends in flight; `by` names the unit that flees."""

    refers_to = ("unit", "by")
    can_be_secret = True
    circumstance_names = trials.REACTION_WORDS

    by: str | None = None


class ReactionType(RerollableTestType[Reaction]):
    """A unit's reaction test to the flight of friends (MM-5.10)."""

    action = Reaction
    settles = (Test.REACTION,)
    says = "Reaction of {}"
    question_fields = ("troop", "losses")
    question_circumstances = tuple(word for word in trials.REACTION_WORDS if word != UMPIRES_CALL)

    def circumstances_from_state(self, state: MagdalaState, unit: MagdalaUnit, action: Reaction) -> Iterable[str]:
        """Return the circumstances that the state shows to be false; only the umpire may claim them."""
        prompt = oldest_prompt(state, unit.id, Test.REACTION)
        routing = prompt.routing if prompt else _is_routed(state, action.by)
        return (word for word, holds in trials.reaction_facts(state, unit, routing).items() if not holds)

    def suggest_answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Reaction]:
        """Yield tests that units owe. For a flight without positions, yield the tests of possible witnesses."""
        yield from super().suggest_answers(state, prompt)
        if prompt.test is Test.WITNESS:
            for friend in possible_flight_witnesses(state, state.unit(prompt.unit)):
                if oldest_prompt(state, friend.id, Test.REACTION) is None:
                    yield Reaction(unit=friend.id, by=prompt.unit)

    def settle(self, state: MagdalaState, action: Reaction, *, supposing: bool) -> StoredPrompt:
        """Return the test that the unit owes, or that friends in flight call for. Raises Refused if there is none."""
        unit = find_unit_on_table(state, action.unit)
        why = f"{unit:do} not react on {unit:their} own: {unit:they go} with the troops {unit:they are} among."
        refuse(RULE, (not has_own_morale(unit), why))
        reaction_test, melee_test = (oldest_prompt(state, unit.id, test) for test in (Test.REACTION, Test.MELEE_LOST))
        if supposing and reaction_test is None and UMPIRES_CALL not in action.circumstances:
            routing = _is_routed(state, action.by)
            return prepare_test(state, StoredPrompt(key="", unit=unit.id, test=Test.REACTION, routing=routing), action)
        if melee_test is not None:
            raise refusal_for_prompt(state, melee_test, RULE.as_ruling)
        return prepare_test(state, reaction_test or _unowed_reaction_test(state, unit, action), action)


def _is_routed(state: MagdalaState, fugitive: str | None) -> bool:
    flees = state.units.get(fugitive or "")
    return flees is not None and flees.morale is Morale.ROUTED


def _unowed_reaction_test(state: MagdalaState, unit: MagdalaUnit, action: Reaction) -> StoredPrompt:
    """Return a test that the unit does not owe: for the flight of `action.by`, or at the umpire's call."""
    if unit.morale in GONE_OR_GOING:
        raise Refused(f"{unit:are} {unit.morale} {unit:themselves}: {unit:they do} not react.", RULE)
    if UMPIRES_CALL in action.circumstances:
        return new_prompt(state, unit.id, Test.REACTION, routing=trials.ROUTING in action.circumstances)
    if action.by is None:
        why = f"{unit:have} no reaction test to make. Name the friends who flee past {unit:them} as “by”."
        raise Refused(why, RULE)
    friends = [friend for friend in state.units.values() if friend.side == unit.side]
    seen = {friend.id for friend in friends if oldest_prompt(state, friend.id, Test.WITNESS)}
    fled = {friend.id: friend for friend in friends if friend.morale in FLEEING or friend.id in seen}
    fugitive = fled.get(action.by)
    if fugitive is None:
        names = ", ".join(friend.name for friend in fled.values())
        raise Refused(f"That is no friend in flight. {f'In flight: {names}.' if names else 'None is.'}", RULE)
    refuse(RULE, (unit.id in fugitive.flight_seen_by, f"{unit:have} already reacted to the flight of {fugitive.name}."))
    return new_prompt(state, unit.id, Test.REACTION, by=fugitive.id, routing=_is_routed(state, fugitive.id))


MORALE, REACTION = MoraleType(), ReactionType()
