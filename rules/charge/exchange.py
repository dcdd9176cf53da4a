"""Check whether a unit may fire, or answer fire, apart from range, arc and sight (CH-2, CH-2.7)."""

from rules.core.model import Cite
from rules.core.refusal import refuse
from rules.core.wording import join_with_and

from .model import Arm, ChargeState, ChargeUnit
from .shared import ANSWER, FIRE
from .tables import limit

CREW = Cite(rule="CH-2.2")
CAVALRY = Cite(rule="CH-2.1").as_ruling
EXCHANGE = Cite(rule="CH-2.7").as_ruling
CONTACT = Cite(rule="CH-4.5").as_ruling


def require_may_fire(state: ChargeState, unit: ChargeUnit, target: ChargeUnit) -> None:
    """Raise Refused unless the unit may fire at the target. Positions on the table are not checked."""
    crew = limit("crew that man a gun")
    too_few = f"A gun needs a crew of {crew} to fire; {unit.name} has {unit.figures}."
    refuse(None, (target.side == unit.side, f"{target:are} on the same side. Choose an enemy."))
    refuse(CAVALRY, (unit.arm is Arm.CAVALRY, "Cavalry do not fire."))
    refuse(
        CREW,
        (unit.arm is Arm.GUN and unit.gun_destroyed, f"The gun of {unit.name} is destroyed."),
        (unit.arm is Arm.GUN and unit.figures < crew, too_few),
    )
    if not state.scenario:
        return
    foes = state.enemies_in_contact(unit)
    just_met = f"{unit:have} come into contact this turn, and {unit:do} not fire until the next."
    reason = f"{unit:are} in contact with {join_with_and(foe.name for foe in foes)}, and {unit:fire} at nobody else."
    refuse(CONTACT, (foes and unit.this_turn.has_moved, just_met), (foes and target not in foes, reason))
    refuse(EXCHANGE, (unit.this_turn.has_fired and state.phase == FIRE, f"{unit:have} fired this turn."))
    if state.phase != ANSWER:
        return
    answerable = answerable_enemies(state, unit)
    over = f"The fire of this turn is over; {unit:fire} again in {unit:their} next."
    names = " or ".join(enemy.name for enemy in answerable) or "nobody"
    reason = f"{unit:answer} the fire of those who fired at {unit:them}: {names}."
    refuse(EXCHANGE, (unit.side != state.active, over), (target not in answerable, reason))


def answerable_enemies(state: ChargeState, unit: ChargeUnit) -> tuple[ChargeUnit, ...]:
    """Return the enemies whose fire a unit may answer: the units that fired at it this turn (CH-2.7).

    Only infantry out of contact may answer, and only once a turn.
    """
    has_answered = any(hits.by == unit.id for other in state.units.values() for hits in other.hits)
    if unit.side == state.mover or unit.arm is not Arm.INFANTRY or state.fight_of(unit.id) or has_answered:
        return ()
    enemies = (state.units[unit_id] for unit_id in dict.fromkeys(hits.by for hits in unit.hits))
    return tuple(enemy for enemy in enemies if enemy.on_table)
