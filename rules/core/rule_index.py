"""The index of a system's rules, in which questions find the rules that answer them, best first."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .book import Book, Rule
from .chart import Chart
from .naming import words_of
from .rule_words import WordTable, corrected

TITLE = 3.0
WORDS = 2.6
CHART = 1.2
TEXT = 1.0
"""Weights of a term by where it stands: title, words to find the rule by, tables and options, text."""
REPEATED = 0.35
"""Weight of each doubling of a term's number in the text."""
WEAK = 0.25
"""Share of its weight that a weak term has."""
WHOLE_PHRASE = 3.0
"""Weight of a phrase that is the whole question: the title, or one of the words to find the rule by."""
PART_PHRASE = 1.2
"""Weight of a phrase of several words that is part of the question."""
TITLE_SHARE = 1.0
"""Weight of the share of the title's terms that the question has."""
TOGETHER = 1.0
"""Weight of terms that stand in one sentence."""
LEAST_COVERED = 0.5
"""Minimum share of a question's terms, by weight, that a rule must have to answer it."""
NEAR = 0.6
"""Minimum score of a rule beside the best rule's, as a share."""


@dataclass(frozen=True)
class Question:
    """A question's terms with their weights; each term may be one of several words, as a misspelt word may."""

    terms: tuple[tuple[str, ...], ...]
    weights: Mapping[str, float]

    @property
    def all_terms(self) -> frozenset[str]:
        """Return every term and its alternatives."""
        return frozenset(one for several in self.terms for one in several)


@dataclass(frozen=True)
class Hit:
    """A rule that answers a question, its score (higher is better), and the share of the question that it covers."""

    rule: Rule
    score: float
    covered: float


@dataclass(frozen=True)
class _Entry:
    """A rule as the index holds it: weights of its terms, its phrases, its title and its sentences as terms."""

    rule: Rule
    weights: Mapping[str, float]
    title: frozenset[str]
    phrases: Sequence[frozenset[str]]
    sentences: Sequence[frozenset[str]] = field(default=())


class RuleIndex:
    """The rules of one system by their terms. Built once; every question only reads it."""

    def __init__(self, book: Book, charts: Mapping[str, Chart], words: WordTable) -> None:
        self._words = words
        self._entries = [self._entry(rule, charts) for rule in book.rules]
        counted = Counter(term for entry in self._entries for term in entry.weights)
        self._rarity = {term: math.log(1 + len(self._entries) / count) for term, count in counted.items()}
        self._unknown = math.log(1 + len(self._entries))
        self.vocabulary: frozenset[str] = frozenset(
            word for rule in book.rules for text in _texts(rule, charts) for word in words_of(text)
        )
        self._known = tuple({*self.vocabulary, *words.words})
        self._stems = {stem for word in self._known for stem in words.terms([word])}

    def question(self, topic: str, elsewhere: Collection[str] = ()) -> Question:
        """Return the terms of a question. A word in `elsewhere` is spelt right, though no rule here has it."""
        several = [self._spelt(word, elsewhere) for word in words_of(topic) if not self._words.is_skipped(word)]
        first = self._words.terms(words[0] for words in several)
        others = {self._words.terms(words[:1])[0]: words for words in several if len(words) > 1}
        terms = tuple(
            tuple(dict.fromkeys([one, *self._words.terms(others[one])])) if one in others else (one,)
            for one in dict.fromkeys(first)
        )
        weights = {one: self._weight(one) for several in terms for one in several}
        return Question(terms, weights)

    def find(self, topic: str, elsewhere: Collection[str] = ()) -> list[Hit]:
        """Return the rules that answer a question in words, best first."""
        asked = self.question(topic, elsewhere)
        if not any(term in self._rarity and not self._words.is_weak(term) for term in asked.all_terms):
            return []
        hits = [hit for entry in self._entries if (hit := self._hit(entry, asked)) is not None]
        return sorted(hits, key=lambda hit: -hit.score)

    def _spelt(self, word: str, elsewhere: Collection[str]) -> list[str]:
        """Return the word itself if it is known here or elsewhere, else the words that may be meant by it."""
        known = word.isdigit() or word in elsewhere or self._words.terms([word])[0] in self._stems
        return [word] if known else corrected(word, self._known) or [word]

    def _weight(self, term: str) -> float:
        return self._rarity.get(term, self._unknown) * (WEAK if self._words.is_weak(term) else 1)

    def _hit(self, entry: _Entry, asked: Question) -> Hit | None:
        found: dict[str, float] = {}
        total = covered = 0.0
        for several in asked.terms:
            best = max(several, key=lambda one: entry.weights.get(one, 0) * asked.weights[one])
            matters = not self._words.is_weak(best)
            total += asked.weights[best] if matters else 0
            if best in entry.weights:
                found[best] = asked.weights[best]
                covered += asked.weights[best] if matters else 0
        if not found or covered < LEAST_COVERED * total:
            return None
        score = sum(weight * entry.weights[term] for term, weight in found.items())
        score += self._phrases(entry, found, whole=len(found) == len(asked.terms))
        score += TITLE_SHARE * sum(found.get(term, 0) for term in entry.title) * _share(found, entry.title)
        score += TOGETHER * max((sum(found.get(one, 0) for one in each) for each in entry.sentences), default=0)
        return Hit(entry.rule, score * covered / total, covered / total)

    def _phrases(self, entry: _Entry, found: Mapping[str, float], *, whole: bool) -> float:
        """Return the weight of the phrases whose terms are all in the question."""
        asked, best = frozenset(found), 0.0
        for phrase in entry.phrases:
            if phrase and phrase <= asked:
                share = WHOLE_PHRASE if whole and phrase == asked else PART_PHRASE * (len(phrase) > 1)
                best = max(best, share * sum(found[term] for term in phrase))
        return best

    def _entry(self, rule: Rule, charts: Mapping[str, Chart]) -> _Entry:
        terms = self._words.all_terms
        text = Counter(terms(rule.whole_text))
        weights = {term: TEXT + REPEATED * math.log2(count) for term, count in text.items()}
        tables = (term for words in _tables(rule, charts) for term in terms(words))
        found_by = [terms(phrase) for phrase in rule.words]
        title = terms(rule.title)
        for weight, several in ((CHART, tables), (WORDS, (one for each in found_by for one in each)), (TITLE, title)):
            for term in several:
                weights[term] = max(weight, weights.get(term, 0))
        phrases = [frozenset(self._words.terms(words_of(phrase))) for phrase in (rule.title, *rule.words)]
        sentences = [frozenset(terms(one.text)) for one in rule.sentences]
        return _Entry(rule, weights, frozenset(self._words.terms(words_of(rule.title))), phrases, sentences)


def _share(found: Collection[str], title: Collection[str]) -> float:
    return sum(term in found for term in title) / len(title) if title else 0


def _tables(rule: Rule, charts: Mapping[str, Chart]) -> Iterable[str]:
    """Yield the words of the rule's own tables, and the names of its options."""
    for chart in (charts[one] for one in rule.charts if one in charts):
        if chart.rule == rule.number:
            yield from (chart.title, chart.head, *(row.label for row in chart.rows))
    yield from (option.replace("_", " ") for option in rule.options)


def _texts(rule: Rule, charts: Mapping[str, Chart]) -> Iterable[str]:
    yield from (rule.title, rule.whole_text, *rule.words, *_tables(rule, charts))
