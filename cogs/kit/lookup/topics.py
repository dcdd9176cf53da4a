"""Find rules of every system by number, title or words, even misspelt."""

from typing import Any

from rules.core.book import Rule
from rules.core.naming import nearest
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

LIKE = 55.0
"""Minimum similarity, out of 100, of a rule's name that is suggested for an unknown topic."""

Found = tuple[Ruleset[Any], Rule]


def find_rules(topic: str, first: Ruleset[Any] | None) -> list[Found]:
    """Return the rules of every system that match `topic`, best first; among equals, rules of `first` come first.

    A rule found by its number is followed by the rules below it. A number without letters may match several systems.
    """
    systems = sorted(rulesets().values(), key=lambda system: first is None or system.id != first.id)
    borne = [(system, rule) for system in systems for rule in system.book.rules if rule.is_number(topic)]
    if borne:
        return [*borne, *((system, other) for system, rule in borne for other in _rules_below(system, rule))]
    answering = [(answer, (system, rule)) for system in systems for answer, rule in system.book.rank_matches(topic)]
    return [found for _, found in sorted(answering, key=lambda pair: pair[0])]


def _rules_below(system: Ruleset[Any], rule: Rule) -> list[Rule]:
    """Return the rules below a heading: MM-5.1, MM-5.2 … below MM-5."""
    return [other for other in system.book.rules if other.number.startswith(f"{rule.number}.")]


def similar_names(topic: str) -> list[str]:
    """Return the names of the rules most similar to an unknown topic."""
    names = {rule.number: rule.name for system in rulesets().values() for rule in system.book.rules}
    return nearest(topic, names, LIKE)
