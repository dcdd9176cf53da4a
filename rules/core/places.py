"""The places of a system's map, in words. Systems override what they have."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .catalog import Meaning
from .model import Viewer
from .refusal import Refused
from .scene import Feature
from .state import State

if TYPE_CHECKING:
    from .ruleset import Ruleset

S = TypeVar("S", bound=State)


class Places(Generic[S]):
    """Named places, terrain and destinations of a system's map.

    By default, only destinations are known, from legal moves.
    """

    draws_ways = False
    """Whether a destination may be a way of many hexes that a player draws on the map."""

    def __init__(
        self,
        system: "Ruleset[S]",
        names: Callable[[S], Iterable[str]] | None = None,
        terrain: Callable[[Feature, Any], Iterable[Meaning]] | None = None,
        locate: Callable[[S, str, str], Mapping[str, float]] | None = None,
    ) -> None:
        """Create the places; each function answers the method of its name.

        `terrain` yields the effects of one kind of terrain under a game's options.
        """
        self._system = system
        self._names, self._terrain, self._locate = names, terrain, locate

    def destinations(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return the places that a unit (by id) may move to, in the words that the move's `to` accepts."""
        moves = self._system.legal(state, viewer, "move", unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    def canonical(self, state: S, unit: str, words: str) -> str:  # noqa: ARG002
        """Return the destination of a unit (by id) in the words in which the bot writes it. Raises NoPlace, Refused."""
        return words

    def is_named(self, words: str) -> bool:  # noqa: ARG002
        """Whether a destination is said in words that players would choose from a menu, not by coordinates."""
        return True

    def advice(self, state: S, unit: str) -> str:  # noqa: ARG002
        """Return advice on writing destinations of a unit (by id), with examples from the game; may be empty."""
        return ""

    def after_move(self, state: S, unit: str, to: str) -> S:  # noqa: ARG002
        """Return the state in which the unit (by id) stands at a destination, to read a further move from there."""
        return state

    def distance(self, state: S, unit: str, other: str) -> float | None:  # noqa: ARG002
        """Return the distance between two units (by id), in inches or hexes; None if a place is unknown."""
        return None

    def measure(self, state: S) -> str:  # noqa: ARG002
        """Return what distances between units are counted in: `inches` or `hexes`; empty if places are unknown."""
        return ""

    def sees(self, state: S, unit: str, other: str) -> bool | None:  # noqa: ARG002
        """Whether nothing blocks sight between two units (by id); None if a place is unknown."""
        return None

    def names(self, state: S) -> tuple[str, ...]:
        """Return the map's named places without duplicates: squares, or named hexes."""
        return () if self._names is None else tuple(dict.fromkeys(self._names(state)))

    def terrain_meanings(self, state: S) -> Mapping[Feature, Sequence[Meaning]]:
        """Return the effects by kind of terrain under the game's options, without kinds that have none."""
        if self._terrain is None:
            return {}
        found = {feature: tuple(self._terrain(feature, state.options)) for feature in Feature}
        return {feature: said for feature, said in found.items() if said}

    def locate(self, state: S, words: str, side: str = "") -> Mapping[str, float]:
        """Return `x`, `y` (inches) and `facing` (degrees) of a place in words. Raises Refused, on hexes always.

        Without a facing in the words, use the facing of the side (by id) from its edge of the table.
        """
        if self._locate is None:
            raise Refused("This map has hexes, not inches: add the unit without a place, then /umpire set its place.")
        return self._locate(state, words, side)
