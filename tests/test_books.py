"""Rule books of every system: cited rule numbers exist, and tables, options and words have their rule."""

import ast
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.core.data_files import read_model
from rules.core.rule_words import RuleWords, SearchWords, load_common_words
from rules.core.ruleset import Ruleset
from rules.core.tabletop.options import TableOptions
from rules.registry import rulesets


@pytest.fixture(params=rulesets().values(), ids=lambda system: system.id)
def system(request: pytest.FixtureRequest) -> Ruleset[Any]:
    """Each rule system."""
    param: Ruleset[Any] = request.param
    return param


def list_cited_numbers(system: Ruleset[Any]) -> set[str]:
    """Return every rule number in the system's code (docstrings included) and data."""
    number = re.compile(rf"\b{system.book.rules[0].number.partition('-')[0]}-[0-9A-Z]+(?:\.[0-9A-Z]+a?)?\b")
    home, words = Path(rules.__file__).parent / system.id, []
    for file in home.rglob("*.py"):
        if "tests" not in file.parts:
            nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            words += [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words += [file.read_text(encoding="utf-8") for file in home.rglob("*.toml")]
    return {citation for text in words for citation in number.findall(text)}


def test_every_number_cited_is_in_the_book_once(system: Ruleset[Any]) -> None:
    numbers = [rule.number for rule in system.book.rules]
    assert len(set(numbers)) == len(numbers)
    chapters = {number.partition(".")[0] for number in numbers}
    assert list_cited_numbers(system) <= {*numbers, *chapters}
    assert all(rule.text for rule in system.book.rules)


def test_a_ruling_stands_apart_from_printed_text(system: Ruleset[Any]) -> None:
    heading = re.compile(r"(?:^|[.;] )(?:Rulings?|House|Found|Printed)(?: \([^)]*\))?: ")
    assert [rule.number for rule in system.book.rules for _, text in rule.parts if heading.search(text)] == []
    for rule in system.book.rules:
        marks = [mark for mark, _ in rule.parts]
        assert len(set(marks)) == len(marks), rule.number


def test_every_table_and_option_stands_at_its_rule(system: Ruleset[Any]) -> None:
    for rule in system.book.rules:
        assert set(rule.options) <= set(system.option_fields), rule.number
    assert {chart for rule in system.book.rules for chart in rule.charts} == set(system.charts)
    for option in system.option_fields.keys() - TableOptions.model_fields:
        extra = system.option_fields[option].json_schema_extra
        assert option in system.book.get(extra["rule"]).options, option


def test_every_row_of_a_table_cites_a_rule(system: Ruleset[Any]) -> None:
    for chart in system.charts.values():
        for row in chart.rows:
            assert system.book.get(row.rule)


def test_every_circumstance_has_a_meaning_and_a_rule(system: Ruleset[Any]) -> None:
    used = {word for action in system.actions.values() for word in action.circumstance_names}
    used |= {word for kind in system.actions for word in system.ad_hoc.circumstances(kind)}
    assert set(system.circumstances) in (used, set()), "of all of them, or they are no part of the rules"
    for circumstance in system.circumstances.values():
        assert circumstance.meaning
        assert system.book.get(circumstance.rule)


def test_nothing_is_found_for_nonsense(system: Ruleset[Any]) -> None:
    assert system.rule_index.find_rules("qqqq xxxx zzzz") == []


def test_options_are_named_in_words(system: Ruleset[Any]) -> None:
    for option in system.option_fields:
        if "_" in option:
            assert not any(option in rule.whole_text for rule in system.book.rules), option
            assert not any(option in chart.note for chart in system.charts.values()), option


@pytest.mark.parametrize("file", sorted(Path(rules.__file__).parent.glob("*/data/rule_words.toml")), ids=str)
def test_a_phrase_means_one_thing_in_a_file_of_words(file: Path) -> None:
    all_words = load_common_words()
    words = read_model(RuleWords, file)
    table = SearchWords([RuleWords(skipped=all_words.skipped)])
    phrases = [{tuple(table.rule_text_terms(phrase)) for phrase in synonyms} for synonyms in words.same]
    assert all(phrase for synonyms in phrases for phrase in synonyms)
    assert [(first & second) for first, second in combinations(phrases, 2) if first & second] == []
    assert not {*words.skipped} & {*words.weak}
