"""Tests that units take before they move, for systems that have them."""

from typing import Protocol, TypeVar

from .state import Action, State

S = TypeVar("S", bound=State, contravariant=True)


class PreliminaryTests(Protocol[S]):
    """Tests before moves."""

    def test_to_move(self, state: S, unit: str) -> Action | None:
        """Return the test that the unit (by its id) owes before it moves and may take now, or None."""

    def shortened(self, state: S, action: Action) -> Action | None:
        """Return the action shortened by the dice of its test; None if nothing remains."""
