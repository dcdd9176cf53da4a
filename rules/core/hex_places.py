"""Places on a map of hexes, written as a number, name, direction or goal."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from . import naming
from .hexboard.board import Board
from .hexboard.hexes import Hex
from .hexboard.stacks import HexUnit, S
from .number_words import with_digits
from .places import Places
from .refusal import NoPlace, NotPossibleNow, Refused
from .typed_text import simplify_signs

if TYPE_CHECKING:
    from .ruleset import Ruleset

MOST_NAMED = 6
"""Maximum number of named places in advice."""
STEPS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("n", "north"), (0, -1)),
    **dict.fromkeys(("s", "south"), (0, 1)),
    **dict.fromkeys(("ne", "northeast"), (1, -1)),
    **dict.fromkeys(("se", "southeast"), (1, 0)),
    **dict.fromkeys(("nw", "northwest"), (-1, 0)),
    **dict.fromkeys(("sw", "southwest"), (-1, 1)),
}
"""Axial steps to the neighbours of a hex, by direction."""
_WAY = r"(?:north|south)(?:[\s-]?(?:east|west))?|east|west|ne|nw|se|sw|[nesw]"
DIRECTION = re.compile(
    rf"(?:move|go|back)?\s*(?:(?P<first>\d\d?)\s*(?:hex(?:es)?)?\s*(?:to\s+the\s+)?(?P<after>{_WAY})"
    rf"|(?:to\s+the\s+)?(?P<before>{_WAY})(?:\s*(?:by\s*)?(?P<last>\d\d?)\s*(?:hex(?:es)?)?)?)(?:wards?)?"
)
"""A direction with a number of hexes before or after it: `north 2`, `2 hexes ne`."""
SEQUENCE = re.compile(r"\s*,\s*(?:(?:and|then)\s+)?")
"""Separator of the directions in a path: `north, north-east`."""
TOWARDS = re.compile(r"towards?\s+(?:the\s+)?")
HEX = re.compile(r"\b(?:the\s+)?hex(?:es)?\s+(?=\d{4}\b)", re.IGNORECASE)
"""The word `hex` before the number of a hex."""


class HexPlaces(Places[S]):
    """Places on a system's maps of hexes; `board_of` returns the board of a state."""

    length_unit = "hexes"

    def __init__(
        self,
        system: "Ruleset[S]",
        board_of: Callable[[S], Board[Any, Any]],
        in_sight: Callable[[S, Hex, Hex], bool] | None = None,
        *,
        draws_ways: bool = False,
    ) -> None:
        """Create the places. `in_sight` replaces the board's own test of the line of sight between two hexes.

        With `draws_ways`, a destination may be a path of many hexes that a player draws on the map.
        """
        super().__init__(system, lambda state: board_of(state).spec.names.values())
        self.draws_ways = draws_ways
        self._board_of, self._in_sight = board_of, in_sight

    @override
    def canonical_words(self, state: S, unit: str, words: str) -> str:
        """Return the number of the hex that `north 2` or `towards Tanga` means for the unit; other words unchanged.

        Raises NoPlace if the words name no hex of the map, Refused if they can mean several hexes.
        """
        words = HEX.sub("", words)
        text = with_digits(simplify_signs(words).strip().casefold())
        ways = [DIRECTION.fullmatch(part) for part in SEQUENCE.split(text)]
        if all(ways):
            return self._follow_directions(state, unit, [match for match in ways if match is not None])
        if match := TOWARDS.match(text):
            return self._find_nearest_hex(state, unit, self._find_goal(state, words[match.end() :]))
        self._board_of(state).parse_hexes(words)
        return words

    @override
    def advice(self, state: S, unit: str) -> str:
        """Return advice on writing hexes, with the map's named places."""
        names = self.names(state)
        place_advice = f", or a place: {naming.join_names(names[:MOST_NAMED])}" if names else ""
        return f"Hexes have no front: write “north 2”, the number of a hex, “towards” a unit{place_advice}."

    @override
    def state_after_move(self, state: S, unit: str, to: str) -> S:
        """Return the state with the unit in the last hex of the destination `to`."""
        hexes = self._board_of(state).parse_hexes(to)
        moved = state.units[unit].model_copy(update={"at": hexes[-1]})
        return state.model_copy(update={"units": {**state.units, unit: moved}})

    def find_hex(self, state: S, words: str) -> Hex:
        """Return the hex with that number or place name. Raises NoPlace."""
        return self._board_of(state).parse_hexes(words)[-1]

    def find_hexes(self, state: S, destinations: Iterable[str]) -> Sequence[Hex]:
        """Return the last hex of each destination in words. Skip words that name no hex."""
        hexes = list[Hex]()
        for words in destinations:
            with suppress(NoPlace):
                hexes.append(self.find_hex(state, words))
        return hexes

    def _follow_directions(self, state: S, unit: str, ways: Sequence[re.Match[str]]) -> str:
        """Return the numbers of the hexes that the unit reaches by each direction in turn. Raises Refused."""
        labels: list[str] = []
        for match in ways:
            label = self._find_hex_in_direction(
                state, unit, match["before"] or match["after"], int(match["first"] or match["last"] or 1)
            )
            state = self.state_after_move(state, unit, label)
            labels.append(label)
        return ", ".join(labels)

    def _find_hex_in_direction(self, state: S, unit: str, direction: str, hexes: int) -> str:
        """Return the number of the hex at a distance of `hexes` in a direction. Raises Refused outside the map."""
        step = STEPS.get(direction.replace("-", "").replace(" ", ""))
        start = state.units[unit].at
        if step is None:
            raise Refused("Neighbouring hexes lie north, north-east, south-east, south, south-west or north-west.")
        if start is None:
            raise NotPossibleNow(f"{state.units[unit].name} is not on the map. Write the number of a hex.")
        end = Hex(start.q + step[0] * hexes, start.r + step[1] * hexes)
        if end not in self._board_of(state).terrain:
            raise NotPossibleNow(f"{hexes} hexes {direction} of {start.label} there is no hex of this map.")
        return end.label

    def _find_goal(self, state: S, words: str) -> Hex:
        """Return the hex that the words name by a unit, a number or a place. Raises Refused."""
        places: dict[str, Hex] = {unit.id: unit.at for unit in state.units.values() if unit.at is not None}
        names = {unit: state.units[unit].name for unit in places}
        matches = naming.find_matches(words, names)
        if len(matches) == 1:
            return places[matches[0]]
        if len(matches) > 1:
            raise Refused(naming.clarifying_question(f"“{words.strip()}”", [names[unit] for unit in matches]))
        return self.find_hex(state, words)

    def _find_nearest_hex(self, state: S, unit: str, goal: Hex) -> str:
        """Return the number of the hex nearest to `goal` that the unit can reach. Raises Refused for a tie."""
        side = state.units[unit].side
        ends = self.find_hexes(state, self.destinations(state, side, unit))
        start = state.units[unit].at
        nearest = min((hex_.distance(goal) for hex_ in ends), default=None)
        if nearest is None or (start is not None and start.distance(goal) <= nearest):
            raise NotPossibleNow(f"{state.units[unit].name} cannot come nearer to {goal.label} now.")
        labels = sorted(hex_.label for hex_ in set(ends) if hex_.distance(goal) == nearest)
        if len(labels) > 1:
            raise Refused(
                f"Equally near to {goal.label} are {', '.join(labels[:-1])} and {labels[-1]}. Write one of them."
            )
        return labels[0]

    @override
    def gap(self, unit: HexUnit, other: HexUnit) -> float | None:
        """Return the distance between two units in hexes; None if either is off the map."""
        return None if unit.at is None or other.at is None else unit.at.distance(other.at)

    @override
    def sees(self, state: S, unit: str, other: str) -> bool | None:
        """Whether the hexes of two units (by id) are in line of sight. None if either unit is off the map."""
        from_hex, to_hex = state.units[unit].at, state.units[other].at
        if from_hex is None or to_hex is None:
            return None
        return (
            self._board_of(state).sees(from_hex, to_hex)
            if self._in_sight is None
            else self._in_sight(state, from_hex, to_hex)
        )
