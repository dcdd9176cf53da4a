"""The specification of a map: terrain attributes, the terrain of each hex, places, and checks."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, Field, PlainSerializer

from rules.core.documents import FaultInWords
from rules.core.model import Cite, Model

from .hex_scene import HexGround, HexLine, HexName
from .hexes import Hex, Hexside, path_lengths_from

_NUMBER = re.compile("[0-9]{4}")


class Terrain(Model):
    """A kind of terrain.

    `cost` is the cost (MF) of entering a hex, None if impassable. `protection` is subtracted from an attacker's factor.
    """

    id: str
    name: str
    ground: HexGround
    cost: int | None
    protection: int
    blocks: bool
    """Whether the terrain blocks sight to hexes beyond."""
    cite: Cite
    letter: str = ""
    """Letter for this terrain in map text."""


def _unpack_hexes(value: object) -> object:
    """Return the terrain of each hex in a packed `value`, and any other `value` unchanged.

    Raises ValueError for a repeated hex.
    """
    if not isinstance(value, Mapping):
        return value
    if not all(isinstance(k, str) and isinstance(v, str) and not _NUMBER.fullmatch(k) for k, v in value.items()):
        return value
    terrain_by_hex: dict[str, str] = {}
    for terrain, hexes in value.items():
        for hex_ in hexes.split():
            if hex_ in terrain_by_hex:
                raise ValueError(f"{hex_[:20]} appears twice")
            terrain_by_hex[hex_] = terrain
    return terrain_by_hex


def _pack_hexes(hexes: Mapping[Hex, str]) -> Mapping[str, str]:
    """Return the terrain in packed form, which lists the hexes of each terrain: `{"bush": "2411 2412"}`."""
    labels_by_terrain = defaultdict[str, list[str]](list)
    for hex_, terrain in sorted(hexes.items()):
        labels_by_terrain[terrain].append(hex_.label)
    return {terrain: " ".join(labels) for terrain, labels in labels_by_terrain.items()}


TerrainOfHexes = Annotated[
    Mapping[Hex, str],
    BeforeValidator(_unpack_hexes),
    PlainSerializer(_pack_hexes, return_type=Mapping[str, str]),
]
"""Terrain id of every hex, stored in packed form because every journal entry may contain its map."""


class MapSpec(Model):
    """The parts common to all maps; systems add their own places. `faults` checks whether the parts are consistent."""

    terrains: tuple[Terrain, ...]
    """Terrain kinds of the map."""
    road_cost: int = Field(default=1, ge=1, le=12)
    """Cost of entering a hex along a road, if that is less."""
    hexside: Hexside = Hexside.BOTH
    """Which hexes must block a line of sight along their common side."""
    hexes: TerrainOfHexes
    names: Mapping[Hex, str] = Field(default_factory=dict)
    """Places by hex."""
    roads: tuple[HexLine, ...] = ()
    railways: tuple[HexLine, ...] = ()
    across: tuple[HexName, ...] = ()
    """Names written across several hexes."""
    victory: Mapping[str, tuple[Hex, ...]] = Field(default_factory=dict)
    """Victory hexes by kind."""

    @cached_property
    def key(self) -> str:
        """Return an identifier of the map. Maps with equal keys are equal."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapSpec) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def land(self) -> frozenset[Hex]:
        """Return the hexes in which a unit may stand."""
        passable = {terrain.id for terrain in self.terrains if terrain.cost is not None}
        return frozenset(hex_ for hex_, terrain in self.hexes.items() if terrain in passable)

    def required_land_hexes(self) -> Iterable[tuple[str, Hex]]:
        """Yield the field path and the hex, for each hex that must lie on the mainland. Systems extend this."""
        for name, line in self._lines_with_field_paths():
            for hex_ in line.hexes:
                yield name, hex_
        yield from ((f"victory.{kind}", hex_) for kind, hexes in self.victory.items() for hex_ in hexes)

    def required_unique_names(self) -> Iterable[tuple[str, str]]:
        """Yield the field path and the name, for each name that must be unique. Systems extend this."""
        yield from ((f"names.{hex_}", name) for hex_, name in self.names.items())
        yield from ((f"across.{place}", name_across.name) for place, name_across in enumerate(self.across))
        yield from ((place, line.name) for place, line in self._lines_with_field_paths())

    def faults(self) -> Iterable[FaultInWords]:
        """Yield each fault of the map as the path of a field (`names.2411`) and a reason."""
        terrain_ids = {terrain.id for terrain in self.terrains}
        for hex_, terrain in self.hexes.items():
            if terrain not in terrain_ids:
                yield f"hexes.{hex_}", f"{hex_}: there is no terrain {terrain!r}"
        mainland = self.mainland
        for hex_ in sorted(self.land - mainland):
            yield f"hexes.{hex_}", f"{hex_} is land that cannot be reached from the rest"
        for place, hex_ in self.required_land_hexes():
            if hex_ not in mainland:
                yield place, f"{hex_} is not on the land of the map"
        named_hexes = ((f"names.{hex_}", hex_) for hex_ in self.names)
        across_hexes = ((f"across.{place}", name_across.hex) for place, name_across in enumerate(self.across))
        for place, hex_ in (*named_hexes, *across_hexes):
            if hex_ not in self.hexes:
                yield place, f"{hex_} is off the map"
        seen = set[str]()
        for place, value in self.required_unique_names():
            if value and value.casefold() in seen:
                yield place, f"{value} appears twice"
            seen.add(value.casefold())
        for name, line in self._lines_with_field_paths():
            for start, end in zip(line.hexes, line.hexes[1:], strict=False):
                if start.distance(end) != 1:
                    yield name, f"{start} and {end} are not neighbours"

    @property
    def mainland(self) -> frozenset[Hex]:
        """Return the largest connected piece of land, the only one that units use. Systems with ships override this."""
        land, greatest = set(self.land), frozenset[Hex]()
        while land:
            piece = frozenset(path_lengths_from([next(iter(land))], self.land))
            land -= piece
            greatest = max(greatest, piece, key=len)
        return greatest

    def _lines_with_field_paths(self) -> Iterable[tuple[str, HexLine]]:
        for field, lines in (("roads", self.roads), ("railways", self.railways)):
            for place, line in enumerate(lines):
                yield f"{field}.{place}", line


M = TypeVar("M", bound=MapSpec)
