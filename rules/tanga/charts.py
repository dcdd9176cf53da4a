"""The card's charts: four priority charts as ordered filters (TA-0.3), and all charts for `/rule`."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core.automaton.filters import Filter, Priority
from rules.core.chart import Cell, Chart, Row
from rules.core.data_files import read_data_file
from rules.core.hexboard.board import terrain_chart
from rules.core.hexboard.hexes import Hex
from rules.core.model import Cite, Mark, Model

from .maps import house_map
from .model import Kind

TERRAIN = Cite(rule="TA-H.2", mark=Mark.HOUSE)


class Measure(StrEnum):
    """Property of a hex that a row of a chart compares; functions of the deciding code measure it."""

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
    """Purpose of a target."""

    FIRE = "fire"
    MELEE = "melee"


Measures = Mapping[Measure, Callable[[Hex], Any]]
"""Functions by measure, given a hex; for rows that want yes or no they return a bool, else a sortable value."""


class Situation(Model):
    """Situation of the units for which a chart decides."""

    doing: Doing | None = None
    kind: Kind | None = None
    letters: frozenset[str] = frozenset()
    """Letters of the stack's companies."""
    objectives: frozenset[str] = frozenset()
    """Kinds of victory hexes that count in this game."""
    landed: bool = False
    """Whether the battalion has landed and its entry hex is not taken yet."""


class CardRow(Filter[Situation]):
    """Row of a card's chart: a filter on hexes, limited to certain situations."""

    measure: Measure
    doing: Doing | None = None
    kind: Kind | None = None
    letters: tuple[str, ...] = ()
    scenarios: str = ""
    """The card's scenarios, in words, in which hexes of this kind are victory hexes."""
    from_landing: bool = False
    """Whether the row applies before the entry hex is taken (TA-9.B)."""
    one: bool = False
    """Whether one hex is enough: the row is skipped while other British hold any of its hexes (TA-9.B)."""
    builds: bool = False
    """Whether a stack that stays by this row builds an improved position (TA-9.B)."""

    @override
    def why_skipped(self, situation: Situation) -> str:
        """Return the reason why the row does not apply to the situation; empty if it applies."""
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
        """Return the row's scope in the card's words, such as `scenario 1, 2, 3`; empty for an unlimited row."""
        letters = f"companies {' and '.join(self.letters)}" if self.letters else ""
        return self.doing or self.kind or letters or self.scenarios


class CardChart(Priority[CardRow]):
    """A chart of the card; the lowest hex number decides between otherwise equal hexes (TA-0.3)."""

    deciding = Measure.NUMBER


ANYBODY = Situation()


class _File(Model):
    priorities: tuple[CardChart, ...] = Field(alias="priority")
    charts: tuple[Chart, ...] = Field(alias="chart")


@cache
def _file() -> _File:
    """Read charts.toml. Raises ValidationError for an unknown key or measure."""
    return read_data_file(_File, "rules.tanga", "charts.toml")


@cache
def priority(chart: str) -> CardChart:
    """Return the priority chart with this id. Raises KeyError for an unknown id."""
    return {one.id: one for one in _file().priorities}[chart]


@cache
def charts() -> Mapping[str, Chart]:
    """Return all charts by id. Raises ValidationError for an unknown key or a ragged row."""
    every = (
        *(one.table("hex") for one in _file().priorities),
        _entries(),
        *_file().charts,
        terrain_chart(house_map(), TERRAIN),
    )
    return {chart.id: chart for chart in every}


def _entries() -> Chart:
    """Return the chart of entry hexes by throw (TA-9.A)."""
    rows = tuple(
        Row(label=str(total), rule="TA-9.A", low=total, high=total, cells=(Cell(text=hex_.label),))
        for total, hex_ in sorted(house_map().entries.items())
    )
    return Chart(id="entry-hexes", title="Tanga entry hexes", rule="TA-9.A", head="2D6", columns=("hex",), rows=rows)
