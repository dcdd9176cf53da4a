"""Testing morale: under fire, after a lost round of melee, to go on again, or at the umpire's call (MM-5)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala import asking
from rules.magdala.action_types import UMPIRES_CALL
from rules.magdala.arms import DEFENCES, is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.fleeing.flight import GONE_OR_GOING, HELD
from rules.magdala.fleeing.retreat import RETIRE
from rules.magdala.model import MagdalaState, MagdalaUnit, StoredPrompt, Test, Troop
from rules.magdala.orders import find
from rules.magdala.stored_prompts import first_prompt, new_prompt
from rules.magdala.tables import limit, value

from .morale_trial import IN_SQUARE, LOST_A_MELEE, MORALE_WORDS, ROUNDS_LOST
from .taken import PlannedTest, TestType, planned, to_take

FLYING = Cite(rule="MM-5.8", mark=Mark.RULING)
OWED = (Test.UNDER_FIRE, Test.MELEE_LOST, Test.RETEST)


class MoraleTest(Action):
    """The morale test a unit owes, or may take to go on; the umpire may call for one."""

    kind: ClassVar[str] = "morale"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = MORALE_WORDS


class MoraleType(TestType[MoraleTest]):
    """A unit's morale test (MM-5.1 to MM-5.8)."""

    action = MoraleTest
    settles = OWED
    needs = ("troop", "losses")
    needs_words = (*(word for word in MORALE_WORDS if word != UMPIRES_CALL), asking.DETACHMENT)

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: MoraleTest) -> Iterable[str]:  # noqa: ARG002
        """Square, works, advance, quality and rounds lost are kept; so are imams, and where they are."""
        imams = [each for each in state.of_side(unit.side) if each.troop is Troop.IMAM]
        false = {
            IN_SQUARE: not unit.in_square,
            "behind defences": unit.works not in DEFENCES,
            "advancing": not (unit.this_turn.advanced or unit.this_turn.charged),
            "fanatic": not unit.fanatic,
            **{word: unit.quality > value("morale-adjustments", word) for word in ("inferior", "extremely inferior")},
            "imam": unit.place is not None or not imams,
        }
        return (*ROUNDS_LOST, *(word for word, untrue in false.items() if untrue))

    def thinkable(self, state: MagdalaState) -> Iterable[MoraleTest]:
        """Those owed, and those of units that may retreat instead."""
        yield from super().thinkable(state)
        yield from (MoraleTest(unit=back.unit) for back in RETIRE.possible(state, state.active))

    def plan(self, state: MagdalaState, action: MoraleTest, *, supposing: bool = False) -> PlannedTest:
        """The test it owes, may take, or is called on to take. Raises Refused when there is none."""
        unit = find(state, action.unit)
        if not is_fighter(unit):
            raise Refused(
                f"{unit.name} has no morale of its own: it tests with the troops it is among.", Cite(rule="MM-5.3")
            )
        owed = first_prompt(state, unit.id, *OWED)
        if owed is not None:
            return planned(state, to_take(owed, unit, "morale test", Cite(rule="MM-5.2")), action)
        said = action.circumstances
        if supposing and UMPIRES_CALL not in said and why_not_go_on(state, unit) is not None:
            return planned(state, _supposed(state, unit, said), action, supposed=True)
        return planned(state, _opened(state, unit, said), action, opened=True)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, MoraleTest]:
        """At the umpire's call; as a detachment if said so."""
        said = tuple(word for word in words if word != asking.DETACHMENT)
        return asking.table(asking.unit(given, words)), MoraleTest(
            unit=asking.UNIT, circumstances=(*said, UMPIRES_CALL)
        )


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


def _supposed(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> StoredPrompt:
    """The test it would take if it came to one now: in melee after losing a round, else under fire."""
    fights = engaged(state, unit)
    test = Test.MELEE_LOST if fights or _after_melee(said) else Test.UNDER_FIRE
    return new_prompt(state, unit.id, test, lost_in_a_row=unit.melee_lost_in_a_row + 1 if fights else 0)


def _after_melee(said: tuple[str, ...]) -> bool:
    return LOST_A_MELEE in said or any(word in said for word in ROUNDS_LOST)


def _opened(state: MagdalaState, unit: MagdalaUnit, said: tuple[str, ...]) -> StoredPrompt:
    """A test nobody owes yet: at the umpire's call, or by choice to go on. Raises Refused."""
    if UMPIRES_CALL in said:
        if unit.morale in GONE_OR_GOING:
            raise Refused(f"{unit.name} is {unit.morale}: no such test holds it. Set its morale instead.", FLYING)
        return new_prompt(state, unit.id, Test.MELEE_LOST if _after_melee(said) else Test.UNDER_FIRE)
    refusal = why_not_go_on(state, unit)
    if refusal is not None:
        raise Refused(
            f"{unit.name} {refusal}. The umpire may call for a test: with “{UMPIRES_CALL}”.", Cite(rule="MM-5.2")
        )
    return new_prompt(state, unit.id, Test.RETEST)


MORALE = MoraleType()
