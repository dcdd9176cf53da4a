"""The charts of the card: the four of priorities as ordered filters (TA-0.3), and all of them as `/rule` shows them."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core.automaton.filters import Filter, Priority
from rules.core.chart import Cell, Chart, Row
from rules.core.data_files import read_as
from rules.core.hexboard.board import terrain_chart
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark, Model

from .maps import house_map
from .model import Kind

TERRAIN = Cite(rule="TA-H.2", mark=Mark.HOUSE)


class Measure(StrEnum):
    """What a row asks of a hex; the decision that the chart is for measures it."""

    MACHINE_GUN = "machine gun"
    COMBAT_FACTOR = "combat factor"
    BLACK_POWDER = "black powder"
    PROTECTION = "protection"
    COST = "cost"
    UNDER_FIRE = "under opportunity fire"
    FROM_ENEMY = "distance to the enemy"
    WAY = "way"
    NUMBER = "hex number"
    COMPANY_HOLDS = "company's victory hex"
    STAFF_HOLDS = "staff's beach hex"
    GERMANS_NEAR_BEACH = "Germans near a beach"
    BEACH = "beach"
    EMBANKMENT = "embankment"
    EUROPEAN_TOWN = "european town"
    KEY_BUILDING = "key building"


class Doing(StrEnum):
    """What a target is for."""

    FIRE = "fire"
    MELEE = "melee"


Measures = Mapping[Measure, Callable[[Hex], Any]]
"""What each row asks of a hex: truth where it wants yes or no, else something to compare."""


class Situation(Model):
    """Whom a chart is asked for."""

    doing: Doing | None = None
    kind: Kind | None = None
    letters: frozenset[str] = frozenset()
    """Of the companies of the stack."""
    objectives: frozenset[str] = frozenset()
    """Kinds of victory hex that count in the game."""
    landed: bool = False
    """The entry hex is not taken yet."""


class CardRow(Filter[Situation]):
    """A row of one of the card's charts: which hexes it leaves, and whom it is for."""

    measure: Measure
    doing: Doing | None = None
    kind: Kind | None = None
    letters: tuple[str, ...] = ()
    scenarios: str = ""
    """Those of the card, in words, in which hexes of this kind are victory hexes."""
    from_landing: bool = False
    """It counts before the entry hex is taken (TA-9.B)."""
    one: bool = False
    """One of its hexes is enough: the row is skipped while other British hold any (TA-9.B)."""
    builds: bool = False
    """Whoever it leaves a hex builds an improved position there (TA-9.B)."""

    @override
    def unfit(self, situation: Situation) -> str:
        """Why the row is not for this situation; empty if it is."""
        if self.doing not in (None, situation.doing):
            return f"for {self.doing} only"
        if self.kind not in (None, situation.kind):
            return f"for a {self.kind} only"
        if self.letters and not (situation.letters and situation.letters <= set(self.letters)):
            return f"for companies {' and '.join(self.letters)} only"
        if self.scenarios and self.measure not in situation.objectives:
            return "no victory hexes of this scenario"
        return "the entry hex is not taken yet" if situation.landed and not self.from_landing else ""

    @property
    @override
    def scope(self) -> str:
        """Whom the row is for, as the card says it: `scenario 1, 2, 3`; empty where it is for all."""
        letters = f"companies {' and '.join(self.letters)}" if self.letters else ""
        return self.doing or self.kind or letters or self.scenarios


class CardChart(Priority[CardRow]):
    """One of the card's charts; of hexes that are otherwise equal the lowest number decides (TA-0.3)."""

    deciding = Measure.NUMBER


ANYBODY = Situation()


class _File(Model):
    priorities: tuple[CardChart, ...] = Field(alias="priority")
    charts: tuple[Chart, ...] = Field(alias="chart")


@cache
def _file() -> _File:
    """What charts.toml holds. Raises ValidationError on an unknown key or measure."""
    return read_as(_File, "rules.tanga", "charts.toml")


@cache
def priority(chart: str) -> CardChart:
    """The priority chart of that id. Raises KeyError."""
    return {one.id: one for one in _file().priorities}[chart]


@cache
def charts() -> Mapping[str, Chart]:
    """Every chart by id. Raises ValidationError on an unknown key, or a ragged row."""
    every = (
        *(one.table("hex") for one in _file().priorities),
        _entries(),
        *_file().charts,
        terrain_chart(house_map(), TERRAIN),
    )
    return {chart.id: chart for chart in every}


def _entries() -> Chart:
    """The entry hex of each throw (TA-9.A)."""
    rows = tuple(
        Row(label=str(total), rule="TA-9.A", low=total, high=total, cells=(Cell(text=hex_.label),))
        for total, hex_ in sorted(house_map().entries.items())
    )
    return Chart(id="entry-hexes", title="Tanga entry hexes", rule="TA-9.A", head="2D6", columns=("hex",), rows=rows)
