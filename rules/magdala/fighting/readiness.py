"""What must be settled before two units in contact fight their round (MM-4.1, MM-5)."""

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.debts import MOVES, debts_of
from rules.magdala.model import MagdalaState, MagdalaUnit, Test
from rules.magdala.orders import SETTLE_FIRST


def first_fire(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> bool:
    """Whether the fire of either at the other, as it came in, is still to be settled (MM-4.1)."""
    two = {one.id, other.id}
    return any(debt.test is Test.DEFENSIVE_FIRE and {debt.unit, debt.by} == two for debt in state.debts)


def hindrance(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> Refused | None:
    """Why two units cannot fight yet; None if they can."""
    if first_fire(state, one, other):
        why = f"The defender's fire comes first: fire, or decline, before {one.name} fights {other.name}."
        return Refused(why, Cite(rule="MM-4.1"))
    for each in (one, other):
        debt = next((debt for debt in debts_of(state, each.id, *SETTLE_FIRST) if debt.test not in MOVES), None)
        if debt is not None:
            return Refused(f"{each.name} still owes: {debt.test}. Settle that first.", Cite(rule="MM-5"))
    return None
