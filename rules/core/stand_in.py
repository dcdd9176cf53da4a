"""Playing on for somebody who does not come: what his side owes, then its best shots; nobody is moved."""

from fractions import Fraction
from typing import Any, TypeVar

from .model import Viewer
from .refused import Refused
from .report import Prompt
from .ruleset import Ruleset
from .state import Action, State

S = TypeVar("S", bound=State)

SHOTS = "fire"
"""The kind of action that a stand-in takes of his own accord."""


def next_for(system: Ruleset[S], state: S, side: Viewer) -> Action | None:
    """What a stand-in does next for that side; None where it is through.

    He knows what the side does. What is owed he settles by the button that warns of nothing, and promises most; he
    fires with the best chance, never where there is a warning, as of friends in the way.
    """
    if state.over is not None:
        return None
    seen = system.view(state, side)
    owed = next((one for one in system.open_prompts(state) if one.required and one.side == side and one.offers), None)
    if owed is not None:
        return _answer(system, seen, owed)
    if side not in state.acting:
        return None
    shots = ((_promise(system, seen, action), action) for action in system.legal(seen, side, SHOTS))
    best = max((shot for shot in shots if shot[0]), key=lambda shot: shot[0], default=None)
    return best[1] if best is not None else None


def _answer(system: Ruleset[S], seen: S, owed: Prompt) -> Action:
    """The button pressed under what is owed."""
    offers = [offer for offer in owed.offers if not offer.danger] or owed.offers
    actions = [system.parse(offer.kind, offer.args) for offer in offers]
    return max(actions, key=lambda action: _promise(system, seen, action))


def _promise(system: Ruleset[Any], state: Any, action: Action) -> Fraction:
    """The chance of something good; none where it has a warning, or no dice are thrown."""
    try:
        odds = system.odds(state, action)
    except Refused:
        return Fraction(0)
    good = (outcome.chance for outcome in odds.outcomes if outcome.good)
    return Fraction(0) if odds.warnings else sum(good, Fraction(0))
