"""The rule book has every cited number, table and option."""

import ast
import re
from pathlib import Path

import pytest

from rules.core.model import Mark
from rules.core.options import Options
from rules.great_war.ruleset import GreatWar

SYSTEM = GreatWar()
BOOK = SYSTEM.book
RULES = SYSTEM.rule_index
HERE = Path(__file__).resolve().parent.parent
NUMBER = re.compile(r"GW-[0-9]+(?:\.[0-9]+)?")

EVERY_NUMBER = [
    "GW-1",
    *(f"GW-1.{n}" for n in range(1, 7)),
    "GW-2",
    "GW-3",
    *(f"GW-3.{n}" for n in range(1, 5)),
    "GW-4",
    "GW-5",
    *(f"GW-5.{n}" for n in range(1, 3)),
    "GW-6",
    *(f"GW-6.{n}" for n in range(1, 5)),
    "GW-7",
]


def cited_numbers() -> set[str]:
    """Return the rule numbers in strings of the code (including docstrings) and in the data."""
    numbers = set()
    for file in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                numbers.update(NUMBER.findall(node.value))
    for file in (HERE / "data").glob("*.toml"):
        numbers.update(NUMBER.findall(file.read_text(encoding="utf-8")))
    return numbers


@pytest.mark.parametrize("number", EVERY_NUMBER)
def test_every_rule_of_the_page_is_in_the_book(number: str) -> None:
    assert BOOK.get(number).text


@pytest.mark.parametrize("number", sorted(cited_numbers()))
def test_every_number_cited_is_in_the_book(number: str) -> None:
    assert BOOK.get(number)


def test_numbers_are_given_once_and_in_order() -> None:
    assert [rule.number for rule in BOOK.rules] == EVERY_NUMBER


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
        assert row.mark in Mark


def test_every_circumstance_has_a_meaning_and_a_rule() -> None:
    used = {word for action in SYSTEM.actions.values() for word in action.circumstance_names}
    used |= {word for kind in SYSTEM.actions for word in SYSTEM.ad_hoc.circumstances(kind)}
    assert used == set(SYSTEM.circumstances)
    for circumstance in SYSTEM.circumstances.values():
        assert circumstance.meaning
        assert BOOK.get(circumstance.rule)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("wire", "GW-3.1"),
        ("trench", "GW-7"),
        ("ditched", "GW-3.4"),
        ("tankshreken", "GW-5.2"),
        ("tankschreken", "GW-5.2"),
        ("retreat", "GW-1.4"),
        ("medals", "GW-1.5"),
        ("bonus combat", "GW-6.3"),
        ("line of sight", "GW-4"),
    ],
)
def test_a_rule_is_found_by_words_even_misspelt(words: str, number: str) -> None:
    assert number in [hit.rule.number for hit in RULES.find_rules(words)[:3]]


def test_nothing_is_found_for_nonsense() -> None:
    assert RULES.find_rules("qqqq xxxx zzzz") == []


def test_options_are_named_in_words() -> None:
    for option in SYSTEM.option_fields:
        if "_" in option:
            assert not any(option in rule.whole_text for rule in BOOK.rules)
            assert not any(option in chart.note for chart in SYSTEM.charts.values())
