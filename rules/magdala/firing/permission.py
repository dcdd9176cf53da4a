"""Who may fire, and at whom (MM-3.1)."""

from rules.core.model import Cite, Mark
from rules.core.ruleset import Refused
from rules.magdala.arms import LEADERS
from rules.magdala.engagement import engaged
from rules.magdala.model import MagdalaState, MagdalaUnit, StoredPrompt, Weapon
from rules.magdala.orders import not_in_melee, obeys, own_turn, under_command

from .mishaps import JAM_RULING

STANDING = Cite(rule="MM-3.1")
ONCE = Cite(rule="MM-3.1", mark=Mark.RULING)
INTO_MELEE = Cite(rule="MM-3.1", mark=Mark.RULING)


def may_fire(state: MagdalaState, unit: MagdalaUnit, defensive: bool, answers: StoredPrompt | None) -> None:
    """Armed, unlimbered, not jammed, in its turn, once; or as it is charged. Raises Refused."""
    if unit.weapon is Weapon.MELEE:
        raise Refused(f"{unit.name} has nothing to fire with.", Cite(rule="MM-3.6"))
    if unit.limbered:
        raise Refused(f"{unit.name} is limbered. Unlimbering takes a full turn.", Cite(rule="MM-2.4"))
    if unit.jammed:
        raise Refused(f"{unit.name} is jammed. Clear it first, on 4-6, one attempt a turn.", JAM_RULING)
    if answers is not None:
        return
    not_in_melee(unit)
    obeys(state, unit)
    if defensive:
        if unit.place is not None:
            raise Refused(f"Nobody is moving into contact with {unit.name}: it fires in its own turn.", STANDING)
        return
    own_turn(state, unit)
    under_command(state, unit)
    if unit.this_turn.has_fired:
        raise Refused(f"{unit.name} has fired this turn. A unit fires once a turn.", ONCE)


def may_be_fired_at(state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, answers: StoredPrompt | None) -> None:
    """An enemy, not a leader alone, and in no melee but that it comes into. Raises Refused."""
    if target.side == unit.side:
        raise Refused(f"{target.name} is on the same side as {unit.name}. Choose an enemy.", INTO_MELEE)
    if target.troop in LEADERS:
        raise Refused(
            f"{target.name} is not fired at alone: generals run their risk with their units. Choose a unit.",
            Cite(rule="MM-6", mark=Mark.RULING),
        )
    if answers is None and engaged(state, target):
        raise Refused(f"{target.name} is in melee: fire would fall on friends. Choose another target.", INTO_MELEE)
