"""A printed table as data: looked up, asked for odds, shown by `/rule` as text and as a picture."""

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib.resources.abc import Traversable

from pydantic import Field, model_validator

from .model import Cite, Mark, Model
from .report import Step
from .throws import Spread


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

    def read(self, score: int, column: str) -> str:
        """The words that a score reads in a column. Raises KeyError."""
        return self.cell(self.band(score), column).text

    def readings(self, column: str, spread: Spread, cite: Cite, found: str = "") -> Iterable[Step]:
        """A line for each wording of a column: the scores that read it and their chance; what was `found` is marked."""
        for words in dict.fromkeys(self.cell(row, column).text for row in self.rows):
            scores = " and ".join(row.label for row in self.rows if self.cell(row, column).text == words)
            chance = sum((share for score, share in spread if self.read(score, column) == words), Fraction(0))
            verdict = "this is read" if words == found else ""
            yield Step(text=f"Score {scores}: {words}", cite=cite, chance=chance, verdict=verdict)


class _Charts(Model):
    charts: tuple[Chart, ...] = Field(default=(), alias="chart")


def load_charts(file: Traversable) -> Mapping[str, Chart]:
    """The charts of a TOML file by id. Raises ValidationError on an unknown key or a ragged row."""
    charts = _Charts.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).charts
    return {chart.id: chart for chart in charts}
