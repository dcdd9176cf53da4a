"""Conditions of orders: `if an enemy is within 12`, `unless the target is routed`, judged on what their side sees."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from . import naming
from .condition import ORDERED, TARGETED, Condition, Test
from .refusal import Refused
from .ruleset import Ruleset
from .side_units import SideUnits
from .state import Action, State
from .typed_text import NUMBER, number_of
from .wording import tenths

S = TypeVar("S", bound=State)

IF, UNLESS = "if", "unless"
CLAUSE_WORD = r"(?P<word>only\s+if|only\s+when|if|unless|when|once|as\s+long\s+as|provided(?:\s+that)?)"
TRAILING = re.compile(rf"[\s,;]+{CLAUSE_WORD}\s+(?P<clause>.+)$", re.IGNORECASE)
LEADING = re.compile(rf"^{CLAUSE_WORD}\s+(?P<clause>[^:,]+?)\s*(?:[:,]|\bthen\b)\s*(?P<rest>\S.*)$", re.IGNORECASE)
AND = re.compile(r"\s*,?\s+and\s+(?:if\s+)?", re.IGNORECASE)
WITHIN = re.compile(
    rf"^(?P<no>no\s+)?(?P<who>.*?)\s*\b(?:is|are|comes?|gets?|stands?)?\s*(?P<not>not\s+)?"
    rf"(?:within|closer\s+than|less\s+than|under)\s+(?P<far>{NUMBER})\s*(?:\"|''|in\b|inch(?:es)?\b|hex(?:es)?\b)?"
    r"(?:\s+(?:of|to|from)\s+(?:us|him|her|it|them|me))?$",
    re.IGNORECASE,
)
CHANCE = re.compile(
    rf"^(?:the\s+)?chances?\s+(?:is|are|of\s+it\s+is)?\s*(?P<not>not\s+)?(?:at\s+least|over|above|>=?)\s*(?P<least>{NUMBER})\s*"
    r"(?:%|per\s?cent)$",
    re.IGNORECASE,
)
IN_SIGHT = re.compile(
    r"^(?P<no>no\s+)?(?P<who>.*?)\s*\b(?:is|are|comes?)?\s*(?P<not>not\s+)?(?:in(?:to)?\s+sight|visible|seen)$",
    re.IGNORECASE,
)
CHARGED = re.compile(
    r"^(?:(?:it|they|he|we|i|the\s+unit)\s+)?(?:is|are|am|has\s+been|have\s+been)?\s*(?P<not>not\s+)?"
    r"(?:charged|in\s+contact|attacked|in\s+melee)$",
    re.IGNORECASE,
)
IS = re.compile(r"^(?P<who>.+?)\s+(?:is|are)\s+(?P<not>not\s+)?(?:still\s+|already\s+)?(?P<state>.+)$", re.IGNORECASE)
ANY_ENEMY = re.compile(
    r"^(?:an?\s+|any\s+|the\s+|some\s+|there\s+(?:is|are)\s+(?:an?\s+)?)*(?:enem(?:y|ies)|foes?)?$", re.I
)
ITSELF = re.compile(r"^(?:it|they|he|we|the\s+unit|itself|themselves)$", re.IGNORECASE)
TARGET = re.compile(r"^(?:the\s+|its\s+|their\s+)?(?:target|enemy|victim)$", re.IGNORECASE)
COMMON = 4
"""Letters that a word for a condition shares with its name at least: `routing` is `routed`."""
CLOSE = 0.1
"""Inches between two units in contact at most."""
HOW_TO_SAY = (
    "Say “if an enemy is within 12”, “unless the target is routed”, “if charged”, “if Amarar are in sight” or “if the "
    "chance is at least 50%”."
)


def split_conditions(text: str) -> tuple[str, str]:
    """Return a line without its condition, and the condition with its first word; empty without one."""
    if leading := LEADING.match(text):
        return leading["rest"], f"{leading['word']} {leading['clause']}"
    if trailing := TRAILING.search(text):
        return text[: trailing.start()], f"{trailing['word']} {trailing['clause']}"
    return text, ""


@dataclass(frozen=True)
class ConditionReader(Generic[S]):
    """Reads and writes the conditions of one side's orders."""

    side: SideUnits[S]

    def read(self, text: str) -> tuple[Condition, ...]:
        """Return the conditions that a clause such as `if charged` gives. Raises Refused."""
        word, _, clause = " ".join(text.split()).partition(" ")
        if word.casefold() == "only" or (word.casefold(), clause[:8].casefold()) == ("as", "long as "):
            clause = clause.removeprefix("if ").removeprefix("when ").removeprefix("long as ")
        clause = clause.removeprefix("that ")
        parts = AND.split(clause.rstrip("."))
        unless = word.casefold() == UNLESS
        if unless and len(parts) > 1:
            raise Refused("“unless” takes one condition. Write “if … is not … and …” for several.")
        found = [self._one(part.strip()) for part in parts]
        return tuple(one.model_copy(update={"negated": one.negated != unless}) for one in found)

    def _one(self, clause: str) -> Condition:
        if chance := CHANCE.match(clause):
            return Condition(test=Test.CHANCE, negated=bool(chance["not"]), number=float(number_of(chance["least"])))
        if charged := CHARGED.match(clause):
            return Condition(test=Test.CHARGED, negated=bool(charged["not"]))
        if within := WITHIN.match(clause):
            negated = bool(within["no"]) != bool(within["not"])
            who = self._enemy(within["who"])
            return Condition(test=Test.WITHIN, negated=negated, who=who, number=float(number_of(within["far"])))
        if seen := IN_SIGHT.match(clause):
            negated = bool(seen["no"]) != bool(seen["not"])
            return Condition(test=Test.IN_SIGHT, negated=negated, who=self._enemy(seen["who"]))
        if stands := IS.match(clause):
            state = self._state(stands["state"].strip())
            return Condition(test=Test.STATE, negated=bool(stands["not"]), who=self._anyone(stands["who"]), state=state)
        raise Refused(f"The condition “{clause[: naming.MOST_REPEATED]}” is not understood. {HOW_TO_SAY}")

    def _enemy(self, text: str) -> str:
        """Return the enemy (by id) of that name, or an empty string for any enemy. Raises Refused."""
        if ANY_ENEMY.match(text.strip()):
            return ""
        if TARGET.match(text.strip()):
            return TARGETED
        return naming.resolve(text, self.side.names, "No unit here is called {}.")

    def _anyone(self, text: str) -> str:
        if TARGET.match(text):
            return TARGETED
        return ORDERED if ITSELF.match(text) else naming.resolve(text, self.side.names, "No unit here is called {}.")

    def _state(self, text: str) -> str:
        """Return the system's adjective for a condition of units. Raises Refused with those that there are."""
        facts = self.side.system.unit_facts
        known = () if facts is None else tuple(facts.fates)
        said = text.casefold()
        near = [one for one in known if one == said or (len(said) >= COMMON and one[:COMMON] == said[:COMMON])]
        if len(near) != 1:
            raise Refused(
                f"Units here are {', '.join(known) or 'in no condition that can be named'}. Say one of these."
            )
        return near[0]

    def write(self, conditions: Iterable[Condition]) -> str:
        """Return the conditions as words that read the same again: `if an enemy is within 12 and …`."""
        return f"if {' and '.join(map(self.describe, conditions))}"

    def describe(self, condition: Condition) -> str:
        """Return one condition in words: `no enemy is within 12`."""
        no = "not " if condition.negated else ""
        any_enemy = "no enemy is" if condition.negated else "an enemy is"
        who = {TARGETED: "the target", ORDERED: "it"}.get(condition.who) or self._name(condition.who)
        named = self.side.seen.units.get(condition.who)
        be = "is" if named is None else named.verb("are")
        if condition.test is Test.CHANCE:
            return f"the chance is {no}at least {tenths(condition.number)}%"
        if condition.test is Test.CHARGED:
            return f"it is {no}charged"
        if condition.test is Test.STATE:
            return f"{who} {be} {no}{condition.state}"
        what = f"within {tenths(condition.number)}" if condition.test is Test.WITHIN else "in sight"
        return f"{who} {be} {no}{what}" if condition.who else f"{any_enemy} {what}"

    def _name(self, unit: str) -> str:
        return self.side.written_name(unit) if unit in self.side.names else unit


def unmet_condition(
    system: Ruleset[S], seen: S, unit: str, action: Action, conditions: Iterable[Condition]
) -> Condition | None:
    """Return the first condition that keeps a unit (by id) from its action, in the side's view; None if all hold."""
    return next((one for one in conditions if _holds(system, seen, unit, action, one) == one.negated), None)


def _holds(system: Ruleset[S], seen: S, unit: str, action: Action, condition: Condition) -> bool:
    """Whether the condition holds, apart from its negation. What cannot be judged does not hold."""
    if condition.test is Test.CHANCE:
        return _chance(system, seen, action) * 100 >= condition.number
    who = _who(action, unit, condition)
    if condition.test is Test.STATE:
        found = seen.units.get(who)
        return found is not None and system.unit_facts is not None and system.unit_facts.fates[condition.state](found)
    enemies = [who] if who else [each.id for each in seen.units.values() if each.side != seen.units[unit].side]
    if condition.test is Test.IN_SIGHT:
        return any(enemy in seen.units for enemy in enemies)
    farthest = CLOSE if condition.test is Test.CHARGED else condition.number
    gaps = (system.places.distance(seen, unit, enemy) for enemy in enemies if enemy in seen.units)
    return any(gap is not None and gap <= farthest for gap in gaps)


def _who(action: Action, unit: str, condition: Condition) -> str:
    """Return the unit (by id) that the condition looks at; empty for any enemy."""
    if condition.who == TARGETED:
        return str(getattr(action, "target", None) or "")
    return unit if condition.who == ORDERED else condition.who


def _chance(system: Ruleset[S], seen: S, action: Action) -> Fraction:
    try:
        chances = system.caption(seen, action).chances
    except Refused:
        return Fraction(0)
    return chances[0].value if chances else Fraction(0)


def why_unmet(words: str) -> str:
    """Return why an order is left undone. `words` describe the condition that does not hold."""
    return f"Left undone: this does not hold now: {words}."
