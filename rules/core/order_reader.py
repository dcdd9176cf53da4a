"""Read an order line in players' words: `Berks shoot Amarar`, `everyone: forward 6`, `all guns fire at the nearest`.

A line is split at its colon, or at a phrase for an action. Every reading is tried until one gives an order.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from . import naming
from .conditional_lines import ConditionalLine
from .order_advice import OrderAdvice
from .order_arguments import PREPOSITION, OrderArguments
from .order_words import Phrase, Spelling
from .orders import (
    DEFAULT_KIND,
    HOLD,
    LONGEST,
    MY_TURN,
    Order,
    actions_by_unit,
    begins_with_the_rest,
    names_all_units,
    ordered_kinds,
    units_able,
)
from .refusal import NoPlace, Refused
from .ruleset import Ruleset
from .side_units import NoUnits, SideUnits
from .state import State
from .typed_text import exact_form, fold, without_bullet
from .wording import as_words

S = TypeVar("S", bound=State)

MOST_WORDS = 200
"""Maximum characters of the action part of a line."""
MOST_WAYS = 40
"""Maximum number of readings tried for one line, which may name an action many times."""
FULL_STOP = re.compile(r"[.!]+$")
SENTENCE = re.compile(r"(?<=[^\W\d_]{2}[.!])\s+(?=[^\W_])")
BEFORE_A_PHRASE = re.compile(r"^(?:please|should|must|will|shall|to|now|then)\s+", re.IGNORECASE)
AFTER_NAMES = re.compile(r"\s+(?:please|should|must|will|shall|to|now|then)$", re.IGNORECASE)
NEAREST = re.compile(
    r"^(?:the\s+|their\s+)?(?:nearest|closest)(?:\s+(?:enemy|foe|enemies|unit|target|one)s?)*$", re.IGNORECASE
)
PHASE = re.compile(r"^in\s+([^:]+):\s*(?=\S)", re.IGNORECASE)
NO_PHRASE = Phrase(words=(DEFAULT_KIND,), kind=DEFAULT_KIND)
"""The meaning of an order without a verb, such as `Amarar: forward 12`."""


@dataclass(frozen=True)
class Reading:
    """One way to split a line: the units' names, the phrase if the line has one, and the words after it."""

    names: str
    spelling: Spelling | None
    rest: str

    def meaning_for(self, unit_class: str) -> Phrase | None:
        """Return the meaning of the order for units of the class; None if such units cannot do it."""
        return NO_PHRASE if self.spelling is None else self.spelling.meaning_for(unit_class)


@dataclass(frozen=True)
class OrderReader(Generic[S]):
    """Reads order lines of one side."""

    side: SideUnits[S]

    @property
    def system(self) -> Ruleset[S]:
        """Return the rule system of the orders."""
        return self.side.system

    def read(self, line: str) -> tuple[Order, ...]:
        """Return the orders that a line gives: several if its units have different targets or actions.

        Raises Refused with what was understood and what was not.
        """
        text = FULL_STOP.sub("", self._without_bullet(fold(line).strip())).strip()
        if len(text) > LONGEST:
            raise Refused(f"An order has {LONGEST} characters at most.")
        try:
            return self._read_sentence(text)
        except Refused:
            first, *others = [FULL_STOP.sub("", one) for one in SENTENCE.split(text)]
            if not others:
                raise
            return (*self._read_sentence(first), *(order for one in others for order in self._read_sentence(one)))

    def _without_bullet(self, text: str) -> str:
        """Return a folded line without its bullet, which may be the beginning of a unit's name: `17. FK`."""
        bare, form = without_bullet(text), exact_form(text)
        return (
            text if bare != text and any(form.startswith(exact_form(name)) for name in self.side.own.values()) else bare
        )

    def _read_sentence(self, text: str) -> tuple[Order, ...]:
        phase = ""
        if at := PHASE.match(text):
            phases = (MY_TURN, *(self.system.phases.player_phases if self.system.phases is not None else ()))
            phase, text = naming.resolve(at[1], {one: one for one in phases}, "There is no phase {}."), text[at.end() :]
        return ConditionalLine(self.side).read(text, partial(self._read_plain, phase))

    def _read_plain(self, phase: str, text: str) -> tuple[Order, ...]:
        """Return the orders of a text without its phase and its conditions. Raises Refused."""
        advice = OrderAdvice(self.side)
        no_units: Refused | None = None
        refused: Refused | None = None
        for reading in islice(self._readings(text), MOST_WAYS):
            try:
                return tuple(self._orders(reading, phase))
            except NoUnits as why:
                no_units = no_units or why
            except NoPlace as why:
                refused = refused or (why if reading.spelling else advice.not_understood(text))
            except Refused as why:
                refused = refused or why
        raise refused or no_units or advice.not_understood(text)

    def _readings(self, text: str) -> Iterator[Reading]:
        """Yield the readings of a line: split at the colon, then at each phrase in it, the most telling first."""
        names, colon, rest = text.partition(":")
        if colon:
            rest = BEFORE_A_PHRASE.sub("", rest.strip())
            found = [(each, at.end()) for each in self.side.words.spellings if (at := each.at_start.match(rest))]
            for spelling, end in found:
                yield Reading(names, spelling, rest if spelling.keeps else rest[end:])
            if all(spelling.keeps for spelling, _ in found):
                yield Reading(names, None, rest)
        for spelling in self.side.words.spellings:
            for at in spelling.inside.finditer(text):
                before = AFTER_NAMES.sub("", text[: at.start()])
                yield Reading(before, spelling, text[at.start() if spelling.keeps else at.end() :].strip())

    def _orders(self, reading: Reading, phase: str) -> Iterator[Order]:
        """Yield the orders of a reading. Raises NoUnits, Refused."""
        units = self.side.listed(reading.names)
        if not units:
            raise NoUnits("Whom is that for? Begin with the name of a unit, or with “all”.")
        if len(reading.rest) > MOST_WORDS:
            raise Refused(f"What units are to do has {MOST_WORDS} characters at most.")
        is_group, refusals = names_all_units(reading.names), list[Refused]()
        found: dict[tuple[str, str], tuple[str, Mapping[str, Any], list[str]]] = {}
        for unit in units:
            meaning = reading.meaning_for(self.side.unit_class(unit))
            if meaning is None:
                raise Refused(f"{self.side.own[unit]} cannot do that. {OrderAdvice(self.side).forms(unit)}")
            try:
                args = self._arguments(unit, meaning, self._with_nearest(unit, meaning, reading.rest))
            except Refused as refused:
                if not is_group:
                    raise
                refusals.append(refused)
                continue
            found.setdefault((meaning.kind, repr(args)), (meaning.kind, args, []))[2].append(unit)
        if not found:
            raise refusals[0]
        for kind, args, those in found.values():
            order = Order(kind=kind, units=tuple(those), args=args, phase=phase)
            for _ in actions_by_unit(self.system, self.side.seen, order):
                pass
            yield self._able(order) if is_group else order

    def _with_nearest(self, unit: str, meaning: Phrase, rest: str) -> str:
        """Return the rest of an order, with the unit's nearest enemy named where it says “the nearest”."""
        filling = PREPOSITION.match(rest)
        object_ = rest[filling.end() if filling else 0 :]
        if meaning.kind not in self.system.actions or NEAREST.match(object_.strip()) is None:
            return rest
        return f"{filling[0] if filling else ''}{self.side.written_name(self.side.nearest_enemy(unit, meaning.kind))}"

    def _arguments(self, unit: str, meaning: Phrase, rest: str) -> Mapping[str, Any]:
        """Return the arguments of a unit's order, such as the hex north of it. Raises Refused."""
        if meaning.advice:
            raise Refused(meaning.advice)
        if meaning.kind == HOLD:
            if rest.strip(" ,"):
                raise Refused(f"“{rest.strip()[: naming.MOST_REPEATED]}” is not understood after “{meaning.words[0]}”.")
            return {}
        if meaning.kind not in self.system.actions:
            raise Refused(f"Say what they are to do: {', '.join(map(as_words, ordered_kinds(self.system)))}.")
        return OrderArguments(self.side).read(meaning, rest, unit)

    def _able(self, order: Order) -> Order:
        """Return the order for the units that can do it now."""
        units = units_able(self.system, self.side.seen, self.side.viewer, order)
        return order.model_copy(update={"units": units})


def is_for_all(line: str) -> bool:
    """Whether an order line is for all units, such as `all: forward 6` or `in moves: everyone advance 6`."""
    return names_all_units(_without_phase(line))


def is_for_the_rest(line: str) -> bool:
    """Whether an order line is for the units without an order, such as `the others: forward 6`."""
    return begins_with_the_rest(_without_phase(line))


def _without_phase(line: str) -> str:
    text = without_bullet(fold(line))
    phase = PHASE.match(text)
    return text[phase.end() :] if phase else text
