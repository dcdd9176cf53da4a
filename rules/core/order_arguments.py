"""Read the part of an order after its verb: target or destination, named fields, and circumstances."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import naming
from .order_words import NO_PHRASE, REST, OrderPhrase
from .orders import UNNAMED_FIELDS, order_fields, unnamed_field
from .refusal import AmbiguousGoal, Refused, UnknownOrderWords
from .side_units import OrderTool
from .state import S
from .wording import as_words

WITH = re.compile(r"\bwith\b", re.IGNORECASE)
PREPOSITION = re.compile(r"^(?:(?:at|to|on|upon|against|into|toward|towards)\s+)+", re.IGNORECASE)
LEADING_TO = re.compile(r"^to\s+", re.IGNORECASE)
TO_THE = re.compile(r"\bto\s+the\s+(?=(?:north|south|east|west)(?:[ -]?(?:east|west))?\b)", re.IGNORECASE)
TOWARDS = re.compile(r"(?:to\s+)?towards?\s+(?P<name>\S.*)", re.IGNORECASE)
BEFORE_A_CIRCUMSTANCE = r"(?:(?:,|(?:and|at|in|into|to|as|an?|with|by|using)\b)\s*)*"
OF_THE_TARGET = re.compile(r"^target ")
"""The beginning of a circumstance that players omit: “fire Amarar in the open”."""


@dataclass(frozen=True)
class OrderArguments(OrderTool[S]):
    """Reader of the arguments of one side's orders."""

    def read(self, meaning: OrderPhrase, rest: str, unit: str) -> dict[str, Any]:
        """Return the arguments of an action. Raises Refused naming the words that are not understood."""
        kind, circumstances = meaning.kind, list[str]()
        fields, field_words = order_fields(self.system, kind), self.system.actions[kind].field_words
        by_words = {as_words(name): name for name in fields} | {words: name for name, words in field_words.items()}
        field_names = (
            "|".join(re.escape(words) for words, name in by_words.items() if name not in UNNAMED_FIELDS) or "(?!)"
        )
        pieces = re.split(rf"(?:^|\s|,)({field_names})\b\s*:?\s*", rest, flags=re.IGNORECASE)
        for place in range(0, len(pieces), 2):
            pieces[place], *with_ = WITH.split(pieces[place], maxsplit=1)
            circumstances += [part.strip(" ,") for part in with_]
        first, piece = unnamed_field(self.system, kind), pieces[0].strip(" ,")
        args: dict[str, Any] = {}
        if piece or (meaning.to != REST and REST in meaning.to):
            piece, implied = self._split_circumstances(meaning, piece, unit)
            circumstances += implied
        if not piece and first == "target" and self.system.actions[kind].model_fields[first].is_required():
            raise Refused(
                f"{as_words(kind).capitalize()} whom? Name an enemy, or write “{as_words(kind)} the nearest”."
            )
        if piece or (meaning.to != REST and REST in meaning.to):
            args |= self._read_first_field(meaning, first, piece, unit)
        for name, value in zip(pieces[1::2], pieces[2::2], strict=True):
            field = by_words[" ".join(name.casefold().split())]
            args[field] = self._read_field(kind, field, value.strip(" ,"), unit)
        circumstances = [circumstance for circumstance in circumstances if circumstance]
        if meaning.circumstances and not (circumstances and meaning.by_default):
            circumstances = [*meaning.circumstances, *circumstances]
        if circumstances:
            args["with"] = ", ".join(circumstances)
        if first == "to" and not args and self.side.seen.keeps_positions:
            raise Refused(f"{as_words(kind).capitalize()} how far, or where to?")
        return args

    def _split_circumstances(self, meaning: OrderPhrase, piece: str, unit: str) -> tuple[str, list[str]]:
        """Split `piece`, the end of an order, into the words before its circumstances, and the circumstances.

        A circumstance is one of the action's own words or, for a move, a phrase that implies circumstances.
        """
        circumstances: list[str] = []
        patterns = self._circumstance_patterns(meaning.kind)
        while piece:
            match = next(((at, names) for pattern, names in patterns if (at := pattern.search(piece))), None)
            if match is None or self._is_target_name(meaning, piece, unit):
                break
            at, names = match
            circumstances = [*names, *circumstances]
            piece = piece[: at.start()].strip(" ,")
        return piece, circumstances

    def _circumstance_patterns(self, kind: str) -> Sequence[tuple[re.Pattern[str], tuple[str, ...]]]:
        if kind not in self._circumstance_patterns_by_kind:
            names = self.system.actions[kind].circumstance_names
            own = {words: (name,) for name in reversed(names) for words in (OF_THE_TARGET.sub("", name), name)}
            implied = {
                spelling.words: phrase.circumstances
                for spelling in self.side.words.spellings
                for phrase in spelling.meanings[:1]
                if phrase.kind == kind and phrase.circumstances and phrase.to == REST and not phrase.classes
            }
            self._circumstance_patterns_by_kind[kind] = [
                (re.compile(rf"(?:^|[\s,]){BEFORE_A_CIRCUMSTANCE}{re.escape(words)}$", re.IGNORECASE), names)
                for words, names in sorted({**implied, **own}.items(), key=lambda item: -len(item[0]))
            ]
        return self._circumstance_patterns_by_kind[kind]

    @cached_property
    def _circumstance_patterns_by_kind(self) -> dict[str, Sequence[tuple[re.Pattern[str], tuple[str, ...]]]]:
        return {}

    def _is_target_name(self, meaning: OrderPhrase, piece: str, unit: str) -> bool:
        """Whether all of `piece` names a target, although it ends like a circumstance."""
        first = unnamed_field(self.system, meaning.kind)
        try:
            self._read_first_field(meaning, first, piece, unit)
        except Refused:
            return False
        return first == "target"

    def _read_first_field(self, meaning: OrderPhrase, first: str, piece: str, unit: str) -> Mapping[str, str]:
        """Return the value of an action's first field, keyed by the field's name. Raises Refused."""
        bare = PREPOSITION.sub("", piece)
        if not first:
            quote, verb = piece[: naming.MOST_REPEATED], as_words(meaning.kind)
            raise UnknownOrderWords(f"“{quote}” is not understood: {verb} needs no more words.")
        if first == "to":
            return {first: self.read_destination(piece, unit, meaning)}
        return {first: self._read_field(meaning.kind, first, bare, unit)}

    def read_destination(self, piece: str, unit: str, meaning: OrderPhrase = NO_PHRASE) -> str:
        """Return a destination as the bot writes it: `forward 6`, `towards Amarar`. Raises Refused."""
        if not piece:
            example = meaning.to.replace(REST, "6" if "towards" not in meaning.to else "…")
            raise Refused(f"“{meaning.words[0]}” needs more words: how far, or where to, such as “{example}”.")
        bare = PREPOSITION.sub("", piece)
        text = meaning.to.replace(REST, bare if meaning.to != REST else piece)
        if goal := TOWARDS.fullmatch(text):
            others = [other for other in self.side.find_matching_units(goal["name"], self.side.names) if other != unit]
            if len(others) > 1:
                raise self._refusal_of_ambiguous_name(goal["name"], others)
        try:
            return self._canonical_destination(unit, LEADING_TO.sub("", text))
        except Refused:
            if (plain := TO_THE.sub("", text)) != text:  # `6 inches to the north`
                with suppress(Refused):
                    return self._canonical_destination(unit, plain)
            if len(matches := naming.find_matches(bare, self.side.names)) == 1 and bare != piece:
                return self._canonical_destination(unit, f"towards {self.side.typeable_name(matches[0])}")
            raise

    def _canonical_destination(self, unit: str, words: str) -> str:
        canonical = self.system.places.canonical_words
        return words if canonical is None else canonical(self.side.seen, unit, words)

    def _read_field(self, kind: str, field: str, text: str, unit: str) -> str:
        if field in self.system.actions[kind].place_fields:
            return self.read_destination(text, unit)
        return self._find_unit(text, unit) if field in self.system.actions[kind].refers_to else text

    def _find_unit(self, text: str, unit: str) -> str:
        """Return the id of the unit that the text means, by name or class (`the tanks`). Raises Refused."""
        enemies = self.side.enemy_groups(unit)
        units = self.side.find_matching_units(text, self.side.names) or enemies.find(text)
        if len(units) == 1:
            return units[0]
        if units:
            raise self._refusal_of_ambiguous_name(text, units)
        return naming.resolve_name(text, enemies.names or self.side.names, "No unit here is called {}.")

    def _refusal_of_ambiguous_name(self, text: str, units: Sequence[str]) -> AmbiguousGoal:
        """Return the refusal of a name that may mean any of several units."""
        quoted = f"“{text.strip()[: naming.MOST_REPEATED]}”"
        return AmbiguousGoal(naming.clarifying_question(quoted, [self.side.names[unit] for unit in units]))
