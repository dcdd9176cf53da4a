"""The book contains every printed rule, and searches find each rule."""

import pytest

from rules.charge.ruleset import Charge

BOOK, RULES = Charge().book, Charge().rule_index
EVERY_NUMBER = [
    "CH-1", *(f"CH-1.{n}" for n in range(1, 4)),
    "CH-F",
    "CH-2", *(f"CH-2.{n}" for n in range(1, 8)),
    "CH-3", *(f"CH-3.{n}" for n in range(1, 5)),
    "CH-4", *(f"CH-4.{n}" for n in range(1, 7)),
    "CH-5",
    "CH-S",
]  # fmt: skip


def test_every_rule_of_the_page_is_in_the_book_in_order() -> None:
    assert [rule.number for rule in BOOK.rules] == EVERY_NUMBER


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("lane", "CH-2.1"),
        ("bridge", "CH-1.2"),
        ("column", "CH-F"),
        ("answering fire", "CH-2.7"),
        ("answring", "CH-2.7"),
        ("mixed pair", "CH-4.4"),
        ("army morale", "CH-5"),
    ],
)
def test_a_rule_is_found_by_words_even_misspelt(words: str, number: str) -> None:
    assert number in [hit.rule.number for hit in RULES.find_rules(words)[:3]]
