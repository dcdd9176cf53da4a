"""What a unit has time for in its turn: one move, one change of order, half a turn to mount, a whole one to limber."""

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale

from . import formation

STANDING = Cite(rule="MM-3.1")
ONE_MOVE = Cite(rule="MM-2", mark=Mark.RULING)
LYING_DOWN = Cite(rule="MM-3.4", mark=Mark.RULING)


def time_for(state: MagdalaState, unit: MagdalaUnit, changes: tuple[str, ...], *, marches: bool, moves: bool) -> None:
    """One move a turn; full effect needs a unit to stand; mounting is half a turn, limbering a whole one.

    `moves` is true of what takes the place of a march as well. Raises Refused.
    """
    _time_for_order(state, unit, changes)
    memory = unit.this_turn
    takes_half = any(word in formation.HALF_TURN for word in changes)
    takes_whole = any(word in formation.WHOLE_TURN for word in changes)
    busy = memory.has_moved or memory.half_turn_spent or memory.has_fired
    if takes_whole and (busy or marches or takes_half):
        raise Refused(
            f"Limbering or unlimbering takes a full turn: {unit.name} does nothing else in it.", formation.LIMBERING
        )
    if marches and takes_its_move(state, unit, changes, marches):
        raise Refused(f"Lying down takes the place of a move: {unit.name} does one or the other.", LYING_DOWN)
    if marches and unit.morale is Morale.HALTED:
        raise Refused(
            f"{unit.name} is halted: it may retreat, or after a turn test its morale to go on.", Cite(rule="MM-5.7")
        )
    if (moves or takes_half) and memory.fired_full:
        raise Refused(f"{unit.name} has fired at full effect, which needs it to stand.", STANDING)
    if (moves or takes_half) and memory.has_moved:
        raise Refused(f"{unit.name} has made its move of this turn.", ONE_MOVE)
    if takes_half and memory.half_turn_spent:
        raise Refused(f"{unit.name} can mount or dismount once a turn.", formation.MOUNTING)


def takes_its_move(state: MagdalaState, unit: MagdalaUnit, changes: tuple[str, ...], marches: bool) -> bool:
    """Whether it lies down or gets up instead of moving (option prone_takes_the_move); on the move it just gets up."""
    gets_up = unit.prone and any(word in formation.ON_ITS_FEET for word in changes)
    changes_posture = formation.LIE_DOWN in changes or (gets_up and not marches)
    return state.options.prone_takes_the_move and changes_posture


def _time_for_order(state: MagdalaState, unit: MagdalaUnit, changes: tuple[str, ...]) -> None:
    """One change of order a turn, and none after firing (option one_change_of_order)."""
    if not state.options.one_change_of_order or not any(word in formation.ORDER_WORDS for word in changes):
        return
    if unit.this_turn.changed_order:
        raise Refused(f"{unit.name} has changed its order this turn. It may again in its next.", formation.ORDERS)
    if unit.this_turn.has_fired:
        raise Refused(f"{unit.name} has fired. It may change its order in its next turn.", formation.ORDERS)
