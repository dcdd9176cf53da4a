"""One debt as it is shown: what is to be done, by which rule, and the buttons that settle it (MM-3 to MM-6)."""

from typing import Any

from rules.core.model import Cite
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused
from rules.core.tabletop.line_of_fire import FriendsInLine

from .arms import LEADERS
from .debts import MOVES, first_debt
from .firing.targeting import LINES
from .fleeing.flight import cause, who_may_see
from .model import Debt, MagdalaState, MagdalaUnit, Test
from .morale.generalship import general_with, in_danger, may_be_thrown_again
from .tables import limit

MORALE_TESTS = (Test.UNDER_FIRE, Test.MELEE_LOST, Test.RETEST)
CITES = {
    Test.UNDER_FIRE: Cite(rule="MM-5.2"),
    Test.MELEE_LOST: Cite(rule="MM-4.5"),
    Test.RETEST: Cite(rule="MM-5.7"),
    Test.REACTION: Cite(rule="MM-5.10"),
    Test.WITNESS: Cite(rule="MM-5.10"),
    Test.PURSUIT: Cite(rule="MM-4.6"),
    Test.PURSUIT_MOVE: Cite(rule="MM-4.6"),
    Test.GENERAL_RISK: Cite(rule="MM-6"),
    Test.DEFENSIVE_FIRE: Cite(rule="MM-4.1"),
    Test.STRAY_ROCKETS: Cite(rule="MM-3.8"),
}
KINDS = {
    **dict.fromkeys(MORALE_TESTS, ("morale", "Morale")),
    Test.REACTION: ("reaction", "Reaction"),
    Test.PURSUIT: ("pursuit", "Pursuit"),
    Test.PURSUIT_MOVE: ("pursuit", "Pursue"),
    Test.RETREAT: ("retreat", "Retreat"),
    Test.GENERAL_RISK: ("risk", "Risk"),
}
BUTTONS = 20
"""Most offers one thing owed lists."""


def asked_by(state: MagdalaState, debt: Debt) -> Prompt | None:
    """The debt as it is shown; None where there is nobody to settle it."""
    unit = state.unit(debt.unit)
    if debt.failed:
        return _failed(state, debt, unit)
    if debt.test is Test.DEFENSIVE_FIRE:
        return _fire(state, debt, unit)
    if debt.test is Test.STRAY_ROCKETS:
        return _strays(state, debt, unit)
    if debt.test is Test.WITNESS:
        return _witnesses(state, debt, unit)
    kind, word = KINDS[debt.test]
    now = debt.test not in MOVES or unit.side == state.active
    return Prompt(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name}: {debt.test.value}" + ("" if now else ", in its own turn"),
        cite=cause(unit) if debt.test is Test.RETREAT else CITES[debt.test],
        offers=(offer(debt.key, unit, f"{word}: {unit.name}", kind),) if now and not _waits(state, debt) else (),
        required=now,
    )


def _waits(state: MagdalaState, debt: Debt) -> bool:
    """Whether a reaction test waits until a lost melee is settled, or one that has failed already (MM-5.8, MM-6)."""
    if debt.test is not Test.REACTION:
        return False
    first = first_debt(state, debt.unit, Test.REACTION)
    failed = first is not None and first.failed
    return failed or first_debt(state, debt.unit, Test.MELEE_LOST) is not None


def _failed(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Prompt:
    """A failed test that a general may have thrown again (MM-6)."""
    general = general_with(state, unit)
    label = f"Re-roll with {general.name if general else 'the general'}"
    may = may_be_thrown_again(state, debt) and in_danger(state, unit) is None
    secret = {"secret": True} if debt.secret else {}
    again = (offer(debt.key, unit, label, "reroll", **secret),) if may else ()
    failed = f"{unit.name} failed its test ({debt.test.value}): throw again, or accept"
    return Prompt(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name}: a test thrown in secret is to be settled" if debt.secret else failed,
        cite=Cite(rule="MM-6"),
        offers=(*again, offer(debt.key, unit, "Accept", "decline", danger=True, **secret)),
    )


def _fire(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Prompt:
    """The defender's fire at those who come into contact (MM-4.1); none is offered where friends bar it (MM-3.11)."""
    effect = "half" if debt.half_effect else "full"
    attacker, ruled = state.unit(debt.by), state.options.friends_in_line
    past = ruled is not FriendsInLine.IGNORE and bool(LINES.friends(state, unit, attacker))
    label = f"Fire{' past friends' if past else ''}: {unit.name}"
    shot = offer(debt.key, unit, label, "fire", target=attacker.id)
    return Prompt(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} may fire at {attacker.name} before the melee, at {effect} effect",
        cite=CITES[debt.test],
        offers=(
            *(() if past and ruled is FriendsInLine.REFUSE else (shot,)),
            offer(debt.key, unit, "Hold fire", "decline"),
        ),
    )


def friends_of_the_rocket(state: MagdalaState, unit: MagdalaUnit) -> tuple[MagdalaUnit, ...]:
    """Friendly units its rockets may fall on (MM-3.8)."""
    return tuple(other for other in state.of_side(unit.side) if other.id != unit.id and other.troop not in LEADERS)


def _strays(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Prompt:
    """The choice of the friends on whom rockets fall (MM-3.8)."""
    nearest = f"{debt.hits} of its rockets fall on the friends nearest {state.unit(debt.by).name}"
    return Prompt(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name}: {nearest}. Who are they?",
        cite=CITES[debt.test],
        offers=tuple(
            offer(debt.key, unit, friend.name, "stray", target=friend.id)
            for friend in friends_of_the_rocket(state, unit)
        ),
    )


def _witnesses(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Prompt | None:
    """Without positions: the umpire says which friends are within 12" (MM-5.10)."""
    busy = (Test.REACTION, Test.MELEE_LOST)
    unshaken = (friend for friend in who_may_see(state, unit) if first_debt(state, friend.id, *busy) is None)
    friends = tuple(unshaken)[:BUTTONS]
    if not friends:
        return None
    flight = "routs" if debt.routing else "retreats"
    reach = limit("friends see the flight within")
    return Prompt(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} {flight}: friends within {reach} inches test their reaction",
        cite=CITES[debt.test],
        offers=tuple(offer(debt.key, friend, f"Reaction: {friend.name}", "reaction", by=unit.id) for friend in friends),
        required=False,
    )


def offer(key: str, unit: MagdalaUnit, label: str, kind: str, danger: bool = False, **args: Any) -> Offer:
    """A button by which a unit settles what has that key; `args` beside the unit itself."""
    return Offer(label=label, kind=kind, args={"unit": unit.id, **args}, side=unit.side, key=key, danger=danger)


def still_owes(state: MagdalaState, debt: Debt, cite: Cite) -> Refused:
    """The refusal of anything that has to wait until that debt is settled."""
    asked = asked_by(state, debt)
    why = f"{state.unit(debt.unit).name} still owes: {debt.test}. Settle that first."
    return Refused(why, cite, (asked,) if asked else ())
