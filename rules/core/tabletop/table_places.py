"""Places and destinations on tables in inches: squares, points, and moves towards units."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from rules.core import naming
from rules.core.catalog import TerrainEffect
from rules.core.model import Viewer
from rules.core.places import Places
from rules.core.refusal import NoPlace, Refused
from rules.core.scene import Feature

from . import squares, table
from .battle import S, TableState
from .battle_writer import FACING
from .destinations import read_destination
from .landmarks import landmark_names
from .place import MoveByDistance, Spot, TowardsUnit, TurnOnSpot, parse_destination, parse_spot
from .placement import Placement

if TYPE_CHECKING:
    from .system import TableRuleset

EIGHTH = squares.FULL_CIRCLE / len(squares.DIRECTIONS)
"""Degrees between two named directions."""
MOST_NAMED = 6
"""Maximum number of landmarks in advice."""
FOES_FACED = 3
"""Number of nearest enemies that a menu offers for a unit to face."""


class TablePlaces(Places[S]):
    """Named places, destinations and terrain on a system's tables."""

    length_unit = "inches"

    def __init__(
        self, system: "TableRuleset[S]", terrain: Callable[[Feature, Any], Iterable[TerrainEffect]] | None = None
    ) -> None:
        """Create the places. `terrain` yields the effects of a kind of terrain under a game's options."""
        super().__init__(system, lambda state: squares.square_names(state.width, state.height), terrain, locate)

    @override
    def destinations(self, state: S, viewer: Viewer, unit: str) -> tuple[str, ...]:
        """Return legal destinations of a unit or marker (by id), as text for the move's `to`.

        A unit off the table may go to any square. A unit that the viewer may not know has no destinations.
        """
        system = self._system
        if "move" not in system.actions:
            return ()
        state = system.view(state, viewer)
        if unit in state.markers:
            return self._destinations_of_marker(state, unit)
        if unit not in state.units:
            return self.names(state) if unit in state.hidden else ()
        place = state.units[unit].place
        to_units = (f"towards {other.name}" for other in state.units.values() if other.id != unit and other.on_table)
        faces = (f"face {direction}" for direction in squares.DIRECTIONS)
        foe_markers = (marker for marker in state.markers.values() if marker.side != state.units[unit].side)
        candidates = [*to_units, *(f"towards {marker.name}" for marker in foe_markers)]
        if place is not None:
            near = squares.squares_around(place.point, state.width, state.height)
            to_landmarks = (f"towards {name}" for name in landmark_names(state))
            foes = [foe for foe in state.enemies(state.units[unit].side) if foe.place is not None]
            foes.sort(key=lambda foe: table.distance(place.point, foe.place.point))
            faced = (f"face {foe.name}" for foe in foes[:FOES_FACED])
            candidates = [*near, *candidates, *to_landmarks, *faced, *faces]
        legal = (to for to in candidates if system.allows(state, system.parse("move", {"unit": unit, "to": to})))
        names = {other.id: other.name for other in state.units.values()}
        suggested = (
            _replace_id_with_name(to, names) for to in super().destinations(state, viewer, unit) if self.is_named(to)
        )
        return tuple(dict.fromkeys((*suggested, *legal)))

    @override
    def is_named(self, words: str) -> bool:
        """Whether a destination names a square, unit, landmark or direction, instead of coordinates or degrees."""
        try:
            goal = parse_destination(words, {})
        except Refused:  # it names a unit or a landmark
            return True
        if isinstance(goal, Spot) and not goal.in_square:
            return False
        return not isinstance(goal, Spot | TurnOnSpot) or goal.facing is None or goal.facing % EIGHTH == 0

    @override
    def canonical_words(self, state: S, unit: str, words: str) -> str:
        """Return a move by distance in the form `forward 6`, and any other destination as typed.

        Raises NoPlace if the words name no destination, unless positions are unknown.
        """
        if unit not in state.units:
            return words
        goal = read_destination(state, state.units[unit], words)
        if goal is None and state.keeps_positions:
            raise NoPlace(f"“{words}” is no place on the table.")
        if not isinstance(goal, MoveByDistance):
            return words
        faces = "" if goal.facing is None else f" facing {goal.facing:g}"
        return f"{goal.direction} {goal.inches:g}{faces}"

    @override
    def advice(self, state: S, unit: str) -> str:
        """Return advice on writing destinations, with an enemy and the table's named ground as examples."""
        if not state.keeps_positions:
            return ""
        side = state.units[unit].side if unit in state.units else None
        foes = [foe.name for foe in state.units.values() if foe.side != side and foe.on_table]
        towards = f"“towards {foes[0]}”, " if foes else ""
        names = landmark_names(state)
        landmark_words = f" Named here: {naming.join_names(names[:MOST_NAMED])}." if names else ""
        return f"Write inches as “forward 6”, {towards}“face north-east”, or a square as “C2 NW”.{landmark_words}"

    @override
    def gap(self, unit: Any, other: Any) -> float | None:
        """Return the inches between the nearest points of two units; None if either is off the table."""
        system: TableRuleset[S] = self._system  # type: ignore[assignment]
        return Placement(system.drawing.size).gap(unit, other) if unit.on_table and other.on_table else None

    @override
    def sees(self, state: S, unit: str, other: str) -> bool | None:
        """Whether no terrain between two units blocks sight; None if either is off the table."""
        system: TableRuleset[S] = self._system  # type: ignore[assignment]
        observer, target = state.units[unit], state.units[other]
        return system.sees(state, observer, target) if observer.on_table and target.on_table else None

    def _destinations_of_marker(self, state: S, name: str) -> tuple[str, ...]:
        """Return a marker's legal destinations: four full moves, nearby squares, and enemies."""
        system = self._system
        marker, kind = state.markers[name], system.kind_meant_now(state, "move", name)
        ways = (f"{way} {state.options.marker_move:g}" for way in ("forward", "back", "left", "right"))
        near = squares.squares_around(marker.place.point, state.width, state.height)
        enemies = (f"towards {enemy.name}" for enemy in state.enemies(marker.side) if enemy.place is not None)
        candidates = (*ways, *near, *enemies)
        return tuple(to for to in candidates if system.allows(state, system.parse(kind, {"unit": name, "to": to})))


def _replace_id_with_name(words: str, names: Mapping[str, str]) -> str:
    """Replace a unit's id in a destination by the unit's name, unless the name could mean another unit."""
    if not words.startswith("towards "):
        return words
    goal = parse_destination(words, names)
    if not isinstance(goal, TowardsUnit) or naming.find_matches(names[goal.unit], names) != (goal.unit,):
        return words
    return f"towards {names[goal.unit]}" + ("" if goal.inches is None else f" {goal.inches:g}")


def locate(state: TableState[Any], words: str, side: str) -> Mapping[str, float]:
    """Return the place that words name: `x` and `y` in inches, `facing` in degrees. Raises Refused.

    The default facing is away from the home edge of `side` or, without a home edge, north.
    """
    spot, home = parse_spot(words), state.home_edges.get(side)
    default_facing = 0.0 if home is None else FACING[home]
    return {"x": spot.at[0], "y": spot.at[1], "facing": default_facing if spot.facing is None else spot.facing}
