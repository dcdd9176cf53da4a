"""The rule texts of a system in our own words, found by number, name or misspelt words."""

import re
from collections.abc import Collection, Sequence

from pydantic import Field
from rapidfuzz import fuzz

from .data_files import files_ending, read_model
from .model import Cite, Mark, Model
from .naming import all_begin_a_word, words_of
from .typed_text import exact_form

GOOD_ENOUGH = 82.0
"""Minimum similarity (0-100) for accepting a misspelt word."""

NUMBER = re.compile(r"[a-z]{2}(?:[a-z]\.?)?\d[\d.]*[a-z]?")
"""Pattern of a rule number in `in_short` form; such a topic matches only numbers."""

MatchQuality = tuple[int, float]
"""Quality of a match: test number (0 is strictest), and rank within the test."""


def shorten_number(number: str) -> str:
    """Return a rule number in short form: `MM-5.4`, `mm 5.4` and `mm5.4` all become `mm5.4`."""
    return re.sub(r"[\s-]+", "", exact_form(number))


class Rule(Model):
    """One numbered rule: title, text, ids of its charts, names of its options, and words to find the rule by."""

    number: str
    title: str
    mark: Mark
    text: str
    charts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def cite(self) -> Cite:
        """Return the rule number and mark as a citation."""
        return Cite(rule=self.number, mark=self.mark)

    @property
    def name(self) -> str:
        """Return number and title, as completion shows them: `MM-5.4 Adjustments`."""
        return f"{self.number} {self.title}"

    def match(self, topic: str) -> MatchQuality | None:
        """Return how well the rule matches a topic, lower is better; None for no match.

        The test is 0 for number or name, 1 for the title, 2 for words to find it by (the first is best), 3 for words of
        the title, 4 for words of the title or to find it by, 5 for words of the text, 6 for misspelt words of test 4.
        """
        typed, title = words_of(topic), words_of(self.title)
        if self.is_numbered(topic):
            return 0, 0.0
        if not typed or NUMBER.fullmatch(shorten_number(topic)):
            return None
        found_by = [words_of(phrase) for phrase in self.words]
        known = (*title, *(word for phrase in found_by for word in phrase))
        tests = (
            (1, typed == title, 0),
            (2, typed in found_by, found_by.index(typed) if typed in found_by else 0),
            (3, all_begin_a_word(typed, title), len(title)),
            (4, all_begin_a_word(typed, known), len(title)),
            (5, set(typed) <= {*known, *words_of(self.text)}, 0),
        )
        passed = next(((number, float(rank)) for number, holds, rank in tests if holds), None)
        return passed or self._match_misspelt(typed, known)

    def is_number(self, topic: str) -> bool:
        """Whether the topic is the rule's whole number, with or without the letters of the system: `MM 5.4`, `5.4`."""
        _, hyphen, of_the_system = self.number.partition("-")
        return shorten_number(topic) in (
            shorten_number(self.number),
            *([shorten_number(of_the_system)] if hyphen else ()),
        )

    def is_numbered(self, topic: str) -> bool:
        """Whether the topic is the beginning of the rule's number, or the rule's full name."""
        short = shorten_number(topic)
        begins = bool(short) and shorten_number(self.number).startswith(short)
        return begins or exact_form(self.name) == exact_form(topic)

    def _match_misspelt(self, typed: Sequence[str], known: Collection[str]) -> MatchQuality | None:
        """Return the match quality by spelling similarity of the least similar word, or None."""
        likeness = min(max(fuzz.ratio(one, word) for word in known) for one in typed)
        return (6, -likeness) if likeness >= GOOD_ENOUGH else None


class Book(Model):
    """All rules of one system, in order."""

    rules: tuple[Rule, ...] = Field(default=(), alias="rule")

    def get(self, number: str) -> Rule:
        """Return the rule with that number, in upper or lower case. Raises KeyError."""
        for rule in self.rules:
            if exact_form(rule.number) == exact_form(number):
                return rule
        raise KeyError(number)

    def search(self, words: str, limit: int = 25) -> tuple[Rule, ...]:
        """Return the rules that match `words`, best first; without words, the first rules of the book."""
        if not words.strip():
            return self.rules[:limit]
        return tuple(rule for _, rule in self.rank_matches(words)[:limit])

    def rank_matches(self, topic: str) -> list[tuple[MatchQuality, Rule]]:
        """Return matching rules with their quality, best first; an exact number excludes all others."""
        found = [(answer, rule) for rule in self.rules if (answer := rule.match(topic)) is not None]
        best = sorted(found, key=lambda pair: pair[0])
        return [pair for pair in best if pair[0][0] == 0] or best


def load_books(package: str) -> Book:
    """Return the chapters `*book.toml` of a package's data as one book, in the order of their file names.

    Raises ValidationError for an unknown key.
    """
    return Book(
        rules=tuple(rule for chapter in files_ending(package, "book.toml") for rule in read_model(Book, chapter).rules)
    )
