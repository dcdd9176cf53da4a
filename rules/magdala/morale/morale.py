"""Testing morale: under fire, after a lost round of melee, to go on again, or at the umpire's call (MM-5)."""

from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.fleeing.flight import GONE_OR_GOING, HELD
from rules.magdala.model import MagdalaState, MagdalaUnit, StoredPrompt, Test
from rules.magdala.orders import find
from rules.magdala.prompts import offering
from rules.magdala.stored_prompts import call_for, first_prompt
from rules.magdala.tables import limit
from rules.magdala.telling import Told

from .morale_trial import LOST_A_MELEE, MORALE_WORDS, ROUNDS_LOST, UMPIRES_CALL
from .taken import asked, odds_of, supposing, take, to_take

FLYING = Cite(rule="MM-5.8", mark=Mark.RULING)


class MoraleTest(Action):
    """The morale test a unit owes, or may take to go on; the umpire may call for one."""

    kind: ClassVar[str] = "morale"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = MORALE_WORDS


def take_morale(state: MagdalaState, action: MoraleTest, dice: Dice) -> Told:
    """Throws it. Raises Refused when the unit owes none and may not take one."""
    return take(*_asked(state, action), dice)


def odds(state: MagdalaState, action: MoraleTest) -> Odds:
    """Its exact chances; of a unit that owes none those it would have if it tested now."""
    unit = _tester(state, action)
    calls = UMPIRES_CALL in action.circumstances
    if _owing(state, unit) is not None or calls or why_not_go_on(state, unit) is None:
        return odds_of(*_asked(state, action))
    supposed, prompt = asked(*_supposed(state, unit, action.circumstances), action)
    return supposing(odds_of(supposed, prompt))


def why_not_go_on(state: MagdalaState, unit: MagdalaUnit) -> str | None:
    """What keeps a unit from testing to go on (MM-5.7); None if it may."""
    turns = limit("turns held before testing again")
    if unit.morale not in HELD:
        return "owes no morale test"
    if engaged(state, unit):
        return "is in melee: it fights on, and does not test to go on"
    if unit.side != state.active:
        return "tests to go on in its own turn"
    if unit.this_turn.retested:
        return "has tested to go on this turn; it may again in its next"
    if unit.this_turn.retreated:
        return "has retreated this turn; it may test to go on in its next"
    if unit.held_turns < turns:
        return f"is {unit.morale}: it must first stand so for {turns} whole turn of its own"
    return None


def _asked(state: MagdalaState, action: MoraleTest) -> tuple[MagdalaState, StoredPrompt]:
    """The state owing the test asked for, and that prompt with what is said of the moment."""
    unit = _tester(state, action)
    prompt = _owing(state, unit)
    if prompt is None:
        state = _opened(state, unit, action.circumstances)
        prompt = state.prompts[-1]
    return asked(state, to_take(prompt, unit, "morale test", Cite(rule="MM-5.2")), action)


def _tester(state: MagdalaState, action: MoraleTest) -> MagdalaUnit:
    unit = find(state, action.unit)
    if not is_fighter(unit):
        raise Refused(
            f"{unit.name} has no morale of its own: it tests with the troops it is among.", Cite(rule="MM-5.3")
        )
    return unit


def _owing(state: MagdalaState, unit: MagdalaUnit) -> StoredPrompt | None:
    return first_prompt(state, unit.id, Test.UNDER_FIRE, Test.MELEE_LOST, Test.RETEST)


def _supposed(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> tuple[MagdalaState, StoredPrompt]:
    """The test it would take if it came to one now: in melee after losing a round, else under fire."""
    fights = engaged(state, unit)
    test = Test.MELEE_LOST if fights or _after_melee(said) else Test.UNDER_FIRE
    state = call_for(state, unit.id, test, lost_in_a_row=unit.melee_lost_in_a_row + 1 if fights else 0)
    return state, state.prompts[-1]


def _after_melee(said: tuple[str, ...]) -> bool:
    return LOST_A_MELEE in said or any(word in said for word in ROUNDS_LOST)


def _opened(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> MagdalaState:
    """A test nobody owes yet: at the umpire's call, or by choice to go on. Raises Refused."""
    if UMPIRES_CALL in said:
        if unit.morale in GONE_OR_GOING:
            raise Refused(f"{unit.name} is {unit.morale}: no such test holds it. Set its morale instead.", FLYING)
        return call_for(state, unit.id, Test.MELEE_LOST if _after_melee(said) else Test.UNDER_FIRE)
    refusal = why_not_go_on(state, unit)
    if refusal is not None:
        raise Refused(
            f"{unit.name} {refusal}. The umpire may call for a test: with “{UMPIRES_CALL}”.", Cite(rule="MM-5.2")
        )
    return call_for(state, unit.id, Test.RETEST)


DEED: Deed[MagdalaState] = Deed(MoraleTest, take_morale, odds, offering(MoraleTest))
