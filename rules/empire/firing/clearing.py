"""Clearing a jammed machine gun: one attempt a turn, instead of firing (BE-4)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Modifier, Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.orders import find_fighter, in_phase, remembering
from rules.empire.phases import Phase
from rules.empire.tables import adjustment, cite, value

from .machine_guns import JAM, steadiness
from .volley import SIDES

CHART = "clearing-a-jam"
NEEDED, FURTHER = "cleared on a D6 of", "each attempt after the first"
ONCE = Cite(rule="BE-4", mark=Mark.RULING)
"""One attempt a turn, in its phase of fire, instead of firing."""


class Clear(Action):
    """An attempt to clear the jam of `unit`."""

    kind: ClassVar[str] = "clear"


def may_clear(state: EmpireState, unit: EmpireUnit) -> None:
    """Whether an attempt may be made now. Raises Refused."""
    if not unit.jammed:
        raise Refused(f"{unit.name} is not jammed.", JAM)
    in_phase(state, unit, Phase.RIFLES)
    if unit.this_turn.shot:
        raise Refused(f"{unit.name} has fired this turn, or been tried: one attempt a turn. Try again next turn.", ONCE)


def _modifiers(unit: EmpireUnit) -> tuple[Modifier, ...]:
    """What is added to the D6: for attempts made before, and to a Maxim."""
    made = unit.clearing
    reason = f"after {made} attempt{'' if made == 1 else 's'}"
    further = (adjustment(CHART, FURTHER, reason, times=made),) if made else ()
    return (*further, *steadiness(unit))


def _clears_from(unit: EmpireUnit) -> int:
    """The least face that clears it."""
    added = sum((each.value for each in _modifiers(unit)), Fraction(0))
    return max(value(CHART, NEEDED) - int(added), 1)


def chance(unit: EmpireUnit) -> Fraction:
    """The chance that the attempt clears it."""
    return Fraction(max(SIDES + 1 - _clears_from(unit), 0), SIDES)


def clear(state: EmpireState, action: Clear, dice: Dice) -> tuple[EmpireState, Report]:
    """One attempt. Raises Refused before the die."""
    unit = find_fighter(state, action.unit)
    may_clear(state, unit)
    throw = dice.throw(1, SIDES, f"{unit.name}, clearing the jam", side=unit.side)
    cleared = throw.total >= _clears_from(unit)
    step = _step(unit).model_copy(
        update={
            "throws": (throw,),
            "start": Fraction(throw.total),
            "score": throw.total + sum((each.value for each in _modifiers(unit)), Fraction(0)),
            "verdict": "cleared" if cleared else "still jammed",
        }
    )
    tried = {"jammed": not cleared, "clearing": 0 if cleared else unit.clearing + 1}
    report = Report(
        headline=f"{unit.name} is {'cleared' if cleared else 'still jammed'}.",
        side=unit.side,
        steps=(step,),
        outcome="It fires again from next turn on." if cleared else "It may be tried again next turn.",
        units=(unit.id,),
    )
    return state.with_unit(remembering(unit.model_copy(update=tried), shot=True)), report


def _step(unit: EmpireUnit) -> Step:
    return Step(
        text="Clearing the jam",
        cite=cite(CHART, NEEDED),
        modifiers=_modifiers(unit),
        needed=f"against {value(CHART, NEEDED)}",
        chance=chance(unit),
        hope="to clear",
    )


def odds(state: EmpireState, action: Clear) -> Odds:
    """The chance of clearing the jam. Raises Refused as the deed does."""
    unit = find_fighter(state, action.unit)
    may_clear(state, unit)
    added = int(sum((each.value for each in _modifiers(unit)), Fraction(0)))
    clears = chance(unit)
    found = (("cleared", clears, True), ("still jammed", 1 - clears, False))
    return Odds(
        question=f"Does {unit.name} clear its jam?",
        steps=(_step(unit),),
        outcomes=tuple(Outcome(label=label, chance=share, good=good) for label, share, good in found if share),
        spread=tuple((face + added, Fraction(1, SIDES)) for face in range(1, SIDES + 1)),
        spread_of="D6",
        pass_from=value(CHART, NEEDED),
    )


def legal(state: EmpireState, side: Viewer) -> Iterable[Clear]:
    """Every jammed gun of the side that may be tried now."""
    for unit in state.fighters():
        if side not in (unit.side, UMPIRE):
            continue
        try:
            may_clear(state, unit)
        except Refused:
            continue
        yield Clear(unit=unit.id)


DEED: Deed[EmpireState] = Deed(Clear, clear, odds, legal)
