"""A marching stack under the Germans' opportunity fire, one volley at a time (TA-H.6)."""

from collections.abc import Sequence

from rules.core.play import Play
from rules.tanga.combat import fire as fires
from rules.tanga.combat import opportunity
from rules.tanga.combat.losses import shot_at
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, TangaState, TangaUnit
from rules.tanga.options import Resolution
from rules.tanga.progress import March

from . import asking
from .stepped import Stepped, names


def next_shot(play: Play[TangaState], march: March) -> Stepped | None:
    """The next volley at the stack in the hex it has entered, or the question about it; None when all is settled."""
    shot = next(iter(opportunity.shots(play.state, march)), None)
    if shot is None:
        return None
    if shot.asks or play.state.options.resolution is Resolution.OWN:
        asking.about_fire(play, shot)
        return Stepped()
    return fire(play, march, shot.units)


def fire(play: Play[TangaState], march: March, units: Sequence[TangaUnit]) -> Stepped:
    """Germans of one hex fire, the first of them with the others' support, by the house rules.

    Only those on the march can be hit. Raises Refused.
    """
    target, state = march.way[-1], play.state
    whom = names(state, [unit for unit in shot_at(state, target, BRITISH, march.units) if unit.is_combat])
    fires.fire(play, fires.reckon(state, units, target, march.units))
    return Stepped(told=f"{units[0].name} fires at {whom} in {board_of(state).title(target)} (TA-H.6)")
