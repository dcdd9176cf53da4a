"""The scenario file of a player's own boxed game (documented in `docs/own-game.md`)."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, NaiveDatetime, StringConstraints
from typing_extensions import override

from rules.core.documents import FaultInWords, Id, Name, Text
from rules.core.hexboard import map_document
from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.map_document import MOST_HEXES, Blocks, GroundPart, block_list_faults
from rules.core.model import Model
from rules.core.options import house
from rules.core.wording import as_words
from rules.tanga.model import BRITISH, GERMAN, Arm, Counter, Kind
from rules.tanga.options import Resolution, TangaOptions

MOST_UNITS = 300
EARLIEST, LATEST = datetime(1800, 1, 1), datetime(2100, 1, 1)  # noqa: DTZ001  The clock on a battlefield has no zone.

_LETTER = "^[A-Z]$"
_COMPANY = "^[A-H]?$"
PATTERNS = {**map_document.PATTERNS, _LETTER: "a capital letter", _COMPANY: "a letter from A to H"}
"""Allowed values of each pattern, in words."""
Letter = Annotated[str, StringConstraints(pattern=_LETTER)]


class OwnBeach(Model):
    """A landing beach."""

    beach: Hex = Field(description="The beach hex.")
    head: Hex = Field(description="The beachhead hex.")


class VictoryHexValues(Model):
    """A value for each kind of victory hex."""

    @property
    def kinds(self) -> Mapping[str, Any]:
        """Return the values by kind, without empty values."""
        return {as_words(name): value for name, value in self if value}


class OwnVictory(VictoryHexValues):
    """The victory hexes of your map, by kind: what the British go for."""

    embankment: Blocks = Field(default=(), description="Hexes of the railway embankment.")
    european_town: Blocks = Field(default=(), description="Hexes of the European town.")
    key_building: Blocks = Field(default=(), description="Key buildings.")


class OwnNeeded(VictoryHexValues):
    """Victory hexes that the British need at the end of the last turn, by kind; they must hold all of these numbers."""

    embankment: int | None = Field(default=None, ge=1, le=MOST_HEXES, description="Hexes of the railway embankment.")
    european_town: int | None = Field(default=None, ge=1, le=MOST_HEXES, description="Hexes of the European town.")
    key_building: int | None = Field(default=None, ge=1, le=MOST_HEXES, description="Key buildings.")


class MapPart(GroundPart):
    """Your map."""

    beaches: Mapping[Letter, OwnBeach] = Field(
        default_factory=dict, max_length=26, description="Landing beaches by letter; needed if anybody lands."
    )
    entries: Mapping[Annotated[int, Field(ge=2, le=12)], Hex] | None = Field(
        default=None, description="The entry hex of each total of 2D6, all eleven; left out: those printed on the card."
    )
    victory: OwnVictory = Field(default=OwnVictory(), description="Victory hexes by kind.")
    station: Hex | None = Field(default=None, description="Where trains arrive; needed if anybody comes by train.")
    west_edge: Blocks = Field(default=(), description="Where other Germans march on; needed if any do.")

    @override
    def block_faults(self) -> Iterator[FaultInWords]:
        """Yield faults in blocks of hexes, including victory hexes and the west edge."""
        yield from super().block_faults()
        for kind, blocks in self.victory.kinds.items():
            yield from block_list_faults(f"map.victory.{kind.replace(' ', '_')}", blocks)
        yield from block_list_faults("map.west_edge", self.west_edge)


class OwnUnit(Counter):
    """A counter."""

    id: Id = Field(max_length=12, description="A short word for it, its own within its formation: `A`, `MG`, `L1`.")
    name: Name = Field(description="Its name in reports, its own in the whole game.")
    letter: str = Field(default="", pattern=_COMPANY, description="Of a battalion's company: its letter, A to H.")
    mf: int = Field(ge=0, le=12, description="Movement factor.")
    at: Hex | None = Field(default=None, description="Where it starts; left out: aboard, on its way or hidden.")


class OwnFormation(Model):
    """A formation with its counters."""

    id: Id = Field(max_length=16, description="A short word for it, its own.")
    name: Name = Field(description="Its name in reports, its own.")
    short: Annotated[Name, Field(max_length=12)] = Field(description="Its name as a counter has room for.")
    kind: Kind = Field(description="British battalion, British staff, or German company.")
    fbn: int = Field(ge=1, le=20, description="Formation break number.")
    arrives: int = Field(default=1, ge=1, le=99, description="Turn from which those not on the map may land or arrive.")
    by_train: bool = Field(default=False, description="Of Germans on their way: to the station, not the west edge.")
    beach: Letter | None = Field(default=None, description="Its landing beach; a battalion without one draws it.")
    hidden_gun: bool = Field(
        default=False, description="Of a battalion: its MG begins under one of four face-down markers (TA-1)."
    )
    units: tuple[OwnUnit, ...] = Field(min_length=1, max_length=60, description="Its counters.")

    @property
    def side(self) -> str:
        """Return the formation's side."""
        return GERMAN if self.kind is Kind.COMPANY else BRITISH

    @property
    def units_off_map(self) -> tuple[OwnUnit, ...]:
        """Return the counters that start neither on the map nor under a marker (TA-1)."""
        counters = (unit for unit in self.units if not (self.hidden_gun and unit.arm is Arm.MACHINE_GUN))
        return tuple(unit for unit in counters if unit.at is None)

    def unit_id(self, unit: OwnUnit) -> str:
        """Return a counter's id in the game, such as `13-a`."""
        return f"{self.id}-{unit.id}".lower()


class OwnOptions(TangaOptions):
    """Options of your game: the house game's defaults, except where your box differs (ranges, stacking)."""

    resolution: Resolution = house(Resolution.OWN, "TA-H", TangaOptions.model_fields["resolution"].description or "")


class OwnScenario(Model):
    """A scenario of the player's own boxed game."""

    id: Id = Field(description="A short word for it in lists.")
    title: Name = Field(description="Its title.")
    briefing: Text = Field(description="What the players should know before the first turn.")
    turns: int = Field(ge=1, le=99, description="Turns of the game.")
    begins: NaiveDatetime | None = Field(
        default=None,
        ge=EARLIEST,
        le=LATEST,
        description="When turn 1 begins: `1914-11-03T05:00`; left out: no clock.",
    )
    minutes: int = Field(default=60, ge=1, le=1440, description="Minutes of a turn.")
    turns_a_day: int | None = Field(
        default=None, ge=1, le=99, description="Turns a day, each day from the hour of turn 1; left out: day and night."
    )
    map: MapPart = Field(description="Your map: its ground, and what lies where.")
    needed: OwnNeeded | None = Field(
        default=None,
        description="Kinds of victory hex that the British go for, and how many of each they need at the end to win; "
        "left out: they go for all kinds on the map, and the players judge who has won.",
    )
    improved: tuple[Hex, ...] = Field(default=(), max_length=200, description="Hexes with an improved position.")
    options: OwnOptions = Field(default=OwnOptions(), description="Options that differ from the house game's.")
    formations: tuple[OwnFormation, ...] = Field(
        min_length=1,
        max_length=60,
        description=f"All of them, the British in the order of the sequence of play. {MOST_UNITS} counters at most.",
    )
