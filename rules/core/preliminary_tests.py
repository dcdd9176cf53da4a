"""Tests that units take before they move, in systems that have them."""

from typing import Protocol, TypeVar

from .state import Action, State

S = TypeVar("S", bound=State, contravariant=True)


class PreliminaryTests(Protocol[S]):
    """Finds tests before moves, and moves that tests have shortened."""

    def test_to_move(self, state: S, unit: str) -> Action | None:
        """Return the test that the unit (by its id) owes before it moves and may take now, or None."""

    def shortened(self, state: S, action: Action) -> Action | None:
        """Return `action` shortened as the dice of its test require; None if nothing remains."""
