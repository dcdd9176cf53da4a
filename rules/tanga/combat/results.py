"""Hits fall on a stack, one after the other (TA-H.5)."""

from collections.abc import Collection

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex
from rules.core.report import Step
from rules.tanga.field import firing_unit, units_at
from rules.tanga.model import TangaState, TangaUnit

from .collapse import settle
from .losses import hit


def take_hits(
    state: TangaState, hex_: Hex, side: str, hits: int, dice: Dice, entering: Collection[str] = ()
) -> tuple[TangaState, tuple[Step, ...]]:
    """Each hit falls on the firing unit of the stack at that moment, good order first; formations may collapse of it.

    With `entering` (ids) they fall on those alone, not on friends who were there (TA-H.6). Hits for which nobody is
    left fall on nobody. Dice are thrown only where a marker's contents are not known (TA-1).
    """
    steps: tuple[Step, ...] = ()
    for _ in range(hits):
        unit = firing_unit(shot_at(state, hex_, side, entering))
        if unit is not None:
            state, fallen = hit(state, unit, dice)
            steps += fallen
    state, collapsed = settle(state)
    return state, (*steps, *collapsed)


def shot_at(state: TangaState, hex_: Hex, side: str, entering: Collection[str] = ()) -> list[TangaUnit]:
    """Who of a side can be hit in a hex: its stack, or of it those who are entering (TA-H.5, TA-H.6)."""
    return [unit for unit in units_at(state, hex_) if unit.side == side and (not entering or unit.id in entering)]
