"""Priority charts: filters applied in order until one candidate is left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import model_validator

from rules.core.chart import Cell, Chart, Row
from rules.core.model import Ruled

from .decisions import C, RowTrace

NOBODY_PASSES = "nobody passes it"
ALL = "all"

S = TypeVar("S")
"""Type of the situation in which a chart is used, with the facts that a system's rows need."""
R = TypeVar("R", bound=RowTrace[Any])


class Wants(StrEnum):
    """A row's condition on its measure: true, false, least value or greatest value."""

    YES = "yes"
    NO = "no"
    LEAST = "least"
    MOST = "most"


class Filter(Ruled, Generic[S]):
    """A row of a priority chart, which keeps some candidates and excludes all others.

    `measure` names a candidate's value that the row tests; the decision computes the value. Systems add the units and
    scenarios to which the row applies.
    """

    row: str
    words: str
    measure: str
    wants: Wants
    alternative: bool = False
    """Whether the row is one of the chart's alternatives. Only the first alternative that keeps a candidate applies."""

    @property
    def scope(self) -> str:
        """Return the condition under which the row applies, as printed; empty for rows without condition."""
        return ""

    def why_skipped(self, situation: S) -> str:
        """Return why the row is skipped in the situation; an empty string if it applies."""
        raise NotImplementedError

    def candidates_left(self, left: Sequence[C], measure: Callable[[C], Any]) -> list[C]:
        """Return the candidates in `left` that pass the row."""
        found = [(measure(one), one) for one in left]
        if self.wants in (Wants.YES, Wants.NO):
            return [one for value, one in found if bool(value) is (self.wants is Wants.YES)]
        best = (min if self.wants is Wants.LEAST else max)(value for value, _ in found)
        return [one for value, one in found if value == best]


F = TypeVar("F", bound=Filter[Any])


class Priority(Ruled, Generic[F]):
    """A priority chart. Its last row distinguishes any two candidates."""

    deciding: ClassVar[str]
    """The measure of the last row, in which no two candidates are equal."""

    id: str
    title: str
    note: str = ""
    rows: tuple[F, ...]

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if not self.rows or self.rows[-1].measure != self.deciding:
            raise ValueError(f"chart {self.id}: its last row must be by the {self.deciding}, or candidates could tie")
        if len({row.row for row in self.rows}) < len(self.rows):
            raise ValueError(f"chart {self.id}: a row appears twice")
        return self

    def table(self, column: str) -> Chart:
        """Return the priority chart as a printed table, with `column` as the heading of the rows' words."""
        rows = tuple(
            Row(label=row.row, rule=row.rule, mark=row.mark, cells=(Cell(text=row.words), Cell(text=row.scope or ALL)))
            for row in self.rows
        )
        return Chart(
            id=self.id,
            title=self.title,
            rule=self.rule,
            mark=self.mark,
            head="Row",
            columns=(column, "for"),
            rows=rows,
            note=self.note,
        )


def apply_chart(
    chart: Priority[Any],
    candidates: Iterable[C],
    measures: Mapping[Any, Callable[[C], Any]],
    situation: object,
    traced: type[R],
) -> tuple[C | None, tuple[R, ...]]:
    """Apply a chart's rows until one candidate remains. Return the candidate, or None, and the trace of rows.

    Candidates are sorted, and duplicates removed. A row is skipped if no candidate passes, or if the row does not apply
    in `situation`. `traced` is the type of the trace. Raises KeyError if the measure of a row is missing.
    """
    left = sorted(set(candidates))  # type: ignore[type-var]
    trace: list[R] = []

    def tell(row: Filter[Any], out: tuple[C, ...] = (), skipped: str = "") -> None:
        trace.append(traced(row=row.row, text=row.words, cite=row.cite, out=out, skipped=skipped))

    open_alternatives = any(row.alternative for row in chart.rows)
    for row in chart.rows if left else ():
        if row.alternative and not open_alternatives:
            continue
        if len(left) == 1 and not open_alternatives:
            break
        if unfit := row.why_skipped(situation):
            tell(row, skipped=unfit)
        elif kept := row.candidates_left(left, measures[row.measure]):
            tell(row, out=tuple(one for one in left if one not in kept))
            open_alternatives = open_alternatives and not row.alternative
            left = kept
        else:
            tell(row, skipped=NOBODY_PASSES)
    return (left[0] if left else None), tuple(trace)
