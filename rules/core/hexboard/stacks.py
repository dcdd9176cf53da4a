"""Units on hexes: lookups of a state's units by hex, cached for each state."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, Self, TypeVar

from pydantic import Field
from typing_extensions import override

from rules.core.state import State, Unit

from .board import Board
from .hex_scene import Counter, HexScene, HexStack
from .hexes import Hex

CACHED_STACKS = "looked_up"


class HexUnit(Unit):
    """A unit on a hex map; `at` is None off the map."""

    at: Hex | None = None

    @property
    def on_map(self) -> bool:
        """Whether the unit stands in a hex."""
        return self.at is not None

    @property
    def bars_enemies(self) -> bool:
        """Whether the unit bars enemies from its hex. Systems override this for units that let enemies in."""
        return True


U = TypeVar("U", bound=HexUnit)


@dataclass(frozen=True)
class Stacks(Generic[U]):
    """The units in each hex, and the hexes with units of each side."""

    by_hex: Mapping[Hex, tuple[U, ...]]
    hexes: Mapping[str, frozenset[Hex]]
    """Hexes in which units of a side stand, by side."""
    barred: Mapping[str, frozenset[Hex]]
    """Hexes closed to enemies, by side."""
    found: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Further lookups cached by a system, under its own keys."""


def group_in_stacks(units: Iterable[U], sides: Iterable[str]) -> Stacks[U]:
    """Return the units on the map by hex, and the hexes of each of the `sides`. Units in a hex keep their order."""
    by_hex: dict[Hex, tuple[U, ...]] = {}
    hexes: dict[str, set[Hex]] = {side: set() for side in sides}
    barred: dict[str, set[Hex]] = {side: set() for side in hexes}
    for unit in units:
        if unit.at is not None:
            by_hex[unit.at] = (*by_hex.get(unit.at, ()), unit)
            hexes[unit.side].add(unit.at)
            if unit.bars_enemies:
                barred[unit.side].add(unit.at)
    frozen = ({side: frozenset(side_hexes) for side, side_hexes in of_sides.items()} for of_sides in (hexes, barred))
    return Stacks(by_hex, *frozen)


class HexState(State, Generic[U]):
    """State of a game on hexes; lookups about units are cached per state."""

    units: Mapping[str, U] = Field(default_factory=dict)
    objectives: Mapping[str, int] = Field(default_factory=dict)
    """Number of victory hexes of each kind required to win."""

    def unit(self, unit_id: str) -> U:
        """Return the unit with that id. Raises KeyError."""
        return self.units[unit_id]

    def units_of(self, side: str) -> tuple[U, ...]:
        """Return a side's units on the map."""
        return tuple(unit for unit in self.units.values() if unit.side == side and unit.on_map)

    @property
    def stacks(self) -> Stacks[U]:
        """Return the units by hex, computed once per state."""
        stacks: Stacks[U] | None = self.__dict__.get(CACHED_STACKS)
        if stacks is None:
            sides = (side.id for side in self.sides)
            stacks = self.__dict__[CACHED_STACKS] = group_in_stacks(self.units.values(), sides)
        return stacks

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy of the state. Cached lookups are copied only if the units are unchanged."""
        copied = super().model_copy(update=update, deep=deep)
        if deep or (update and "units" in update):
            copied.__dict__.pop(CACHED_STACKS, None)
        return copied

    @override
    def __getstate__(self) -> dict[Any, Any]:
        """Return the state to pickle for another process, without cached lookups."""
        data = super().__getstate__()
        return {**data, "__dict__": {name: value for name, value in data["__dict__"].items() if name != CACHED_STACKS}}


S = TypeVar("S", bound=HexState[Any])


@lru_cache(maxsize=1 << 12)
def is_seen_from_any(board: Board[Any, Any], hex_: Hex, hexes: frozenset[Hex]) -> bool:
    """Whether the hex is in line of sight of any of `hexes`."""
    return any(board.sees(hex_, other) for other in hexes)


def scene_with_stacks(
    state: HexState[Any], board: Board[Any, Any], title: str, counters: Callable[[Hex], Iterable[Counter]], **parts: Any
) -> HexScene:
    """Return the scene of the map, with the counters of each occupied hex.

    `counters` returns the counters of a hex. `parts` are further fields of the scene.
    """
    return HexScene(
        board=board.hex_board,
        title=title,
        sides=state.sides,
        stacks=tuple(HexStack(hex=hex_, counters=tuple(counters(hex_))) for hex_ in sorted(state.stacks.by_hex)),
        **parts,
    )


def unit_hex(unit: HexUnit) -> Hex:
    """Return the hex of a unit on the map."""
    assert unit.at is not None
    return unit.at


def units_at(state: HexState[U], hex_: Hex) -> tuple[U, ...]:
    """Return every unit in a hex, in the order of `state.units`."""
    return state.stacks.by_hex.get(hex_, ())


def hexes_of_side(state: HexState[Any], side: str) -> frozenset[Hex]:
    """Return the hexes in which units of a side stand."""
    return state.stacks.hexes.get(side, frozenset())


def hexes_barred_by(state: HexState[Any], side: str) -> frozenset[Hex]:
    """Return the hexes that the side's units bar enemies from entering."""
    return state.stacks.barred.get(side, frozenset())


def distance_to_side(state: HexState[Any], hex_: Hex, side: str) -> int | None:
    """Return the distance in hexes to the side's nearest unit; None if the side has no unit on the map."""
    return min((hex_.distance(other) for other in hexes_of_side(state, side)), default=None)


def is_next_to(state: HexState[Any], hex_: Hex, side: str) -> bool:
    """Whether the hex is adjacent to a unit of the side."""
    return not hexes_of_side(state, side).isdisjoint(hex_.neighbours())
