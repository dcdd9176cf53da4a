"""What a hit does to a unit (TA-H.5)."""

from rules.core.dice import Dice
from rules.core.report import Step
from rules.tanga.field import board_of
from rules.tanga.model import Condition, TangaState, TangaUnit

from .reveal import lost_with
from .strike import HITS

GONE = {"condition": Condition.ELIMINATED, "at": None, "ro": None, "retreating": False}

Told = tuple[TangaState, tuple[Step, ...]]


def hit(state: TangaState, unit: TangaUnit, dice: Dice) -> Told:
    """Disrupts a unit in good order; a disrupted one is eliminated (TA-H.5)."""
    if unit.is_disrupted:
        return eliminate(state, unit, dice)
    after = state.with_unit(unit.model_copy(update={"condition": Condition.DISRUPTED}))
    return after, (_told(state, unit, Condition.DISRUPTED),)


def eliminate(state: TangaState, unit: TangaUnit, dice: Dice) -> Told:
    """Takes a unit off the map for good, and with a company the MG marker that lay with it (TA-1)."""
    after, turned = lost_with(state.with_unit(unit.model_copy(update=GONE)), unit, dice)
    return after, (_told(state, unit, Condition.ELIMINATED), *turned)


def _told(state: TangaState, unit: TangaUnit, condition: Condition) -> Step:
    where = f" in {board_of(state).title(unit.at)}" if unit.at is not None else ""
    return Step(text=f"{unit.name}{where}", cite=HITS, verdict=condition.value)
