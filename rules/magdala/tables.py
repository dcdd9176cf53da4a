"""The printed tables as code reads them: every *charts.toml of the data, read once at first use."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files

from rules.core.chart import Chart, Row, load_charts
from rules.core.model import Cite
from rules.core.report import Modifier


@cache
def tables() -> Mapping[str, Chart]:
    """Every chart by id. Raises ValidationError on an unknown key or a ragged row."""
    data = (files(__package__) / "data").iterdir()
    found = (load_charts(file) for file in data if file.name.endswith("charts.toml"))
    return {chart_id: chart for charts in found for chart_id, chart in charts.items()}


def row(chart: str, label: str) -> Row:
    """A row of a chart. Raises KeyError."""
    return tables()[chart].row(label)


def entry(chart: str, label: str, column: str | None = None) -> int | None:
    """The number in a cell, of the first column unless another is named; None where the cell has none."""
    table = tables()[chart]
    return table.cell(table.row(label), column or table.columns[0]).value


def value(chart: str, label: str, column: str | None = None) -> int:
    """The number in a cell, as `entry`. Raises KeyError where there is none."""
    found = entry(chart, label, column)
    if found is None:
        raise KeyError(f"chart {chart}, row {label!r} holds no number")
    return found


def limit(label: str) -> int:
    """A number of the chart of limits and distances."""
    return value("limits", label)


def matter(label: str) -> int:
    """A number of the chart of ammunition, mishaps and building."""
    return value("ammunition", label)


def factor(label: str) -> Fraction:
    """What a circumstance makes of the number of dice (MM-3.3, MM-3.4)."""
    return Fraction(value("firing-factors", label, "times"), value("firing-factors", label, "divided by"))


def cite(chart: str, label: str) -> Cite:
    """Rule number and mark of a row."""
    return row(chart, label).cite


def adjustment(chart: str, label: str, reason: str | None = None, times: int = 1) -> Modifier:
    """The adjustment a row prints, `times` over, for the reason given or the row's own words."""
    return Modifier(value=Fraction(value(chart, label) * times), reason=reason or label, cite=cite(chart, label))
