"""Testing the reaction of troops who see friends retreat or rout past them (MM-5.10)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala import asking
from rules.magdala.action_types import UMPIRES_CALL
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import engaged
from rules.magdala.fleeing.flight import FLEEING, GONE_OR_GOING, who_may_see
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from rules.magdala.orders import find
from rules.magdala.stored_prompts import first_prompt, new_prompt, still_owes

from .reaction_trial import NOT_ENGAGED, POOR, REACTION_WORDS, ROUTING
from .taken import PlannedTest, TestType, planned, take, to_take

RULE = Cite(rule="MM-5.10")
MELEE_FIRST = Cite(rule="MM-5.10", mark=Mark.RULING)


class Reaction(Action):
    """The reaction test of a unit that sees friends in flight; `by` names the unit that flees."""

    kind: ClassVar[str] = "reaction"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = REACTION_WORDS

    by: str | None = None


class ReactionType(TestType[Reaction]):
    """A unit's reaction to the flight of friends (MM-5.10)."""

    action = Reaction
    settles = (Test.REACTION,)
    needs = ("troop", "losses")
    needs_words = tuple(word for word in REACTION_WORDS if word != UMPIRES_CALL)

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Reaction) -> Iterable[str]:
        """Who fights, who is fired at, of what quality it is, and how its friends flee is known."""
        fights, fired_at = engaged(state, unit), unit.this_turn.under_fire
        prompt = first_prompt(state, unit.id, Test.REACTION)
        routing = prompt.routing if prompt else _routs(state, action.by)
        false = {
            NOT_ENGAGED: fights or fired_at,
            "engaged": not fights,
            "under fire": not fired_at,
            POOR: unit.quality >= 0,
            ROUTING: not routing,
            "retreating": routing,
        }
        return (word for word, untrue in false.items() if untrue)

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Reaction]:
        """The test owed; of a flight without positions, that of friends who may have seen it and owe none."""
        yield from super().answers(state, prompt)
        if prompt.test is Test.WITNESS:
            for friend in who_may_see(state, state.unit(prompt.unit)):
                if first_prompt(state, friend.id, Test.REACTION) is None:
                    yield Reaction(unit=friend.id, by=prompt.unit)

    def plan(self, state: MagdalaState, action: Reaction, *, supposing: bool = False) -> PlannedTest:
        """The test it owes, or that friends in flight call for. Raises Refused when nothing does."""
        unit = find(state, action.unit)
        if not is_fighter(unit):
            raise Refused(f"{unit.name} does not react on its own: it goes with the troops it is among.", RULE)
        owed = first_prompt(state, unit.id, Test.REACTION)
        calls = UMPIRES_CALL in action.circumstances
        if supposing and owed is None and not calls:
            supposed = new_prompt(state, unit.id, Test.REACTION, routing=_routs(state, action.by))
            return planned(state, supposed, action, supposed=True)
        lost = first_prompt(state, unit.id, Test.MELEE_LOST)
        if lost is not None:
            raise still_owes(state, lost, MELEE_FIRST)
        if owed is None:
            return planned(state, _opened(state, unit, action), action, opened=True)
        return planned(state, to_take(owed, unit, "reaction test", RULE), action)

    def resolve(self, play: MagdalaPlay, plan: PlannedTest) -> None:
        """It reacts to that flight but once."""
        if plan.opened and plan.prompt.by:
            seen = play.state.unit(plan.prompt.by).flight_seen_by
            play.change(plan.prompt.by, flight_seen_by=(*seen, plan.prompt.unit))
        take(play, plan)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Reaction]:
        """At the umpire's call."""
        said = (*words, UMPIRES_CALL)
        return asking.table(asking.unit(given, words)), Reaction(unit=asking.UNIT, circumstances=said)


def _routs(state: MagdalaState, fugitive: str | None) -> bool:
    flees = state.units.get(fugitive or "")
    return flees is not None and flees.morale is Morale.ROUTED


def _opened(state: MagdalaState, unit: MagdalaUnit, action: Reaction) -> StoredPrompt:
    """A test nobody owes yet: friends named by hand, or the umpire's call. Raises Refused."""
    if unit.morale in GONE_OR_GOING:
        raise Refused(f"{unit.name} is {unit.morale} itself: it does not react.", RULE)
    if UMPIRES_CALL in action.circumstances:
        return new_prompt(state, unit.id, Test.REACTION, routing=ROUTING in action.circumstances)
    if action.by is None:
        raise Refused(f"{unit.name} owes no reaction test. Name the friends who flee past it as “by”.", RULE)
    fugitive = state.units.get(action.by)
    if fugitive is None or fugitive.side != unit.side or not _fled(state, fugitive):
        fleeing = ", ".join(
            other.name for other in state.units.values() if other.side == unit.side and _fled(state, other)
        )
        raise Refused(f"That is no friend in flight. {f'In flight: {fleeing}.' if fleeing else 'None is.'}", RULE)
    if unit.id in fugitive.flight_seen_by:
        raise Refused(f"{unit.name} has already reacted to the flight of {fugitive.name}.", RULE)
    routing = fugitive.morale is Morale.ROUTED
    return new_prompt(state, unit.id, Test.REACTION, by=fugitive.id, routing=routing)


def _fled(state: MagdalaState, unit: MagdalaUnit) -> bool:
    return unit.morale in FLEEING or first_prompt(state, unit.id, Test.WITNESS) is not None


REACTION = ReactionType()
