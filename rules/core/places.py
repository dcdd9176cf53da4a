"""The places of a system's map, in words. Systems override what they have."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .catalog import Meanings
from .model import Viewer
from .refusal import Refused
from .state import State

if TYPE_CHECKING:
    from .ruleset import Ruleset

S = TypeVar("S", bound=State)


class Places(Generic[S]):
    """Places as far as the legal moves know them, and the names and terrain of the map, if it has any."""

    def __init__(
        self,
        system: "Ruleset[S]",
        names: Callable[[S], Iterable[str]] | None = None,
        terrain: Callable[[Any], Meanings] | None = None,
        locate: Callable[[S, str, str], Mapping[str, float]] | None = None,
    ) -> None:
        """`names` returns a game's named places, `terrain` the meanings by its options, `locate` as the method here."""
        self._system = system
        self._names, self._terrain, self._locate = names, terrain, locate

    def destinations(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return the unit's (by id) destinations as accepted by a move's `to`."""
        moves = self._system.legal(state, viewer, "move", unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    def names(self, state: S) -> tuple[str, ...]:
        """Return named places of the map, without duplicates: squares, or named hexes."""
        return () if self._names is None else tuple(dict.fromkeys(self._names(state)))

    def terrain_meanings(self, state: S) -> Meanings:
        """Return the kinds of terrain that matter in this game, by its options, and their effects."""
        return {} if self._terrain is None else self._terrain(state.options)

    def locate(self, state: S, words: str, side: str = "") -> Mapping[str, float]:
        """Return `x`, `y` (inches) and `facing` (degrees) of a place in words. Raises Refused, and always for hexes.

        Without a facing in the words, the facing is that of the side (its id) from its edge of the table.
        """
        if self._locate is None:
            raise Refused("This map has hexes, not inches: add the unit without a place, then /umpire set its place.")
        return self._locate(state, words, side)
