"""The rule texts of a system in our own words, found by number. Printed text and rulings are kept apart."""

import re
from functools import cached_property

from pydantic import Field

from .data_files import data_files_ending, read_model
from .model import Cite, Mark, Model
from .typed_text import normalize_text

SENTENCE_END = re.compile(r"(?<=[.!?”])\s+(?=[A-Z“\d])|\n+")
INLINE_MARK = re.compile(r"\((?:ruling|house|found|printed)s?\b[^)]*\)")
"""A mark within a sentence for the source of one part, such as `(ruling)`."""
NOT_A_NUMBER = re.compile(r"[\s-]+")


def normalize_number(number: str) -> str:
    """Return a rule number in short form: `MM-5.4`, `mm 5.4` and `mm5.4` all become `mm5.4`."""
    return NOT_A_NUMBER.sub("", normalize_text(number))


class Passage(Model):
    """A sentence or a part of a long sentence, with the mark for its source."""

    text: str
    mark: Mark


class Rule(Model):
    """One numbered rule, with ids of its charts, names of its options, and keywords (`words`) for the search.

    `text` has the rule's own `mark`; `printed`, `found`, `rulings` and `house` add text from other sources.
    """

    number: str
    title: str
    mark: Mark
    text: str
    printed: str = ""
    found: str = ""
    rulings: str = ""
    house: str = ""
    charts: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def cite(self) -> Cite:
        """Return the rule number and mark as a citation."""
        return Cite(rule=self.number, mark=self.mark)

    @property
    def name(self) -> str:
        """Return number and title, as suggested during typing: `MM-5.4 Adjustments`."""
        return f"{self.number} {self.title}"

    @property
    def chapter(self) -> str:
        """Return the number of the rule's chapter: `MM-5` for MM-5.4 and for MM-5 itself."""
        return self.number.partition(".")[0]

    @cached_property
    def parts(self) -> tuple[tuple[Mark, str], ...]:
        """Return the texts of the rule with their marks. The rule's own text comes first."""
        additions = ((Mark.TEXT, self.printed), (Mark.FOUND, self.found), (Mark.RULING, self.rulings))
        marked_texts = ((self.mark, self.text), *additions, (Mark.HOUSE, self.house))
        return tuple((mark, text.strip()) for mark, text in marked_texts if text.strip())

    @cached_property
    def whole_text(self) -> str:
        """Return all texts of the rule, without marks."""
        return " ".join(text for _, text in self.parts)

    @cached_property
    def sentences(self) -> tuple[Passage, ...]:
        """Return the sentences of all the rule's texts, in order."""
        return tuple(
            Passage(text=sentence, mark=mark) for mark, text in self.parts for sentence in SENTENCE_END.split(text)
        )

    def has_full_number(self, topic: str) -> bool:
        """Whether `topic` is the rule's whole number, with or without the system's letters: `MM 5.4`, `5.4`."""
        _, hyphen, of_the_system = self.number.partition("-")
        return normalize_number(topic) in (
            normalize_number(self.number),
            *([normalize_number(of_the_system)] if hyphen else ()),
        )

    def has_number_or_name(self, topic: str) -> bool:
        """Whether the rule's number begins with `topic`, or `topic` is the rule's full name."""
        short_number = normalize_number(topic)
        is_beginning = bool(short_number) and normalize_number(self.number).startswith(short_number)
        return is_beginning or normalize_text(self.name) == normalize_text(topic)


class Book(Model):
    """All rules of one system, in order."""

    rules: tuple[Rule, ...] = Field(default=(), alias="rule")

    def get(self, number: str) -> Rule:
        """Return the rule with that number, in upper or lower case. Raises KeyError."""
        for rule in self.rules:
            if normalize_text(rule.number) == normalize_text(number):
                return rule
        raise KeyError(number)

    def rules_below(self, rule: Rule) -> tuple[Rule, ...]:
        """Return the rules below a heading: MM-5.1, MM-5.2 … below MM-5."""
        return tuple(other for other in self.rules if other.number.startswith(f"{rule.number}."))


def load_book(package: str) -> Book:
    """Return one book of all the package's chapters (`*book.toml`), in order of file names."""
    return Book(
        rules=tuple(
            rule for chapter in data_files_ending(package, "book.toml") for rule in read_model(Book, chapter).rules
        )
    )
