"""The rule texts of a system in our own words, found by number, name or misspelt words."""

import tomllib
from importlib.resources.abc import Traversable

from pydantic import Field
from rapidfuzz import fuzz, process, utils

from .model import Cite, Mark, Model

GOOD_ENOUGH = 60.0
"""The fuzzy score under which a topic is not offered as an answer."""


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
        titles = {r.number: f"{r.title} {' '.join(r.words)}" for r in self.rules}
        texts = {r.number: r.text for r in self.rules}
        scores: dict[str, float] = {}
        for haystack, weight in ((titles, 1.0), (texts, 0.8)):
            for _, score, key in process.extract(
                wanted, haystack, scorer=fuzz.WRatio, processor=utils.default_process, limit=None
            ):
                scores[key] = max(scores.get(key, 0.0), score * weight)
        good = sorted((r for r in self.rules if scores[r.number] >= GOOD_ENOUGH), key=lambda r: -scores[r.number])
        return tuple(good[:limit])


def load_book(file: Traversable) -> Book:
    """The book of a TOML file. Raises ValidationError on an unknown key."""
    return Book.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
