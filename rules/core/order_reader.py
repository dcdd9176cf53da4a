"""Read an order line in players' words: `Berks shoot Amarar`, `everyone: forward 6`, `all guns fire at the nearest`.

A line is split at its colon, or at a phrase for an action. Readings are tried in turn until one gives an order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Any

from . import naming
from .conditional_lines import ConditionalLineReader
from .likewise import rewrite_likewise_line
from .nearest_enemies import NearestEnemyFinder
from .number_words import with_digits, with_ordinals
from .order_advice import OrderAdvice
from .order_arguments import OrderArguments
from .order_words import NO_PHRASE, OrderPhrase, PhraseSpelling
from .orders import (
    HOLD,
    LONGEST,
    MY_TURN,
    Order,
    actions_by_unit,
    kinds_for_orders,
    means_all_units,
    means_remaining_units,
    read_unit_count,
    without_unable_units,
)
from .partial_reading import PartialReader, PartlyUnderstood
from .refusal import AmbiguousGoal, NoPlace, NotPossibleNow, Refused, UnclearGoal, UnknownOrderWords
from .side_units import AmbiguousUnits, OrderTool, UnknownUnits
from .state import S
from .typed_text import NUMBER, remove_bullet, remove_dot_bullet, simplify_signs
from .wording import as_words

MOST_WORDS = 200
"""Maximum characters of the action part of a line."""
MOST_WAYS = 40
"""Maximum number of readings tried for one line: a line may contain many phrases for actions."""
SIGNS = {re.compile(r"\s*(?:[-=]+>|[→⇒➔➜])\s*"): "to", re.compile(r"\s+@\s*(?=\S)"): "at"}
"""Symbols that players write instead of words: `Amarar -> C3`, `fire @ Amarar`."""
NUMBERED = re.compile(r"\d{1,3}\.\s")
"""The beginning of a line that may be numbered."""
MEASURE = re.compile(
    rf"\s+(?=[+-]?{NUMBER}\s*(?:\"|''|(?:in(?:ch(?:es)?)?|hex(?:es)?|fwd|forwards?|ahead|back(?:wards?)?|left|right"
    r"|(?:north|south)(?:[ -]?(?:east|west))?|east|west|[ns][ew])\b)|\d{4}\b|[a-w]\d{1,2}\b|[nsew]\s\d{1,2}\b)",
    re.IGNORECASE,
)
"""The space before a distance or place without a verb: `RMLI 4" left`, `Siskovits 6 fwd`, `Berks C3`, `Essex n 1`."""
ENOUGH = 3
"""Number of units that must refuse a group's order for one reason before the remaining units are skipped."""
AIMED = re.compile(r"\s+(?:at|on|upon|against|into)\s+", re.IGNORECASE)
"""Separates the units from their target after a verb: `fire the Stokes at 27th Reserve`."""
BOTH_AFTER = re.compile(r"(?:the\s+)?(?P<names>\S.*?)\s+both", re.IGNORECASE)
"""The names of two units, followed by `both`."""
FULL_STOP = re.compile(r"[.!]+$")
SENTENCE = re.compile(r"(?<=[^\W\d_]{2}[.!])\s+(?=[^\W_])|[.,;]?\s+\d{1,2}[.)]\s+(?=[^\W\d_])")
"""The separator of two sentences, or the number before an order within a line: `1. … 2. …`."""
SPACES = re.compile(r"[^\S\n]{2,}")
PHASE = re.compile(r"^in\s+([^:]+):\s*(?=\S)", re.IGNORECASE)


@dataclass(frozen=True)
class OrderReading:
    """One way to split a line: the units' names, the phrase (if any), and the words after the phrase."""

    names: str
    spelling: PhraseSpelling | None
    rest: str

    def meaning_for(self, unit_class: str) -> OrderPhrase | None:
        """Return the phrase's meaning for a class of units. None if the class cannot do the action."""
        return NO_PHRASE if self.spelling is None else self.spelling.meaning_for(unit_class)


@dataclass(frozen=True)
class OrderReader(OrderTool[S]):
    """Reader of one side's order lines."""

    @cached_property
    def _order_arguments(self) -> OrderArguments[S]:
        return OrderArguments(self.side)

    @cached_property
    def _partial_reader(self) -> PartialReader[S]:
        return PartialReader(self.side, self._read_text)

    def read(self, line: str) -> tuple[Order, ...]:
        """Return the orders of a line, several if units have different targets or actions.

        Raises PartlyUnderstood if only a part of the line gives orders, otherwise Refused with the unknown words.
        """
        if len(line) > LONGEST:
            raise Refused(f"An order has {LONGEST} characters at most.")
        spell_out = self.system.spell_out
        if spell_out is not None:
            line = spell_out(self.side.seen, self.side.viewer, self._replace_signs(remove_bullet(simplify_signs(line))))
        folded = SPACES.sub(" ", simplify_signs(line)).strip()
        text = self._replace_signs(remove_bullet(folded))
        undotted = remove_dot_bullet(folded)
        if numbered := self._replace_signs(undotted) if NUMBERED.match(undotted) else "":
            with suppress(Refused):  # the number belongs to the unit's name: `17. FK`
                return self._read_text(numbered)
            if self._partial_reader.begins_with_units(numbered):
                text = numbered
        try:
            return self._read_text(text)
        except (NotPossibleNow, PartlyUnderstood):
            raise
        except Refused as refused:
            raise self._partial_reader.find_understood_part(text, refused) or refused from None

    def _replace_signs(self, text: str) -> str:
        """Return the text without a full stop at its end. Replace arrows and `@` by words, except inside names."""
        for sign, word in SIGNS.items():
            for match in self.side.matches_outside_names(sign, text)[::-1]:
                text = f"{text[: match.start()]} {word} {text[match.end() :]}"
        return FULL_STOP.sub("", text).strip()

    def _read_text(self, text: str) -> tuple[Order, ...]:
        """Return the orders of a line of one or more sentences. Raises Refused."""
        try:
            return self._read_sentence(text)
        except Refused as refused:
            if full_text := rewrite_likewise_line(self.side, text, self._read_sentence):
                return self._read_text(full_text)
            sentences = [FULL_STOP.sub("", sentence) for sentence in SENTENCE.split(text)]
            try:
                orders_by_sentence = (
                    [self._read_sentence(sentence) for sentence in sentences] if len(sentences) > 1 else []
                )
            except Refused:
                orders_by_sentence = []  # the full stop shortens a word: `90th Res. move north`
            if not orders_by_sentence:
                raise refused from None
            return tuple(order for orders in orders_by_sentence for order in orders)

    def _read_sentence(self, text: str) -> tuple[Order, ...]:
        phase = ""
        if match := PHASE.match(text):
            phases = (MY_TURN, *(self.system.phases.player_phases if self.system.phases is not None else ()))
            phase = naming.resolve_name(match[1], {name: name for name in phases}, "There is no phase {}.")
            text = text[match.end() :]
        return ConditionalLineReader(self.side).read(text, partial(self._read_plain_orders, phase))

    def _read_plain_orders(self, phase: str, text: str, before: Sequence[Order]) -> tuple[Order, ...]:
        """Return the orders of a text without phase and conditions, executed after `before`. Raises Refused.

        The text is first read unchanged, because names may contain filler words or numbers. Otherwise filler words are
        left out, and numbers in words become digits.
        """
        if before:
            return replace(self, side=self.side.with_units_moved(before))._read_plain_orders(phase, text, ())
        filler = next(iter(self.side.matches_outside_names(self.side.words.filler.end_pattern, text)), None)
        bare = text[: filler.start()] if filler is not None and text[: filler.start()].strip(" :") else text
        plain = bare
        for manner in self.side.matches_outside_names(self.side.words.filler.manner_pattern, bare)[::-1]:
            plain = f"{plain[: manner.start()]} {plain[manner.end() :]}"
        plain = SPACES.sub(" ", plain).strip()
        numbered = with_digits(plain)
        readings = dict.fromkeys((text, bare, with_digits(bare), plain, numbered, with_ordinals(plain)))
        refused: Refused | None = None
        for wording in readings:
            try:
                return self._read_exact_wording(phase, wording)
            except Refused as why:
                refused = why if refused is None or wording in (bare, plain) else refused
        assert refused is not None
        raise refused

    def _read_exact_wording(self, phase: str, text: str) -> tuple[Order, ...]:
        """Return the orders of a text, with no word ignored or replaced. Raises Refused."""
        advice = OrderAdvice(self.side)
        no_units: Refused | None = None
        which_units: Refused | None = None
        refused: Refused | None = None
        for reading in islice(self._possible_readings(text), MOST_WAYS):
            try:
                return tuple(self._make_orders(reading, phase))
            except UnknownUnits as why:
                no_units = no_units or why
            except AmbiguousUnits as why:
                which_units = which_units or why
            except NoPlace as why:
                says_verb = reading.spelling is None and not any(map(str.isdigit, reading.rest))
                refused = refused or (advice.unreadable_order_refusal(text) if says_verb else why)
            except AmbiguousGoal as why:
                refused = why if refused is None or isinstance(refused, NoPlace) else refused
            except Refused as why:
                refused = refused or why
        raise (
            refused
            or which_units
            or advice.missing_units_refusal(text)
            or advice.unreadable_order_refusal(text, no_units)
        )

    def _possible_readings(self, text: str) -> Iterator[OrderReading]:
        """Yield the possible readings of a line: split at its colon, then at each phrase, specific phrases first."""
        names, colon, rest = text.partition(":")
        for action in dict.fromkeys((rest.strip(), self.side.words.filler.bare_action(rest.strip()))) if colon else ():
            matches = [
                (spelling, match)
                for spelling in self.side.words.spellings
                if (match := spelling.start_pattern.match(action))
            ]
            for spelling, match in matches:
                yield OrderReading(names, spelling, spelling.remaining_words(action, match))
            if all(spelling.keeps_words for spelling, _ in matches):
                yield OrderReading(names, None, action)
        for spelling in self.side.words.spellings:
            for match in spelling.inner_pattern.finditer(text):
                yield OrderReading(text[: match.start()], spelling, spelling.remaining_words(text, match))
        for start in (text, *self.side.words.filler.strip_leading_words(text)):
            for spelling in self.side.words.spellings:
                match = None if spelling.keeps_words else spelling.start_pattern.match(start)
                if match is not None and (words := start[match.end() :].strip()):
                    yield OrderReading(words, spelling, "")  # `order Edinburgh and Essex`
                    for split in AIMED.finditer(words):
                        yield OrderReading(
                            words[: split.start()], spelling, words[split.end() :]
                        )  # `fire the Stokes at …`
        for match in () if colon else MEASURE.finditer(text):
            yield OrderReading(text[: match.start()], None, text[match.end() :])  # `RMLI 4" left`, `Essex 0303`

    def _find_units(self, names: str) -> tuple[str, ...]:
        """Return the units in a list. Ignore filler words around the list if necessary. Raises Refused."""
        try:
            return self.side.find_listed_units(names)
        except UnknownUnits:
            if match := BOTH_AFTER.fullmatch(names):
                with suppress(UnknownUnits):
                    return self.side.find_listed_units(f"both {match['names']}")  # `the dragoons both ride`
            bare = self.side.words.filler.bare_names(names)
            if bare == names:
                raise
            return self.side.find_listed_units(bare)

    def _make_orders(self, reading: OrderReading, phase: str) -> Sequence[Order]:
        """Return the orders of a reading. Raises Refused, or PartlyUnderstood if only a part of a group gets orders."""
        units = self._find_units(reading.names)
        if not units:
            raise UnknownUnits("Whom is that for? Begin with the name of a unit, or with “all”.")
        if len(reading.rest) > MOST_WORDS:
            raise Refused(f"What units are to do has {MOST_WORDS} characters at most.")
        is_group = self.side.is_collective(self.side.words.filler.bare_names(reading.names))
        unable: list[Refused] = []
        undecided: list[Refused] = []
        groups: dict[tuple[str, str], tuple[str, Mapping[str, Any], list[str]]] = {}
        for unit in units:
            meaning = reading.meaning_for(self.side.unit_class(unit))
            if meaning is None:
                advice = OrderAdvice(self.side).advice_for_unit(unit)
                raise Refused(f"{self.side.own_names[unit]} cannot do that. {advice}")
            try:
                rest = NearestEnemyFinder(self.side).replace_nearest_phrase(reading.rest, unit, meaning.kind)
                args = self._read_arguments(unit, meaning, rest)
            except Refused as refused:
                if not is_group:
                    raise
                (unable if isinstance(refused, NotPossibleNow) else undecided).append(refused)
                if not groups and len(undecided) == ENOUGH and len({*map(str, undecided)}) == 1:
                    raise  # the words mean nothing for anybody
                continue
            groups.setdefault((meaning.kind, repr(args)), (meaning.kind, args, []))[2].append(unit)
        if not groups:
            raise (*undecided, *unable)[0]
        orders = []
        for kind, args, members in groups.values():
            order = Order(kind=kind, units=tuple(members), args=args, phase=phase)
            for _ in actions_by_unit(self.system, self.side.seen, order):
                pass
            if is_group:
                order = without_unable_units(self.system, self.side.seen, self.side.viewer, order)
            orders.append(order)
        if undecided:
            text = self._partial_reader.write(tuple(orders))
            raise PartlyUnderstood(f"{undecided[0]} For the others it means “{text}”.", tuple(orders))
        return orders

    def _read_arguments(self, unit: str, meaning: OrderPhrase, rest: str) -> Mapping[str, Any]:
        """Return the arguments of a unit's order; `north` becomes the hex north of the unit. Raises Refused."""
        if meaning.advice:
            raise Refused(meaning.advice)
        if meaning.kind == HOLD:
            if rest.strip(" ,"):
                quote = rest.strip()[: naming.MOST_REPEATED]
                raise UnknownOrderWords(f"“{quote}” is not understood after “{meaning.words[0]}”.")
            return {}
        if meaning.circumstances and not rest.strip(" ,") and self.side.words.needs_destination(meaning.words[0]):
            raise Refused(f"“{meaning.words[0]}” needs more words: how far, or where to, such as “towards …”.")
        if meaning.kind not in self.system.actions:
            raise Refused(f"Say what they are to do: {', '.join(map(as_words, kinds_for_orders(self.system)))}.")
        try:
            return self._order_arguments.read(meaning, rest, unit)
        except UnclearGoal as refused:
            raise Refused(refused.why) from None
        except NoPlace:
            raise OrderAdvice(self.side).unknown_place_refusal(rest, unit) from None


def is_for_all_units(line: str) -> bool:
    """Whether an order line is for all units: `all: forward 6`, `in moves: everyone advance 6`."""
    text = _remove_phase(line)
    return means_all_units(text) and read_unit_count(text) is None


def is_for_remaining_units(line: str) -> bool:
    """Whether an order line is for the units without an order: `the others: forward 6`."""
    return means_remaining_units(_remove_phase(line))


def _remove_phase(line: str) -> str:
    text = remove_bullet(simplify_signs(line))
    phase = PHASE.match(text)
    return text[phase.end() :] if phase else text
