"""Read an order line in players' words: `Berks shoot Amarar`, `everyone: forward 6`, `all guns fire at the nearest`.

A line is split at its colon, or at a phrase for an action. Every reading is tried until one gives an order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Generic, TypeVar

from . import naming
from .order_words import REST, Phrase, Spelling
from .order_writer import OrderWriter
from .orders import (
    FIRST,
    HOLD,
    LONGEST,
    MY_TURN,
    USUAL,
    Order,
    actions,
    first_field,
    is_all,
    order_fields,
    ordered_kinds,
    units_able,
)
from .refusal import NoPlace, Refused
from .ruleset import Ruleset
from .side_units import NoUnits, SideUnits
from .state import State
from .wording import as_words

S = TypeVar("S", bound=State)

MOST_WORDS = 200
"""Maximum characters of the action part of a line."""
MOST_WAYS = 40
"""Maximum number of readings tried for one line, which may name an action many times."""
MOST_FORMS = 3
"""Maximum number of example orders in a refusal."""
ALIKE = 75.0
"""Minimum similarity (0-100) of an unknown word and a phrase that the refusal suggests."""
BULLET = re.compile(r"^(?:[-*•–—>]\s*|\(?\d+[.)]\s+)+")
FULL_STOP = re.compile(r"[.!]+$")
SENTENCE = re.compile(r"(?<=\w\w[.!])\s+(?=[^\W\d_])")
WITH = re.compile(r"\bwith\b", re.IGNORECASE)
FILLING = re.compile(r"^(?:(?:at|to|on|upon|against|into|toward|towards)\s+)+", re.IGNORECASE)
BEFORE_A_PHRASE = re.compile(r"^(?:please|should|must|will|shall|to|now|then)\s+", re.IGNORECASE)
AFTER_NAMES = re.compile(r"\s+(?:please|should|must|will|shall|to|now|then)$", re.IGNORECASE)
PARTS = re.compile(r"\s*(?:,|\band\b|\bthen\b)\s*", re.IGNORECASE)
BEFORE_A_CIRCUMSTANCE = r"(?:(?:,|and|at|in|with|by|using)\s*)*"
NEAREST = re.compile(
    r"^(?:the\s+|their\s+)?(?:nearest|closest)(?:\s+(?:enemy|foe|enemies|unit|target|one)s?)*$", re.IGNORECASE
)
PHASE = re.compile(r"^in\s+([^:]+):\s*(?=\S)", re.IGNORECASE)
NO_PHRASE = Phrase(words=(USUAL,), kind=USUAL)
"""The meaning of an order without a verb, such as `Amarar: forward 12`."""


@dataclass(frozen=True)
class Reading:
    """One way to split a line: the units' names, the phrase if the line has one, and the words after it."""

    names: str
    spelling: Spelling | None
    rest: str

    def meaning_for(self, unit_class: str) -> Phrase | None:
        """Return what units of the class are to do."""
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
        text = FULL_STOP.sub("", BULLET.sub("", line.strip())).strip()
        if len(text) > LONGEST:
            raise Refused(f"An order has {LONGEST} characters at most.")
        try:
            return self._read_sentence(text)
        except Refused:
            sentences = SENTENCE.split(text)
            if len(sentences) == 1:
                raise
            return tuple(order for one in sentences for order in self._read_sentence(FULL_STOP.sub("", one)))

    def _read_sentence(self, text: str) -> tuple[Order, ...]:
        phase = ""
        if at := PHASE.match(text):
            phases = (MY_TURN, *(self.system.phases.of_people if self.system.phases is not None else ()))
            phase, text = naming.one(at[1], {one: one for one in phases}, "There is no phase {}."), text[at.end() :]
        no_units: Refused | None = None
        refused: Refused | None = None
        for reading in islice(self._readings(text), MOST_WAYS):
            try:
                return tuple(self._orders(reading, phase))
            except NoUnits as why:
                no_units = no_units or why
            except NoPlace as why:
                refused = refused or (why if reading.spelling else self._not_understood(text))
            except Refused as why:
                refused = refused or why
        raise refused or no_units or self._not_understood(text)

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
        found: dict[tuple[str, str], tuple[Phrase, str, list[str]]] = {}
        for unit in units:
            meaning = reading.meaning_for(self.side.unit_class(unit))
            if meaning is None:
                raise Refused(f"{self.side.own[unit]} cannot do that. {self.forms(unit)}")
            rest = self._with_nearest(unit, reading.rest)
            found.setdefault((meaning.model_dump_json(), rest), (meaning, rest, []))[2].append(unit)
        for meaning, rest, those in found.values():
            order = self._order(meaning, rest, tuple(those), phase)
            yield self._able(order) if is_all(reading.names) else order

    def _with_nearest(self, unit: str, rest: str) -> str:
        """Return the rest of an order, with the unit's nearest enemy named where it says “the nearest”."""
        filling = FILLING.match(rest)
        object_ = rest[filling.end() if filling else 0 :]
        if NEAREST.match(object_.strip()) is None:
            return rest
        return f"{filling[0] if filling else ''}{self.side.written_name(self.side.nearest_enemy(unit))}"

    def _order(self, meaning: Phrase, rest: str, units: tuple[str, ...], phase: str) -> Order:
        if meaning.advice:
            raise Refused(meaning.advice)
        if meaning.kind == HOLD:
            if rest.strip(" ,"):
                raise Refused(f"“{rest.strip()[: naming.LONGEST]}” is not understood after “{meaning.words[0]}”.")
            return Order(kind=HOLD, units=units, phase=phase)
        if meaning.kind not in self.system.actions:
            raise Refused(f"Say what they are to do: {', '.join(map(as_words, ordered_kinds(self.system)))}.")
        order = Order(kind=meaning.kind, units=units, args=self._args(meaning, rest, units[0]), phase=phase)
        for _ in actions(self.system, self.side.seen, order):
            pass
        return order

    def _able(self, order: Order) -> Order:
        """Return the order for the units that can do it now."""
        units = units_able(self.system, self.side.seen, self.side.viewer, order)
        return order.model_copy(update={"units": units})

    def _args(self, meaning: Phrase, rest: str, unit: str) -> dict[str, Any]:
        """Return the arguments of an action. Raises Refused with the words that are not understood."""
        kind, given = meaning.kind, [*meaning.circumstances]
        words, *with_ = WITH.split(rest, maxsplit=1)
        given += [part.strip() for part in with_]
        fields = order_fields(self.system, kind)
        named = "|".join(re.escape(as_words(name)) for name in fields if name not in FIRST) or "(?!)"
        pieces = re.split(rf"(?:^|\s|,)({named})\b\s*:?\s*", words, flags=re.IGNORECASE)
        first, piece = first_field(self.system, kind), pieces[0].strip(" ,")
        args: dict[str, Any] = {}
        if piece or (meaning.to != REST and REST in meaning.to):
            piece, implied = self._split_circumstances(meaning, piece, unit)
            given += implied
        if not piece and first == "target" and self.system.actions[kind].model_fields[first].is_required():
            raise Refused(
                f"{as_words(kind).capitalize()} whom? Name an enemy, or write “{as_words(kind)} the nearest”."
            )
        if piece or (meaning.to != REST and REST in meaning.to):
            args |= self._first_value(meaning, first, piece, unit)
        for name, value in zip(pieces[1::2], pieces[2::2], strict=True):
            field = next(each for each in fields if as_words(each) == " ".join(name.casefold().split()))
            args[field] = self._parse_value(kind, field, value.strip(" ,"))
        if given := [one for one in given if one]:
            args["with"] = ", ".join(given)
        return args

    def _split_circumstances(self, meaning: Phrase, piece: str, unit: str) -> tuple[str, list[str]]:
        """Return the words without circumstances at their end or instead of them, and these circumstances.

        A circumstance is one of the action's own words, or for a move a phrase that implies some.
        """
        found: list[str] = []
        known = self._circumstance_words(meaning.kind)
        while piece:
            match = next(((at, names) for pattern, names in known if (at := pattern.search(piece))), None)
            if match is None or self._is_value(meaning, piece, unit):
                break
            at, names = match
            found = [*names, *found]
            piece = piece[: at.start()].strip(" ,")
        return piece, found

    def _circumstance_words(self, kind: str) -> Sequence[tuple[re.Pattern[str], tuple[str, ...]]]:
        if kind not in self._known_circumstances:
            own = {name: (name,) for name in self.system.actions[kind].circumstance_names}
            implied = {
                spelling.words: phrase.circumstances
                for spelling in self.side.words.spellings
                for phrase in spelling.meanings[:1]
                if phrase.kind == kind and phrase.circumstances and phrase.to == REST and not phrase.classes
            }
            self._known_circumstances[kind] = [
                (re.compile(rf"(?:^|[\s,]){BEFORE_A_CIRCUMSTANCE}{re.escape(words)}$", re.IGNORECASE), names)
                for words, names in sorted({**implied, **own}.items(), key=lambda item: -len(item[0]))
            ]
        return self._known_circumstances[kind]

    @cached_property
    def _known_circumstances(self) -> dict[str, Sequence[tuple[re.Pattern[str], tuple[str, ...]]]]:
        return {}

    def _is_value(self, meaning: Phrase, piece: str, unit: str) -> bool:
        """Whether the words as a whole are a target or destination, although they end like a circumstance."""
        first = first_field(self.system, meaning.kind)
        try:
            self._first_value(meaning, first, piece, unit)
        except Refused:
            return False
        return first == "target"

    def _first_value(self, meaning: Phrase, first: str, piece: str, unit: str) -> Mapping[str, str]:
        """Return the value of an action's first field, by the field's name. Raises Refused."""
        bare = FILLING.sub("", piece)
        if not first:
            left, verb = piece[: naming.LONGEST], as_words(meaning.kind)
            raise Refused(f"“{left}” is not understood: {verb} needs no more words.")
        if first == "to":
            return {first: self._destination(meaning, piece, unit)}
        return {first: self._parse_value(meaning.kind, first, bare)}

    def _destination(self, meaning: Phrase, piece: str, unit: str) -> str:
        """Return a destination in the bot's words: `forward 6`, `towards Amarar`. Raises Refused."""
        if not piece:
            example = meaning.to.replace(REST, "6" if "towards" not in meaning.to else "…")
            raise Refused(f"“{meaning.words[0]}” needs more words: how far, or where to, as “{example}”.")
        bare = FILLING.sub("", piece)
        text = meaning.to.replace(REST, bare if meaning.to != REST else piece)
        try:
            return self.system.places.canonical(self.side.seen, unit, _without_to(text))
        except Refused:
            if len(found := naming.meant(bare, self.side.names)) == 1 and bare != piece:
                towards = f"towards {self.side.written_name(found[0])}"
                return self.system.places.canonical(self.side.seen, unit, towards)
            raise

    def _parse_value(self, kind: str, field: str, text: str) -> str:
        names_unit = field in self.system.actions[kind].refers_to
        return naming.one(text, self.side.names, "No unit here is called {}.") if names_unit else text

    def _not_understood(self, text: str) -> Refused:
        """Return a refusal that says what was understood, what was not, and how to write an order in this game."""
        words = text.split()
        for count in range(len(words), 0, -1):
            names, rest = " ".join(words[:count]).rstrip(":,"), " ".join(words[count:])
            try:
                units = self.side.listed(names)
            except Refused:
                continue
            if not units:
                continue
            who = naming.join_names([self.side.own[unit] for unit in units[:MOST_FORMS]])
            more = f" and {len(units) - MOST_FORMS} more" if len(units) > MOST_FORMS else ""
            if not rest:
                return Refused(f"{who}{more}: say what they are to do. {self.forms(units[0])}")
            unknown = rest[: naming.LONGEST]
            return Refused(f"{who}{more}: “{unknown}” is not understood. {self._alike(rest)}{self.forms(units[0])}")
        first = next(iter(self.side.own), None)
        forms = self.forms(first) if first is not None else ""
        return Refused(f"“{text[: naming.LONGEST]}” names no unit of yours that it begins with. {forms}".strip())

    def _alike(self, rest: str) -> str:
        """Return a suggestion of the phrase most like the first words of the rest; empty if none is alike."""
        known = {spelling.words: spelling.words for spelling in self.side.words.spellings}
        near = naming.nearest(" ".join(rest.split()[:2]), known, ALIKE)
        return f"Did you mean “{near[0]}”? " if near else ""

    def forms(self, unit: str) -> str:
        """Return advice on how to order a unit, with examples of what it may do now in this game."""
        kinds = [kind for kind in ordered_kinds(self.system) if unit in self.side.seen.units]
        asker = self.side.seen.units[unit].side if kinds else self.side.viewer
        legal = (next(iter(self.system.legal(self.side.seen, asker, kind, unit)), None) for kind in kinds)
        writer = OrderWriter(self.side)
        found = [writer.write_action(unit, action) for action in islice(filter(None, legal), MOST_FORMS)]
        name = self.side.written_name(unit, among_own=True)
        found = found or [f"{name}: {to}" for to in self._usual_destinations(unit)[:1]]
        if not found:
            return f"Write the unit and what it is to do: {', '.join(map(as_words, ordered_kinds(self.system)))}."
        return f"Write it as {' or '.join(f'“{one}”' for one in found)}."

    def _usual_destinations(self, unit: str) -> Sequence[str]:
        return (
            self.system.places.destinations(self.side.seen, self.side.viewer, unit)
            if USUAL in self.system.actions
            else ()
        )


def _without_to(words: str) -> str:
    return re.sub(r"^to\s+", "", words, flags=re.IGNORECASE)


def is_for_all(line: str) -> bool:
    """Whether an order line is for all units, such as `all: forward 6` or `in moves: everyone advance 6`."""
    text = BULLET.sub("", line.strip())
    phase = PHASE.match(text)
    return is_all(text[phase.end() :] if phase else text)
