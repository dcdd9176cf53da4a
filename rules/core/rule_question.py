"""A question about the rules as search terms: misspelt words corrected, meaningless words omitted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .naming import words_of
from .rule_words import SearchWords, find_similar_words, find_words_starting_with, stem_word

WEAK = 0.4
"""Factor of the weight of a weak term."""
SINGLE = 0.5
"""Factor of the weight of a single word taken from a phrase."""


@dataclass(frozen=True)
class RuleQuestion:
    """The weighted search terms of a question. Each term is a tuple of alternatives: a misspelt word has several."""

    terms: tuple[tuple[str, ...], ...]
    weights: Mapping[str, float]
    stems: tuple[str, ...]
    """The stems of all words of the question, in order."""
    matters: frozenset[str]
    """The significant terms; empty if the question has none."""
    guessed: frozenset[str]
    """The terms of misspelt or abbreviated words."""
    singles: Mapping[str, float]
    """Weights of the terms, and smaller weights of the single words of phrases."""


class QuestionReader:
    """Reader of questions. It knows the words of a system's rules, and how rare each term is."""

    def __init__(self, words: SearchWords, vocabulary: Collection[str], rarity: Mapping[str, float]) -> None:
        self._words = words
        self._rarity = rarity
        self._usual = sorted(rarity.values())[len(rarity) // 4] if rarity else 0.0
        self._known = tuple(sorted({*vocabulary, *words.words}))
        self._spellings = frozenset(self._known)
        self._stems = {term for word in self._known for term in words.question_terms([word])}

    def read(self, topic: str, elsewhere: Collection[str] = ()) -> RuleQuestion:
        """Return the search terms of a question. Words in `elsewhere` count as correctly spelt."""
        typed = words_of(topic)
        spelt = [[word] if self._words.is_skipped(word) else self._possible_meanings(word, elsewhere) for word in typed]
        spellings = [words for words in spelt if not self._words.is_skipped(words[0])]
        alternatives = {self._words.question_terms(words[:1])[0]: words for words in spellings if len(words) > 1}
        first = dict.fromkeys(self._words.question_terms(words[0] for words in spellings))
        find_terms = self._words.question_terms
        terms = tuple(tuple(dict.fromkeys([term, *find_terms(alternatives.get(term, ()))])) for term in first)
        weights = {term: self._weigh_term(term) for several in terms for term in several}
        single = [term for words in spellings for term in self._words.question_terms(words[:1])]
        guesses = [words for words in spellings if stem_word(words[0]) not in set(map(stem_word, typed))]
        return RuleQuestion(
            terms,
            weights,
            stems=tuple(stem_word(words[0]) for words in spelt),
            matters=frozenset(term for term in weights if not self._words.is_weak(term)),
            guessed=frozenset(term for words in guesses for term in self._words.question_terms(words)),
            singles={term: SINGLE * self._weigh_term(term) for term in single} | weights,
        )

    def _possible_meanings(self, word: str, elsewhere: Collection[str]) -> list[str]:
        """Return what a typed word may mean: the word itself if known, or else the most similar words.

        A weak word may also abbreviate other words: `mor` is a form of `more` and begins `morale`.
        """
        if word.isdigit() or word in elsewhere or word in self._spellings:
            return [word]
        if (term := self._words.question_terms([word])[0]) in self._stems:
            return [word, *find_words_starting_with(word, self._known)] if self._words.is_weak(term) else [word]
        return find_similar_words(word, self._known) or [word]

    def _weigh_term(self, term: str) -> float:
        """Return how rare a term is in the rules, reduced for a weak term. A term in no rule gets the usual rarity."""
        return self._rarity.get(term, self._usual) * (WEAK if self._words.is_weak(term) else 1)
