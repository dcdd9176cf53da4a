"""The words of conditions in orders, as data (`data/condition_words.toml`), and patterns that find them."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property

from pydantic import Field

from . import naming
from .data_files import read_data_file
from .model import Model
from .typed_text import NUMBER, pattern_of_any

FILE = "condition_words.toml"


class AdjectiveSynonyms(Model):
    """Synonyms for the state of a unit. They mean the first adjective in `means` that the system knows."""

    words: tuple[str, ...]
    means: tuple[str, ...]


class ConditionWords(Model):
    """The words of conditions. Each field lists the spellings of one part of a condition."""

    opening: tuple[str, ...] = Field(alias="if")
    excluding: tuple[str, ...] = Field(alias="unless")
    following: tuple[str, ...] = Field(alias="then")
    joining: tuple[str, ...] = Field(alias="and")
    enemy: tuple[str, ...]
    nearest: tuple[str, ...]
    itself: tuple[str, ...]
    pronouns: tuple[str, ...]
    target: tuple[str, ...]
    verbs: tuple[str, ...]
    within: tuple[str, ...]
    sight: tuple[str, ...]
    seeing: tuple[str, ...]
    contact: tuple[str, ...]
    contact_by_enemy: tuple[str, ...]
    chance: tuple[str, ...]
    at_least: tuple[str, ...]
    below: tuple[str, ...]
    adjectives: tuple[AdjectiveSynonyms, ...] = Field(alias="state")

    @property
    def all_words(self) -> Sequence[str]:
        """Return every spelling of every part of a condition."""
        parts = (*self.opening, *self.excluding, *self.following, *self.joining, *self.enemy, *self.nearest)
        aspects = (*self.within, *self.sight, *self.seeing, *self.contact, *self.chance, *self.at_least, *self.below)
        states = (word for synonyms in self.adjectives for word in (*synonyms.words, *synonyms.means))
        return (*parts, *aspects, *self.itself, *self.pronouns, *self.target, *self.verbs, *states)

    @cached_property
    def opener_pattern(self) -> re.Pattern[str]:
        """Pattern of words that begin a condition, such as `if`. Its group `unless` matches negating words."""
        return _compile(
            rf"(?<![\w-])(?:(?P<unless>{pattern_of_any(self.excluding)})|{pattern_of_any(self.opening)})(?=\s)(?!\s*:)",
        )

    @cached_property
    def then_pattern(self) -> re.Pattern[str]:
        """Pattern of words such as `then`, between an order and the next order."""
        return _compile(rf"{_BETWEEN}(?:{pattern_of_any(self.following)})\s+")

    @cached_property
    def leading_then_pattern(self) -> re.Pattern[str]:
        """Pattern of words such as `then` at the beginning of a line."""
        return _compile(rf"^(?:{pattern_of_any(self.following)}),?\s+")

    @cached_property
    def conjunction_pattern(self) -> re.Pattern[str]:
        """Pattern of the words between two conditions, such as `and`."""
        return _compile(rf"{_BETWEEN}(?:{pattern_of_any(self.joining)})\s+")

    @cached_property
    def distance_pattern(self) -> re.Pattern[str]:
        """Pattern of conditions such as `an enemy is within 12" of Amarar`."""
        length = r"(?P<length>\"|''|in\.?|inch(?:es)?|hex(?:es)?)?"
        return _compile(
            rf"(?P<who>.*?)\s*{self.optional_verb_pattern}{_NOT}(?:{pattern_of_any(self.within)})\s+(?P<number>{NUMBER}|a|one)\s*{length}"
            r"(?:\s+away)?(?:\s+(?:of|from|to)\s+(?P<near>.+))?"
        )

    @cached_property
    def visible_pattern(self) -> re.Pattern[str]:
        """Pattern of conditions such as `Amarar are in sight`."""
        return _compile(rf"(?P<who>.+?)\s+{self.optional_verb_pattern}{_NOT}(?:{pattern_of_any(self.sight)})")

    @cached_property
    def sees_pattern(self) -> re.Pattern[str]:
        """Pattern of conditions such as `it sees Amarar`."""
        itself = rf"(?:(?:{pattern_of_any((*self.itself, *self.pronouns))})\s+)?"
        return _compile(
            rf"{itself}(?:(?P<no>do(?:es)? not|cannot|can not)\s+)?(?:{pattern_of_any(self.seeing)})\s+(?P<who>.+)"
        )

    @cached_property
    def in_contact_pattern(self) -> re.Pattern[str]:
        """Pattern of conditions such as `charged` and `Marines are charged`."""
        return _compile(rf"(?:(?P<who>.+?)\s+)??{self.optional_verb_pattern}{_NOT}(?:{pattern_of_any(self.contact)})")

    @cached_property
    def chance_pattern(self) -> re.Pattern[str]:
        """Pattern of conditions such as `the chance is at least 50%`, and `50% or more`."""
        least = rf"(?:{pattern_of_any(self.at_least)})\s*(?P<least>{NUMBER}){_PERCENT}"
        more = rf"(?P<more>{NUMBER}){_PERCENT}\s+or\s+(?:more|better|higher)"
        less = rf"(?:{pattern_of_any(self.below)})\s*(?P<less>{NUMBER}){_PERCENT}"
        return _compile(
            rf"(?:{pattern_of_any(self.chance)})\s+{self.optional_verb_pattern}(?:of\s+)?(?:{least}|{more}|{less})"
        )

    @cached_property
    def syntax_words(self) -> frozenset[str]:
        """Words of conditions that make a unit's name ambiguous if it contains them."""
        parts = (*self.verbs, *self.within, *self.sight, *self.seeing, *self.contact, *self.enemy, *self.target)
        return frozenset(
            word for part in (*parts, "not", *self.itself, *self.pronouns) for word in naming.words_of(part)
        ) - {"the", "a", "of"}

    @property
    def optional_verb_pattern(self) -> str:
        """Pattern of an optional verb with the space after it."""
        return rf"(?:(?:{pattern_of_any(self.verbs)})\s+)?"


_BETWEEN = r"(?<!\s)(?:\s*,\s*|\s+)"
"""A comma or spaces. The match must not begin inside a run of spaces: that would make long runs slow."""
_NOT = r"(?:(?P<no>not)\s+)?"
_PERCENT = r"\s*(?:%|percent|per\s+cent)"


@cache
def load_condition_words() -> ConditionWords:
    """Return the words of conditions. Raises ValidationError for an unknown key in the file."""
    return read_data_file(ConditionWords, "rules.core", FILE)


@cache
def adjective_pattern(
    words: ConditionWords, adjectives: tuple[str, ...]
) -> tuple[re.Pattern[str], Mapping[tuple[str, ...], str]]:
    """Return a pattern of conditions such as `Marines are halted`, and the adjective that each spelling means."""
    meanings: dict[str, str] = {}
    for synonyms in words.adjectives:
        for meaning in [word for word in synonyms.means if word in adjectives][:1]:
            meanings = {**dict.fromkeys(synonyms.words, meaning), **meanings}
    meanings |= {adjective: adjective for adjective in adjectives}
    pattern = _compile(rf"(?:(?P<who>.+?)\s+)??{words.optional_verb_pattern}{_NOT}(?P<said>{pattern_of_any(meanings)})")
    return pattern, {naming.words_of(spelling): meaning for spelling, meaning in meanings.items()}


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
