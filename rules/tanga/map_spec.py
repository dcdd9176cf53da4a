"""A map as data: what the house map's text and a player's own map both say, and whether it can be played on."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256

from pydantic import Field

from rules.core.hexboard.hex_scene import HexLine, HexName
from rules.core.hexboard.hexes import Hex, Hexside, distances
from rules.core.model import Model

from .board import Beach, Terrain

EMBANKMENT, EUROPEAN_TOWN, KEY_BUILDING = "embankment", "european town", "key building"
VICTORY_KINDS = (EMBANKMENT, EUROPEAN_TOWN, KEY_BUILDING)
"""Kinds of victory hex, in the order of the card (TA-9.B)."""


class MapSpec(Model):
    """Everything a map says. `faults` tells whether it hangs together."""

    terrains: tuple[Terrain, ...]
    """The kinds of terrain there are (TA-H.2)."""
    road_cost: int = Field(default=1, ge=1, le=12)
    """MF of entering a hex along a road, if that is less."""
    hexside: Hexside = Hexside.BOTH
    """Which hexes must block a line of sight along their common side (TA-H.4)."""
    hexes: Mapping[Hex, str]
    """Id of the terrain of every hex."""
    beaches: tuple[Beach, ...] = ()
    entries: Mapping[int, Hex] = Field(default_factory=dict)
    """The entry hex of each total of 2D6 (TA-9.A)."""
    victory: Mapping[str, tuple[Hex, ...]] = Field(default_factory=dict)
    """Victory hexes by kind."""
    names: Mapping[Hex, str] = Field(default_factory=dict)
    """Places by hex."""
    station: Hex | None = None
    """Where trains arrive."""
    west_edge: tuple[Hex, ...] = ()
    """Where Germans march on, by row."""
    roads: tuple[HexLine, ...] = ()
    railways: tuple[HexLine, ...] = ()
    across: tuple[HexName, ...] = ()
    """Names written across several hexes."""

    @cached_property
    def key(self) -> str:
        """Names this very map: equal keys mean equal maps."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @cached_property
    def land(self) -> frozenset[Hex]:
        """Hexes a unit may stand in."""
        passable = {terrain.id for terrain in self.terrains if terrain.cost is not None}
        return frozenset(hex_ for hex_, terrain in self.hexes.items() if terrain in passable)


def faults(spec: MapSpec) -> Iterable[tuple[str, str]]:
    """What is wrong with a map beyond its shape, each with its place in it: (`beaches.A`, why)."""
    known = {terrain.id for terrain in spec.terrains}
    for hex_, terrain in spec.hexes.items():
        if terrain not in known:
            yield f"hexes.{hex_}", f"{hex_}: there is no terrain {terrain!r}"
    mainland = _mainland(spec)
    for hex_ in sorted(spec.land - mainland):
        yield f"hexes.{hex_}", f"{hex_} is land that cannot be reached from the rest"
    for place, hex_ in _on_land(spec):
        if hex_ not in mainland:
            yield place, f"{hex_} is not on the land of the map"
    for place, hex_ in _on_map(spec):
        if hex_ not in spec.hexes:
            yield place, f"{hex_} is off the map"
    for place, what in _twice(spec):
        yield place, f"{what} comes twice"
    for kind in spec.victory:
        if kind not in VICTORY_KINDS:
            yield f"victory.{kind}", f"victory hexes are of {', '.join(VICTORY_KINDS)}; {kind!r} is none of them"
    for name, line in _lines(spec):
        for one, other in zip(line.hexes, line.hexes[1:], strict=False):
            if one.distance(other) != 1:
                yield name, f"{one} and {other} are not neighbours"


def _mainland(spec: MapSpec) -> frozenset[Hex]:
    """The greatest piece of land that hangs together."""
    left, greatest = set(spec.land), frozenset[Hex]()
    while left:
        piece = frozenset(distances([next(iter(left))], spec.land))
        left -= piece
        greatest = max(greatest, piece, key=len)
    return greatest


def _lines(spec: MapSpec) -> Iterable[tuple[str, HexLine]]:
    for field, lines in (("roads", spec.roads), ("railways", spec.railways)):
        for place, line in enumerate(lines):
            yield f"{field}.{place}", line


def _on_land(spec: MapSpec) -> Iterable[tuple[str, Hex]]:
    for beach in spec.beaches:
        yield f"beaches.{beach.letter}", beach.beach
        yield f"beaches.{beach.letter}", beach.head
    for total, hex_ in spec.entries.items():
        yield f"entries.{total}", hex_
    for kind, hexes in spec.victory.items():
        for hex_ in hexes:
            yield f"victory.{kind}", hex_
    if spec.station is not None:
        yield "station", spec.station
    for hex_ in spec.west_edge:
        yield "west_edge", hex_
    for name, line in _lines(spec):
        for hex_ in line.hexes:
            yield name, hex_


def _on_map(spec: MapSpec) -> Iterable[tuple[str, Hex]]:
    for hex_ in spec.names:
        yield f"names.{hex_}", hex_
    for place, written in enumerate(spec.across):
        yield f"across.{place}", written.hex


def _twice(spec: MapSpec) -> Iterable[tuple[str, str]]:
    told = (
        *((f"names.{hex_}", name) for hex_, name in spec.names.items()),
        *((f"across.{place}", written.name) for place, written in enumerate(spec.across)),
        *((place, line.name) for place, line in _lines(spec)),
        *((f"beaches.{beach.letter}", f"beach {beach.letter}") for beach in spec.beaches),
        *((f"beaches.{beach.letter}", hex_.label) for beach in spec.beaches for hex_ in {beach.beach, beach.head}),
        *((f"entries.{total}", f"entry {hex_}") for total, hex_ in spec.entries.items()),
    )
    seen = set[str]()
    for place, what in told:
        if what and what.casefold() in seen:
            yield place, what
        seen.add(what.casefold())
