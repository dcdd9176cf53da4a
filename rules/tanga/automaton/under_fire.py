"""A marching stack under the Germans' opportunity fire, one volley at a time (TA-H.6)."""

from collections.abc import Sequence

from rules.core.dice import Dice
from rules.tanga.combat import fire as fires
from rules.tanga.combat import opportunity
from rules.tanga.combat.results import shot_at
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import March

from . import asking
from .stepped import Stepped, names


def next_shot(state: TangaState, march: March, dice: Dice) -> Stepped | None:
    """The next volley at the stack in the hex it has entered, or the question about it; None when all is settled."""
    volley = next(iter(opportunity.volleys(state, march)), None)
    if volley is None:
        return None
    if volley.asks or state.options.resolution is Resolution.OWN:
        return Stepped(asking.about_volley(state, volley))
    return fire(state, march, volley.units, dice)


def fire(state: TangaState, march: March, units: Sequence[TangaUnit], dice: Dice) -> Stepped:
    """Germans of one hex fire, the first of them with the others' support, by the house rules. Raises Refused.

    Only those on the march can be hit.
    """
    target = march.way[-1]
    after, steps = fires.fire(state, units, target, dice, march.units)
    whom = names(state, [unit for unit in shot_at(state, target, BRITISH, march.units) if unit.is_combat])
    told = f"{units[0].name} fires at {whom} in {board_of(state).title(target)} (TA-H.6)"
    return Stepped(after, steps, told=told)
