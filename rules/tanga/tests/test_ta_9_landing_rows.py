"""TA-9.B: which rows of the objective chart count from the landing on (ruling)."""

from rules.tanga.charts import CardRow, Situation, priority


def counts_from_landing(row: CardRow) -> bool:
    """Whether the row applies to a stack it is for before the entry hex is taken."""
    only = frozenset({row.measure}) if row.scenarios else frozenset()
    situation = Situation(doing=row.doing, kind=row.kind, letters=frozenset(row.letters), objectives=only, landed=True)
    return not row.why_skipped(situation)


def test_ta_9_b_beaches_germans_near_them_and_the_ways_count_from_the_landing_on() -> None:
    rows = {row.row: counts_from_landing(row) for row in priority("objective").rows}
    assert {name for name, counts in rows.items() if counts} == {"2", "3", "4", "nearest", "8"}
