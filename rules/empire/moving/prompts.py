"""Moves that tests of conduct have given, with the likeliest ways to make them (BE-6.2)."""

import math
from collections.abc import Iterable

from rules.core.report import Prompt
from rules.core.wording import tenths
from rules.empire.conduct.testing import CONDUCT
from rules.empire.fighting.contacts import in_contact
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.placement import nearest

from .movement import MOVE, Move


def moves(state: EmpireState) -> Iterable[Prompt]:
    """A prompt for each unit that has a move and has not begun it; nothing waits for these.

    It may go towards the nearest enemy, or straight ahead by the whole move.
    """
    for unit in (each for side in state.sides if state.over is None for each in unmoved(state, side.id)):
        foe, left = nearest(unit, (each for each in state.enemies(unit.side) if not each.is_piece)), inches_left(unit)
        likely = (*((f"towards {foe.id}",) if foe else ()), f"forward {tenths(left)}")
        orders = [Move(unit=unit.id, to=to) for to in likely]
        text = f"{unit.name} may move {tenths(left)} inches"
        yield MOVE.prompt(state, orders, move_key(state, unit), text, CONDUCT, required=False)


def unmoved(state: EmpireState, side: str) -> Iterable[EmpireUnit]:
    """Units of a side that have a move by their test and have not begun it."""
    return (unit for unit in state.fighters(side) if _has_a_move(state, unit))


def move_key(state: EmpireState, unit: EmpireUnit) -> str:
    """The key of the move its test gave it."""
    return f"move:{unit.id}:{state.turn}:{state.phase}"


def inches_left(unit: EmpireUnit) -> float:
    """What it has left of the move its test gave it, to the tenth below."""
    return math.floor(((unit.this_turn.allowed or 0) - unit.this_turn.spent) * 10) / 10


def _has_a_move(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether its test of this phase gave it a move that it has not begun."""
    mine = unit.this_turn
    if unit.side not in state.acting or in_contact(state, unit) or (mine.allowed or 0) <= mine.spent:
        return False
    if state.now is Phase.EXPLOITATION:
        return mine.exploited and not mine.spent
    return state.now is Phase.UNITS and mine.tested and not mine.moved
