"""Tanga's maps: beaches, entry hexes and objectives on the ground, and the house map (TA-H.1)."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from pydantic import Field
from typing_extensions import override

from rules.core.data_files import read_as
from rules.core.documents import Fault
from rules.core.hexboard import board, map_file
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_file import MapText, TerrainKinds, hexes_in
from rules.core.hexboard.map_spec import MapSpec
from rules.core.model import Model
from rules.core.state import Named

VICTORY_KINDS = ("embankment", "european town", "key building")
"""Kinds of victory hex, in the order of the card (TA-9.B)."""
DATA = files("rules.tanga") / "data"
HOUSE_MAP = "tanga.txt"


class Beach(Model):
    """A landing beach: its letter, beach hex and beachhead hex (TA-3)."""

    letter: str
    beach: Hex
    head: Hex


class TangaMap(MapSpec):
    """What Tanga's maps say besides their ground."""

    beaches: tuple[Beach, ...] = ()
    entries: Mapping[int, Hex] = Field(default_factory=dict)
    """The entry hex of each total of 2D6 (TA-9.A)."""
    station: Hex | None = None
    """Where trains arrive."""
    west_edge: tuple[Hex, ...] = ()
    """Where Germans march on, by row."""

    @override
    def on_land(self) -> Iterable[tuple[str, Hex]]:
        """Beaches, entry hexes, and where Germans arrive too."""
        for beach in self.beaches:
            yield f"beaches.{beach.letter}", beach.beach
            yield f"beaches.{beach.letter}", beach.head
        yield from ((f"entries.{total}", hex_) for total, hex_ in self.entries.items())
        if self.station is not None:
            yield "station", self.station
        yield from (("west_edge", hex_) for hex_ in self.west_edge)
        yield from super().on_land()

    @override
    def named_once(self) -> Iterable[tuple[str, str]]:
        """Beaches and their hexes, and entry hexes too."""
        yield from super().named_once()
        for beach in self.beaches:
            yield f"beaches.{beach.letter}", f"beach {beach.letter}"
            yield from ((f"beaches.{beach.letter}", hex_.label) for hex_ in {beach.beach, beach.head})
        yield from ((f"entries.{total}", f"entry {hex_}") for total, hex_ in self.entries.items())

    @override
    def faults(self) -> Iterable[Fault]:
        """Unknown kinds of victory hex too."""
        yield from super().faults()
        for kind in self.victory:
            if kind not in VICTORY_KINDS:
                yield f"victory.{kind}", f"victory hexes are of {', '.join(VICTORY_KINDS)}; {kind!r} is none of them"


class OwnMap(TangaMap):
    """The map of a player's own game, filled in by the file he uploads."""

    title: Named = ""
    """Of the scenario it came with."""


class Board(board.Board[TangaMap]):
    """A map of Tanga in use."""

    @cached_property
    def beaches(self) -> Mapping[str, Beach]:
        """By letter."""
        return {beach.letter: beach for beach in self.spec.beaches}

    @cached_property
    def landing(self) -> frozenset[Hex]:
        """Beach and beachhead hexes, prohibited to whoever has left them but staff (TA-3)."""
        return frozenset(hex_ for beach in self.spec.beaches for hex_ in (beach.beach, beach.head))

    @cached_property
    def beach_hexes(self) -> frozenset[Hex]:
        """The beach hexes alone."""
        return frozenset(beach.beach for beach in self.spec.beaches)


def _beach(text: MapText, letter: str, rest: str) -> str:
    if f"beaches.{letter}" in text.line_of:
        raise ValueError(f"beach {letter} comes twice")
    beach, head = hexes_in(rest)
    text.add("beaches", {"letter": letter, "beach": beach, "head": head})
    return f"beaches.{letter}"


STATEMENTS: Mapping[str, map_file.Statement] = {
    "beach": _beach,
    "entry": lambda text, total, rest: text.once("entries", int(total), Hex.labelled(rest)),
    "station": lambda text, _, rest: text.set("station", Hex.labelled(rest)),
    "west edge": lambda text, _, rest: text.set("west_edge", tuple(hexes_in(rest))),
}
"""What a line of a map of Tanga may say besides what every map says."""


@cache
def terrain_kinds() -> TerrainKinds:
    """The kinds of terrain of the house game (TA-H.2). Raises ValueError when the file is wrong."""
    return read_as(TerrainKinds, "rules.tanga", "terrain.toml")


def read_map(text: str, name: str) -> TangaMap:
    """The map of a text. Raises ValueError naming the file and the line of the first fault."""
    return map_file.read_map(text, name, TangaMap, terrain_kinds(), STATEMENTS)


@cache
def house_map() -> TangaMap:
    """The house map (TA-H.1). Raises ValueError naming the line of its first fault."""
    return read_map((DATA / HOUSE_MAP).read_text(encoding="utf-8"), HOUSE_MAP)


@lru_cache(maxsize=64)
def board_from(spec: TangaMap) -> Board:
    """The board of a map; made once for equal maps."""
    return Board(spec)


@cache
def house_board() -> Board:
    """The board of the house map."""
    return board_from(house_map())
