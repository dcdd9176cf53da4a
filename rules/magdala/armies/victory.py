"""Who has won (house): an army is broken when half its units are gone or flying, else the ground decides."""

from rules.core import table
from rules.core.battle import Objective
from rules.core.state import Verdict
from rules.magdala.arms import is_fighter
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale
from rules.magdala.placement import base

LOST = (Morale.ROUTED, Morale.OFF_TABLE)
BROKEN_AT = 2
"""An army breaks when one unit in so many is lost."""


def verdict(state: MagdalaState) -> Verdict | None:
    """How the game has ended; None while it goes on, or where a question was asked without one."""
    if not state.scenario:
        return None
    return _broken(state) or (_held(state) if _time_is_up(state) else None)


def _time_is_up(state: MagdalaState) -> bool:
    return state.turn_limit is not None and state.turn > state.turn_limit


def is_lost(unit: MagdalaUnit) -> bool:
    """Destroyed, off the table, in rout or on its way off the field."""
    return not unit.on_table or unit.morale in LOST or unit.leaving


def is_broken(state: MagdalaState, side: str) -> bool:
    """Whether half the units of an army, detachments not counted, are lost."""
    army = [unit for unit in state.units.values() if unit.side == side and is_fighter(unit) and not unit.is_detachment]
    lost = sum(1 for unit in army if is_lost(unit))
    return bool(army) and BROKEN_AT * lost >= len(army)


def _broken(state: MagdalaState) -> Verdict | None:
    fled = [side for side in state.sides if is_broken(state, side.id)]
    stand = [side for side in state.sides if side not in fled]
    if not fled:
        return None
    if len(stand) != 1:
        return Verdict(winner=None, why="Both armies are broken.")
    (winner,) = stand
    broken = " and ".join(f"the {side.name}" for side in fled)
    why = f"With half their units gone or flying, {broken} are broken. The {winner.name} win."
    return Verdict(winner=winner.id, why=why)


def _held(state: MagdalaState) -> Verdict:
    """The last turn is over: who set out to take ground has won by holding all of it, else the others have."""
    if not state.objectives:
        return Verdict(winner=None, why="The last turn is over and neither army is broken.")
    attackers = {objective.side for objective in state.objectives}
    for side in attackers:
        mine = [objective for objective in state.objectives if objective.side == side]
        if all(holds(state, objective) for objective in mine):
            ground = " and ".join(objective.name for objective in mine)
            return Verdict(winner=side, why=f"The {state.side(side).name} hold {ground} at the end of the last turn.")
    others = [side for side in state.sides if side.id not in attackers]
    ground = " and ".join(objective.name for objective in state.objectives)
    if len(others) != 1:
        return Verdict(winner=None, why=f"Nobody holds {ground} at the end of the last turn.")
    return Verdict(winner=others[0].id, why=f"The {others[0].name} have kept the enemy from {ground} to the last turn.")


def holds(state: MagdalaState, objective: Objective) -> bool:
    """Whether a unit of the side, not in flight, stands on the ground and none of the enemy does."""
    there = {unit.side for unit in state.units.values() if is_fighter(unit) and _stands_on(unit, objective)}
    return there == {objective.side}


def _stands_on(unit: MagdalaUnit, objective: Objective) -> bool:
    here = base(unit)
    standing = not is_lost(unit) and unit.morale is not Morale.RETREATING
    return standing and here is not None and table.distance(here.at, objective.at) <= objective.within
