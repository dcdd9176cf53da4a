"""Hits fall on a stack, one after the other (TA-H.5)."""

from rules.core.dice import Dice
from rules.core.hexes import Hex
from rules.core.report import Step
from rules.tanga.field import firing_unit, units_at
from rules.tanga.model import TangaState

from .collapse import settle
from .losses import hit


def take_hits(state: TangaState, hex_: Hex, side: str, hits: int, dice: Dice) -> tuple[TangaState, tuple[Step, ...]]:
    """Each hit falls on the firing unit of the stack at that moment, good order first; formations may collapse of it.

    Hits for which nobody is left fall on nobody. Dice are thrown only where a marker's contents are not known (TA-1).
    """
    steps: tuple[Step, ...] = ()
    for _ in range(hits):
        unit = firing_unit(one for one in units_at(state, hex_) if one.side == side)
        if unit is not None:
            state, fallen = hit(state, unit, dice)
            steps += fallen
    state, collapsed = settle(state)
    return state, (*steps, *collapsed)
