"""The words of questions about rules: their stems, synonyms, and misspellings."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

from .data_files import data_files_ending, read_model
from .model import Model
from .naming import words_of

FILE = "rule_words.toml"
LONGEST_PHRASE = 4
"""Maximum words of a phrase, not counting skipped words."""
SHORTEST_BEGINNING = 3
"""Minimum letters of an abbreviated word."""
UNDONE, SHORTEST_UNDONE = "un", 5
"""Prefix of a word such as `unpin`, and the minimum letters of a word from which the prefix is removed."""
SILENT_E = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]")
"""Pattern of a stem that lost its final e, such as `mov` of `moving`."""
LONGEST_WITH_E = 4
"""Maximum letters of a word that keeps its final e: `lose` is not `los`."""
MOST_MISTAKES = 3
"""Maximum number of wrong letters in a long word; a short word may have one for every four letters."""
KEPT_DOUBLE = "ls"
"""Letters that stay double at the end of a stem: `kill`, `loss`."""
SINGULARS = ("ss", "us", "is")
"""Endings in s of singular words."""
PLURALS = (("ies", "y", 2), ("sses", "ss", 2), ("s", "", 3))
"""Endings of the plural, as (ending, replacement, minimum letters left)."""
SUFFIXES = (
    ("ation", "", 4),
    ("ition", "", 4),
    ("ment", "", 3),
    ("ness", "", 4),
    ("ing", "", 3),
    ("ion", "", 4),
    ("ed", "", 3),
    ("er", "", 5),
    ("ly", "", 4),
)
"""Other endings, in the form of PLURALS. `stem` removes at most one."""


class RuleWords(Model):
    """A file of words: words skipped in questions, words that count little, and groups of synonyms.

    Each item of `beside` is a word, a second word, and what the first means in a question that has both.
    """

    skipped: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    same: tuple[tuple[str, ...], ...] = ()
    beside: tuple[tuple[str, str, str], ...] = ()


@lru_cache(maxsize=16384)
def stem_word(word: str) -> str:
    """Return the stem of a word in lower case: `skirmishers` and `skirmishing` both become `skirmish`."""
    if not word.isalpha():
        return word
    if not word.endswith(SINGULARS):
        word = _replace_ending(word, PLURALS)
    cut = _replace_ending(word, SUFFIXES)
    word = f"{cut}e" if cut != word and SILENT_E.fullmatch(cut) else cut
    word = word.removesuffix("e") if len(word) > LONGEST_WITH_E else word
    if len(word) > SHORTEST_BEGINNING and word[-1] == word[-2] and word[-1] not in KEPT_DOUBLE:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > SHORTEST_BEGINNING else word


def _replace_ending(word: str, endings: Iterable[tuple[str, str, int]]) -> str:
    """Return the word with the first fitting ending replaced, if enough letters remain."""
    for cut, instead, least in endings:
        if word.endswith(cut) and len(word) - len(cut) >= least:
            return word.removesuffix(cut) + instead
    return word


class SearchWords:
    """The search words of one system: those in its own file, then those in the file for all systems."""

    def __init__(self, tables: Sequence[RuleWords]) -> None:
        self._skipped = frozenset(word for table in tables for word in table.skipped)
        self._weak = frozenset(stem_word(word) for table in tables for word in table.weak)
        self._same: dict[tuple[str, ...], str] = {}
        for table in tables:
            for phrases in table.same:
                for phrase in phrases:
                    self._same.setdefault(self._stems_of_phrase(phrase), " ".join(self._stems_of_phrase(phrases[0])))
        self._beside = [
            tuple(self._term_for_phrase(word) for word in words) for table in tables for words in table.beside
        ]
        self.words: frozenset[str] = frozenset(
            word for table in tables for phrases in table.same for phrase in phrases for word in words_of(phrase)
        )

    def is_weak(self, term: str) -> bool:
        """Whether a term hardly helps to find a rule: a number, or a word such as `after`."""
        return term.isdigit() or term in self._weak

    def is_skipped(self, word: str) -> bool:
        """Whether a word, such as `how`, does not help to find a rule."""
        return word in self._skipped

    def question_terms(self, words: Iterable[str]) -> list[str]:
        """Return the search terms of a question's words. A phrase with synonyms becomes a single term."""
        stems = self._stems_of_words(words)
        terms: list[str] = []
        while stems:
            size = next((n for n in range(min(LONGEST_PHRASE, len(stems)), 0, -1) if tuple(stems[:n]) in self._same), 0)
            terms.append(self._same[tuple(stems[:size])] if size else stems[0])
            stems = stems[max(size, 1) :]
        return self._replace_ambiguous_terms(terms)

    def rule_text_terms(self, text: str) -> list[str]:
        """Return the terms of a rule text: its words and its phrases, which may overlap."""
        stems, terms = self._stems_of_words(words_of(text)), list[str]()
        for start, word in enumerate(stems):
            terms.append(self._same.get((word,), word))
            for size in range(2, min(LONGEST_PHRASE, len(stems) - start) + 1):
                if (term := self._same.get(tuple(stems[start : start + size]))) is not None:
                    terms.append(term)
        return terms

    def _replace_ambiguous_terms(self, terms: list[str]) -> list[str]:
        """Return the terms. Replace those with another meaning beside a second term (`RuleWords.beside`)."""
        for first, second, meaning in self._beside:
            if first in terms and second in terms:
                terms = [meaning if term == first else term for term in terms]
        return terms

    def _term_for_phrase(self, phrase: str) -> str:
        """Return the search term of a phrase: its stems, or those of the first of its synonyms."""
        stems = self._stems_of_phrase(phrase)
        return self._same.get(stems, " ".join(stems))

    def _stems_of_words(self, words: Iterable[str]) -> list[str]:
        return [stem_word(word) for word in words if word not in self._skipped]

    def _stems_of_phrase(self, phrase: str) -> tuple[str, ...]:
        words = words_of(phrase)
        return tuple(self._stems_of_words(words)) or tuple(map(stem_word, words))


def load_search_words(package: str) -> SearchWords:
    """Return the words of a system's package, if any, and the words for all systems."""
    own = [read_model(RuleWords, file) for file in data_files_ending(package, FILE)] if package else []
    return SearchWords([*own, load_common_words()])


@cache
def load_common_words() -> RuleWords:
    """Return the words for all systems."""
    return read_model(RuleWords, files("rules.core") / "data" / FILE)


def find_similar_words(word: str, vocabulary: Sequence[str]) -> list[str]:
    """Return the known words that begin with `word`, or else the most similar words.

    A word such as `unpin` is also searched without its prefix.
    """
    begun = find_words_starting_with(word, vocabulary)
    if not begun and word.startswith(UNDONE) and len(word) >= SHORTEST_UNDONE:
        begun = find_words_starting_with(word.removeprefix(UNDONE), vocabulary)
    return begun or _most_similar_words(word, vocabulary)


def find_words_starting_with(word: str, vocabulary: Iterable[str]) -> list[str]:
    """Return the known words that begin with `word`; none if `word` is too short."""
    return [known for known in vocabulary if len(word) >= SHORTEST_BEGINNING and known.startswith(word)]


def _most_similar_words(word: str, vocabulary: Sequence[str]) -> list[str]:
    """Return the known words with the fewest mistakes. With several mistakes, the first letter must be right."""
    ranked: Sequence[tuple[str, int, object]] = process.extract(
        word, vocabulary, scorer=OSA.distance, score_cutoff=min(len(word) // 4, MOST_MISTAKES), limit=12
    )
    right = [(mistakes, candidate) for candidate, mistakes, _ in ranked if mistakes == 1 or candidate[0] == word[0]]
    fewest = min((mistakes for mistakes, _ in right), default=0)
    return [candidate for mistakes, candidate in right if mistakes == fewest]
