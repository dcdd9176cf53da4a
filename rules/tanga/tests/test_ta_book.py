"""Tests that every rule is in the rule book with its mark, table and numbers, and can be found."""

import re

import pytest

from rules.core.book import load_book
from rules.core.fields import value_in_words
from rules.core.model import Mark
from rules.tanga.charts import all_charts
from rules.tanga.options import TangaOptions
from rules.tanga.ruleset import Tanga

BOOK, CHARTS, OPTIONS = load_book("rules.tanga"), all_charts(), TangaOptions.model_fields
RULES = Tanga().rule_index
EVERY_NUMBER = [
    *("TA-0", "TA-0.1", "TA-0.2", "TA-0.3"),
    *(f"TA-{n}" for n in range(1, 9)),
    *("TA-9", "TA-9.1", "TA-9.A", "TA-9.B", "TA-9.C", "TA-9.5", "TA-9.6", "TA-9.7"),
    *("TA-H", *(f"TA-H.{n}" for n in range(12))),
]


def test_every_rule_of_the_page_is_in_the_book_once_and_in_order() -> None:
    assert [rule.number for rule in BOOK.rules] == EVERY_NUMBER
    assert all(rule.text for rule in BOOK.rules)


def test_every_table_stands_at_its_rule() -> None:
    assert {chart for rule in BOOK.rules for chart in rule.charts} == set(CHARTS)
    for chart in CHARTS.values():
        assert chart.id in BOOK.get(chart.rule).charts


@pytest.mark.parametrize("rule", BOOK.rules, ids=lambda rule: rule.number)
def test_only_the_house_game_is_marked_house(rule) -> None:
    assert (rule.mark is Mark.HOUSE) is rule.number.startswith("TA-H")


@pytest.mark.parametrize(
    ("option", "number"),
    [
        ("least_tcf", "TA-4"),
        ("least_melee", "TA-5"),
        ("rifle_range", "TA-H.5"),
        ("black_powder_range", "TA-H.5"),
        ("machine_gun_range", "TA-H.5"),
        ("artillery_range", "TA-H.5"),
        ("standing_within", "TA-H.6"),
        ("advance_on", "TA-H.7"),
        ("rally_with_leader", "TA-H.8"),
        ("rally_alone", "TA-H.8"),
        ("rout_hexes", "TA-H.9"),
        ("retreat_hexes", "TA-9"),
        ("ro_kept_beyond", "TA-9.C"),
    ],
)
def test_rule_text_has_the_default_of_its_option(option: str, number: str) -> None:
    assert re.search(rf"\b{value_in_words(OPTIONS[option].default)}\b", BOOK.get(number).whole_text)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("entry hex", "TA-9.A"),
        ("oportunity fire", "TA-H.6"),
        ("standing order", "TA-H.6"),
        ("dummy", "TA-1"),
        ("stevedores", "TA-8"),
        ("landing", "TA-3"),
        ("black powder", "TA-H.5"),
        ("target", "TA-4"),
        ("stacking", "TA-H.3"),
        ("line of sight", "TA-H.4"),
        ("recovery", "TA-7"),
        ("victory", "TA-H.11"),
        ("dig in", "TA-H.8"),
    ],
)
def test_a_rule_is_found_by_words_even_misspelt(words: str, number: str) -> None:
    assert number in [hit.rule.number for hit in RULES.find_rules(words)[:3]]
