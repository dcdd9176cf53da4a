"""Tanga's maps: ground with beaches, entry hexes and victory hexes; the house map (TA-H.1)."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from pydantic import Field
from typing_extensions import override

from rules.core.data_files import read_data_file
from rules.core.documents import FaultInWords
from rules.core.hexboard import board, map_file
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import MapTextParser, TerrainKinds, parse_hex_blocks
from rules.core.hexboard.map_spec import MapSpec, Terrain
from rules.core.model import Model
from rules.core.state import Named

VICTORY_KINDS = ("embankment", "european town", "key building")
"""Kinds of victory hex, in the order of the card (TA-9.B)."""
HOUSE_MAP = "tanga.txt"


class Beach(Model):
    """A landing beach: letter, beach hex and beachhead hex (TA-3)."""

    letter: str
    beach: Hex
    head: Hex


class TangaMap(MapSpec):
    """A map with Tanga's features: beaches, entry hexes, station and west edge."""

    beaches: tuple[Beach, ...] = ()
    entries: Mapping[int, Hex] = Field(default_factory=dict)
    """Entry hex by total of 2D6 (TA-9.A)."""
    station: Hex | None = None
    """Hex where trains arrive."""
    west_edge: tuple[Hex, ...] = ()
    """Hexes where Germans enter the map on foot, sorted by row."""

    @override
    def required_land_hexes(self) -> Iterable[tuple[str, Hex]]:
        """Yield hexes that must be land: beaches, entry hexes, and the Germans' arrival hexes."""
        for beach in self.beaches:
            yield f"beaches.{beach.letter}", beach.beach
            yield f"beaches.{beach.letter}", beach.head
        yield from ((f"entries.{total}", hex_) for total, hex_ in self.entries.items())
        if self.station is not None:
            yield "station", self.station
        yield from (("west_edge", hex_) for hex_ in self.west_edge)
        yield from super().required_land_hexes()

    @override
    def required_unique_names(self) -> Iterable[tuple[str, str]]:
        """Yield names that must be unique: beaches, their hexes, and entry hexes."""
        yield from super().required_unique_names()
        for beach in self.beaches:
            yield f"beaches.{beach.letter}", f"beach {beach.letter}"
            yield from ((f"beaches.{beach.letter}", hex_.label) for hex_ in {beach.beach, beach.head})
        yield from ((f"entries.{total}", f"entry {hex_}") for total, hex_ in self.entries.items())

    @override
    def faults(self) -> Iterable[FaultInWords]:
        """Yield the map's faults, including unknown kinds of victory hex."""
        yield from super().faults()
        for kind in self.victory:
            if kind not in VICTORY_KINDS:
                yield f"victory.{kind}", f"victory hexes are of {', '.join(VICTORY_KINDS)}; {kind!r} is none of them"


class OwnMap(TangaMap):
    """A map of a player's own game, from the uploaded file."""

    title: Named = ""
    """Title of the map's scenario."""


class Board(board.Board[TangaMap, Terrain]):
    """A map of Tanga in use, with cached lookups."""

    @cached_property
    def beaches(self) -> Mapping[str, Beach]:
        """Return the beaches by letter."""
        return {beach.letter: beach for beach in self.spec.beaches}

    @cached_property
    def landing_hexes(self) -> frozenset[Hex]:
        """Return all beach and beachhead hexes, which inland units may not enter, except staffs (TA-3)."""
        return frozenset(hex_ for beach in self.spec.beaches for hex_ in (beach.beach, beach.head))

    @cached_property
    def beach_hexes(self) -> frozenset[Hex]:
        """Return all beach hexes, without the beachhead hexes."""
        return frozenset(beach.beach for beach in self.spec.beaches)


def _read_beach(text: MapTextParser, letter: str, rest: str) -> str:
    """Add a beach from its line of the map file. Return the beach's path, for messages about faults.

    Raises ValueError if the map has a beach of that letter already.
    """
    if f"beaches.{letter}" in text.line_of:
        raise ValueError(f"beach {letter} appears twice")
    beach, head = parse_hex_blocks(rest)
    text.add_item("beaches", {"letter": letter, "beach": beach, "head": head})
    return f"beaches.{letter}"


STATEMENTS: Mapping[str, map_file.StatementParser] = {
    "beach": _read_beach,
    "entry": lambda text, total, rest: text.set_entry("entries", int(total), Hex.from_label(rest)),
    "station": lambda text, _, rest: text.set_field("station", Hex.from_label(rest)),
    "west edge": lambda text, _, rest: text.set_field("west_edge", tuple(parse_hex_blocks(rest))),
}
"""Parsers of statements that only Tanga's map files have, by the statement's first words."""


@cache
def terrain_kinds() -> TerrainKinds:
    """Return the house game's kinds of terrain (TA-H.2). Raises ValueError for a faulty file."""
    return read_data_file(TerrainKinds, "rules.tanga", "terrain.toml")


def read_map(text: str, name: str) -> TangaMap:
    """Return the map written in `text`. Raises ValueError with the file and line of the first fault."""
    return map_file.read_map(text, name, TangaMap, terrain_kinds(), STATEMENTS)


@cache
def house_map() -> TangaMap:
    """Return the house map (TA-H.1). Raises ValueError with the line of the first fault."""
    return read_map((files("rules.tanga") / "data" / HOUSE_MAP).read_text(encoding="utf-8"), HOUSE_MAP)


@lru_cache(maxsize=64)
def board_of_map(spec: TangaMap) -> Board:
    """Return a map's board, cached for equal maps."""
    return Board(spec)


@cache
def house_board() -> Board:
    """Return the house map's board."""
    return board_of_map(house_map())
