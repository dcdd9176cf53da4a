"""The tables of melee, morale, reaction and generals, as code reads them: data/morale_charts.toml."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files

from rules.core.chart import Chart, load_charts
from rules.core.model import Cite
from rules.core.report import Modifier


@cache
def tables() -> Mapping[str, Chart]:
    """Every chart of the file by id. Raises ValidationError on an unknown key or a ragged row."""
    return load_charts(files(__package__) / "data" / "morale_charts.toml")


def value(chart: str, row: str, column: str | None = None) -> int:
    """The number in a cell, of the first column unless another is named. Raises KeyError where there is none."""
    table = tables()[chart]
    found = table.cell(table.row(row), column or table.columns[0]).value
    if found is None:
        raise KeyError(f"chart {chart}, row {row!r} holds no number")
    return found


def limit(row: str) -> int:
    """A number of the chart of limits and distances."""
    return value("limits", row)


def cite(chart: str, row: str) -> Cite:
    """Rule number and mark of a row."""
    return tables()[chart].row(row).cite


def adjustment(chart: str, row: str, reason: str | None = None, times: int = 1) -> Modifier:
    """The adjustment a row prints, `times` over, for the reason given or the row's own words."""
    return Modifier(value=Fraction(value(chart, row) * times), reason=reason or row, cite=cite(chart, row))
