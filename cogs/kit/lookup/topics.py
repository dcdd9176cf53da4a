"""Find rules of every system by number, title or words, even misspelt."""

from typing import Any

from rules.core.book import Rule
from rules.core.naming import nearest
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

LIKE = 55.0
"""Likeness, of 100, from which on a rule's name is mentioned to somebody who mistyped."""

Found = tuple[Ruleset[Any], Rule]


def find_rules(topic: str, first: Ruleset[Any] | None) -> list[Found]:
    """Rules of every system that match `topic`, best first; of equally good ones those of `first` before others'.

    A rule asked for by its number is followed by those under it; without its letters it may be of several systems.
    """
    systems = sorted(rulesets().values(), key=lambda system: first is None or system.id != first.id)
    borne = [(system, rule) for system in systems for rule in system.book.rules if rule.is_number(topic)]
    if borne:
        return [*borne, *((system, other) for system, rule in borne for other in _under(system, rule))]
    answering = [(answer, (system, rule)) for system in systems for answer, rule in system.book.answering(topic)]
    return [found for _, found in sorted(answering, key=lambda pair: pair[0])]


def _under(system: Ruleset[Any], rule: Rule) -> list[Rule]:
    """The rules under a heading: MM-5.1, MM-5.2 … under MM-5."""
    return [other for other in system.book.rules if other.number.startswith(f"{rule.number}.")]


def similar_names(topic: str) -> list[str]:
    """Return the names of the rules most similar to an unknown topic."""
    names = {rule.number: rule.name for system in rulesets().values() for rule in system.book.rules}
    return nearest(topic, names, LIKE)
