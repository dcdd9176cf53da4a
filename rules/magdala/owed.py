"""What is owed and open, with the buttons that settle it: tests, answers, moves, rounds of melee (MM-4 to MM-6)."""

from collections.abc import Callable, Iterable
from typing import Any

from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.report import Offer, Owed
from rules.core.state import Action

from .debts import MOVES, first_debt
from .fighting.engagement import engaged, pairs
from .fighting.readiness import hindrance
from .firing.mishaps import stray_owed
from .fleeing.flight import HELD, cause, pinned_down, who_may_see
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


def owed(state: MagdalaState) -> tuple[Owed, ...]:
    """Everything owed and open, in the order in which it came; choices last."""
    if state.over is not None:
        return ()
    debts = (_owed_debt(state, debt) for debt in state.debts if debt.test is not Test.STRAY_ROCKETS)
    strays = (stray_owed(state, debt) for debt in state.debts if debt.test is Test.STRAY_ROCKETS)
    return (*(item for item in debts if item), *strays, *_melees(state), *_held(state))


def blocking(state: MagdalaState) -> tuple[Owed, ...]:
    """What keeps the turn from passing."""
    return tuple(item for item in owed(state) if item.blocks_turn)


def offering(kind: type[Action]) -> Callable[[MagdalaState, Viewer], Iterable[Action]]:
    """`legal` of a kind of action that is done only where it is owed or open."""

    def legal(state: MagdalaState, side: Viewer) -> Iterable[Action]:
        for item in owed(state):
            for offer in item.offers:
                if offer.kind == kind.kind and side in (offer.side, UMPIRE):
                    yield kind.model_validate(offer.args)

    return legal


def _owed_debt(state: MagdalaState, debt: Debt) -> Owed | None:
    unit = state.unit(debt.unit)
    if debt.failed:
        return _failed(state, debt, unit)
    if debt.test is Test.DEFENSIVE_FIRE:
        return _fire(state, debt, unit)
    if debt.test is Test.WITNESS:
        return _witnesses(state, debt, unit)
    kind, word = KINDS[debt.test]
    now = debt.test not in MOVES or unit.side == state.active
    return Owed(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name}: {debt.test.value}" + ("" if now else ", in its own turn"),
        cite=cause(unit) if debt.test is Test.RETREAT else CITES[debt.test],
        offers=(_offer(debt.key, unit, f"{word}: {unit.name}", kind),) if now and not _waits(state, debt) else (),
        blocks_turn=now,
    )


def _waits(state: MagdalaState, debt: Debt) -> bool:
    """Whether a reaction test waits until a lost melee is settled, or one that has failed already (MM-5.8, MM-6)."""
    if debt.test is not Test.REACTION:
        return False
    first = first_debt(state, debt.unit, Test.REACTION)
    failed = first is not None and first.failed
    return failed or first_debt(state, debt.unit, Test.MELEE_LOST) is not None


def _failed(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Owed:
    """A failed test that a general may have thrown again (MM-6)."""
    general = general_with(state, unit)
    label = f"Re-roll with {general.name if general else 'the general'}"
    may = may_be_thrown_again(state, debt) and in_danger(state, unit) is None
    secret = {"secret": True} if debt.secret else {}
    again = (_offer(debt.key, unit, label, "reroll", **secret),) if may else ()
    failed = f"{unit.name} failed its test ({debt.test.value}): throw again, or accept"
    return Owed(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name}: a test thrown in secret is to be settled" if debt.secret else failed,
        cite=Cite(rule="MM-6"),
        offers=(*again, _offer(debt.key, unit, "Accept", "decline", danger=True, **secret)),
    )


def _fire(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Owed:
    """The defender's fire at those who come into contact (MM-4.1)."""
    effect = "half" if debt.half_effect else "full"
    attacker = state.unit(debt.by)
    return Owed(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} may fire at {attacker.name} before the melee, at {effect} effect",
        cite=CITES[debt.test],
        offers=(
            _offer(debt.key, unit, f"Fire: {unit.name}", "fire", target=attacker.id),
            _offer(debt.key, unit, "Hold fire", "decline"),
        ),
    )


def _witnesses(state: MagdalaState, debt: Debt, unit: MagdalaUnit) -> Owed | None:
    """Without positions: the umpire says which friends are within 12" (MM-5.10)."""
    busy = (Test.REACTION, Test.MELEE_LOST)
    unshaken = (friend for friend in who_may_see(state, unit) if first_debt(state, friend.id, *busy) is None)
    friends = tuple(unshaken)[:BUTTONS]
    if not friends:
        return None
    flight = "routs" if debt.routing else "retreats"
    reach = limit("friends see the flight within")
    return Owed(
        key=debt.key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} {flight}: friends within {reach} inches test their reaction",
        cite=CITES[debt.test],
        offers=tuple(
            _offer(debt.key, friend, f"Reaction: {friend.name}", "reaction", by=unit.id) for friend in friends
        ),
        blocks_turn=False,
    )


def _melees(state: MagdalaState) -> Iterable[Owed]:
    """Each melee's round of this turn (MM-4.5)."""
    for attacker, defender in pairs(state):
        if defender.id in attacker.this_turn.fought_with:
            continue
        ready = hindrance(state, attacker, defender) is None
        key = f"melee:{attacker.id}:{defender.id}:{attacker.melee_round}:{state.turn}:{state.active}:{ready}"
        fight = _offer(key, attacker, f"Melee: {attacker.name}", "melee", target=defender.id)
        yield Owed(
            key=key,
            unit=attacker.id,
            side=attacker.side,
            text=f"{attacker.name} against {defender.name}: round {attacker.melee_round} of melee",
            cite=Cite(rule="MM-4.5", mark=Mark.RULING),
            offers=(fight,) if ready else (),
        )


def _held(state: MagdalaState) -> Iterable[Owed]:
    """What a pinned or halted unit may choose in its own turn (MM-5.7)."""
    turns = limit("turns held before testing again")
    for unit in state.of_side(state.active):
        owing = any(debt.unit == unit.id and debt.test is not Test.WITNESS for debt in state.debts)
        if unit.morale not in HELD or pinned_down(unit) or owing or engaged(state, unit) or unit.this_turn.retreated:
            continue
        ready = unit.held_turns >= turns and not unit.this_turn.retested
        key = f"held:{unit.id}:{state.turn}:{state.active}:{ready}"
        back = _offer(key, unit, f"Retreat: {unit.name}", "retire", danger=True)
        again = (_offer(key, unit, f"Go on: {unit.name}", "morale"),) if ready else ()
        yield Owed(
            key=key,
            unit=unit.id,
            side=unit.side,
            text=f"{unit.name} is {unit.morale}: it may {'test to go on, or ' if ready else ''}retreat",
            cite=Cite(rule="MM-5.7"),
            offers=(*again, back),
            blocks_turn=False,
        )


def _offer(key: str, unit: MagdalaUnit, label: str, kind: str, danger: bool = False, **args: Any) -> Offer:
    return Offer(label=label, kind=kind, args={"unit": unit.id, **args}, side=unit.side, key=key, danger=danger)
