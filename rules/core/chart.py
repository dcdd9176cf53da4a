"""Printed charts as data, for look-ups, odds, and the command `/rule`."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from pydantic import Field, model_validator

from .data_files import data_files_ending, read_model
from .model import Cite, CitedModel, Model
from .report import Modifier, Step
from .throws import Distribution


class Cell(Model):
    """One cell of a chart: the printed words, and a number or the name of the game option that holds it."""

    text: str
    value: int | None = None
    option: str = ""


class Row(CitedModel):
    """One row of a chart, for scores from `low` to `high` (inclusive; None is unbounded)."""

    label: str
    low: int | None = None
    high: int | None = None
    cells: tuple[Cell, ...]

    def includes_score(self, score: int) -> bool:
        """Whether `score` lies between the row's limits `low` and `high`."""
        return (self.low is None or self.low <= score) and (self.high is None or score <= self.high)


class Chart(CitedModel):
    """A table of rows and columns. Every row has its rule number and mark."""

    id: str
    title: str
    head: str = ""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""

    @model_validator(mode="after")
    def _check_row_lengths(self) -> "Chart":
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"chart {self.id}: row {row.label!r} has {len(row.cells)} cells for {len(self.columns)} columns"
                )
        return self

    def row(self, label: str) -> Row:
        """Return the row with that label. Raises KeyError."""
        for row in self.rows:
            if row.label == label:
                return row
        raise KeyError(f"chart {self.id} has no row {label!r}")

    def row_for_score(self, score: int) -> Row:
        """Return the first row that includes `score`. Raises KeyError."""
        for row in self.rows:
            if row.includes_score(score):
                return row
        raise KeyError(f"chart {self.id} has no row for {score}")

    def cell(self, row: Row, column: str) -> Cell:
        """Return the cell of `row` in `column`. Raises KeyError."""
        try:
            return row.cells[self.columns.index(column)]
        except ValueError:
            raise KeyError(f"chart {self.id} has no column {column!r}") from None

    def text_for_score(self, score: int, column: str) -> str:
        """Return the words for `score` in `column`. Raises KeyError."""
        return self.cell(self.row_for_score(score), column).text

    def result_steps(self, column: str, distribution: Distribution, cite: Cite, result: str = "") -> Iterable[Step]:
        """Yield a report step for each text in a column, with its scores and chance. Mark the step for `result`."""
        for words in dict.fromkeys(self.cell(row, column).text for row in self.rows):
            scores = " and ".join(row.label for row in self.rows if self.cell(row, column).text == words)
            chance = sum((part for n, part in distribution if self.text_for_score(n, column) == words), Fraction(0))
            note = "this is read" if words == result else ""
            yield Step(text=f"Score {scores}: {words}", cite=cite, chance=chance, needed=note)


class ChartFile(Model):
    """A file of charts."""

    charts: tuple[Chart, ...] = Field(default=(), alias="chart")


class Tables:
    """The charts of one package, loaded at first use from every `*charts.toml` in the data folder."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def charts(self) -> Mapping[str, Chart]:
        """Return every chart by id. Raises ValidationError for an invalid file, ValueError for a repeated id."""
        charts_by_id: dict[str, Chart] = {}
        for file in data_files_ending(self._package, "charts.toml"):
            charts = {chart.id: chart for chart in read_model(ChartFile, file).charts}
            if repeated := charts_by_id.keys() & charts.keys():
                raise ValueError(f"{file.name} repeats the charts {sorted(repeated)}")
            charts_by_id |= charts
        return charts_by_id

    def row(self, chart: str, label: str) -> Row:
        """Return a row of a chart. Raises KeyError."""
        return self.charts[chart].row(label)

    def cell_value(self, chart: str, label: str, column: str | None = None) -> int | None:
        """Return the number in a row's cell, by default in the first column. None for a cell without a number."""
        table = self.charts[chart]
        return table.cell(table.row(label), column or table.columns[0]).value

    def value(self, chart: str, label: str, column: str | None = None) -> int:
        """Return the number in a row's cell, by default in the first column. Raises KeyError without a number."""
        number = self.cell_value(chart, label, column)
        if number is None:
            raise KeyError(f"chart {chart}, row {label!r} holds no number")
        return number

    def cite(self, chart: str, label: str) -> Cite:
        """Return the rule number and mark of a row. Raises KeyError."""
        return self.row(chart, label).cite

    def row_modifier(
        self, chart: str, label: str, reason: str | None = None, times: int = 1, *, ruled: bool = False
    ) -> Modifier:
        """Return the modifier printed in a row, multiplied by `times`. `reason` is by default the row's label.

        With `ruled`, mark the modifier as a ruling, because only a ruling says that the row applies.
        """
        value, cite = Fraction(self.value(chart, label) * times), self.cite(chart, label)
        return Modifier(value=value, reason=reason or label, cite=cite.as_ruling if ruled else cite)

    def row_modifiers(
        self, chart: str, rows: Mapping[str, bool | str], ruled: Collection[str] = ()
    ) -> tuple[Modifier, ...]:
        """Return the modifiers of the rows that apply. Mark those of rows labelled in `ruled` as rulings.

        `rows` maps the label of each row to whether it applies, or to the reason why it applies.
        """
        reasons = {label: holds if isinstance(holds, str) else None for label, holds in rows.items() if holds}
        return tuple(self.row_modifier(chart, label, why, ruled=label in ruled) for label, why in reasons.items())
