"""What must be settled before two units in contact fight their round (MM-4.1, MM-5)."""

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.magdala.debts import MOVES, debts_of
from rules.magdala.model import Debt, MagdalaState, MagdalaUnit, Test
from rules.magdala.orders import SETTLE_FIRST
from rules.magdala.owing import asked_by, still_owes


def first_fire(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> Debt | None:
    """The fire of either at the other, as it came in, if it is still to be settled (MM-4.1)."""
    two = {one.id, other.id}
    fires = (debt for debt in state.debts if debt.test is Test.DEFENSIVE_FIRE and {debt.unit, debt.by} == two)
    return next(fires, None)


def hindrance(state: MagdalaState, one: MagdalaUnit, other: MagdalaUnit) -> Refused | None:
    """Why two units cannot fight yet; None if they can."""
    fire = first_fire(state, one, other)
    if fire is not None:
        why = f"The defender's fire comes first: fire, or decline, before {one.name} fights {other.name}."
        asked = asked_by(state, fire)
        return Refused(why, Cite(rule="MM-4.1"), (asked,) if asked else ())
    for each in (one, other):
        debt = next((debt for debt in debts_of(state, each.id, *SETTLE_FIRST) if debt.test not in MOVES), None)
        if debt is not None:
            return still_owes(state, debt, Cite(rule="MM-5"))
    return None
