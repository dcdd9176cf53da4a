"""The printed tables of a system as code reads them: every *charts.toml of its data, read once at first use."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cached_property

from .chart import Chart, Row, load_charts
from .data_files import ending
from .model import Cite
from .report import Modifier


class Tables:
    """The charts of one package. Loaded when first asked for, not at import."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """Every chart by id. Raises ValidationError on an unknown key or a ragged row, ValueError on an id twice."""
        found: dict[str, Chart] = {}
        for file in ending(self._package, "charts.toml"):
            charts = load_charts(file)
            twice = found.keys() & charts.keys()
            if twice:
                raise ValueError(f"{file.name} repeats the charts {sorted(twice)}")
            found |= charts
        return found

    def row(self, chart: str, label: str) -> Row:
        """A row of a chart. Raises KeyError."""
        return self.charts[chart].row(label)

    def entry(self, chart: str, label: str, column: str | None = None) -> int | None:
        """The number in a cell, of the first column unless another is named; None where the cell has none."""
        table = self.charts[chart]
        return table.cell(table.row(label), column or table.columns[0]).value

    def value(self, chart: str, label: str, column: str | None = None) -> int:
        """The number in a cell, as `entry`. Raises KeyError where there is none."""
        found = self.entry(chart, label, column)
        if found is None:
            raise KeyError(f"chart {chart}, row {label!r} holds no number")
        return found

    def cite(self, chart: str, label: str) -> Cite:
        """Rule number and mark of a row."""
        return self.row(chart, label).cite

    def adjustment(
        self, chart: str, label: str, reason: str | None = None, times: int = 1, *, ruled: bool = False
    ) -> Modifier:
        """The adjustment a row prints, `times` over, for the reason given or the row's own words.

        Where it is `ruled`, that the row holds here is a ruling, whatever its mark.
        """
        value, cite = Fraction(self.value(chart, label) * times), self.cite(chart, label)
        return Modifier(value=value, reason=reason or label, cite=cite.ruled if ruled else cite)

    def adjustments(
        self, chart: str, rows: Mapping[str, bool | str], ruled: Collection[str] = ()
    ) -> tuple[Modifier, ...]:
        """The adjustments of those rows that hold; where a row holds in words, these are its reason."""
        reasons = {label: holds if isinstance(holds, str) else None for label, holds in rows.items() if holds}
        return tuple(self.adjustment(chart, each, why, ruled=each in ruled) for each, why in reasons.items())
