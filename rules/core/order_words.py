"""The words in which players write orders, as data: phrases for actions, and names of groups of units.

The words for all systems are in `rules/core/data/order_words.toml`. A system's own file of that name adds words; its
phrases replace common phrases with the same words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from pydantic import Field

from . import naming
from .agreement import NounForm, inflect_words
from .data_files import read_model
from .model import Model
from .orders import DEFAULT_KIND, HOLD
from .wording import as_words

FILE = "order_words.toml"
REST = "{}"
"""Placeholder for the words in the gap of a phrase (`give {} a volley`) or, in `OrderPhrase.to`, after the phrase."""
SPELLED = {REST: r"(?P<rest>\S.*?)", "and": r"(?:and|&|\+)"}
"""The patterns of words in phrases that match more than one spelling."""


class OrderPhrase(Model):
    """Words by which players order an action, and their meaning: kind, destination (`to`), and circumstances.

    With `keeps`, the words are also part of the destination. A phrase with `advice` names something that the system
    does not have; the advice says what to write instead. With `by_default`, circumstances named in the order (`deploy
    in column`) replace those of the phrase.
    """

    words: tuple[str, ...] = Field(min_length=1)
    kind: str = ""
    to: str = REST
    circumstances: tuple[str, ...] = Field(default=(), alias="with")
    classes: frozenset[str] = frozenset()
    """Classes of units to which the phrase applies; empty for all units."""
    keeps: bool = False
    by_default: bool = False
    advice: str = ""


NO_PHRASE = OrderPhrase(words=(DEFAULT_KIND,), kind=DEFAULT_KIND)
"""The meaning of an order without a verb, such as `Amarar: forward 12`."""


class GroupWords(Model):
    """Words for a group of units, such as the guns, and the classes of its units: `all guns`."""

    words: tuple[str, ...]
    classes: frozenset[str]


class FillerWords(Model):
    """Words that players add to an order without changing its meaning.

    They stand `before` the units' names, `between` names and action, or `after` the action. Words of `manner`, such as
    `at full speed`, stand anywhere: units already move as far as they may.
    """

    before: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    manner: tuple[str, ...] = ()

    @cached_property
    def manner_pattern(self) -> re.Pattern[str]:
        """Pattern of words about the manner of a move: `advance at full speed to C3`."""
        return re.compile(rf",?\s+(?:{_pattern_of_any(self.manner)})(?!\w),?", re.IGNORECASE)

    @cached_property
    def end_pattern(self) -> re.Pattern[str]:
        """Pattern of filler words at the end of a line: `forward 6 at once`."""
        return re.compile(rf"(?:(?:^|[\s,]+)(?:{_pattern_of_any(self.after)}))+[.!]*$", re.IGNORECASE)

    @cached_property
    def _pattern_before_names(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:(?:{_pattern_of_any(self.before)})[\s,]+)+(?=\S)", re.IGNORECASE)

    @cached_property
    def _pattern_after_names(self) -> re.Pattern[str]:
        return re.compile(rf"(?:[\s,]+(?:{_pattern_of_any(self.between)}))+$", re.IGNORECASE)

    @cached_property
    def _pattern_before_action(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:(?:{_pattern_of_any(self.between)})\s+)+(?=\S)", re.IGNORECASE)

    def strip_leading_words(self, text: str) -> Iterator[str]:
        """Yield the text without its first filler word, then its first two, and so on: `order X` for `also order X`."""
        while match := self._pattern_of_first_word.match(text):
            text = text[match.end() :]
            yield text

    @cached_property
    def _pattern_of_first_word(self) -> re.Pattern[str]:
        return re.compile(rf"^(?:{_pattern_of_any(self.before)})[\s,]+(?=\S)", re.IGNORECASE)

    def bare_names(self, names: str) -> str:
        """Return names without surrounding filler words: `the Marines` for `please can the Marines should`."""
        return self._pattern_before_names.sub("", self._pattern_after_names.sub("", names))

    def bare_action(self, action: str) -> str:
        """Return an action without the filler words before it: `fire` for `please fire`."""
        return self._pattern_before_action.sub("", action)


class SideWords(Model):
    """Further words for the units of some sides: `redcoats` for British units. `sides` are names or ids."""

    words: tuple[str, ...]
    sides: tuple[str, ...]


class OrderWordsFile(Model):
    """The content of a file of order words."""

    phrases: tuple[OrderPhrase, ...] = Field(default=(), alias="phrase")
    groups: tuple[GroupWords, ...] = Field(default=(), alias="group")
    sides: tuple[SideWords, ...] = Field(default=(), alias="side")
    filler: FillerWords = FillerWords()
    manner_matters: bool = False
    """Whether words about the manner of a move have a meaning in this system, because players order the speed."""


@dataclass(frozen=True)
class PhraseSpelling:
    """A phrase as players spell it, with its meanings, which may differ by class of unit."""

    words: str
    meanings: tuple[OrderPhrase, ...]

    @property
    def has_gap(self) -> bool:
        """Whether the phrase surrounds other words: `give {} a volley`."""
        return REST in self.words

    def remaining_words(self, text: str, match: re.Match[str]) -> str:
        """Return the words of a text after the matched phrase, or in the phrase's gap."""
        return match["rest"] if self.has_gap else text[match.start() if self.keeps_words else match.end() :].strip()

    @cached_property
    def start_pattern(self) -> re.Pattern[str]:
        """Pattern of the phrase at the start of a text."""
        return re.compile(rf"{_pattern_of(self.words)}(?!\w){self._end_pattern}", re.IGNORECASE)

    @cached_property
    def inner_pattern(self) -> re.Pattern[str]:
        """Pattern of the phrase after other words, but not before a colon."""
        return re.compile(rf"(?<=[^\s,]),?\s+{_pattern_of(self.words)}(?!\w)(?!\s*:){self._end_pattern}", re.IGNORECASE)

    @property
    def _end_pattern(self) -> str:
        """Pattern of the text's end after a phrase with a gap; empty for other phrases."""
        return r"\s*$" if self.has_gap else ""

    @cached_property
    def keeps_words(self) -> bool:
        """Whether the phrase's words remain in the order, as part of the destination."""
        return any(meaning.keeps for meaning in self.meanings)

    def meaning_for(self, unit_class: str) -> OrderPhrase | None:
        """Return the phrase's meaning for a unit of the class, or None."""
        meanings = (meaning for meaning in self.meanings if not meaning.classes or unit_class in meaning.classes)
        return next(meanings, None)


@dataclass(frozen=True)
class OrderWords:
    """The order words of a system: spellings (the most specific first), groups, sides and filler words."""

    spellings: Sequence[PhraseSpelling]
    groups: Mapping[tuple[str, ...], frozenset[str]]
    sides: Mapping[tuple[str, ...], tuple[str, ...]]
    filler: FillerWords

    def needs_destination(self, words: str) -> bool:
        """Whether the words, such as `charge`, need a destination."""
        meanings = (meaning for spelling in self.spellings if spelling.words == words for meaning in spelling.meanings)
        return any(REST in meaning.to and meaning.to != REST for meaning in meanings)

    def classes_of_group(self, text: str) -> frozenset[str]:
        """Return the classes of the group that the text names; empty if it names none."""
        return self.groups.get(naming.words_of(text), frozenset())


@cache
def load_order_words(package: str, actions: tuple[tuple[str, tuple[str, ...]], ...]) -> OrderWords:
    """Return the order words of the system in `package`.

    `actions` are the kinds of action that can be ordered, each with its circumstances. Their names, and circumstances
    of a move, are phrases, too. The files' phrases for other kinds of action are left out.
    """
    shared, own = _read_words_file("rules.core"), _read_words_file(package) if package else OrderWordsFile()
    kinds = dict(actions)
    by_name = _spellings_by_words(_phrases_for_names(actions))
    phrases = {
        words: spelling
        for file in (shared, own)
        for words, spelling in _spellings_by_words(
            phrase for phrase in file.phrases if phrase.advice or phrase.kind in (HOLD, *kinds)
        ).items()
    }
    spellings = [*by_name.values(), *phrases.values()]
    spellings.sort(key=lambda spelling: (spelling.keeps_words, -len(spelling.words)))
    groups = {naming.words_of(words): group.classes for group in (*shared.groups, *own.groups) for words in group.words}
    sides = {naming.words_of(words): side.sides for side in (*shared.sides, *own.sides) for words in side.words}
    filler = shared.filler.model_copy(update={"manner": ()}) if own.manner_matters else shared.filler
    return OrderWords(tuple(spellings), groups, sides, filler)


def _spellings_by_words(phrases: Iterable[OrderPhrase]) -> Mapping[str, PhraseSpelling]:
    """Return the phrases' meanings by their words. Every verb also appears in the third person singular."""
    phrases_by_words: dict[str, list[OrderPhrase]] = {}
    for phrase in phrases:
        for words in phrase.words:
            third_person = inflect_words("", NounForm.THING, words).lstrip()
            for form in dict.fromkeys((words, third_person)):
                phrases_by_words.setdefault(form, []).append(phrase)
    return {words: PhraseSpelling(words, tuple(meanings)) for words, meanings in phrases_by_words.items()}


def _phrases_for_names(actions: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[OrderPhrase]:
    """Yield a phrase for the name of each kind of action and of each circumstance of a move."""
    for kind, circumstances in actions:
        yield OrderPhrase.model_validate({"words": (as_words(kind),), "kind": kind})
        for name in circumstances if kind == DEFAULT_KIND else ():
            yield OrderPhrase.model_validate({"words": (name,), "kind": kind, "with": (name,)})


def _read_words_file(package: str) -> OrderWordsFile:
    file = files(package) / "data" / FILE
    return read_model(OrderWordsFile, file) if file.is_file() else OrderWordsFile()


def _pattern_of_any(spellings: Iterable[str]) -> str:
    """Return a pattern of the spellings, longer ones first. Without spellings, the pattern matches nothing."""
    return "|".join(map(_pattern_of, sorted(spellings, key=len, reverse=True))) or "(?!)"


def _pattern_of(words: str) -> str:
    return r"\s+".join(SPELLED.get(word, re.escape(word)) for word in words.split())
