"""The ground of a campaign: terrain, roads, rivers with fords and bridges, and what a step costs (CA-2.2)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import ClassVar, TypeAlias

from pydantic import Field
from typing_extensions import override

from rules.core.data_files import read_data_file
from rules.core.documents import Fault
from rules.core.hexboard import board, map_file
from rules.core.hexboard.hex_scene import HexBoard, HexCrossing, HexRiver
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import MapText, TerrainKinds
from rules.core.hexboard.map_spec import MapSpec, Terrain
from rules.core.model import Cite, Mark, Model

from .model import CampaignState, Pace

GROUND = Cite(rule="CA-2.2", mark=Mark.HOUSE)
RIVER_COST = 1
"""Extra points for crossing a river without ford or bridge."""


class CampaignTerrain(Terrain):
    """A kind of terrain with its effects on marches and sight."""

    protection: int = 0
    blocks: bool = False
    is_high: bool = False
    """Whether columns there see one hex farther, and into terrain that hides (CA-3.1)."""
    hides: bool = False
    """Whether only adjacent or high viewers see into the terrain (CA-3.1)."""
    wheels_by_road: bool = False
    """Whether wheeled columns enter it by road only."""


class Kinds(TerrainKinds):
    """The kinds of terrain of a campaign."""

    terrain_type: ClassVar[type[Terrain]] = CampaignTerrain


class CrossingKind(StrEnum):
    """What crosses a river on a hexside."""

    FORD = "ford"
    BRIDGE = "bridge"


Side: TypeAlias = frozenset[Hex]
"""A hexside: the two hexes that it lies between."""


Steps: TypeAlias = Mapping[Hex, tuple[tuple[Hex, int], ...]]
"""By hex: hexes next to it, with the points for the step."""


class River(Model):
    """A river along hexsides, each between two hexes next to each other."""

    name: str = ""
    sides: tuple[tuple[Hex, Hex], ...] = Field(min_length=1)


class Crossing(Model):
    """A ford or bridge over the river on one hexside."""

    kind: CrossingKind
    side: tuple[Hex, Hex]
    name: str = ""


class CampaignMap(MapSpec):
    """A map: its ground, its rivers with their crossings, and its telegraph lines."""

    terrains: tuple[CampaignTerrain, ...]
    rivers: tuple[River, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    telegraphs: tuple[tuple[Hex, ...], ...] = ()

    @override
    def faults(self) -> Iterable[Fault]:
        """Yield faults of the content, also hexsides between distant hexes and crossings off a river."""
        yield from super().faults()
        wet = {frozenset(side) for river in self.rivers for side in river.sides}
        places = [(f"rivers.{place}", side) for place, river in enumerate(self.rivers) for side in river.sides]
        for place, (one, other) in places:
            if one.distance(other) != 1 or not {one, other} <= self.hexes.keys():
                yield place, f"{one} and {other} are not neighbours on the map"
        for number, crossing in enumerate(self.crossings):
            if frozenset(crossing.side) not in wet:
                one, other = crossing.side
                yield f"crossings.{number}", f"no river runs between {one} and {other}"


class Board(board.Board[CampaignMap]):
    """A map in use."""

    @cached_property
    def kinds(self) -> Mapping[Hex, CampaignTerrain]:
        """Return the terrain of every hex."""
        kinds = {terrain.id: terrain for terrain in self.spec.terrains}
        return {hex_: kinds[terrain] for hex_, terrain in sorted(self.spec.hexes.items())}

    @cached_property
    @override
    def drawn(self) -> HexBoard:
        """Return the board for drawing, with its rivers and crossings."""
        rivers = tuple(HexRiver(sides=river.sides) for river in self.spec.rivers)
        crossings = tuple(
            HexCrossing(side=one.side, is_bridge=one.kind is CrossingKind.BRIDGE) for one in self.spec.crossings
        )
        return super().drawn.model_copy(update={"rivers": rivers, "crossings": crossings})

    @cached_property
    def road_steps(self) -> frozenset[Side]:
        """Return the hexsides that roads and railways cross."""
        lines = (*self.spec.roads, *self.spec.railways)
        return frozenset(frozenset(step) for line in lines for step in pairwise(line.hexes))

    @cached_property
    def rivers(self) -> frozenset[Side]:
        """Return the hexsides on which rivers run."""
        return frozenset(frozenset(side) for river in self.spec.rivers for side in river.sides)

    @cached_property
    def crossings(self) -> Mapping[Side, Crossing]:
        """Return the fords and bridges by hexside."""
        return {frozenset(crossing.side): crossing for crossing in self.spec.crossings}

    @lru_cache(maxsize=8)  # noqa: B019 (one board of each map lives as long as the program)
    def steps_from(self, pace: Pace) -> Steps:
        """Return the hexes into which that pace can step from each hex, with the points."""
        found = {
            here: [(there, self.step_cost(here, there, pace)) for there in here.neighbours()] for here in self.land
        }
        return {here: tuple((to, cost) for to, cost in steps if cost is not None) for here, steps in found.items()}

    @lru_cache(maxsize=8)  # noqa: B019 (as above)
    def steps_into(self, pace: Pace) -> Steps:
        """Return the hexes from which that pace can step into each hex, with the points."""
        found: dict[Hex, list[tuple[Hex, int]]] = {}
        for here, steps in self.steps_from(pace).items():
            for there, cost in steps:
                found.setdefault(there, []).append((here, cost))
        return {there: tuple(steps) for there, steps in found.items()}

    def step_cost(self, here: Hex, there: Hex, pace: Pace) -> int | None:
        """Return the points for a step between neighbours; None if that pace cannot take it (CA-2.2)."""
        return None if self.why_barred(here, there, pace) else self._price(here, there)

    def _price(self, here: Hex, there: Hex) -> int:
        step = frozenset((here, there))
        cost = self.spec.road_cost if step in self.road_steps else self.kinds[there].cost or 0
        return cost + (RIVER_COST if step in self.rivers and step not in self.crossings else 0)

    def why_barred(self, here: Hex, there: Hex, pace: Pace) -> str:
        """Return why that pace cannot step from a hex into a neighbour, as the end of a sentence; else nothing."""
        terrain, step = self.kinds.get(there), frozenset((here, there))
        if terrain is None:
            return "it is off the map"
        if terrain.cost is None:
            return f"it is {terrain.name}"
        if pace is not Pace.WHEELED:
            return ""
        if terrain.wheels_by_road and step not in self.road_steps:
            return f"wheels enter {terrain.name} by road only"
        if step in self.rivers and step not in self.crossings:
            return "wheels cross rivers at fords and bridges only"
        return ""


@cache
def kinds() -> Kinds:
    """Return the kinds of terrain. Raises ValidationError if their file is wrong."""
    return read_data_file(Kinds, "rules.campaign", "terrain.toml")


def _sides_in(text: str) -> tuple[tuple[Hex, Hex], ...]:
    """Return the hexsides of a text such as `0305/0306 0306/0406`. Raises ValueError."""
    found = []
    for word in text.split():
        one, slash, other = word.partition("/")
        if not slash:
            raise ValueError(f"a hexside is written as two hexes, as 0305/0306; {word[:20]!r} is not")
        found.append((Hex.labelled(one), Hex.labelled(other)))
    return tuple(found)


def _river(text: MapText, label: str, rest: str) -> str:
    return text.add("rivers", {"name": label, "sides": _sides_in(rest)})


def _crossing(kind: CrossingKind) -> map_file.Statement:
    def take(text: MapText, label: str, rest: str) -> str:
        sides = _sides_in(rest)
        if len(sides) != 1:
            raise ValueError(f"a {kind} lies on one hexside")
        return text.add("crossings", {"kind": kind, "side": sides[0], "name": label})

    return take


def _telegraph(text: MapText, _: str, rest: str) -> str:
    return text.add("telegraphs", tuple(map_file.hexes_in(rest)))


def read_map(text: str, name: str) -> CampaignMap:
    """Return the map written in `text`. Raises ValueError naming the file `name` and the line of the first fault."""
    statements: Mapping[str, map_file.Statement] = {
        "river": _river,
        "ford": _crossing(CrossingKind.FORD),
        "bridge": _crossing(CrossingKind.BRIDGE),
        "telegraph": _telegraph,
    }
    return map_file.read_map(text, name, CampaignMap, kinds(), statements)


@cache
def board_named(name: str) -> Board:
    """Return the board of a map of the campaign's data, by its file's name."""
    file = files("rules.campaign") / "data" / f"{name}.txt"
    return Board(read_map(file.read_text(encoding="utf-8"), file.name))


def board_of(state: CampaignState) -> Board:
    """Return the campaign's board."""
    return board_named(state.map)
