"""Hits fall on a stack, one after the other, and what a hit does to a unit (TA-H.5)."""

from collections.abc import Collection

from rules.core.hexboard.hexes import Hex
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.field import board_of, firing_unit, units_at
from rules.tanga.model import GONE, Condition, TangaState, TangaUnit

from .collapse import settle
from .reveal import lost_with
from .strike import HITS


def take_hits(play: Play[TangaState], hex_: Hex, side: str, hits: int, entering: Collection[str] = ()) -> None:
    """Each hit falls on the firing unit of the stack at that moment, good order first; formations may collapse of it.

    With `entering` (ids) they fall on those alone, not on friends who were there (TA-H.6). Hits for which nobody is
    left fall on nobody. Dice are thrown only where a marker's contents are not known (TA-1).
    """
    for _ in range(hits):
        unit = firing_unit(shot_at(play.state, hex_, side, entering))
        if unit is not None:
            hit(play, unit)
    settle(play)


def shot_at(state: TangaState, hex_: Hex, side: str, entering: Collection[str] = ()) -> list[TangaUnit]:
    """Who of a side can be hit in a hex: its stack, or of it those who are entering (TA-H.5, TA-H.6)."""
    return [unit for unit in units_at(state, hex_) if unit.side == side and (not entering or unit.id in entering)]


def hit(play: Play[TangaState], unit: TangaUnit) -> None:
    """Disrupts a unit in good order; a disrupted one is eliminated (TA-H.5)."""
    if unit.is_disrupted:
        eliminate(play, unit)
    else:
        play.change(unit.id, condition=Condition.DISRUPTED)
        _say(play, unit, Condition.DISRUPTED)


def eliminate(play: Play[TangaState], unit: TangaUnit) -> None:
    """Takes a unit off the map for good, and with a company the MG marker that lay with it (TA-1)."""
    play.change(unit.id, **GONE)
    _say(play, unit, Condition.ELIMINATED)
    lost_with(play, unit)


def _say(play: Play[TangaState], unit: TangaUnit, condition: Condition) -> None:
    where = f" in {board_of(play.state).title(unit.at)}" if unit.at is not None else ""
    play.say(Step(text=f"{unit.name}{where}", cite=HITS, verdict=condition.value))
