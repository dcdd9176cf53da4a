"""Boards of campaigns: roads, rivers with fords and bridges, and movement costs of steps (CA-2.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TypeAlias

from typing_extensions import override

from rules.core.hexboard import board
from rules.core.hexboard.hex_scene import HexBoard, HexCrossing, HexRiver
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark

from .columns import Pace
from .maps import CampaignMap, CampaignTerrain, Crossing, CrossingKind, read_map
from .model import CampaignState

GROUND = Cite(rule="CA-2.2", mark=Mark.HOUSE)
RIVER_COST = 1
"""Extra movement points for crossing a river without ford or bridge."""
MOST_BOARDS = 64
"""Maximum number of cached boards of own maps."""

Hexside: TypeAlias = frozenset[Hex]
"""A hexside, as the two hexes on its sides."""
Steps: TypeAlias = Mapping[Hex, tuple[tuple[Hex, int], ...]]
"""The neighbours of each hex, each with the movement points for the step."""


@dataclass(frozen=True, eq=False)
class Board(board.Board[CampaignMap, CampaignTerrain]):
    """A campaign's map with lookups, which are computed once."""

    _steps: dict[tuple[str, Pace], Steps] = field(default_factory=dict, repr=False)

    @cached_property
    @override
    def hex_board(self) -> HexBoard:
        """Return the board for drawing, with its rivers, crossings and telegraph lines."""
        rivers = tuple(HexRiver(sides=river.sides) for river in self.spec.rivers)
        crossings = tuple(
            HexCrossing(side=crossing.side, is_bridge=crossing.kind is CrossingKind.BRIDGE)
            for crossing in self.spec.crossings
        )
        water_and_lines = {"rivers": rivers, "crossings": crossings, "telegraphs": self.spec.telegraphs}
        return super().hex_board.model_copy(update=water_and_lines)

    @cached_property
    def road_steps(self) -> frozenset[Hexside]:
        """Return the hexsides that roads and railways cross."""
        lines = (*self.spec.roads, *self.spec.railways)
        return frozenset(frozenset(step) for line in lines for step in pairwise(line.hexes))

    @cached_property
    def crossings(self) -> Mapping[Hexside, Crossing]:
        """Return the fords and bridges by hexside."""
        return {frozenset(crossing.side): crossing for crossing in self.spec.crossings}

    def steps_from(self, pace: Pace) -> Steps:
        """Return, by hex, the neighbours that columns of a pace can enter, each with its movement points.

        Water hexes are included, because columns must be able to leave a hex that was painted as water under them.
        """
        if ("from", pace) not in self._steps:
            by_hex: dict[Hex, tuple[tuple[Hex, int], ...]] = {}
            for start in self.terrain:
                costs = ((end, self.step_cost(start, end, pace)) for end in start.neighbours())
                by_hex[start] = tuple((end, cost) for end, cost in costs if cost is not None)
            self._steps["from", pace] = by_hex
        return self._steps["from", pace]

    def steps_into(self, pace: Pace) -> Steps:
        """Return, by hex, the neighbours from which columns of a pace can enter it, each with the movement points."""
        if ("into", pace) not in self._steps:
            by_hex: dict[Hex, list[tuple[Hex, int]]] = {}
            for start, steps in self.steps_from(pace).items():
                for end, cost in steps:
                    by_hex.setdefault(end, []).append((start, cost))
            self._steps["into", pace] = {end: tuple(steps) for end, steps in by_hex.items()}
        return self._steps["into", pace]

    def step_cost(self, start: Hex, end: Hex, pace: Pace) -> int | None:
        """Return the movement points for a step between neighbours; None if that pace cannot make the step (CA-2.2)."""
        if self.why_barred(start, end, pace):
            return None
        step = frozenset((start, end))
        cost = self.spec.road_cost if step in self.road_steps else self.terrain[end].cost or 0
        return cost + (RIVER_COST if step in self.spec.river_sides and step not in self.crossings else 0)

    def why_barred(self, start: Hex, end: Hex, pace: Pace) -> str:
        """Return why a pace cannot step into the neighbour `end`, as a clause; empty if it can."""
        terrain, step = self.terrain.get(end), frozenset((start, end))
        if terrain is None:
            return "it is off the map"
        if terrain.cost is None:
            return f"it is {terrain.name}"
        if pace is not Pace.WHEELED:
            return ""
        if terrain.wheels_by_road and step not in self.road_steps:
            return f"wheels enter {terrain.name} by road only"
        if step in self.spec.river_sides and step not in self.crossings:
            return "wheels cross rivers at fords and bridges only"
        return ""


def read_map_text(name: str) -> str:
    """Return the text of a shipped map, by its file name."""
    return (files("rules.campaign") / "data" / f"{name}.txt").read_text(encoding="utf-8")


@cache
def shipped_map_names() -> tuple[str, ...]:
    """Return the file names of the shipped maps."""
    folder = files("rules.campaign") / "data"
    return tuple(sorted(file.name.removesuffix(".txt") for file in folder.iterdir() if file.name.endswith(".txt")))


@cache
def shipped_board(name: str) -> Board:
    """Return the board of a shipped map, by its file name."""
    return Board(read_map(read_map_text(name), f"{name}.txt"))


@lru_cache(maxsize=MOST_BOARDS)
def board_for_own_map(spec: CampaignMap) -> Board:
    """Return the board of a campaign's own map; equal maps share one cached board."""
    return Board(spec)


def board_of(state: CampaignState) -> Board:
    """Return the campaign's board."""
    return shipped_board(state.map) if state.own_map is None else board_for_own_map(state.own_map)
