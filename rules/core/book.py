"""The rule texts of a system in our own words, found by number, name or misspelt words."""

import re
from collections.abc import Collection, Sequence

from pydantic import Field
from rapidfuzz import fuzz

from .data_files import ending, read
from .model import Cite, Mark, Model
from .naming import all_in, words_of

GOOD_ENOUGH = 82.0
"""Minimum similarity (0-100) for accepting a misspelt word."""

NUMBER = re.compile(r"[a-z]{2}(?:[a-z]\.?)?\d[\d.]*[a-z]?")
"""Pattern of a rule number in `in_short` form; such a topic matches only numbers."""

Answer = tuple[int, float]
"""Quality of a match: test number (0 is strictest), and rank within the test."""


def in_short(number: str) -> str:
    """A rule's number as anybody may write it: `MM-5.4`, `mm 5.4` and `mm5.4` are all `mm5.4`."""
    return re.sub(r"[\s-]+", "", number.casefold())


class Rule(Model):
    """One numbered rule: title, text, and what belongs to it (chart ids, names of options, words to find it by)."""

    number: str
    title: str
    mark: Mark
    text: str
    charts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def cite(self) -> Cite:
        """Rule number and mark."""
        return Cite(rule=self.number, mark=self.mark)

    @property
    def name(self) -> str:
        """`MM-5.4 Adjustments`, as completion shows it."""
        return f"{self.number} {self.title}"

    def answers(self, topic: str) -> Answer | None:
        """Return the match quality of the rule for a topic, lower is better; None for no match.

        By its number or name (0), its title (1), a word it is found by, the first being the best (2), words of its
        title (3), of those and of what it is found by (4), of its text (5), or by such words misspelt (6).
        """
        typed, title = words_of(topic), words_of(self.title)
        if self.is_numbered(topic):
            return 0, 0.0
        if not typed or NUMBER.fullmatch(in_short(topic)):
            return None
        found_by = [words_of(phrase) for phrase in self.words]
        known = (*title, *(word for phrase in found_by for word in phrase))
        tests = (
            (1, typed == title, 0),
            (2, typed in found_by, found_by.index(typed) if typed in found_by else 0),
            (3, all_in(typed, title), len(title)),
            (4, all_in(typed, known), len(title)),
            (5, set(typed) <= {*known, *words_of(self.text)}, 0),
        )
        passed = next(((number, float(rank)) for number, holds, rank in tests if holds), None)
        return passed or self._misspelt(typed, known)

    def bears(self, topic: str) -> bool:
        """Whether the topic is its whole number, with or without the letters of its system: `MM 5.4`, `5.4`."""
        _, hyphen, of_the_system = self.number.partition("-")
        return in_short(topic) in (in_short(self.number), *([in_short(of_the_system)] if hyphen else ()))

    def is_numbered(self, topic: str) -> bool:
        """Whether the topic is a prefix of the rule's number, or its full name."""
        short = in_short(topic)
        begins = bool(short) and in_short(self.number).startswith(short)
        return begins or self.name.casefold() == topic.strip().casefold()

    def _misspelt(self, typed: Sequence[str], known: Collection[str]) -> Answer | None:
        """Return the match quality by spelling similarity of the least similar word, or None."""
        likeness = min(max(fuzz.ratio(one, word) for word in known) for one in typed)
        return (6, -likeness) if likeness >= GOOD_ENOUGH else None


class Book(Model):
    """All rules of one system, in order."""

    rules: tuple[Rule, ...] = Field(default=(), alias="rule")

    def get(self, number: str) -> Rule:
        """The rule of that number, in either case. Raises KeyError."""
        for rule in self.rules:
            if rule.number.casefold() == number.strip().casefold():
                return rule
        raise KeyError(number)

    def search(self, words: str, limit: int = 25) -> tuple[Rule, ...]:
        """Rules that answer to `words`, best first; without words the first there are."""
        if not words.strip():
            return self.rules[:limit]
        return tuple(rule for _, rule in self.answering(words)[:limit])

    def answering(self, topic: str) -> list[tuple[Answer, Rule]]:
        """Return matching rules with their quality, best first; an exact number excludes all others."""
        found = [(answer, rule) for rule in self.rules if (answer := rule.answers(topic)) is not None]
        best = sorted(found, key=lambda pair: pair[0])
        return [pair for pair in best if pair[0][0] == 0] or best


def load_books(package: str) -> Book:
    """The chapters `*book.toml` of a package's data as one book, in the order of their names.

    Raises ValidationError on an unknown key.
    """
    return Book(rules=tuple(rule for chapter in ending(package, "book.toml") for rule in read(Book, chapter).rules))
