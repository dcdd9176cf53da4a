"""Ammunition: what a volley costs, and what is left to fire (MM-3.9, MM-3.10)."""

from fractions import Fraction

from rules.core.dice import Dice
from rules.core.model import Cite
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.wording import number
from rules.magdala.model import MagdalaUnit, Troop
from rules.magdala.tables import SIDES, matter

FULL_EFFECT = Fraction(1)
HALF_ROUND = Fraction(1, 2)
AMMUNITION = Cite(rule="MM-3.9")
LAST_VOLLEY = Cite(rule="MM-3.10")


def last_volley(unit: MagdalaUnit) -> bool:
    """Whether the unit is down to its one last volley, or has fired it."""
    return not unit.is_detachment and unit.ammunition <= 0


def half_by_ammunition(unit: MagdalaUnit, *, charged: bool) -> str:
    """Why the ammunition left allows half effect only; empty if it allows full effect.

    Raises Refused when there is none: all but regular infantry fire no more, and those once, at a charge.
    """
    if unit.is_detachment or unit.ammunition >= FULL_EFFECT:
        return ""
    if unit.ammunition > 0:
        return "half effect, half a round of ammunition left"
    if unit.troop is not Troop.REGULAR_INFANTRY:
        raise Refused(f"{unit.name} is out of ammunition and fires no more unless it is refilled.", LAST_VOLLEY)
    if unit.last_volley_fired:
        raise Refused(f"{unit.name} has fired its last volley. A wagon or mules may refill it.", LAST_VOLLEY)
    if not charged:
        raise Refused(f"{unit.name} is out of ammunition: it keeps one last volley, for a charge.", LAST_VOLLEY)
    return "half effect, last volley"


def rounds(ammunition: Fraction) -> str:
    """`6 rounds`, `½ round`: one is what a volley at full effect costs."""
    return f"{number(ammunition)} {'round' if ammunition <= 1 else 'rounds'}"


def spend(unit: MagdalaUnit, half: bool, dice: Dice, *, counted: bool = True) -> tuple[MagdalaUnit, Step | None]:
    """The unit after a volley, and what the volley cost. At half effect a D6 decides; detachments spend none.

    What is left is said where it is `counted`: of troops asked about without a game nobody knows it.
    """
    if unit.is_detachment:
        return unit, Step(text="A detachment spends no ammunition", cite=AMMUNITION)
    if last_volley(unit):
        fired = unit.model_copy(update={"last_volley_fired": True})
        return fired, Step(text="That was its last volley", cite=LAST_VOLLEY)
    if not half:
        return _left(unit, FULL_EFFECT, "Full effect costs a round of ammunition", counted)
    throw = dice.throw(1, SIDES, f"{unit.name}, ammunition", side=unit.side)
    costs = throw.total <= matter("half effect costs half a round on a D6 of at most")
    text = "Half effect, ammunition"
    spent, step = _left(unit, HALF_ROUND if costs else Fraction(0), text, counted)
    cost = "half a round spent" if costs else "none spent"
    verdict = ", ".join(filter(None, (cost, step.verdict)))
    return spent, step.model_copy(update={"throws": (throw,), "verdict": verdict})


def _left(unit: MagdalaUnit, cost: Fraction, text: str, counted: bool) -> tuple[MagdalaUnit, Step]:
    left = max(unit.ammunition - cost, Fraction(0))
    verdict = "" if not counted else f"{number(left)} left" if left else "none left"
    return unit.model_copy(update={"ammunition": left}), Step(text=text, cite=AMMUNITION, verdict=verdict)
