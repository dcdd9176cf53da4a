"""Ammunition: what a volley costs, what is left to fire, and refilling (MM-3.9, MM-3.10)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice, NoDice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import inches, number
from rules.magdala import placement
from rules.magdala.model import MagdalaState, MagdalaUnit, Troop
from rules.magdala.orders import counted, find, not_in_melee, own_turn, under_command
from rules.magdala.tables import matter

FULL_EFFECT = Fraction(1)
HALF_ROUND = Fraction(1, 2)
SIDES = 6
AMMUNITION = Cite(rule="MM-3.9")
LAST_VOLLEY = Cite(rule="MM-3.10")
REFILLING = Cite(rule="MM-3.9", mark=Mark.RULING)
CARRIERS = (Troop.WAGON, Troop.PACK_MULES)


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


class Refill(Action):
    """Refills a unit's ammunition from a wagon or mules near it; it neither moves nor fires that turn.

    `target` is the wagon or mules, the nearest of the side's unless said.
    """

    kind: ClassVar[str] = "refill"

    target: str | None = None


def refill(state: MagdalaState, action: Refill, _dice: Dice) -> tuple[MagdalaState, Report]:
    """To full, for a turn of neither moving nor firing (MM-3.9). Raises Refused."""
    unit = find(state, action.unit)
    carrier = _carrier(state, unit, action.target)
    before = unit.this_turn
    own_turn(state, unit)
    under_command(state, unit)
    not_in_melee(unit)
    if not unit.regular and not state.options.refill_irregulars:
        raise Refused(
            f"{unit.name} are irregulars: only regulars are refilled (option “refill irregulars”).",
            AMMUNITION,
        )
    if before.has_moved or before.half_turn_spent or before.has_fired:
        raise Refused(f"Refilling takes a turn of neither moving nor firing; {unit.name} has done so.", REFILLING)
    if unit.is_detachment:
        raise Refused(f"{unit.name} is a detachment: it counts no ammunition and needs none.", AMMUNITION)
    if unit.ammunition >= unit.ammunition_full and not unit.last_volley_fired:
        raise Refused(f"{unit.name} has all its ammunition, {rounds(unit.ammunition)}.", AMMUNITION)
    filled = unit.model_copy(
        update={
            "ammunition": unit.ammunition_full,
            "last_volley_fired": False,
            "this_turn": before.model_copy(update={"whole_turn_spent": True}),
        }
    )
    step = Step(text=f"{carrier.name} brings ammunition", cite=REFILLING, verdict=f"{rounds(filled.ammunition)} again")
    report = Report(
        headline=f"{unit.name} is refilled from {carrier.name}.",
        side=unit.side,
        steps=(step,),
        outcome=f"{unit.name} has {rounds(filled.ammunition)} of ammunition; its turn is spent.",
        warnings=_reminder(state, unit, carrier),
        units=(unit.id, carrier.id),
    )
    return counted(state.with_unit(filled)), report


def _carrier(state: MagdalaState, unit: MagdalaUnit, name: str | None) -> MagdalaUnit:
    """The wagon or mules named, or the nearest, within reach. Raises Refused."""
    own = [other for other in state.of_side(unit.side) if other.troop in CARRIERS]
    if not own:
        raise Refused(f"The side of {unit.name} has no wagon or mules on the table.", AMMUNITION)
    carrier = find(state, name, "wagon") if name else placement.nearest(unit, own) or own[0]
    if carrier not in own:
        names = ", ".join(other.name for other in own)
        raise Refused(f"{carrier.name} carries no ammunition for {unit.name}. These do: {names}.", AMMUNITION)
    far, reach = placement.gap(unit, carrier), state.options.refill_within
    if far is not None and far > reach:
        raise Refused(
            f"{carrier.name} is {inches(far)} from {unit.name}; it must come within {inches(reach)}.", REFILLING
        )
    return carrier


def _reminder(state: MagdalaState, unit: MagdalaUnit, carrier: MagdalaUnit) -> tuple[str, ...]:
    """Where positions are unknown the players measure."""
    if placement.gap(unit, carrier) is not None:
        return ()
    reach = inches(state.options.refill_within)
    return (f"{carrier.name} must stand within {reach} of {unit.name} ({REFILLING}). Measure it.",)


def legal_refills(state: MagdalaState, side: Viewer) -> Iterable[Refill]:
    """Every unit of the side in its turn that a wagon or mules could refill now."""
    if side not in (state.active, UMPIRE):
        return
    for unit in state.of_side(state.active):
        order = Refill(unit=unit.id)
        try:
            refill(state, order, NoDice())
        except Refused:
            continue
        yield order


REFILL: Deed[MagdalaState] = Deed(Refill, refill, legal=legal_refills)
