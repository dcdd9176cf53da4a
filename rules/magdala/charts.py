"""The printed tables of movement, firing and field defences (MM-2, MM-3, MM-7), read once from data."""

from fractions import Fraction
from importlib.resources import files

from rules.core.chart import Chart, Row, load_charts

_CHARTS = load_charts(files("rules.magdala") / "data" / "charts.toml")

MOVEMENT = _CHARTS["movement"]
FIRING_DICE = _CHARTS["firing-dice"]
FIRING_FACTORS = _CHARTS["firing-factors"]
RANGES = _CHARTS["ranges"]
AMMUNITION = _CHARTS["ammunition"]
DEFENCES = _CHARTS["defences"]


def entry(chart: Chart, row: Row, column: str) -> int | None:
    """The number under `column`; None where the cell is empty."""
    return chart.cell(row, column).value


def figure(chart: Chart, row: Row, column: str) -> int:
    """The number under `column`. Raises ValueError where the cell has none."""
    value = entry(chart, row, column)
    if value is None:
        raise ValueError(f"chart {chart.id}, row {row.label!r}: {column!r} has no number")
    return value


def matter(label: str) -> int:
    """The number of a row of the chart of ammunition, mishaps and building."""
    return figure(AMMUNITION, AMMUNITION.row(label), "number")


def factor(label: str) -> Fraction:
    """What a circumstance makes of the number of dice (MM-3.3, MM-3.4)."""
    row = FIRING_FACTORS.row(label)
    return Fraction(figure(FIRING_FACTORS, row, "times"), figure(FIRING_FACTORS, row, "divided by"))
