"""The places of a system's map, in words. Systems override what they have."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from typing_extensions import override

from .catalog import Meanings
from .model import Viewer
from .refusal import Refused
from .state import State

if TYPE_CHECKING:
    from .ruleset import Ruleset

S = TypeVar("S", bound=State)


class Places(Generic[S]):
    """Places as far as the legal moves know them."""

    def __init__(self, system: "Ruleset[S]") -> None:
        self._system = system

    def destinations(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return the unit's (by id) destinations as accepted by a move's `to`."""
        moves = self._system.legal(state, viewer, "move", unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    def names(self, state: S) -> tuple[str, ...]:  # noqa: ARG002
        """Return named places of the map: squares, or named hexes."""
        return ()

    def terrain_meanings(self, state: S) -> Meanings:  # noqa: ARG002
        """Return the kinds of terrain that matter in this game, by its options, and their effects."""
        return {}

    def locate(self, state: S, words: str, side: str = "") -> Mapping[str, float]:  # noqa: ARG002
        """Return `x`, `y` (inches) and `facing` (degrees) of a place in words. Raises Refused, and always for hexes.

        Without a facing in the words, the facing is that of the side (its id) from its edge of the table.
        """
        raise Refused("This map has hexes, not inches: add the unit without a place, then /umpire set its place.")


class HexPlaces(Places[S]):
    """Places on a map of hexes, of which some have names."""

    def __init__(self, system: "Ruleset[S]", names: Callable[[S], Iterable[str]]) -> None:
        """`names` returns the names of a game's hexes."""
        super().__init__(system)
        self._names = names

    @override
    def names(self, state: S) -> tuple[str, ...]:
        """Return the map's hex names, without duplicates."""
        return tuple(dict.fromkeys(self._names(state)))
