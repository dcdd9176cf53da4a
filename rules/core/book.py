"""The rule texts of a system in our own words, found by number, name or misspelt words."""

import tomllib
from importlib.resources.abc import Traversable

from pydantic import Field
from rapidfuzz import fuzz, process, utils

from .data_files import ending
from .model import Cite, Mark, Model

GOOD_ENOUGH = 60.0
"""The fuzzy score under which a topic is not offered as an answer."""
TEXT_COUNTS = 0.8
"""What a likeness in a rule's text counts, against one in its title."""


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

    def answers(self, words: str) -> tuple[float, float]:
        """How well the rule answers to misspelt words, by title, words or text; and how like them its title is."""
        found = process.extract(words, (self.title, *self.words), scorer=fuzz.WRatio, processor=utils.default_process)
        in_text = fuzz.WRatio(words, self.text, processor=utils.default_process) * TEXT_COUNTS
        score = max(in_text, *(score for _, score, _ in found))
        return score, fuzz.ratio(words, self.title, processor=utils.default_process)


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
        """Rules that answer to `words`, best first: by number, then by title, words and text."""
        wanted = words.strip().casefold()
        if not wanted:
            return self.rules[:limit]
        numbered = tuple(r for r in self.rules if r.number.casefold().startswith(wanted) or r.name.casefold() == wanted)
        if numbered:
            return numbered[:limit]
        scores = {rule.number: rule.answers(wanted) for rule in self.rules}
        good = (rule for rule in self.rules if scores[rule.number][0] >= GOOD_ENOUGH)
        return tuple(sorted(good, key=lambda rule: scores[rule.number], reverse=True)[:limit])


def load_book(file: Traversable) -> Book:
    """The book of a TOML file. Raises ValidationError on an unknown key."""
    return Book.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))


def load_books(package: str) -> Book:
    """The chapters `*book.toml` of a package's data as one book, in the order of their names. Raises as `load_book`."""
    return Book(rules=tuple(rule for chapter in ending(package, "book.toml") for rule in load_book(chapter).rules))
