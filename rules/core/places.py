"""The places of a system's map, in words. Each system overrides the methods that its maps support."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from .catalog import TerrainEffect
from .model import Viewer
from .refusal import Refused
from .scene import Feature
from .state import Action, S

if TYPE_CHECKING:
    from .ruleset import Ruleset


class Places(Generic[S]):
    """Named places, terrain and destinations of a system's map.

    By default, the only known places are destinations of legal moves. A function that is None here exists only in
    systems whose maps support it.
    """

    draws_ways = False
    """Whether a destination may be a path of many hexes that a player draws on the map."""
    length_unit = ""
    """The unit of distances between units: `inches` or `hexes`; empty if the system measures none."""
    canonical_words: Callable[[S, str, str], str] | None = None
    """Return the destination of a unit (by id) as the bot writes it. Raises NoPlace, Refused."""
    is_named: Callable[[str], bool] | None = None
    """Whether a destination is in words that a menu may offer, rather than in coordinates."""
    advice: Callable[[S, str], str] | None = None
    """Return advice on writing destinations of a unit (by id), with examples from the game; may be empty."""
    state_after_move: Callable[[S, str, str], S] | None = None
    """Return the state with the unit (by id) placed at a destination. Further moves are read from that state."""
    gap: Callable[[Any, Any], float | None] | None = None
    """Return the distance between two units, in inches or hexes; None if a place is unknown."""
    sees: Callable[[S, str, str], bool | None] | None = None
    """Whether nothing blocks sight between two units (by id); None if a place is unknown."""

    def __init__(
        self,
        system: "Ruleset[S]",
        names: Callable[[S], Iterable[str]] | None = None,
        terrain: Callable[[Feature, Any], Iterable[TerrainEffect]] | None = None,
        locate: Callable[[S, str, str], Mapping[str, float]] | None = None,
    ) -> None:
        """Create the places. Each given function replaces the method of the same name.

        `terrain` yields the effects of one kind of terrain under a game's options.
        """
        self._system = system
        self._names, self._terrain, self._locate = names, terrain, locate

    def destinations(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return the places that a unit (by id) may move to, in words for the move's `to`."""
        moves = self._system.legal_actions(state, viewer, "move", unit)
        return tuple(dict.fromkeys(to for move in moves if (to := getattr(move, "to", None))))

    def distance(self, state: S, unit: str, other: str) -> float | None:
        """Return the distance between two units (by id), in inches or hexes; None if a place is unknown."""
        return None if self.gap is None else self.gap(state.units[unit], state.units[other])

    def measure(self, state: S) -> str:
        """Return the measure of distances on the map, `inches` or `hexes`; empty if places are unknown."""
        return self.length_unit if state.keeps_positions else ""

    def has_no_coordinates(self, action: Action) -> bool:
        """Whether the action has no destination, or one in words. Menus offer no actions with coordinates."""
        to = getattr(action, "to", None)
        return self.is_named is None or not isinstance(to, str) or self.is_named(to)

    def names(self, state: S) -> tuple[str, ...]:
        """Return the map's named places without duplicates: named squares or hexes."""
        return () if self._names is None else tuple(dict.fromkeys(self._names(state)))

    def terrain_meanings(self, state: S) -> Mapping[Feature, Sequence[TerrainEffect]]:
        """Return the effects of each kind of terrain under the game's options. Omit kinds without effect."""
        if self._terrain is None:
            return {}
        meanings = {feature: tuple(self._terrain(feature, state.options)) for feature in Feature}
        return {feature: effects for feature, effects in meanings.items() if effects}

    def locate(self, state: S, words: str, side: str = "") -> Mapping[str, float]:
        """Return `x`, `y` (inches) and `facing` (degrees) of a place in words. Raises Refused, always on maps of hexes.

        Without a facing in the words, the unit faces away from the table edge of its side (by id).
        """
        if self._locate is None:
            raise Refused("This map has hexes, not inches: add the unit without a place, then /umpire set its place.")
        return self._locate(state, words, side)
