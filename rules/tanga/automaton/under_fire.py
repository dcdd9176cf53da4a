"""A marching stack under the Germans' opportunity fire, one volley at a time (TA-H.6)."""

from rules.core.dice import Dice
from rules.tanga.combat import fire as fires
from rules.tanga.combat import opportunity
from rules.tanga.combat.opportunity import Volley
from rules.tanga.field import board_of
from rules.tanga.model import TangaState
from rules.tanga.options import Resolution
from rules.tanga.progress import March

from . import asking
from .stepped import Stepped


def next_shot(state: TangaState, march: March, dice: Dice) -> Stepped | None:
    """The next volley at the stack in the hex it has entered, or the question about it; None when all is settled."""
    volley = next(iter(opportunity.volleys(state, march)), None)
    if volley is None:
        return None
    if volley.asks or state.options.resolution is Resolution.OWN:
        return Stepped(asking.about_volley(state, volley))
    return fire(state, volley, dice)


def fire(state: TangaState, volley: Volley, dice: Dice) -> Stepped:
    """The Germans fire, by the house rules."""
    after, steps = fires.fire(state, volley.units, volley.reckoning.target, dice)
    where = board_of(state).title(volley.reckoning.target)
    return Stepped(after, steps, told=f"{volley.reckoning.shooter.name} fires at them in {where} (TA-H.6)")
