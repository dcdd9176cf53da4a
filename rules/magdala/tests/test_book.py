"""The rule book: it contains every rule of the rule page, and its search finds them."""

import pytest

from rules.magdala.ruleset import Magdala

BOOK, RULES = Magdala().book, Magdala().rule_index
SECTIONS = {
    "MM-2": [*(f"MM-2.{n}" for n in range(1, 10)), "MM-2.7a"],
    "MM-3": [f"MM-3.{n}" for n in range(1, 11)],
    "MM-4": [f"MM-4.{n}" for n in range(1, 7)],
    "MM-5": [f"MM-5.{n}" for n in range(1, 11)],
}
EVERY_NUMBER = ["MM-1", "MM-6", "MM-7", "MM-A", *SECTIONS, *(n for numbers in SECTIONS.values() for n in numbers)]


@pytest.mark.parametrize("number", EVERY_NUMBER)
def test_every_rule_of_the_page_is_in_the_book(number: str) -> None:
    assert BOOK.get(number).text


def test_the_chapters_are_in_order() -> None:
    heads = [rule.number for rule in BOOK.rules if "." not in rule.number]
    assert heads == ["MM-1", "MM-2", "MM-3", "MM-4", "MM-5", "MM-6", "MM-7", "MM-A", "MM-V"]


@pytest.mark.parametrize(
    ("words", "number"),
    [
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
def test_a_rule_is_found_by_words_even_misspelt(words: str, number: str) -> None:
    assert number in [hit.rule.number for hit in RULES.find_rules(words)[:3]]
