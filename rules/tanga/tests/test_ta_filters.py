"""Tests of priority charts: rows filter hexes in order until one hex is left (TA-0.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules.core.hexboard.hexes import Hex
from rules.tanga.model import Kind
from rules.tanga.priorities import (
    ANY_SITUATION,
    NOBODY_PASSES,
    CardChart,
    CardRow,
    Measure,
    Situation,
    WantedValue,
    apply_chart,
)
from rules.tanga.progress import RowEffect, describe_deciding_row

from .field import hex_at, hex_labels, hexes

NUMBER = {"row": "last", "words": "lowest hex number", "rule": "TA-0.3", "measure": "hex number", "wants": "least"}
YES_OR_NO = (WantedValue.YES, WantedValue.NO)


def chart(*rows: dict) -> CardChart:
    """Build a chart with rows numbered from 1, and a final row for the lowest hex number."""
    full_rows = [{"row": str(n), "words": "words", "rule": "TA-0.3"} | row for n, row in enumerate(rows, 1)]
    return CardChart(id="test", title="Test", rule="TA-0.3", rows=(*full_rows, NUMBER))


def measures_of(**values: dict[str, object]):
    """Build measuring functions from values by hex label; the hex number measures itself."""
    tables = {Measure(name.replace("_", " ")): table for name, table in values.items()}
    looked_up = {name: (lambda hex_, table=table: table.get(hex_.label, 0)) for name, table in tables.items()}
    return {**looked_up, Measure.NUMBER: lambda hex_: hex_}


def weigh(chart_: CardChart, weighed, measures, situation: Situation = ANY_SITUATION):
    """Return the chosen hex and the rows applied."""
    return apply_chart(chart_, weighed, measures, situation)


def excluded_hexes(rows) -> dict[str, str]:
    """Return the hexes excluded by each row."""
    return {row.row: hex_labels(row.out) for row in rows}


def test_ta_0_3_rows_apply_in_order_until_one_hex_is_left() -> None:
    two = chart({"measure": "protection", "wants": "most"}, {"measure": "cost", "wants": "least"})
    measures = measures_of(protection={"2411": 2, "2410": 2, "2309": 1}, cost={"2411": 1, "2410": 2, "2309": 0})
    chosen, rows = weigh(two, hexes("2309 2410 2411"), measures)
    assert chosen == hex_at("2411")
    assert excluded_hexes(rows) == {"1": "2309", "2": "2410"}
    assert describe_deciding_row(rows) == "row 2, words"


def test_ta_0_3_rows_after_the_last_hex_are_not_reached() -> None:
    two = chart({"measure": "protection", "wants": "most"}, {"measure": "cost", "wants": "least"})
    chosen, rows = weigh(two, hexes("2410 2411"), measures_of(protection={"2411": 1}))
    assert (chosen, [row.row for row in rows]) == (hex_at("2411"), ["1"])


def test_ta_0_3_row_that_no_hex_passes_is_skipped() -> None:
    chosen, rows = weigh(chart({"measure": "beach", "wants": "yes"}), hexes("2411 2410"), measures_of(beach={}))
    assert chosen == hex_at("2410")
    assert rows[0].skipped == NOBODY_PASSES
    assert rows[0].out == ()


def test_ta_0_3_row_that_all_hexes_pass_excludes_none() -> None:
    both = measures_of(beach={"2410": True, "2411": True})
    chosen, rows = weigh(chart({"measure": "beach", "wants": "yes"}), hexes("2411 2410"), both)
    assert chosen == hex_at("2410")
    assert (rows[0].skipped, rows[0].out) == ("", ())


def test_ta_0_3_no_hex_is_chosen_without_candidates() -> None:
    assert weigh(chart({"measure": "beach", "wants": "yes"}), (), {}) == (None, ())


def test_ta_0_3_row_for_other_units_is_skipped_with_a_reason() -> None:
    only = chart({"measure": "beach", "wants": "yes", "kind": "staff"})
    measures = measures_of(beach={"2411": True})
    chosen, rows = weigh(only, hexes("2410 2411"), measures, Situation(kind=Kind.BATTALION))
    assert (chosen, rows[0].skipped) == (hex_at("2410"), "for a staff only")
    assert weigh(only, hexes("2410 2411"), measures, Situation(kind=Kind.STAFF))[0] == hex_at("2411")


def test_ta_9_b_first_alternative_row_with_a_hex_counts() -> None:
    rows = [{"measure": kind, "wants": "yes", "alternative": True} for kind in ("beach", "embankment", "european town")]
    measures = measures_of(beach={}, embankment={"2411": 1, "2410": 1}, european_town={"2411": 1, "2309": 1})
    chosen, trace = weigh(chart(*rows), hexes("2309 2410 2411"), measures)
    assert chosen == hex_at("2410")
    assert [row.row for row in trace] == ["1", "2", "last"]
    assert excluded_hexes(trace) == {"1": "", "2": "2309", "last": "2411"}


def test_ta_9_b_only_candidate_is_reported_with_its_row() -> None:
    rows = [{"measure": kind, "wants": "yes", "alternative": True} for kind in ("beach", "embankment")]
    _, trace = weigh(chart(*rows), hexes("2411"), measures_of(beach={}, embankment={"2411": 1}))
    assert [(row.row, row.skipped) for row in trace] == [("1", NOBODY_PASSES), ("2", "")]


@pytest.mark.parametrize(
    "wrong", [{"measure": "luck"}, {"wants": "perhaps"}, {"kind": "navy"}, {"doing": "dance"}, {"colour": "red"}]
)
def test_ta_0_3_a_row_that_cannot_be_read_is_refused(wrong: dict) -> None:
    with pytest.raises(ValidationError):
        chart({"measure": "cost", "wants": "least"} | wrong)


def test_ta_0_3_a_chart_that_could_end_in_a_tie_is_refused() -> None:
    row = {"row": "1", "words": "words", "rule": "TA-0.3", "measure": "cost", "wants": "least"}
    with pytest.raises(ValidationError, match="tie"):
        CardChart(id="test", title="Test", rule="TA-0.3", rows=(row,))


def test_ta_0_3_a_row_is_numbered_once() -> None:
    with pytest.raises(ValidationError, match="twice"):
        chart({"measure": "cost", "wants": "least", "row": "last"})


MEASURES = [measure for measure in Measure if measure is not Measure.NUMBER]
SOME = st.sets(st.builds(Hex.at, st.integers(20, 24), st.integers(8, 12)), min_size=1, max_size=8)


@st.composite
def charts_and_measures(draw):
    """Generate a chart with arbitrary values for its measures."""
    names = draw(st.lists(st.sampled_from(MEASURES), max_size=5, unique=True))
    some = st.sampled_from(WantedValue)
    rows = [{"measure": measure, "wants": draw(some), "alternative": draw(st.booleans())} for measure in names]
    field = [Hex.at(column, row) for column in range(20, 25) for row in range(8, 13)]
    tables = {measure: {hex_: draw(st.integers(0, 2)) for hex_ in field} for measure in names}
    measures = {measure: table.__getitem__ for measure, table in tables.items()}
    return chart(*rows), {**measures, Measure.NUMBER: lambda hex_: hex_}


@given(charts_and_measures(), SOME, st.randoms())
def test_ta_0_3_the_order_of_candidates_never_matters(given_, candidates, shuffler) -> None:
    chart_, measures = given_
    shuffled = sorted(candidates)
    shuffler.shuffle(shuffled)
    assert weigh(chart_, shuffled, measures) == weigh(chart_, sorted(candidates), measures)


@given(charts_and_measures(), SOME, st.data())
def test_ta_0_3_dropping_a_loser_never_changes_the_choice(given_, candidates, data) -> None:
    chart_, measures = given_
    chosen, _ = weigh(chart_, candidates, measures)
    losers = sorted(candidates - {chosen})
    gone = data.draw(st.sets(st.sampled_from(losers)) if losers else st.just(set()))
    assert weigh(chart_, candidates - gone, measures)[0] == chosen


@given(charts_and_measures(), SOME)
def test_ta_0_3_every_loser_is_excluded_by_one_row(given_, candidates) -> None:
    chosen, rows = weigh(given_[0], candidates, given_[1])
    out = [hex_ for row in rows for hex_ in row.out]
    assert sorted(out) == sorted(candidates - {chosen})


def test_ta_0_3_wording_of_rows_is_that_of_the_card() -> None:
    row = {"row": "5", "words": "words", "rule": "TA-9.B", "measure": "cost", "wants": "least"}
    assert CardRow(**row, scenarios="scenario 1, 2, 3").scope == "scenario 1, 2, 3"
    assert CardRow(**row, letters=("G", "H")).scope == "companies G and H"
    assert CardRow(**row).scope == ""


def test_ta_0_3_chart_is_decided_by_the_last_row_that_excludes_hexes() -> None:
    cite, out = CardRow(**NUMBER).cite, hexes("2411")
    rows = [RowEffect(row=row, text="least", cite=cite, out=hexes_out) for row, hexes_out in (("3", out), ("4", ()))]
    assert [describe_deciding_row(trace) for trace in (rows, rows[1:], ())] == ["row 3, least", "no other", "no other"]
    assert describe_deciding_row([*rows, RowEffect(row="last", text="least", cite=cite, out=out)]) == "least"


def test_ta_0_3_printed_chart_shows_the_scope_of_each_row() -> None:
    table = chart({"measure": "cost", "wants": "least", "kind": "staff"}).printed_table()
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["words", "staff"], [NUMBER["words"], "all"]]
    assert (table.head, table.columns, table.rows[1].label) == ("Row", ("hex", "for"), "last")
