"""Preliminary tests: tests that some systems require before a unit moves."""

from typing import Protocol, TypeVar

from .state import Action, State

S = TypeVar("S", bound=State, contravariant=True)


class PreliminaryTests(Protocol[S]):
    """Rules for tests before moves, and for moves that tests shorten."""

    def find_test_before_move(self, state: S, unit: str) -> Action | None:
        """Return the test that the unit (by id) must take before moving and can take now, or None."""

    def shorten_move(self, state: S, action: Action) -> Action | None:
        """Return `action`, shortened as the dice of the test require. None if nothing of the move remains."""
