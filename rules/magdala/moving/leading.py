"""Generals on the move: with their unit, away from it, and up to another (MM-6)."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.place import Towards
from rules.magdala import placement
from rules.magdala.arms import COMMANDERS, is_fighter
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit
from rules.magdala.placement import with_leader

from .marching import March

JOINING = Cite(rule="MM-6", mark=Mark.RULING)


def left_behind(state: MagdalaState, march: March, unit: MagdalaUnit) -> MagdalaUnit | None:
    """A general who has made his own move this turn is not carried on by his unit's (ruling)."""
    leader = state.units.get(unit.general or "")
    stays = leader is not None and march.marches and leader.this_turn.has_moved
    return leader if stays else None


def led(state: MagdalaState, unit: MagdalaUnit, run: float) -> MagdalaState:
    """The general with a unit has moved with it."""
    leader = state.units.get(unit.general or "")
    if leader is None or not run:
        return state
    memory = leader.this_turn.model_copy(update={"moved": leader.this_turn.moved + run, "marched": True})
    return state.with_unit(leader.model_copy(update={"this_turn": memory}))


def joins(play: MagdalaPlay, march: March, run: float) -> None:
    """A commander who rides off leaves his unit, and joins the one he rides up to (ruling)."""
    leader = play.state.unit(march.unit)
    if leader.troop not in COMMANDERS or not march.marches:
        return
    for unit in play.state.of_side(leader.side):
        if unit.general == leader.id:
            play.change(unit.id, general=None)
    joined = _ridden_up_to(play.state, march, leader, run)
    if joined is None:
        _falls_short(play, march)
    elif joined.general is not None:
        play.say(Step(text=f"He does not join {joined.name}", cite=JOINING, verdict="it has its general"))
    else:
        play.state = with_leader(play.state, joined.model_copy(update={"general": leader.id}))
        play.say(Step(text=f"He joins {joined.name}", cite=JOINING))


def _ridden_up_to(state: MagdalaState, march: March, leader: MagdalaUnit, run: float) -> MagdalaUnit | None:
    """The unit of his side that he rode towards and reached, or else beside which he halted."""
    friends = tuple(unit for unit in state.of_side(leader.side) if is_fighter(unit))
    if leader.place is not None:
        friends = tuple(unit for unit in friends if placement.touching(leader, unit))
    goal = march.destination
    meant = next((unit for unit in friends if isinstance(goal, Towards) and unit.id == goal.unit), None)
    if leader.place is not None:
        return meant or placement.nearest(leader, friends)
    return meant if run >= (march.wanted or 0) - table.CONTACT else None


def _falls_short(play: MagdalaPlay, march: March) -> None:
    """He rode for a unit, and has not come up with it."""
    goal = march.destination
    if isinstance(goal, Towards) and goal.inches is None:
        name = play.state.unit(goal.unit).name
        play.say(Step(text=f"He does not reach {name}", cite=JOINING, verdict="he joins nobody"))
