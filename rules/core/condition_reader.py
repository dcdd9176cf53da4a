"""Read the conditions of orders in players' words: `an enemy is within 12`, `the target is not routed`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from . import naming
from .condition import FARTHEST, ORDERED, TARGETED, Condition, ConditionAspect
from .condition_words import ConditionWords, adjective_pattern, load_condition_words
from .model import UMPIRE
from .named_sides import find_named_side
from .number_words import with_digits
from .order_conditions import HEXES, WHOLE
from .orders import OrderT
from .refusal import Refused
from .side_units import OrderTool
from .state import S
from .typed_text import read_number, simplify_signs
from .wording import as_words

MOST_CONDITIONS = 3
"""Maximum number of conditions of one order."""
LONGEST = 300
"""Maximum characters of a condition."""
DECIMALS = 3
"""Maximum number of decimal places of a distance or a chance."""
CONTRACTED = (
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
    (re.compile(r"\b(they|we)'re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(it|he|she|there|target|enemy|who)'s\b", re.IGNORECASE), r"\1 is"),
)
"""Patterns of contractions, each with its long form."""
THERE_IS = re.compile(r"^there\s+(?:is|are)\s+", re.IGNORECASE)
NO = re.compile(r"^(?:no|none\s+of|not\s+any)\s+", re.IGNORECASE)
SOME = re.compile(r"^(?:any|some|the|an?|enemy|hostile)(?:\s+of)?\s+", re.IGNORECASE)
EVERY = re.compile(r"^(?:all|every|each|both)\s", re.IGNORECASE)
NOT = re.compile(r"^not\s+", re.IGNORECASE)
EDGES = " ,.()\t"
OMITTED, PRONOUN = "*nobody", "*they"
"""Values of `Condition.who` during reading: no subject is named, or a pronoun stands for the unit or the target."""
HOW_TO_SAY = (
    "Say “if an enemy is within 12”, “unless the target is routed”, “if charged”, “if no enemy is in sight” or “if the "
    "chance is at least 50%”."
)


class UnclearCondition(Refused):
    """Refusal of words that are not a condition. Splitting the line elsewhere may still succeed."""


@dataclass(frozen=True)
class ConditionReader(OrderTool[S]):
    """Reader of the conditions of one side's orders."""

    @property
    def words(self) -> ConditionWords:
        """Return the spellings of each part of a condition."""
        return load_condition_words()

    def add_conditions_in_text(self, text: str, order: OrderT) -> OrderT:
        """Return the order with its conditions replaced by those in `text`; `if` may be omitted. Raises Refused."""
        folded = simplify_signs(text).strip(EDGES)
        opened = self.words.opener_pattern.match(folded)
        rest, unless = (folded[opened.end() :], bool(opened["unless"])) if opened else (folded, False)
        return self.with_conditions(order.with_conditions(()), self.read(rest, unless=unless) if rest else ())

    def with_conditions(self, order: OrderT, conditions: tuple[Condition, ...]) -> OrderT:
        """Return the order with further conditions. Raises Refused for a condition that does not fit the order."""
        if len(conditions) + len(order.conditions) > MOST_CONDITIONS:
            raise Refused(f"An order has {MOST_CONDITIONS} conditions at most.")
        if any(unit not in self.side.seen.units for unit in order.units):
            raise Refused("A marker's order takes no condition. Write it without “if”.")
        action = self.system.actions.get(order.kind)
        has_target = action is not None and "target" in order.args
        if has_target and any(PRONOUN in (condition.who, condition.near) for condition in conditions):
            raise Refused("Who is meant: the unit or its target? Write “the unit” or “the target”.")
        conditions = tuple(map(_resolve_pronouns, conditions))
        for condition in conditions:
            if condition.who == TARGETED and not has_target:
                raise Refused("“the target” is the target of the order, and this order has none. Name the unit.")
            if condition.aspect is ConditionAspect.CHANCE and order.kind not in self.system.kinds_with_odds:
                raise Refused(f"No dice are thrown for “{as_words(order.kind)}”: it has no chance to compare.")
        return order.with_conditions((*conditions, *order.conditions))

    def read(self, text: str, *, unless: bool = False, most: int = MOST_CONDITIONS) -> tuple[Condition, ...]:
        """Return the conditions in `text`, the words after `if` or `unless`. Raises Refused for more than `most`.

        With `unless`, return the opposite of the only condition.
        """
        if len(text) > LONGEST:
            raise UnclearCondition(f"A condition has {LONGEST} characters at most.")
        plain = text.strip(EDGES)
        for contraction, words in CONTRACTED:
            plain = contraction.sub(words, plain)
        try:
            return (self._read_condition(plain, unless=unless),)
        except Refused as refused:
            for match in self.words.conjunction_pattern.finditer(plain) if most > 1 else ():
                try:
                    first = self._read_condition(plain[: match.start()])
                    others = self.read(plain[match.end() :], most=most - 1)
                except Refused:
                    continue
                if unless:
                    raise Refused("“unless” takes one condition. Write “if … is not … and …” for several.") from None
                return first, *self._with_shared_subject(first, others, plain[match.end() :])
            raise refused

    def _with_shared_subject(self, first: Condition, others: Sequence[Condition], text: str) -> Iterator[Condition]:
        """Yield the conditions `others`. If one has no subject, it gets the subject of the condition `first`.

        Raises Refused if that subject is a group, any enemy or no enemy.
        """
        for condition in others:
            if condition.who != OMITTED or first.who == OMITTED or first.aspect is ConditionAspect.CHANCE:
                yield condition
            elif first.who and (not first.negated or first.aspect is ConditionAspect.STATE):
                yield condition.model_copy(update={"who": first.who})
            else:
                raise Refused(f"Who is meant by “{text.strip()[: naming.MOST_REPEATED]}”? Write “and the unit is …”.")

    def _read_condition(self, text: str, *, unless: bool = False) -> Condition:
        plain = THERE_IS.sub("", " ".join(text.strip(EDGES).split()))
        bare = NOT.sub("", plain)
        readers = (self._read_chance, self._read_sight, self._read_contact, self._read_distance, self._read_state)
        for words in dict.fromkeys((bare, with_digits(bare))):
            for reader in readers:
                if (condition := reader(words)) is not None:
                    return condition.model_copy(update={"negated": condition.negated != (unless != (bare != plain))})
        states = f" Units here are {', '.join(self._adjectives)}." if self._adjectives else ""
        quote = plain[: naming.MOST_REPEATED]
        raise UnclearCondition(f"The condition “{quote}” is not understood. {HOW_TO_SAY}{states}")

    @cached_property
    def _adjectives(self) -> tuple[str, ...]:
        facts = self.system.unit_facts
        return () if facts is None else tuple(facts.fates)

    def _read_chance(self, text: str) -> Condition | None:
        match = self.words.chance_pattern.fullmatch(text)
        if match is None:
            return None
        number = read_number(match["least"] or match["more"] or match["less"])
        if number > WHOLE:
            raise Refused(f"A chance is {WHOLE}% at most.")
        return Condition(
            aspect=ConditionAspect.CHANCE, number=round(float(number), DECIMALS), negated=match["less"] is not None
        )

    def _read_sight(self, text: str) -> Condition | None:
        match = self.words.sees_pattern.fullmatch(text) or self.words.visible_pattern.fullmatch(text)
        if match is None:
            return None
        if not self.system.places.measure(self.side.seen):
            raise Refused("Who is in sight is not known in this game: no places are kept.")
        return self._with_matched_subject(match, Condition(aspect=ConditionAspect.IN_SIGHT))

    def _read_contact(self, text: str) -> Condition | None:
        by_enemy = naming.words_of(text) in map(naming.words_of, self.words.contact_by_enemy)
        match = None if by_enemy else self.words.in_contact_pattern.fullmatch(text)
        if match is None and not by_enemy:
            return None
        if self.system.enemies_in_contact is None:
            raise Refused(f"{self.system.title} keeps no contact between units. Write “if an enemy is within 1”.")
        contact = Condition(aspect=ConditionAspect.CHARGED, who=ORDERED)
        return contact if match is None else self._with_matched_subject(match, contact, itself=True)

    def _read_distance(self, text: str) -> Condition | None:
        match = self.words.distance_pattern.fullmatch(text)
        if match is None:
            return None
        measure = self.system.places.measure(self.side.seen)
        if not measure:
            raise Refused("Distances are not known in this game: no places are kept.")
        length = (match["length"] or "").casefold()
        if length and length.startswith("hex") is not (measure == HEXES):
            raise Refused(f"Distances are in {measure} here: write “within {match['number']}”.")
        number = Fraction(1) if match["number"].casefold() in ("a", "one") else read_number(match["number"])
        if number > FARTHEST:
            raise Refused(f"A distance is {FARTHEST} at most.")
        near = match["near"] or ""
        near_unit = ""
        if near and not self._matches_any(near, self.words.itself):
            near_unit = PRONOUN if self._matches_any(near, self.words.pronouns) else self._find_unit(near)
        within = Condition(aspect=ConditionAspect.WITHIN, number=round(float(number), DECIMALS), near=near_unit)
        return (
            within if self._matches_any(match["who"], self.words.nearest) else self._with_matched_subject(match, within)
        )

    def _read_state(self, text: str) -> Condition | None:
        pattern, meanings = adjective_pattern(self.words, self._adjectives)
        match = pattern.fullmatch(text)
        if match is None:
            return None
        state = meanings[naming.words_of(match["said"])]
        return self._with_matched_subject(match, Condition(aspect=ConditionAspect.STATE, state=state), itself=True)

    def _with_matched_subject(self, match: re.Match[str], condition: Condition, *, itself: bool = False) -> Condition:
        """Return `condition` with the unit or group that `match` names as its subject. Raises Refused.

        With `itself`, a match without a name means the ordered unit.
        """
        phrase, is_negative = (match["who"] or "").strip(EDGES), match["no"] is not None
        bare = NO.sub("", phrase)
        words = self.words
        is_name = not any(
            self._matches_any(bare, spellings)
            for spellings in (words.itself, words.pronouns, words.target, words.enemy)
        )
        if phrase and is_name and len(naming.find_matches(phrase, self.side.names)) == 1:
            # a name may begin with “No”: “No 1 Company”
            return condition.model_copy(update={"who": self._find_unit(phrase), "negated": is_negative})
        negated = is_negative != (bare != phrase)
        if group := self.side.words.classes_of_group(_without_articles(bare)) if is_name else frozenset():
            name = _without_articles(bare).casefold()
            return condition.model_copy(update={"who": "", "group": name, "classes": group, "negated": negated})
        if EVERY.match(bare):
            raise Refused("A condition looks at one unit, or at any of a group: write “any guns” or “no guns”.")
        subject = self._read_subject(bare)
        if subject in (ORDERED, OMITTED, PRONOUN) and not (itself or condition.near):
            raise UnclearCondition(
                f"Who is to be {condition.aspect.value}: a unit by name, or “an enemy”? {HOW_TO_SAY}"
            )
        return condition.model_copy(update={"who": subject, "negated": negated})

    def _read_subject(self, text: str) -> str:
        """Return the value of `Condition.who` for a subject in words; OMITTED without words. Raises Refused."""
        if not text:
            return OMITTED
        words = self.words
        subjects = ((words.itself, ORDERED), (words.pronouns, PRONOUN), (words.target, TARGETED), (words.enemy, ""))
        for spellings, subject in subjects:
            if self._matches_any(text, spellings):
                return subject
        return "" if self._is_enemy_side(text) else self._find_unit(text)

    def _is_enemy_side(self, text: str) -> bool:
        """Whether the words name another side: `the Zulus`, `any Mahdists`."""
        side = find_named_side(self.side.seen, _without_articles(text), self.side.words.sides)
        viewer = self.side.viewer
        return side is not None and viewer != UMPIRE and side not in self.side.seen.sides_represented_by(viewer)

    def _matches_any(self, text: str, spellings: Sequence[str]) -> bool:
        return naming.words_of(text) in map(naming.words_of, spellings)

    def _find_unit(self, text: str) -> str:
        """Return the id of the unit with that name. Raises Refused, also for a marker."""
        unit = naming.resolve_name(text, self.side.names, "No unit here is called {}.")
        if unit not in self.side.seen.units:
            raise Refused(f"{self.side.names[unit]} is a marker. A condition is about units.")
        return unit


def _resolve_pronouns(condition: Condition) -> Condition:
    """Replace an omitted subject or a pronoun in the condition by the ordered unit."""
    subject = ORDERED if condition.who in (OMITTED, PRONOUN) else condition.who
    near = "" if condition.near == PRONOUN else condition.near
    return condition.model_copy(update={"who": subject, "near": near})


def _without_articles(text: str) -> str:
    """Return a group's name without leading articles and words such as `any`: `guns` for `any enemy guns`."""
    bare = SOME.sub("", text)
    return bare if bare == text else _without_articles(bare)
