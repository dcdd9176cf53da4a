"""What units owe: tests, moves and answers, kept until they are settled."""

from collections.abc import Iterable
from typing import Any

from .model import Debt, MagdalaState, Test

MOVES = (Test.RETREAT, Test.PURSUIT_MOVE)
"""Debts that are moves of a unit's own turn; who is caught in melee meanwhile fights, and owes none (ruling)."""


def owe(state: MagdalaState, unit: str, test: Test, **more: Any) -> MagdalaState:
    """The state with one more debt; `more` are the other fields of `Debt`. Every debt has a key of its own."""
    number = state.events + 1
    debt = Debt(key=f"{test.name.lower()}:{unit}:{number}", unit=unit, test=test, **more)
    return state.model_copy(update={"debts": (*state.debts, debt), "events": number})


def debts_of(state: MagdalaState, unit: str, *tests: Test) -> tuple[Debt, ...]:
    """What a unit owes, of these tests or of any, oldest first."""
    return tuple(debt for debt in state.debts if debt.unit == unit and (not tests or debt.test in tests))


def first_debt(state: MagdalaState, unit: str, *tests: Test) -> Debt | None:
    """The oldest of what a unit owes of these tests."""
    return next(iter(debts_of(state, unit, *tests)), None)


def settle(state: MagdalaState, *settled: Debt) -> MagdalaState:
    """The state without these debts."""
    keys = {debt.key for debt in settled}
    return state.model_copy(update={"debts": tuple(debt for debt in state.debts if debt.key not in keys)})


def amend(state: MagdalaState, debt: Debt, **changes: Any) -> MagdalaState:
    """The state with one debt changed; it keeps its key and its place."""
    changed = debt.model_copy(update=changes)
    return state.model_copy(update={"debts": tuple(changed if d.key == debt.key else d for d in state.debts)})


def forget(state: MagdalaState, unit: str, tests: Iterable[Test] | None = None) -> MagdalaState:
    """The state without what a unit owes, of these tests or at all; what friends saw of its flight stays."""
    gone = debts_of(state, unit, *tests) if tests else debts_of(state, unit)
    return settle(state, *(debt for debt in gone if debt.test is not Test.WITNESS))
