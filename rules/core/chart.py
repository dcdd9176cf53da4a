"""A printed table as data: looked up, asked for odds, shown by `/rule` as text and as a picture."""

import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable

from pydantic import Field, model_validator

from .model import Cite, Mark, Model


class Cell(Model):
    """One cell: the words printed, and what code reads from it."""

    text: str
    value: int | None = None


class Row(Model):
    """One row. `low` and `high` bound the score, range or class it is for (inclusive; None is unbounded)."""

    label: str
    rule: str
    mark: Mark = Mark.TEXT
    low: int | None = None
    high: int | None = None
    cells: tuple[Cell, ...]

    @property
    def cite(self) -> Cite:
        """Rule number and mark."""
        return Cite(rule=self.rule, mark=self.mark)

    def holds(self, score: int) -> bool:
        """Whether `score` lies in the row's band."""
        return (self.low is None or self.low <= score) and (self.high is None or score <= self.high)


class Chart(Model):
    """Rows x columns. Every row carries its rule number and mark."""

    id: str
    title: str
    rule: str
    mark: Mark = Mark.TEXT
    head: str = ""
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""

    @model_validator(mode="after")
    def _is_rectangular(self) -> "Chart":
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"chart {self.id}: row {row.label!r} has {len(row.cells)} cells for {len(self.columns)} columns"
                )
        return self

    def row(self, label: str) -> Row:
        """The row of that label. Raises KeyError."""
        for row in self.rows:
            if row.label == label:
                return row
        raise KeyError(f"chart {self.id} has no row {label!r}")

    def band(self, score: int) -> Row:
        """The first row whose band holds `score`. Raises KeyError."""
        for row in self.rows:
            if row.holds(score):
                return row
        raise KeyError(f"chart {self.id} has no row for {score}")

    def cell(self, row: Row, column: str) -> Cell:
        """The cell of `row` under `column`. Raises KeyError."""
        try:
            return row.cells[self.columns.index(column)]
        except ValueError:
            raise KeyError(f"chart {self.id} has no column {column!r}") from None


class _Charts(Model):
    charts: tuple[Chart, ...] = Field(default=(), alias="chart")


def load_charts(file: Traversable) -> Mapping[str, Chart]:
    """The charts of a TOML file by id. Raises ValidationError on an unknown key or a ragged row."""
    charts = _Charts.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).charts
    return {chart.id: chart for chart in charts}
