"""What the German player may do in a phase, as buttons with their chances: the likeliest first (TA-H.0)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rules.core.action_type import ActionType
from rules.core.model import Cite
from rules.core.report import Offer, Prompt
from rules.core.state import Action
from rules.tanga.combat import rally as rallies
from rules.tanga.model import GERMAN, Phase, TangaState
from rules.tanga.options import Resolution

from .fight import FIGHTING, FIRE, FIRING, MELEE
from .orders import phase_of
from .stand import IMPROVE, RALLY, WORKS

MOST = 10
"""Buttons of a kind."""

Kind = ActionType[TangaState, Any, Any]
Worth = Callable[[TangaState, Any], tuple[object, Fraction]]
"""What a plan is about (of equals the first is offered), and by what the likeliest comes first."""

ASKED: Mapping[Phase, Sequence[tuple[str, Cite, Kind, Worth]]] = {
    Phase.FIRE: [
        (
            "Your stacks may fire",
            FIRING,
            FIRE,
            lambda state, plan: ((state.unit(plan.units[0]).at, plan.at), plan.reckoned(state).hit),
        )
    ],
    Phase.MELEE: [
        (
            "Your stacks may attack",
            FIGHTING,
            MELEE,
            lambda state, plan: ((plan.here, plan.there), plan.chances(state)[0] - plan.chances(state)[1]),
        )
    ],
    Phase.RALLY: [
        (
            "Disrupted units may rally",
            WORKS,
            RALLY,
            lambda state, plan: (plan.unit, rallies.chance(state, plan.unit)),
        ),
        ("Infantry may dig in", WORKS, IMPROVE, lambda _, plan: (plan.at, Fraction(0))),
    ],
}


def choices(state: TangaState) -> tuple[Prompt, ...]:
    """What may be done now, none of which has to be; nothing where one's own box decides, whose chances are its own."""
    if state.options.resolution is Resolution.OWN:
        return ()
    found = (
        _offered(state, text, cite, tuple(_choices(state, kind, worth)))
        for text, cite, kind, worth in ASKED.get(phase_of(state), ())
    )
    return tuple(prompt for prompt in found if prompt.offers)


def _choices(state: TangaState, kind: Kind, worth: Worth) -> Iterable[tuple[Fraction, Action, str]]:
    """The chance, the action and the words of each button: one for all that come to the same."""
    seen = set[object]()
    for action in kind.candidates(state, GERMAN):
        plan = kind.planned(state, action)
        if plan is None:
            continue
        about, chance = worth(state, plan)
        if about not in seen:
            seen.add(about)
            yield chance, action, kind.label(state, plan)


def _offered(state: TangaState, text: str, cite: Cite, found: Sequence[tuple[Fraction, Action, str]]) -> Prompt:
    best = sorted(found, key=lambda choice: -choice[0])[:MOST]
    more = f" (the likeliest {MOST} of {len(found)})" if len(found) > MOST else ""
    offers = tuple(
        Offer(label=words, kind=action.kind, args=_args(action), side=GERMAN, key=f"{state.turn} {words}")
        for _, action, words in best
    )
    return Prompt(key=text, unit="", side=GERMAN, text=text + more, cite=cite, offers=offers, required=False)


def _args(action: Action) -> dict[str, str]:
    said = action.model_dump(exclude_none=True, include={"unit", "target"})
    return {name: str(value) for name, value in said.items()}
