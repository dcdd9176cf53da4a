"""The card's charts: its four priority charts (TA-0.3), and all charts for `/rule`."""

from collections.abc import Mapping
from functools import cache

from pydantic import Field

from rules.core.chart import Cell, Chart, Row
from rules.core.data_files import read_data_file
from rules.core.hexboard.board import terrain_chart
from rules.core.model import Cite, Mark, Model

from .maps import house_map
from .priorities import CardChart

TERRAIN = Cite(rule="TA-H.2", mark=Mark.HOUSE)


class _ChartsFile(Model):
    priorities: tuple[CardChart, ...] = Field(alias="priority")
    charts: tuple[Chart, ...] = Field(alias="chart")


@cache
def _load_charts_file() -> _ChartsFile:
    """Return the contents of charts.toml. Raises ValidationError for an unknown key or measure."""
    return read_data_file(_ChartsFile, "rules.tanga", "charts.toml")


@cache
def priority_chart(chart: str) -> CardChart:
    """Return the priority chart with this id. Raises KeyError for an unknown id."""
    return {card_chart.id: card_chart for card_chart in _load_charts_file().priorities}[chart]


@cache
def all_charts() -> Mapping[str, Chart]:
    """Return all charts by id. Raises ValidationError for an unknown key, or a row with too few or too many cells."""
    rows = tuple(
        Row(label=str(total), rule="TA-9.A", low=total, high=total, cells=(Cell(text=hex_.label),))
        for total, hex_ in sorted(house_map().entries.items())
    )
    every = (
        *(card_chart.printed_table() for card_chart in _load_charts_file().priorities),
        Chart(id="entry-hexes", title="Tanga entry hexes", rule="TA-9.A", head="2D6", columns=("hex",), rows=rows),
        *_load_charts_file().charts,
        terrain_chart(house_map(), TERRAIN),
    )
    return {chart.id: chart for chart in every}
