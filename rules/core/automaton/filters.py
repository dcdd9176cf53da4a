"""Priority charts: filters applied in order until one candidate is left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import model_validator

from rules.core.chart import Cell, Chart, Row
from rules.core.model import Ruled

from .decisions import C, RowOut

NOBODY_PASSES = "nobody passes it"
ALL = "all"

S = TypeVar("S")
"""The situation that a chart is asked in: what the system's rows want to know of it."""
R = TypeVar("R", bound=RowOut[Any])


class Wants(StrEnum):
    """What a row wants of its measure."""

    YES = "yes"
    NO = "no"
    LEAST = "least"
    MOST = "most"


class Filter(Ruled, Generic[S]):
    """A row of a priority chart: which candidates it leaves. A system adds whom it is for.

    `measure` names what the row asks of a candidate; the decision that the chart is for measures it.
    """

    row: str
    words: str
    measure: str
    wants: Wants
    alternative: bool = False
    """Of such rows the first that leaves a candidate stands for all."""

    @property
    def scope(self) -> str:
        """Condition under which the row applies, as printed; empty for rows without condition."""
        return ""

    def unfit(self, situation: S) -> str:
        """Return why the row does not apply to the situation, or an empty string."""
        raise NotImplementedError

    def kept(self, left: Sequence[C], measure: Callable[[C], Any]) -> list[C]:
        """Who passes it."""
        found = [(measure(one), one) for one in left]
        if self.wants in (Wants.YES, Wants.NO):
            return [one for value, one in found if bool(value) is (self.wants is Wants.YES)]
        best = (min if self.wants is Wants.LEAST else max)(value for value, _ in found)
        return [one for value, one in found if value == best]


F = TypeVar("F", bound=Filter[Any])


class Priority(Ruled, Generic[F]):
    """A priority chart. Its last row tells any two candidates apart."""

    deciding: ClassVar[str]
    """The measure of its last row, by which no two candidates are equal."""

    id: str
    title: str
    note: str = ""
    rows: tuple[F, ...]

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not self.rows or self.rows[-1].measure != self.deciding:
            raise ValueError(f"chart {self.id}: its last row must be by the {self.deciding}, or candidates could tie")
        if len({row.row for row in self.rows}) < len(self.rows):
            raise ValueError(f"chart {self.id}: a row comes twice")
        return self

    def table(self, column: str) -> Chart:
        """The same as a table, its candidates headed `column`."""
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


def weigh(
    chart: Priority[Any],
    candidates: Iterable[C],
    measures: Mapping[Any, Callable[[C], Any]],
    situation: object,
    traced: type[R],
) -> tuple[C | None, tuple[R, ...]]:
    """Apply a chart's rows until one candidate remains. Return the candidate, or None, and the trace of rows.

    Candidates are weighed in their own order, each once. A row that nobody passes, or that is not for this situation,
    is skipped. Raises KeyError where a row's measure is missing.
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
        if unfit := row.unfit(situation):
            tell(row, skipped=unfit)
        elif kept := row.kept(left, measures[row.measure]):
            tell(row, out=tuple(one for one in left if one not in kept))
            open_alternatives = open_alternatives and not row.alternative
            left = kept
        else:
            tell(row, skipped=NOBODY_PASSES)
    return (left[0] if left else None), tuple(trace)
