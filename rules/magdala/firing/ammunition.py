"""Ammunition: what a volley costs, and what is left to fire (MM-3.9, MM-3.10)."""

from fractions import Fraction

from rules.core.model import Cite
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.wording import number
from rules.magdala.model import MagdalaPlay, MagdalaUnit, Troop
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


def spend(play: MagdalaPlay, unit: MagdalaUnit, half: bool) -> None:
    """What a volley costs. At half effect a D6 decides; detachments spend none.

    What is left is said in a game: of troops asked about without one nobody knows it.
    """
    if unit.is_detachment:
        play.say(Step(text="A detachment spends no ammunition", cite=AMMUNITION))
    elif last_volley(unit):
        play.change(unit.id, last_volley_fired=True)
        play.say(Step(text="That was its last volley", cite=LAST_VOLLEY))
    elif not half:
        _spend(play, unit, FULL_EFFECT, Step(text="Full effect costs a round of ammunition", cite=AMMUNITION))
    else:
        throw = play.throw(1, SIDES, f"{unit.name}, ammunition", side=unit.side)
        costs = throw.total <= matter("half effect costs half a round on a D6 of at most")
        verdict = "half a round spent" if costs else "none spent"
        step = Step(text="Half effect, ammunition", cite=AMMUNITION, throws=(throw,), verdict=verdict)
        _spend(play, unit, HALF_ROUND if costs else Fraction(0), step)


def _spend(play: MagdalaPlay, unit: MagdalaUnit, cost: Fraction, step: Step) -> None:
    left = max(unit.ammunition - cost, Fraction(0))
    said = "" if not play.state.scenario else f"{number(left)} left" if left else "none left"
    play.change(unit.id, ammunition=left)
    play.say(step.model_copy(update={"verdict": ", ".join(filter(None, (step.verdict, said)))}))
