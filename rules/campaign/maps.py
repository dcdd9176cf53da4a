"""The map of a campaign: its kinds of terrain, rivers with fords and bridges, and telegraph lines (CA-2.2)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from rules.core.data_files import read_data_file
from rules.core.documents import FaultInWords
from rules.core.hexboard import map_file
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_document import MOST_COST
from rules.core.hexboard.map_file import LineFault, MapTextParser, TerrainKinds
from rules.core.hexboard.map_spec import MapSpec, Terrain
from rules.core.model import Model
from rules.core.typed_text import has_only_visible_signs

MOST_PARTS: Mapping[str, int] = {
    "hexes": 1600,
    "terrains": 40,
    "names": 200,
    "across": 40,
    "roads": 60,
    "railways": 40,
    "rivers": 60,
    "crossings": 200,
    "telegraphs": 40,
    "victory": 0,
}
"""Maximum number of each part of a user's map."""
MOST_ALONG = 3000
"""Maximum number of hexes of all roads together, and of hexsides of all rivers together."""
MOST_LINES = 1000
"""Maximum number of text lines of a user's map."""
LONGEST_NAME = 40


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


class CampaignTerrainKinds(TerrainKinds):
    """The kinds of terrain of a campaign."""

    terrain_type: ClassVar[type[Terrain]] = CampaignTerrain


class CrossingKind(StrEnum):
    """Kinds of river crossings on a hexside."""

    FORD = "ford"
    BRIDGE = "bridge"


class River(Model):
    """A river along hexsides. Each hexside is given as the two neighbouring hexes."""

    name: str = ""
    sides: tuple[tuple[Hex, Hex], ...] = Field(min_length=1)


class Crossing(Model):
    """A ford or bridge over the river on one hexside."""

    kind: CrossingKind
    side: tuple[Hex, Hex]
    name: str = ""


class CampaignMap(MapSpec):
    """A campaign's map, with rivers, their fords and bridges, and telegraph lines."""

    terrains: tuple[CampaignTerrain, ...]
    rivers: tuple[River, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    telegraphs: tuple[tuple[Hex, ...], ...] = ()

    @property
    @override
    def mainland(self) -> frozenset[Hex]:
        """Return all land hexes. Islands count, because columns reach them by sea from port to port (CA-2.2)."""
        return self.land

    @cached_property
    def river_sides(self) -> frozenset[frozenset[Hex]]:
        """Return the hexsides on which rivers run, each as its two hexes."""
        return frozenset(frozenset(side) for river in self.rivers for side in river.sides)

    @override
    def faults(self) -> Iterable[FaultInWords]:
        """Yield faults of the map: pairs of hexes that are not neighbours, and crossings without a river."""
        yield from super().faults()
        for number, river in enumerate(self.rivers):
            yield from ((f"rivers.{number}", why) for why in self.hexside_faults(river.sides))
        for number, crossing in enumerate(self.crossings):
            if frozenset(crossing.side) not in self.river_sides:
                first, second = crossing.side
                yield f"crossings.{number}", f"no river runs between {first} and {second}"
        for number, line in enumerate(self.telegraphs):
            yield from ((f"telegraphs.{number}", why) for why in self.hexside_faults(pairwise(line)))

    def hexside_faults(self, sides: Iterable[tuple[Hex, Hex]]) -> Iterator[str]:
        """Yield a fault for each pair of hexes that are not neighbours on the map."""
        for first, second in sides:
            if first.distance(second) != 1 or not {first, second} <= self.hexes.keys():
                yield f"{first} and {second} are not neighbours on the map"


@cache
def terrain_kinds() -> CampaignTerrainKinds:
    """Return the shipped kinds of terrain. Raises ValidationError if the file `terrain.toml` is wrong."""
    return read_data_file(CampaignTerrainKinds, "rules.campaign", "terrain.toml")


def read_hexsides(text: str) -> tuple[tuple[Hex, Hex], ...]:
    """Return the hexsides named in a text such as `0305/0306 0306/0406`. Raises ValueError for other words."""
    sides = []
    for word in text.split():
        first, slash, second = word.partition("/")
        if not slash:
            raise ValueError(f"a hexside is written as two hexes, such as 0305/0306; {word[:20]!r} is none")
        sides.append((Hex.from_label(first), Hex.from_label(second)))
    return tuple(sides)


def _read_crossing(kind: CrossingKind, text: MapTextParser, label: str, rest: str) -> str:
    sides = read_hexsides(rest)
    if len(sides) != 1:
        raise ValueError(f"a {kind} must lie on exactly one hexside")
    return text.add_item("crossings", {"kind": kind, "side": sides[0], "name": label})


STATEMENTS: Mapping[str, map_file.StatementParser] = {
    "river": lambda text, label, rest: text.add_item("rivers", {"name": label, "sides": read_hexsides(rest)}),
    "ford": partial(_read_crossing, CrossingKind.FORD),
    "bridge": partial(_read_crossing, CrossingKind.BRIDGE),
    "telegraph": lambda text, _, rest: text.add_item("telegraphs", map_file.parse_hexes_of_line(rest)),
}
"""Parsers of statements that only maps of campaigns have, by the statement's first word."""


def read_map(text: str, name: str) -> CampaignMap:
    """Return the map written in `text`. At a fault raise ValueError with the file's `name` and the line number."""
    return map_file.read_map(text, name, CampaignMap, terrain_kinds(), STATEMENTS)


def read_own_map(text: str) -> tuple[CampaignMap | None, Sequence[LineFault]]:
    """Return the map in a user's text, None if unreadable, and all its faults with line numbers."""
    if text.count("\n") > MOST_LINES:
        return None, [LineFault(0, f"a map may have at most {MOST_LINES:,} lines")]
    spec, faults = map_file.read_map_with_faults(text, CampaignMap, terrain_kinds(), STATEMENTS)
    limits = () if spec is None else find_exceeded_limits(spec)
    return spec, (*faults, *(LineFault(0, f"{place}: {why}") for place, why in limits))


def find_exceeded_limits(spec: CampaignMap) -> Iterator[FaultInWords]:
    """Yield a fault for each limit that a user's map exceeds: hexes, lines, costs, names."""
    for field, most in MOST_PARTS.items():
        if len(getattr(spec, field)) > most:
            yield field, f"a map may have at most {most:,}"
    for terrain in spec.terrains:
        if terrain.cost is not None and not 1 <= terrain.cost <= MOST_COST:
            yield f"terrain {terrain.id[:LONGEST_NAME]}", f"entering it costs 1 to {MOST_COST} points"
    lines = (line.name for line in (*spec.roads, *spec.railways))
    waters = (*(river.name for river in spec.rivers), *(crossing.name for crossing in spec.crossings))
    for name in (*spec.names.values(), *lines, *waters, *(label.name for label in spec.across)):
        if len(name) > LONGEST_NAME or not has_only_visible_signs(name):
            yield f"name {name[:LONGEST_NAME]!r}", f"a name is one line of at most {LONGEST_NAME} characters"
    if sum(len(line.hexes) for line in (*spec.roads, *spec.railways)) > MOST_ALONG:
        yield "roads", f"all roads and railways together may have at most {MOST_ALONG:,} hexes"
    if sum(len(river.sides) for river in spec.rivers) > MOST_ALONG:
        yield "rivers", f"all rivers together may have at most {MOST_ALONG:,} hexsides"


def own_map_faults(spec: CampaignMap) -> Iterator[FaultInWords]:
    """Yield the faults of a map in an imported state: exceeded limits, or else faults of content."""
    yield from tuple(find_exceeded_limits(spec)) or spec.faults()
