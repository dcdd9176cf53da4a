"""Moves that units make without orders: back half a move, off in retreat or rout, after a beaten enemy."""

from fractions import Fraction

from rules.core.model import Cite
from rules.core.report import Modifier, Step
from rules.core.wording import number
from rules.magdala.model import MagdalaPlay, MagdalaUnit
from rules.magdala.moving import allowance
from rules.magdala.moving.formation import UNDER_WAY
from rules.magdala.tables import SIDES

from .flight import FLEEING, alarm, cause, remove
from .withdraw import Way, go, leads_off, way_back

HALF = Fraction(1, 2)


def full_move(play: MagdalaPlay, unit: MagdalaUnit, *modifiers: Modifier) -> Fraction:
    """The inches of a unit's whole move; native and irregular troops throw for them (MM-2)."""
    own = allowance.rate(unit, play.state.options)
    throw = play.throw(own.dice, SIDES, f"{unit.name}: move", side=unit.side) if own.dice else None
    step = allowance.allowed(own, throw, modifiers)
    play.say(step)
    return step.score or Fraction(0)


def fall_back(play: MagdalaPlay, unit_id: str, cite: Cite) -> None:
    """Back half a move, straight from the enemy (MM-5.7, MM-5.8)."""
    unit = play.state.unit(unit_id)
    inches = full_move(play, unit, Modifier(value=HALF, reason="half a move", cite=cite, times=True))
    play.say(Step(text=unit.name, cite=cite, verdict=f"falls back half a move, {number(inches)} inches"))
    travel(play, unit_id, way_back(play.state, unit), float(inches), off=False)


def travel(play: MagdalaPlay, unit_id: str, way: Way | None, inches: float, off: bool) -> None:
    """The unit goes so far along its way, seen by friends if it flees; over the edge it is gone, unless not `off`.

    Without a position nothing moves: the players do it on their table, and are reminded of the friends who see it.
    """
    unit, ground = play.state.unit(unit_id), None
    if way is None:
        play.change(unit_id, **UNDER_WAY)
    else:
        play.state, ground = go(play.state, unit, way, min(inches, way.inches))
    if unit.morale in FLEEING:
        alarm(play, unit_id, ground)
    if off and way is not None and leads_off(way, inches):
        leave(play, unit_id)


def leave(play: MagdalaPlay, unit_id: str) -> None:
    """The unit leaves the table, and a general with it (ruling)."""
    unit = play.state.unit(unit_id)
    leaders = [other.id for other in play.state.units.values() if other.id == unit.general and other.on_table]
    for gone in (unit_id, *leaders):
        play.state = remove(play.state, gone)
    play.say(Step(text=unit.name, cite=cause(unit), verdict="leaves the table"))
