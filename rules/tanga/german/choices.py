"""What the German player may do in a phase, as buttons with their chances: the likeliest first (TA-H.0)."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from rules.core.model import Cite
from rules.core.odds import Odds
from rules.core.report import Offer, Prompt
from rules.core.state import Action
from rules.core.wording import percent
from rules.tanga.combat import melee as melees
from rules.tanga.combat import rally as rallies
from rules.tanga.combat.fire import reckon
from rules.tanga.field import board_of
from rules.tanga.model import GERMAN, Phase, TangaState
from rules.tanga.options import Resolution

from .fight import FIGHTING, FIRING, Fire, Melee, attack, fire_legal, melee_legal, volley
from .orders import phase_of
from .stand import WORKS, Improve, Rally, improve_legal, rally_legal

MOST = 10
"""Buttons of a kind."""

Choice = tuple[Fraction, Action, str]
"""Its chance, the action, and the words of its button."""


def choices(state: TangaState) -> tuple[Prompt, ...]:
    """What may be done now, none of which has to be; nothing where one's own box decides, whose chances are its own."""
    if state.options.resolution is Resolution.OWN:
        return ()
    asked: dict[Phase, Sequence[tuple[str, Cite, Callable[[TangaState], Iterable[Choice]]]]] = {
        Phase.FIRE: [("Your stacks may fire", FIRING, _shots)],
        Phase.MELEE: [("Your stacks may attack", FIGHTING, _attacks)],
        Phase.RALLY: [("Disrupted units may rally", WORKS, _rallies), ("Infantry may dig in", WORKS, _works)],
    }
    found = (_offered(state, text, cite, tuple(of(state))) for text, cite, of in asked.get(phase_of(state), ()))
    return tuple(prompt for prompt in found if prompt.offers)


def _offered(state: TangaState, text: str, cite: Cite, found: Sequence[Choice]) -> Prompt:
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


def _shots(state: TangaState) -> Iterable[Choice]:
    """One a stack and target hex."""
    seen = set()
    for action in fire_legal(state, GERMAN):
        assert isinstance(action, Fire)
        shooters, at = volley(state, action)
        if (shooters[0].at, at) not in seen:
            seen.add((shooters[0].at, at))
            reckoned = reckon(state, shooters, at)
            chance = 1 - reckoned.chances[0]
            yield chance, action, f"{reckoned.shooter.name} at {board_of(state).title(at)}: {percent(chance)}"


def _attacks(state: TangaState) -> Iterable[Choice]:
    """One a stack and hex attacked, with the chances to win and to lose."""
    seen = set()
    for action in melee_legal(state, GERMAN):
        assert isinstance(action, Melee)
        here, there = attack(state, action)
        if (here, there) not in seen:
            seen.add((here, there))
            won, lost = _won_and_lost(melees.odds(state, here, there))
            name, title = state.unit(action.unit).name, board_of(state).title(there)
            yield won - lost, action, f"{name} on {title}: {percent(won)} to win, {percent(lost)} to lose"


def _won_and_lost(odds: Odds) -> tuple[Fraction, Fraction]:
    """The chances to win a melee and to lose it, as `/odds` has them."""
    won, lost = (sum((one.chance for one in odds.outcomes if one.good is good), Fraction(0)) for good in (True, False))
    return won, lost


def _rallies(state: TangaState) -> Iterable[Choice]:
    for action in rally_legal(state, GERMAN):
        assert isinstance(action, Rally)
        chance = rallies.chance(state, action.unit)
        yield chance, action, f"Rally {state.unit(action.unit).name}: {percent(chance)}"


def _works(state: TangaState) -> Iterable[Choice]:
    """One a hex."""
    seen = set()
    for action in improve_legal(state, GERMAN):
        assert isinstance(action, Improve)
        unit = state.unit(action.unit)
        if unit.at is not None and unit.at not in seen:
            seen.add(unit.at)
            yield Fraction(0), action, f"Dig in: {unit.name} in {board_of(state).title(unit.at)}"
