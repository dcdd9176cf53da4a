"""The search index of a system's rules. A question finds the rules that answer it, best first."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .book import INLINE_MARK, Book, Rule
from .chart import Chart
from .naming import words_of
from .rule_question import QuestionReader, RuleQuestion
from .rule_words import SearchWords, stem_word

TITLE = 2.6
WORDS = 3.0
PHRASE = 2.2
CHART = 1.2
TEXT = 1.0
"""Weight of a term by its source: title, keyword of one word, keyword phrase, tables and options, rule text."""
LATER = 0.08
"""Deduction for each further keyword: the first keyword describes the rule best."""
REPEATED = 0.15
"""Weight added each time the number of a term's occurrences in the text doubles."""
GUESSED = 0.8
"""Factor of the weight of a misspelt or abbreviated word."""
WHOLE_PHRASE_WEIGHT = 3.0
"""Weight of a rule's title or keyword that equals the whole question."""
LATER_KEYWORD_DEDUCTION = 0.04
"""Deduction from the weight of a phrase for each phrase before it; the title comes first, then the keywords."""
PART_PHRASE_WEIGHT = 2.2
"""Weight of a phrase of several words that is part of the question."""
LITERAL_PHRASE_WEIGHT = 1.2
"""Weight of a phrase that the question contains word for word, as a multiple of the rarest term's weight."""
USUAL_WORDS, MOST_WORDS = 2.5, 6
"""Number of words for which LITERAL_PHRASE_WEIGHT holds unchanged, and maximum number of words that count."""
CHAPTER = 0.75
"""Factor of a heading's score if the question has several terms: the rules below the heading answer it better."""
LONGEST_HEADING = 340
"""Maximum characters of a heading. A longer rule has content of its own, even if other rules are below it."""
TITLE_SHARE_WEIGHT = 1.0
"""Factor of the bonus for title terms. The bonus grows with the share of the title that the question contains."""
SAME_SENTENCE_WEIGHT = 1.0
"""Factor of the bonus for terms of the question that share a sentence."""
LEAST_COVERED = 0.5
"""Minimum share of a question's terms, by weight, that a rule must have to answer it."""
NEAR = 0.5
"""Minimum score of a further rule, as a share of the best rule's score."""


@dataclass(frozen=True)
class RuleHit:
    """A rule that answers a question, its score (higher is better), and the share of the question that it covers.

    With `is_named`, the question is the rule's title or a keyword. `told_by` counts the question's terms in title and
    keywords.
    """

    rule: Rule
    score: float
    covered: float
    is_named: bool
    told_by: int


@dataclass(frozen=True)
class _IndexedRule:
    """A rule in the index: the weights of its terms, and the terms of its title, keywords and sentences."""

    rule: Rule
    weights: Mapping[str, float]
    title: frozenset[str]
    phrase_terms: frozenset[str]
    phrases: Sequence[frozenset[str]]
    phrase_stems: Sequence[tuple[str, ...]]
    sentences: Sequence[frozenset[str]]
    heads: bool


class RuleIndex:
    """The searchable rules of one system. The index is built once; questions only read it."""

    def __init__(self, book: Book, charts: Mapping[str, Chart], words: SearchWords) -> None:
        self._words = words
        short_rules = (rule for rule in book.rules if len(rule.whole_text) < LONGEST_HEADING)
        headings = {rule.number for rule in short_rules if book.rules_below(rule)}
        self._entries = [self._index_rule(rule, charts, heads=rule.number in headings) for rule in book.rules]
        term_counts = Counter(term for entry in self._entries for term in entry.weights)
        rarity = {term: math.log(1 + len(self._entries) / count) for term, count in term_counts.items()}
        self._rarest = math.log(1 + len(self._entries))
        self.vocabulary: frozenset[str] = frozenset(
            word
            for rule in book.rules
            for text in (rule.title, rule.whole_text, *rule.words, *_words_of_tables(rule, charts))
            for word in words_of(text)
        )
        self.reader = QuestionReader(words, self.vocabulary, rarity)

    def terms_of(self, text: str) -> list[str]:
        """Return the terms of a rule text, in order. Skip marks such as `(ruling)` inside its sentences."""
        return self._words.rule_text_terms(INLINE_MARK.sub("", text))

    def find_rules(self, topic: str, elsewhere: Collection[str] = (), least: float = LEAST_COVERED) -> list[RuleHit]:
        """Return the rules that cover at least the share `least` of a question, best first.

        Words in `elsewhere` count as correctly spelt. A question of weak words must contain a rule's title or keyword.
        """
        question = self.reader.read(topic, elsewhere)
        hits = [hit for entry in self._entries if (hit := self._score_rule(entry, question, least)) is not None]
        return sorted(hits, key=lambda hit: -hit.score)

    def _score_rule(self, entry: _IndexedRule, question: RuleQuestion, least: float) -> RuleHit | None:
        """Return the rule's hit with its score. None if the rule covers less than `least` of the question."""
        matched_terms: dict[str, float] = {}
        total = covered = 0.0
        for several in question.terms:
            best = max(several, key=lambda term: entry.weights.get(term, 0) * question.weights[term])
            matters = best in question.matters
            share = math.sqrt(question.weights[best])
            total += share if matters else 0
            if best in entry.weights:
                matched_terms[best] = question.weights[best]
                covered += share * (GUESSED if best in question.guessed else 1) if matters else 0
        phrase_score = self._weigh_literal_phrase(entry, question)
        if not matched_terms or (total and covered < least * total) or (not total and not phrase_score):
            return None
        score = sum(weight * entry.weights[term] for term, weight in matched_terms.items()) + phrase_score
        is_whole = len(matched_terms) == len(question.terms)
        score += self._weigh_phrases(entry, matched_terms, is_whole=is_whole)
        title_weights = [matched_terms[term] for term in entry.title if term in matched_terms]
        if title_weights:
            score += TITLE_SHARE_WEIGHT * sum(title_weights) * (len(title_weights) / len(entry.title))
        if len(matched_terms) > 1:
            score += SAME_SENTENCE_WEIGHT * max(
                (sum(matched_terms.get(term, 0) for term in sentence) for sentence in entry.sentences), default=0
            )
        score *= CHAPTER if entry.heads and len(question.matters) > 1 else 1
        share = covered / total if total else 1.0
        told_by = sum(term in entry.phrase_terms for term in matched_terms if term in question.matters)
        return RuleHit(
            entry.rule, score * share, share, is_whole and frozenset(matched_terms) in entry.phrases, told_by
        )

    def _weigh_literal_phrase(self, entry: _IndexedRule, question: RuleQuestion) -> float:
        """Return the weight of the rule's longest title or keyword that the question contains word for word."""
        sizes = (len(phrase) for phrase in entry.phrase_stems if _contains_phrase(phrase, question.stems))
        longest = max(sizes, default=0)
        return (
            LITERAL_PHRASE_WEIGHT
            * self._rarest
            * (min(longest, MOST_WORDS) / USUAL_WORDS + (longest == len(question.stems)))
        )

    def _weigh_phrases(self, entry: _IndexedRule, matched_terms: Mapping[str, float], *, is_whole: bool) -> float:
        """Return the weight of the rule's best title or keyword with all its terms in the question.

        With `is_whole`, the rule has all terms of the question.
        """
        terms, best = frozenset(matched_terms), 0.0
        for place, phrase in enumerate(entry.phrases):
            if phrase and phrase <= terms:
                share = WHOLE_PHRASE_WEIGHT if is_whole and phrase == terms else PART_PHRASE_WEIGHT * (len(phrase) > 1)
                best = max(
                    best, share * (1 - LATER_KEYWORD_DEDUCTION * place) * sum(matched_terms[term] for term in phrase)
                )
        return best

    def _weighted_texts(self, rule: Rule, charts: Mapping[str, Chart]) -> Iterable[tuple[float, str]]:
        """Yield the title, the keywords and the table words of a rule, each with its weight."""
        yield TITLE, rule.title
        for place, phrase in enumerate(rule.words):
            is_single = len(self._words.question_terms(words_of(phrase))) == 1
            yield max((WORDS if is_single else PHRASE) - LATER * place, CHART), phrase
        yield from ((CHART, words) for words in _words_of_tables(rule, charts))

    def _index_rule(self, rule: Rule, charts: Mapping[str, Chart], *, heads: bool) -> _IndexedRule:
        """Return the index entry of a rule. With `heads`, the rule is a heading over other rules."""
        terms = self.terms_of
        text = Counter(terms(rule.whole_text))
        weights = dict.fromkeys(text, TEXT)
        for weight, words in self._weighted_texts(rule, charts):
            for term in terms(words):
                weights[term] = max(weight, weights.get(term, 0))
        for term, count in text.items():
            weights[term] += REPEATED * math.log2(count)
        phrases = [rule.title, *rule.words]
        return _IndexedRule(
            rule,
            weights,
            title=frozenset(self._words.question_terms(words_of(rule.title))),
            phrase_terms=frozenset(term for phrase in phrases for term in terms(phrase)),
            phrases=[frozenset(self._words.question_terms(words_of(phrase))) for phrase in phrases],
            phrase_stems=[stems for phrase in phrases if len(stems := tuple(map(stem_word, words_of(phrase)))) > 1],
            sentences=[frozenset(terms(sentence.text)) for sentence in rule.sentences],
            heads=heads,
        )


def _contains_phrase(phrase: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether a text contains a phrase, both given as stems."""
    size = len(phrase)
    return any(words[start : start + size] == phrase for start in range(len(words) - size + 1))


def _words_of_tables(rule: Rule, charts: Mapping[str, Chart]) -> Iterable[str]:
    """Yield the words of the rule's own tables, and the names of its options."""
    for chart in (charts[chart_id] for chart_id in rule.charts if chart_id in charts):
        if chart.rule == rule.number:
            yield from (chart.title, chart.head, *(row.label for row in chart.rows))
    yield from (option.replace("_", " ") for option in rule.options)
