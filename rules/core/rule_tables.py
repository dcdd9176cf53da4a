"""Write in words the rows and columns of a rule's tables that answer a question."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import ceil

from .book import Passage, Rule
from .chart import Chart, Row
from .model import MARK_LABELS, Mark

LINE = 40
"""Characters of a line on a phone."""
MOST_ROWS = 2
"""Maximum number of rows shown."""
MOST_LINES = 4
"""Maximum lines of a column shown."""
ENOUGH = 0.6
"""Minimum weight of a row, as a share of the best passage's weight and of the question's weight."""
EMPTY_CELLS = {"", "—", "-", "–"}

Terms = Callable[[str], Sequence[str]]


def count_phone_lines(text: str) -> int:
    """Return how many lines a text fills on a phone."""
    return sum(max(ceil(len(line) / LINE), 1) for line in text.split("\n"))


def count_lines_with_label(passage: Passage) -> int:
    """Return how many lines a passage fills on a phone, with its label such as `ruling`."""
    return count_phone_lines(f"{MARK_LABELS[passage.mark]}: {passage.text}")


def count_lines_of_row(row: Passage) -> int:
    """Return how many lines a row of a table fills on a phone, with its bullet."""
    return count_phone_lines(f"▸ {row.text}")


def rows_for_question(
    rule: Rule, charts: Mapping[str, Chart], weights: Mapping[str, float], terms: Terms, *, least: float
) -> tuple[Passage, ...]:
    """Return the table rows that answer a question best, or else the best column.

    `weights` are those of the question's terms, `least` is the weight of the rule's best passage. Rows and columns of
    much less weight are left out.
    """
    least = max(ENOUGH * max(least, sum(weights.values())), 1e-9)
    rows: list[tuple[float, Passage]] = []
    columns: list[tuple[float, Passage]] = []
    for chart in _charts_of_rule(rule, charts):
        about = terms(f"{chart.title} {chart.head}")
        for row in chart.rows:
            passage = Passage(text=row_in_words(chart, row), mark=row.mark)
            rows += _weigh_passage(weights, terms(row.label), about, passage)
        for column in chart.columns:
            passage = Passage(text=column_in_words(chart, column, weights, terms), mark=chart.rows[0].mark)
            columns += _weigh_passage(weights, terms(column), about, passage)
    best = max((weight for weight, _ in (*rows, *columns)), default=0)
    fitting = [passage for weight, passage in rows if weight == best >= least]
    return tuple(fitting[:MOST_ROWS] or [passage for weight, passage in columns if weight == best >= least][:1])


def small_table_in_words(rule: Rule, charts: Mapping[str, Chart], *, room: int) -> tuple[Passage, ...]:
    """Return the first of the rule's own tables in words; empty if it does not fit in `room` lines."""
    charts_of_rule = [chart for chart in _charts_of_rule(rule, charts) if chart.rule == rule.number][:1]
    passages = [Passage(text=_table_in_words(chart), mark=Mark.TEXT) for chart in charts_of_rule]
    return tuple(passage for passage in passages if count_lines_of_row(passage) <= room)


def _table_in_words(chart: Chart) -> str:
    """Return a table in few words: `up to 6 inches always, up to 12 inches 2`."""
    if len(chart.columns) == 1:
        return ", ".join(f"{row.label} {row.cells[0].text}" for row in chart.rows)
    return "; ".join(row_in_words(chart, row) for row in chart.rows)


def row_in_words(chart: Chart, row: Row) -> str:
    """Return a row of a table in words: `carbines: short 9 · long 18`, or `up to 6 inches: always`."""
    cells = zip(chart.columns, row.cells, strict=True)
    only = len(chart.columns) == 1
    texts = [
        cell.text if only or name == cell.text else f"{name} {cell.text}"
        for name, cell in cells
        if cell.text not in EMPTY_CELLS
    ]
    mark = "" if row.mark is Mark.TEXT else f" ({row.mark.value})"
    return f"{row.label}: {' · '.join(texts)}{mark}"


def column_in_words(chart: Chart, column: str, question_terms: Collection[str], terms: Terms) -> str:
    """Return a column's cells in words. Show the rows labelled with a term of the question, or else all rows."""
    rows = [row for row in chart.rows if chart.cell(row, column).text not in EMPTY_CELLS]
    shown_rows = [row for row in rows if not {*terms(row.label)}.isdisjoint(question_terms)] or rows
    text = f"{column}: "
    for place, row in enumerate(shown_rows):
        piece = f"{' · ' if place else ''}{row.label}: {chart.cell(row, column).text}"
        if count_phone_lines(f"▸ {text}{piece} …") > MOST_LINES:
            return f"{text} …"
        text += piece
    return text


def _charts_of_rule(rule: Rule, charts: Mapping[str, Chart]) -> Iterator[Chart]:
    return (charts[chart_id] for chart_id in rule.charts if chart_id in charts)


def _weigh_passage(
    weights: Mapping[str, float], own: Collection[str], about: Collection[str], passage: Passage
) -> list[tuple[float, Passage]]:
    """Return the passage of a table with its weight, or an empty list if it answers nothing.

    `own`: terms of the label of the row or column. `about`: terms of the table's title.
    """
    term_weights = {term: weight for term, weight in weights.items() if term in own or term in about}
    if not any(term in term_weights for term in own) or 2 * len(term_weights) < len(weights):
        return []
    return [(sum(term_weights.values()), passage)]
