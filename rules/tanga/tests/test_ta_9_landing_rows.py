"""Rows of the objective chart that apply from the landing on (TA-9.B, ruling)."""

from rules.tanga.charts import priority_chart
from rules.tanga.priorities import CardRow, Situation


def counts_from_landing(row: CardRow) -> bool:
    """Whether the chart row applies before its stack has taken the entry hex."""
    only = frozenset({row.measure}) if row.scenarios else frozenset()
    situation = Situation(doing=row.doing, kind=row.kind, letters=frozenset(row.letters), objectives=only, landed=True)
    return not row.why_skipped(situation)


def test_ta_9_b_rows_that_apply_from_the_landing_on() -> None:
    rows = {row.row: counts_from_landing(row) for row in priority_chart("objective").rows}
    assert {name for name, counts in rows.items() if counts} == {"2", "3", "4", "nearest", "8"}
