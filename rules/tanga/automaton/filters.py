"""The priority charts at work: filters applied in order until one hex is left (TA-0.3)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rules.core.hexboard.hexes import Hex
from rules.tanga.charts import Filter, Measure, Priority, Situation, Wants
from rules.tanga.decisions import RowOut

Measures = Mapping[Measure, Callable[[Hex], Any]]
"""What each row asks of a hex: truth where it wants yes or no, else something to compare."""

ANYBODY = Situation()
NOBODY_PASSES = "nobody passes it"


def weigh(
    chart: Priority, candidates: Iterable[Hex], measures: Measures, situation: Situation = ANYBODY
) -> tuple[Hex | None, tuple[RowOut, ...]]:
    """The hex a chart leaves, None if there was none, and every row reached with whom it put out (TA-0.3).

    A row that nobody passes, or that is not for this situation, is skipped. Raises KeyError where a row's measure is
    missing.
    """
    left = sorted(set(candidates))
    trace: list[RowOut] = []
    open_alternatives = any(row.alternative for row in chart.rows)
    for row in chart.rows if left else ():
        if row.alternative and not open_alternatives:
            continue
        if len(left) == 1 and not open_alternatives:
            break
        if unfit := row.unfit(situation):
            trace.append(row.trace(skipped=unfit))
            continue
        kept = _kept(row, left, measures[row.measure])
        if not kept:
            trace.append(row.trace(skipped=NOBODY_PASSES))
            continue
        trace.append(row.trace(out=tuple(hex_ for hex_ in left if hex_ not in kept)))
        open_alternatives = open_alternatives and not row.alternative
        left = kept
    return (left[0] if left else None), tuple(trace)


def _kept(row: Filter, left: Sequence[Hex], measure: Callable[[Hex], Any]) -> list[Hex]:
    """Who passes a row."""
    found = [(measure(hex_), hex_) for hex_ in left]
    if row.wants in (Wants.YES, Wants.NO):
        return [hex_ for value, hex_ in found if bool(value) is (row.wants is Wants.YES)]
    best = (min if row.wants is Wants.LEAST else max)(value for value, _ in found)
    return [hex_ for value, hex_ in found if value == best]


def settled_by(rows: Iterable[RowOut]) -> str:
    """Which row left one hex, in words: `row 3, hex with the least MF cost`; without a row there was but one hex."""
    last = next((row for row in reversed(tuple(rows)) if row.out), None)
    if last is None:
        return "no other"
    return f"row {last.row}, {last.text}" if last.row.isdecimal() else last.text
