"""Tables and rule texts as data: checked when read, looked up exactly."""

from fractions import Fraction
from pathlib import Path

import pytest
from pydantic import ValidationError

from rules.core.book import Book, Rule, load_book
from rules.core.chart import Cell, Chart, ChartFile, Row, Tables
from rules.core.data_files import ScenarioFile, ScenarioFiles, read_model
from rules.core.model import Cite, Mark
from rules.core.report import Modifier

CHART = """
[[chart]]
id = "risk"
title = "Risk"
rule = "MM-6"
columns = ["fate", "days"]
rows = [
  { label = "2", rule = "MM-6", low = 2, high = 2, cells = [{ text = "killed" }, { text = "none", value = 0 }] },
  { label = "3 up", rule = "MM-6", mark = "ruling", low = 3, cells = [{ text = "well" }, { text = "9", value = 9 }] },
]
"""

BOOK = """
[[rule]]
number = "MM-3.9"
title = "Ammunition"
mark = "text"
text = "Six turns of it."
words = ["bullets"]

[[rule]]
number = "MM-3.10"
title = "The last volley"
mark = "ruling"
text = "Kept for a charge."
"""


def chart(tmp_path: Path, text: str = CHART) -> Chart:
    file = tmp_path / "charts.toml"
    file.write_text(text, encoding="utf-8")
    return read_model(ChartFile, file).charts[0]


def book(tmp_path: Path, text: str = BOOK) -> Book:
    file = tmp_path / "book.toml"
    file.write_text(text, encoding="utf-8")
    return read_model(Book, file)


def test_a_score_finds_its_row_and_a_column_its_cell(tmp_path: Path) -> None:
    risk = chart(tmp_path)
    assert risk.row_for_score(2).label == "2"
    row = risk.row_for_score(12)
    assert row.cite == Cite(rule="MM-6", mark=Mark.RULING)
    assert risk.cell(row, "days").value == 9
    assert risk.row("3 up") == row
    assert [risk.text_for_score(score, "days") for score in (2, 3)] == ["none", "9"]


def test_value_off_the_chart_raises_an_error(tmp_path: Path) -> None:
    risk = chart(tmp_path)
    with pytest.raises(KeyError, match="risk has no row for 1"):
        risk.row_for_score(1)
    with pytest.raises(KeyError, match="no row '4'"):
        risk.row("4")
    with pytest.raises(KeyError, match="no column 'weeks'"):
        risk.cell(risk.row_for_score(2), "weeks")


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('title = "Risk"', 'title = "Risk"\ncolor = "red"'),
        ('label = "2",', 'label = "2", lo = 3,'),
        ('columns = ["fate", "days"]', 'columns = ["fate"]'),
    ],
)
def test_an_unknown_key_or_a_ragged_row_is_an_error(tmp_path: Path, good: str, bad: str) -> None:
    assert good in CHART
    with pytest.raises(ValidationError):
        chart(tmp_path, CHART.replace(good, bad))


def test_a_chart_that_two_files_print_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    for name in ("1_charts.toml", "2_charts.toml"):
        (tmp_path / "data" / name).write_text(CHART, encoding="utf-8")
    monkeypatch.setattr("rules.core.data_files.files", lambda package: {"rules.some": tmp_path}[package])
    with pytest.raises(ValueError, match=r"2_charts\.toml repeats the charts \['risk'\]"):
        _ = Tables("rules.some").charts
    (tmp_path / "data" / "2_charts.toml").unlink()
    assert list(Tables("rules.some").charts) == ["risk"]


def test_bands_may_be_open_at_either_end() -> None:
    cells = (Cell(text="x"),)
    assert Row(label="any", rule="r", cells=cells).includes_score(-100)
    assert Row(label="low", rule="r", high=3, cells=cells).includes_score(-1)
    assert not Row(label="low", rule="r", high=3, cells=cells).includes_score(4)


def test_rule_number_ignores_case(tmp_path: Path) -> None:
    rules = book(tmp_path)
    assert rules.get(" mm-3.9 ").title == "Ammunition"
    assert rules.get("MM-3.10").cite == Cite(rule="MM-3.10", mark=Mark.RULING)
    with pytest.raises(KeyError):
        rules.get("MM-3")


def test_the_chapters_of_a_package_are_one_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    for name, number in (("2_book.toml", "MM-2"), ("1_book.toml", "MM-1"), ("other.toml", "MM-3")):
        text = f'rule = [{{ number = "{number}", title = "T", mark = "text", text = "x" }}]'
        (tmp_path / "data" / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr("rules.core.data_files.files", lambda package: {"rules.some": tmp_path}[package])
    assert [rule.number for rule in load_book("rules.some").rules] == ["MM-1", "MM-2"]


def test_an_unknown_key_in_a_book_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValidationError):
        book(tmp_path, BOOK.replace('title = "Ammunition"', 'titel = "Ammunition"'))


def test_a_rule_is_named_by_number_and_title() -> None:
    assert Rule(number="MM-1", title="Organisation", mark=Mark.TEXT, text="").name == "MM-1 Organisation"


def test_tables_are_read_by_chart_row_and_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "charts.toml").write_text(CHART, encoding="utf-8")
    monkeypatch.setattr("rules.core.data_files.files", lambda package: {"rules.some": tmp_path}[package])
    tables = Tables("rules.some")
    assert tables.row("risk", "2").low == 2
    assert (tables.cell_value("risk", "2"), tables.cell_value("risk", "2", "days")) == (None, 0)
    assert (tables.value("risk", "2", "days"), tables.value("risk", "3 up", "days")) == (0, 9)
    assert tables.cite("risk", "3 up") == Cite(rule="MM-6", mark=Mark.RULING)
    with pytest.raises(KeyError, match="chart risk, row '2' holds no number"):
        tables.value("risk", "2")


def test_adjustment_multiplies_the_printed_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    swapped = CHART.replace('["fate", "days"]', '["days", "fate"]').replace(
        '{ text = "well" }, { text = "9", value = 9 }', '{ text = "9", value = 9 }, { text = "well" }'
    )
    (tmp_path / "data" / "charts.toml").write_text(swapped, encoding="utf-8")
    monkeypatch.setattr("rules.core.data_files.files", lambda package: {"rules.some": tmp_path}[package])
    tables, cite = Tables("rules.some"), Cite(rule="MM-6", mark=Mark.RULING)
    assert tables.row_modifier("risk", "3 up") == Modifier(value=Fraction(9), reason="3 up", cite=cite)
    assert tables.row_modifier("risk", "3 up", "tired", 2) == Modifier(value=Fraction(18), reason="tired", cite=cite)
    assert tables.row_modifiers("risk", {"2": False, "3 up": "worn"}) == (
        Modifier(value=Fraction(9), reason="worn", cite=cite),
    )
    plain = tables.row_modifiers("risk", {"2": "", "3 up": True}, ruled=("2",))
    assert [(modifier.reason, modifier.cite.mark) for modifier in plain] == [("3 up", Mark.RULING)]


def test_a_rule_bears_its_whole_number_alone() -> None:
    rule = Rule(number="MM-5.4", title="Adjustments", mark=Mark.TEXT, text="")
    assert all(rule.has_full_number(topic) for topic in ("MM-5.4", "mm 5.4", "5.4"))
    assert not any(rule.has_full_number(topic) for topic in ("MM-5", "5", "mm", ""))
    assert not Rule(number="5.4", title="", mark=Mark.TEXT, text="").has_full_number("")
    assert rule.has_number_or_name("mm5")
    assert not rule.has_number_or_name("")


def test_column_lists_its_results_with_scores_and_chances(tmp_path: Path) -> None:
    third = '  { label = "9 up", rule = "MM-6", low = 9, cells = [{ text = "killed" }, { text = "none" }] },\n]'
    risk = chart(tmp_path, CHART.replace("low = 3,", "low = 3, high = 8,").replace("\n]", f"\n{third}"))
    distribution = ((2, Fraction(1, 6)), (5, Fraction(1, 2)), (9, Fraction(1, 3)))
    cite = Cite(rule="MM-6")
    readings = [(step.text, step.chance, step.needed) for step in risk.result_steps("fate", distribution, cite, "well")]
    assert readings == [
        ("Score 2 and 9 up: killed", Fraction(1, 2), ""),
        ("Score 3 up: well", Fraction(1, 2), "this is read"),
    ]


def test_error_names_the_wrong_scenario_file() -> None:
    class Short(ScenarioFile):
        def faults(self) -> tuple[str, ...]:
            return () if len(self.id) < 4 else ("id: it is too long", "more")

    files: ScenarioFiles[Short] = ScenarioFiles("rules.some", Short)
    assert files.read('id = "abc"', "a.toml").id == "abc"
    assert not [*ScenarioFile(id="any").faults()]
    for text, why in (("id = ", "a.toml: "), ("ib = 3", "a.toml: "), ('id = "abcd"', "^a.toml: id: it is too long$")):
        with pytest.raises(ValueError, match=why):
            files.read(text, "a.toml")
