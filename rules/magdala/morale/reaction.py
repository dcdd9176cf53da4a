"""Testing the reaction of troops who see friends retreat or rout past them (MM-5.10)."""

from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.magdala.arms import is_fighter
from rules.magdala.fleeing.flight import FLEEING, GONE_OR_GOING, call_for_reaction
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from rules.magdala.orders import find
from rules.magdala.prompts import offering, still_owes
from rules.magdala.stored_prompts import call_for, first_prompt
from rules.magdala.telling import Told

from .morale_trial import UMPIRES_CALL
from .reaction_trial import REACTION_WORDS, ROUTING
from .taken import asked, odds_of, supposing, take, to_take

RULE = Cite(rule="MM-5.10")
MELEE_FIRST = Cite(rule="MM-5.10", mark=Mark.RULING)


class Reaction(Action):
    """The reaction test of a unit that sees friends in flight; `by` names the unit that flees."""

    kind: ClassVar[str] = "reaction"
    can_be_secret: ClassVar[bool] = True
    circumstance_names: ClassVar[tuple[str, ...]] = REACTION_WORDS

    by: str | None = None


def react(state: MagdalaState, action: Reaction, dice: Dice) -> Told:
    """Throws it. Raises Refused when nothing calls for it."""
    return take(*_asked(state, action), dice)


def odds(state: MagdalaState, action: Reaction) -> Odds:
    """Its exact chances; of a unit that owes none those it would have if it tested now."""
    unit = _tester(state, action)
    if first_prompt(state, unit.id, Test.REACTION) is not None or UMPIRES_CALL in action.circumstances:
        return odds_of(*_asked(state, action))
    fugitive = state.units.get(action.by or "")
    routing = fugitive is not None and fugitive.morale is Morale.ROUTED
    supposed = call_for(state, unit.id, Test.REACTION, routing=routing)
    return supposing(odds_of(*asked(supposed, supposed.prompts[-1], action)))


def _asked(state: MagdalaState, action: Reaction) -> tuple[MagdalaState, StoredPrompt]:
    unit = _tester(state, action)
    lost = first_prompt(state, unit.id, Test.MELEE_LOST)
    if lost is not None:
        raise still_owes(state, lost, MELEE_FIRST)
    prompt = first_prompt(state, unit.id, Test.REACTION)
    if prompt is None:
        state = _opened(state, unit, action)
        prompt = state.prompts[-1]
    return asked(state, to_take(prompt, unit, "reaction test", RULE), action)


def _tester(state: MagdalaState, action: Reaction) -> MagdalaUnit:
    unit = find(state, action.unit)
    if not is_fighter(unit):
        raise Refused(f"{unit.name} does not react on its own: it goes with the troops it is among.", RULE)
    return unit


def _opened(state: MagdalaState, unit: MagdalaUnit, action: Reaction) -> MagdalaState:
    """A test nobody owes yet: friends named by hand, or the umpire's call. Raises Refused."""
    if unit.morale in GONE_OR_GOING:
        raise Refused(f"{unit.name} is {unit.morale} itself: it does not react.", RULE)
    if UMPIRES_CALL in action.circumstances:
        return call_for(state, unit.id, Test.REACTION, routing=ROUTING in action.circumstances)
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
    seen = fugitive.model_copy(update={"flight_seen_by": (*fugitive.flight_seen_by, unit.id)})
    return call_for_reaction(state.with_unit(seen), unit.id, fugitive)


def _fled(state: MagdalaState, unit: MagdalaUnit) -> bool:
    return unit.morale in FLEEING or first_prompt(state, unit.id, Test.WITNESS) is not None


DEED: Deed[MagdalaState] = Deed(Reaction, react, odds, offering(Reaction))
