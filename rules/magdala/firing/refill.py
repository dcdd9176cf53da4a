"""Refilling ammunition from a wagon or mules (MM-3.9)."""

from dataclasses import dataclass
from typing import ClassVar

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import inches
from rules.magdala import placement
from rules.magdala.action_types import OwnTurnType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Troop
from rules.magdala.orders import find, free_in_own_turn

from .ammunition import AMMUNITION, rounds

REFILLING = Cite(rule="MM-3.9", mark=Mark.RULING)
CARRIERS = (Troop.WAGON, Troop.PACK_MULES)


class Refill(Action):
    """Refills a unit's ammunition from a wagon or mules near it; it neither moves nor fires that turn.

    `target` is the wagon or mules, the nearest of the side's unless said.
    """

    kind: ClassVar[str] = "refill"

    target: str | None = None


@dataclass(frozen=True)
class RefillPlan:
    """The unit, and the wagon or mules that refill it."""

    unit: str
    carrier: str


class RefillType(OwnTurnType[Refill, RefillPlan]):
    """To full, for a turn of neither moving nor firing (MM-3.9)."""

    action = Refill

    def plan(self, state: MagdalaState, action: Refill, *, supposing: bool = False) -> RefillPlan:  # noqa: ARG002
        """Raises Refused where nobody can refill it, or it needs none."""
        unit = find(state, action.unit)
        carrier = _carrier(state, unit, action.target)
        free_in_own_turn(state, unit)
        if not unit.regular and not state.options.refill_irregulars:
            raise Refused(
                f"{unit.name} are irregulars: only regulars are refilled (option “refill irregulars”).",
                AMMUNITION,
            )
        spent = unit.this_turn
        if spent.has_moved or spent.half_turn_spent or spent.has_fired:
            raise Refused(f"Refilling takes a turn of neither moving nor firing; {unit.name} has done so.", REFILLING)
        if unit.is_detachment:
            raise Refused(f"{unit.name} is a detachment: it counts no ammunition and needs none.", AMMUNITION)
        if unit.ammunition >= unit.ammunition_full and not unit.last_volley_fired:
            raise Refused(f"{unit.name} has all its ammunition, {rounds(unit.ammunition)}.", AMMUNITION)
        return RefillPlan(unit.id, carrier.id)

    def label(self, state: MagdalaState, plan: RefillPlan) -> str:
        """`Refill Berkshires from Supply wagon`."""
        return f"Refill {state.unit(plan.unit).name} from {state.unit(plan.carrier).name}"

    def resolve(self, play: MagdalaPlay, plan: RefillPlan) -> None:
        """Its ammunition is as at the start, and its turn spent."""
        unit, carrier = play.state.unit(plan.unit), play.state.unit(plan.carrier)
        spent = unit.this_turn.model_copy(update={"whole_turn_spent": True})
        play.change(unit.id, ammunition=unit.ammunition_full, last_volley_fired=False, this_turn=spent)
        now = rounds(unit.ammunition_full)
        play.say(Step(text=f"{carrier.name} brings ammunition", cite=REFILLING, verdict=f"{now} again"))
        conclude(
            play,
            f"{unit.name} is refilled from {carrier.name}",
            unit.id,
            carrier.id,
            outcome=f"{unit.name} has {now} of ammunition; its turn is spent.",
            warnings=_reminder(play.state, unit, carrier),
        )


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


REFILL = RefillType()
