"""Places on a map of hexes: its named hexes, and destinations by number or name."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from typing_extensions import override

from .hexboard.board import Board
from .hexboard.hexes import Hex
from .hexboard.stacks import HexState
from .places import Places

if TYPE_CHECKING:
    from .ruleset import Ruleset

S = TypeVar("S", bound=HexState[Any])


class HexPlaces(Places[S]):
    """Places on a system's maps of hexes; `board_of` returns the board of a state."""

    def __init__(
        self,
        system: "Ruleset[S]",
        board_of: Callable[[S], Board[Any]],
        in_sight: Callable[[S, Hex, Hex], bool] | None = None,
    ) -> None:
        """Create the places. `in_sight` says whether two hexes see each other, if the board alone does not decide."""
        super().__init__(system, lambda state: board_of(state).spec.names.values())
        self._board_of, self._in_sight = board_of, in_sight

    @override
    def canonical(self, state: S, unit: str, words: str) -> str:
        """Return the words as typed. Raises NoPlace if they name no hex of the map."""
        self._board_of(state).hexes_named(words)
        return words

    @override
    def distance(self, state: S, unit: str, other: str) -> float | None:
        """Return the distance between two units in hexes."""
        here, there = state.units[unit].at, state.units[other].at
        return None if here is None or there is None else here.distance(there)

    @override
    def measure(self, state: S) -> str:
        """Return `hexes`."""
        return "hexes"

    @override
    def sees(self, state: S, unit: str, other: str) -> bool | None:
        """Whether two units are in line of sight; None if either is off the map."""
        here, there = state.units[unit].at, state.units[other].at
        if here is None or there is None:
            return None
        return self._board_of(state).sees(here, there) if self._in_sight is None else self._in_sight(state, here, there)
