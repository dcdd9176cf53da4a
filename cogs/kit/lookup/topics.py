"""Find the rules that answer a question: rules of the requested system, or else of other systems."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rules.core.book import Rule, normalize_number
from rules.core.naming import most_similar_names
from rules.core.rule_excerpt import COMMON, Excerpt, choose_excerpt
from rules.core.rule_index import LEAST_COVERED, NEAR, RuleHit
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

LEAST_SIMILARITY = 55.0
"""Minimum similarity (0 to 100) of a rule's name to an unknown topic. Less similar names are not suggested."""
FITTING_SHARE = 0.75
"""Share of a question's words. If no rule of the asked system covers it, other systems are searched, too."""
LEAST_OWN_SHARE = 0.2
"""Minimum share of a question that a rule of the asked system must cover to be found at all."""
CLEAR_LEAD = 0.2
"""Minimum lead in the covered share with which a rule of another system replaces the asked system's rule."""
NUMBER = re.compile(r"[a-z]{2}(?:[a-z]\.?)?\d[\d.]*[a-z]?")
"""Pattern of a rule number in short form; such a topic matches only numbers."""
NUMBER_SIGN = re.compile(r"[-\d]")
"""A digit or hyphen. Only words with such a character can be a rule number."""
HOW_MANY = re.compile(r"\bhow\s+(?:many|much)\s+(?P<what>\w+)", re.IGNORECASE)
"""The counted noun of a question, such as dice in *how many dice*. Passages about that noun are preferred."""
BEFORE_NUMBER = re.compile(
    r"^\s*(?:what(?:'s| is| does)|show(?: me)?)?\s*(?:rule|section|paragraph|§)s?\s+(?=\S*\d)", re.I
)


def split_chosen_topic(topic: str) -> tuple[str, str]:
    """Split `MM-3.9: out of ammo` into the number of the chosen rule and the question.

    If no rule number precedes a colon, the number is empty and the question is the whole topic.
    """
    number, _, question = (part.strip() for part in topic.partition(":"))
    if question and NUMBER_SIGN.search(number) and _rules_by_number(number, list(rulesets().values())):
        return number, question
    return "", topic


@dataclass(frozen=True)
class Answer:
    """A rule that answers a question, with the rule's system and a score relative to the best rule."""

    system: Ruleset[Any]
    rule: Rule
    closeness: float = 1.0

    @property
    def is_nearly_best(self) -> bool:
        """Whether the rule answers the question nearly as well as the best rule does."""
        return self.closeness >= NEAR

    def choice_value(self, topic: str, longest: int) -> str:
        """Return the value of this rule's choice in the completion: the rule's number and the question."""
        number, (_, question) = self.rule.number, split_chosen_topic(topic)
        if _has_number_or_name(self.rule, question) or _rules_by_number(BEFORE_NUMBER.sub("", question), [self.system]):
            return number
        return f"{number}: {question.strip()}"[:longest]

    def excerpt(self, topic: str, *, most: int) -> Excerpt:
        """Return the passages of the rule that answer the question, in at most `most` lines."""
        index = self.system.rule_index
        weights = {} if _has_number_or_name(self.rule, topic) else index.reader.read(topic, rule_vocabulary()).singles
        if weights and (match := HOW_MANY.search(topic)):
            counted_terms = index.reader.read(match["what"], rule_vocabulary()).weights
            weights = {term: weight + COMMON if term in counted_terms else weight for term, weight in weights.items()}
        return choose_excerpt(self.rule, self.system.charts, weights, index.terms_of, room=most)


def find_answers(topic: str, first: Ruleset[Any] | None) -> list[Answer]:
    """Return the rules that answer `topic`, best first. If no rule of the system `first` fits, search other systems.

    If `topic` is a rule number, the rule's sub-rules follow. If it is a rule chosen in the completion, further answers
    to the question follow.
    """
    own = [first] if first is not None else []
    others = [system for system in rulesets().values() if system not in own]
    number, question = split_chosen_topic(topic)
    if number:
        chosen = (_rules_by_number(number, own) or _rules_by_number(number, others))[0]
        return [chosen, *(answer for answer in find_answers(question, first) if answer.rule is not chosen.rule)]
    bare = BEFORE_NUMBER.sub("", topic)
    numbered = _rules_by_number(bare, own) or _rules_by_number(bare, others) or _rules_by_prefix(bare, [*own, *others])
    if numbered or NUMBER.fullmatch(normalize_number(bare)):
        return numbered
    return _rules_by_words(topic, own, others)


@cache
def build_search_indexes() -> None:
    """Make the search index of every system in advance. The first question then need not wait."""
    rule_vocabulary()
    find_answers("prepared", None)


@cache
def rule_vocabulary() -> frozenset[str]:
    """Return all words in the rules of all systems. These words count as correctly spelt in a question."""
    return frozenset(word for system in rulesets().values() for word in system.rule_index.vocabulary)


def similar_rule_names(topic: str, first: Ruleset[Any] | None = None) -> list[str]:
    """Return the rule names most similar to an unknown topic, in the system `first` or in all systems."""
    systems = [first] if first is not None else list(rulesets().values())
    names = {rule.number: rule.name for system in systems for rule in system.book.rules}
    return most_similar_names(topic, names, LEAST_SIMILARITY)


def _has_number_or_name(rule: Rule, topic: str) -> bool:
    """Whether a topic is the rule's number, the beginning of this number, or the rule's full name."""
    bare = BEFORE_NUMBER.sub("", topic)
    return rule.has_full_number(bare) or rule.has_number_or_name(bare)


def _rules_by_number(topic: str, systems: Sequence[Ruleset[Any]]) -> list[Answer]:
    """Return the rules with exactly this number, followed by their sub-rules."""
    exact = [Answer(system, rule) for system in systems for rule in system.book.rules if rule.has_full_number(topic)]
    below = (Answer(answer.system, rule) for answer in exact for rule in answer.system.book.rules_below(answer.rule))
    return [*exact, *below]


def _rules_by_prefix(topic: str, systems: Sequence[Ruleset[Any]]) -> list[Answer]:
    """Return the rules whose number begins with the topic, or whose full name equals the topic."""
    return [Answer(system, rule) for system in systems for rule in system.book.rules if rule.has_number_or_name(topic)]


def _rules_by_words(topic: str, own: Sequence[Ruleset[Any]], others: Sequence[Ruleset[Any]]) -> list[Answer]:
    """Return the rules of the systems `own` that answer a question, or else rules of `others`.

    If `own` covers only a part of the question, clearly better rules of `others` are preferred.
    """
    matches = _find_matches(topic, own, LEAST_OWN_SHARE)
    if not matches or (matches[0].hit.covered < FITTING_SHARE and not matches[0].hit.is_named):
        other_matches = _find_matches(topic, others)
        if other_matches and (not matches or _is_clearly_better(other_matches[0].hit, matches[0].hit)):
            matches = other_matches
    return [Answer(match.system, match.hit.rule, match.closeness) for match in matches]


@dataclass(frozen=True)
class _RuleMatch:
    """A rule that matches the words of a question. `closeness` is its score as a share of the best rule's score."""

    system: Ruleset[Any]
    hit: RuleHit
    closeness: float


def _find_matches(topic: str, systems: Sequence[Ruleset[Any]], least: float = LEAST_COVERED) -> list[_RuleMatch]:
    """Return the rules that answer a question: first the best rule of each system, then all other rules."""
    found = ((system, system.rule_index.find_rules(topic, rule_vocabulary(), least)) for system in systems)
    hits_by_system = [(system, hits) for system, hits in found if hits]
    if len(hits_by_system) == 1:
        ((system, hits),) = hits_by_system
        return [_RuleMatch(system, hit, hit.score / hits[0].score) for hit in hits]
    hits_by_system.sort(key=lambda pair: (not pair[1][0].is_named, -round(pair[1][0].covered, 1)))
    best = [(system, hits[0]) for system, hits in hits_by_system]
    shares = (hit.covered / best[0][1].covered if hit.is_named or not best[0][1].is_named else 0.0 for _, hit in best)
    heads = [_RuleMatch(system, hit, share) for (system, hit), share in zip(best, shares, strict=True)]
    return [*heads, *(_RuleMatch(system, hit, 0.0) for system, hits in hits_by_system for hit in hits[1:])]


def _is_clearly_better(other_hit: RuleHit, own_hit: RuleHit) -> bool:
    """Whether another system's rule answers the question clearly better than the asked system's best rule."""
    covers_more = other_hit.covered >= own_hit.covered + CLEAR_LEAD
    return covers_more and other_hit.told_by > own_hit.told_by and other_hit.is_named
