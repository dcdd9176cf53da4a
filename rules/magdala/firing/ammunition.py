"""Ammunition: the cost of a volley, the rounds left, and refilling (MM-3.9, MM-3.10)."""

from fractions import Fraction

from rules.core.action_type import SimpleType
from rules.core.model import Cite
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.wording import inches, number_text
from rules.magdala import placement
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Troop
from rules.magdala.scene import rounds_in_words
from rules.magdala.shared import OwnTurnType, complete_action, find_unit_on_table, require_may_be_ordered
from rules.magdala.tables import SIDES, mishap_value

FULL_ROUND, HALF_ROUND = Fraction(1), Fraction(1, 2)
AMMUNITION = Cite(rule="MM-3.9")
LAST_VOLLEY = Cite(rule="MM-3.10")


def low_ammunition_reason(unit: MagdalaUnit, *, charged: bool) -> str:
    """Return why the ammunition left allows only half effect; empty if it allows full effect.

    Raises Refused if no ammunition is left, except for the last volley of charged regular infantry.
    """
    if unit.is_detachment or unit.ammunition >= FULL_ROUND:
        return ""
    if unit.ammunition > 0:
        return "half effect, half a round of ammunition left"
    spent_words = f"{unit:are} out of ammunition"
    fired = f"{unit:have} fired {unit:their} last volley. A wagon or mules may refill {unit:them}."
    no_more = f"{spent_words}, and {unit:they fire} no more unless {unit:they are} refilled."
    refuse(
        LAST_VOLLEY,
        (unit.troop is not Troop.REGULAR_INFANTRY, no_more),
        (unit.last_volley_fired, fired),
        (not charged, f"{spent_words}: {unit:they keep} one last volley, for a charge."),
    )
    return "half effect, last volley"


def spend_ammunition(play: MagdalaPlay, unit: MagdalaUnit, half: bool) -> None:
    """Spend a volley's ammunition; at half effect a D6 decides how much. Report the rest, except without a game."""
    if unit.is_detachment:
        play.note_calculation("A detachment spends no ammunition", AMMUNITION)
        return
    if unit.ammunition <= 0:
        play.change(unit.id, last_volley_fired=True)
        play.note(f"That was {unit:their} last volley", LAST_VOLLEY)
        return
    throw = play.throw(1, SIDES, f"{unit.name}, ammunition", side=unit.side) if half else None
    spared = throw is not None and throw.total > mishap_value("half effect costs half a round on a D6 of at most")
    cost = Fraction(0) if spared else HALF_ROUND if half else FULL_ROUND
    rounds_left = max(unit.ammunition - cost, Fraction(0))
    play.change(unit.id, ammunition=rounds_left)
    text = "Half effect, ammunition" if half else "Full effect costs a round of ammunition"
    spent = ("none spent" if spared else "half a round spent",) if half else ()
    remaining = (f"{number_text(rounds_left)} left" if rounds_left else "none left",) if play.state.scenario else ()
    verdict = ", ".join((*spent, *remaining))
    if throw is not None:
        play.say(Step(text=text, cite=AMMUNITION, throws=(throw,), verdict=verdict))
    elif rounds_left:
        play.note_calculation(text, AMMUNITION, verdict)
    else:
        play.note(text, AMMUNITION, verdict)


class Refill(Action):
    """Refill a unit's ammunition from a wagon or mules nearby; the unit neither moves nor fires that turn.

    `target` is the wagon or mules; None takes the side's nearest.
    """

    target: str | None = None


class RefillType(SimpleType[MagdalaState, Refill], OwnTurnType[Refill, Refill]):
    """A refill of ammunition, for which the unit neither moves nor fires in the turn (MM-3.9)."""

    action = Refill
    says = "Refill {unit} from {target}"

    def plan(self, state: MagdalaState, action: Refill) -> Refill:
        """Return the action with the id of its wagon or mules as target.

        Raises Refused if none can refill the unit, or the unit needs no ammunition.
        """
        unit = find_unit_on_table(state, action.unit)
        carrier = _find_ammunition_carrier(state, unit, action.target)
        require_may_be_ordered(state, unit)
        spent, full = unit.this_turn, unit.ammunition >= unit.ammunition_full and not unit.last_volley_fired
        irregulars = not unit.regular and not state.options.refill_irregulars
        busy = spent.has_moved or spent.half_turn_spent or spent.has_fired
        only = f"{unit:are} irregular: only regulars are refilled (option “refill irregulars”)."
        acted = f"Refilling takes a turn of neither moving nor firing; {unit:have} moved or fired."
        none = f"{unit:are} a detachment: {unit:they count} no ammunition and {unit:they need} none."
        refuse(AMMUNITION, (irregulars, only))
        refuse(AMMUNITION.as_ruling, (busy, acted))
        supplied = f"{unit:have} all {unit:their} ammunition, {rounds_in_words(unit.ammunition)}."
        refuse(AMMUNITION, (unit.is_detachment, none), (full, supplied))
        return action.model_copy(update={"target": carrier.id})

    def resolve(self, play: MagdalaPlay, plan: Refill) -> None:
        """Restore the unit's ammunition and spend its turn; if positions are unknown, ask the players to measure."""
        unit, carrier = find_unit_on_table(play.state, plan.unit), find_unit_on_table(play.state, plan.target)
        play.remember(unit.id, whole_turn_spent=True)
        play.change(unit.id, ammunition=unit.ammunition_full, last_volley_fired=False)
        now, reach = rounds_in_words(unit.ammunition_full), inches(play.state.options.refill_within)
        play.note(f"{carrier:bring} ammunition", AMMUNITION.as_ruling, f"{now} again")
        measure = f"{carrier.name} must stand within {reach} of {unit.name} ({AMMUNITION.as_ruling}). Measure it."
        warnings = (measure,) if placement.gap(unit, carrier) is None else ()
        headline = f"{unit:are} refilled from {carrier.name}"
        outcome = f"{unit:have} {now} of ammunition; {unit:their} turn is spent."
        complete_action(play, headline, unit.id, carrier.id, outcome=outcome, warnings=warnings)


def _find_ammunition_carrier(state: MagdalaState, unit: MagdalaUnit, name: str | None) -> MagdalaUnit:
    """Return the wagon or mules `name`, or else the nearest. Raises Refused if none is within reach."""
    own = [candidate for candidate in state.units_of(unit.side) if candidate.troop in (Troop.WAGON, Troop.PACK_MULES)]
    refuse(AMMUNITION, (not own, f"The side of {unit.name} has no wagon or mules on the table."))
    carrier = find_unit_on_table(state, name, "wagon") if name else placement.nearest(unit, own) or own[0]
    if carrier not in own:
        names = ", ".join(candidate.name for candidate in own)
        raise Refused(f"{carrier:carry} no ammunition for {unit.name}. These do: {names}.", AMMUNITION)
    far, reach = placement.gap(unit, carrier), state.options.refill_within
    if far is not None and far > reach:
        why = f"{carrier:are} {inches(far)} from {unit.name}; {carrier:they} must come within {inches(reach)}."
        raise Refused(why, AMMUNITION.as_ruling)
    return carrier


REFILL = RefillType()
