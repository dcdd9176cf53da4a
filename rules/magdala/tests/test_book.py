"""Every number a rule is cited by can be looked up, and every table and option stands at its rule."""

import ast
import re
from pathlib import Path

import pytest

from rules.core.model import Mark
from rules.core.state import Options
from rules.magdala.ruleset import Magdala

SYSTEM = Magdala()
BOOK = SYSTEM.book
HERE = Path(__file__).resolve().parent.parent
NUMBER = re.compile(r"MM-[0-9A-Z]+(?:\.[0-9]+a?)?")

SECTIONS = {
    "MM-2": [*(f"MM-2.{n}" for n in range(1, 10)), "MM-2.7a"],
    "MM-3": [f"MM-3.{n}" for n in range(1, 11)],
    "MM-4": [f"MM-4.{n}" for n in range(1, 7)],
    "MM-5": [f"MM-5.{n}" for n in range(1, 11)],
}
EVERY_NUMBER = ["MM-1", "MM-6", "MM-7", "MM-A", *SECTIONS, *(n for numbers in SECTIONS.values() for n in numbers)]


def cited() -> set[str]:
    """Every rule number in the words of code (docstrings included) and data."""
    found = set()
    for file in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.update(NUMBER.findall(node.value))
    for file in (HERE / "data").glob("*.toml"):
        found.update(NUMBER.findall(file.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("number", EVERY_NUMBER)
def test_every_rule_of_the_page_is_in_the_book(number: str) -> None:
    assert BOOK.get(number).text


@pytest.mark.parametrize("number", sorted(cited()))
def test_every_number_cited_is_in_the_book(number: str) -> None:
    assert BOOK.get(number)


def test_numbers_are_given_once_and_in_order() -> None:
    numbers = [rule.number for rule in BOOK.rules]
    assert len(set(numbers)) == len(numbers)
    heads = [number for number in numbers if "." not in number]
    assert heads == ["MM-1", "MM-2", "MM-3", "MM-4", "MM-5", "MM-6", "MM-7", "MM-A", "MM-V"]


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.number)
def test_tables_and_options_of_a_rule_exist(rule) -> None:
    assert set(rule.charts) <= set(SYSTEM.charts)
    assert set(rule.options) <= set(SYSTEM.option_fields)


def test_every_table_stands_at_some_rule() -> None:
    assert {chart for rule in BOOK.rules for chart in rule.charts} == set(SYSTEM.charts)


@pytest.mark.parametrize("option", sorted(SYSTEM.option_fields.keys() - Options.model_fields))
def test_every_option_stands_at_the_rule_it_settles(option: str) -> None:
    extra = SYSTEM.option_fields[option].json_schema_extra
    assert option in BOOK.get(extra["rule"]).options


@pytest.mark.parametrize("chart", SYSTEM.charts.values(), ids=lambda chart: chart.id)
def test_rows_that_print_a_rule_carry_its_number_and_mark(chart) -> None:
    for row in chart.rows:
        assert BOOK.get(row.rule)
        assert row.mark in (Mark.TEXT, Mark.RULING)


def test_every_circumstance_has_a_meaning_and_a_rule() -> None:
    used = {word for action in SYSTEM.actions.values() for word in action.circumstance_names}
    used |= {word for kind in SYSTEM.actions for word in SYSTEM.ad_hoc_circumstances(kind)}
    assert used == set(SYSTEM.circumstances)
    for circumstance in SYSTEM.circumstances.values():
        assert circumstance.meaning
        assert BOOK.get(circumstance.rule)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("mm-5.4", "MM-5.4"),
        ("MM-5.4 Adjustments", "MM-5.4"),
        ("ammunition", "MM-3.9"),
        ("amunition", "MM-3.9"),
        ("gatling", "MM-3.7"),
        ("bug out", "MM-A.1"),
        ("imam", "MM-A.2"),
        ("zareba", "MM-7"),
        ("pursuit", "MM-4.6"),
        ("overlaps", "MM-4.4"),
        ("last stand", "MM-3.10"),
        ("slink off", "MM-5.7"),
        ("bad going", "MM-2.9"),
        ("generals", "MM-6"),
        ("victory", "MM-V"),
    ],
)
def test_a_rule_is_found_by_number_name_or_misspelt_words(words: str, number: str) -> None:
    assert number in [rule.number for rule in BOOK.search(words)[:3]]


def test_nothing_is_found_for_nonsense() -> None:
    assert BOOK.search("qqqq xxxx zzzz") == ()


def test_options_are_named_in_words() -> None:
    for option in SYSTEM.option_fields:
        if "_" in option:
            assert not any(option in rule.text for rule in BOOK.rules)
            assert not any(option in chart.note for chart in SYSTEM.charts.values())
