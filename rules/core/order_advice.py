"""Advice on writing orders, with examples from the game: which words were understood, and which orders are possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from rapidfuzz import fuzz, process

from . import naming
from .order_writer import OrderWriter
from .orders import DEFAULT_KIND, kinds_for_orders, remove_leading_quantifier
from .refusal import NoPlace, Refused, UnknownOrderWords
from .side_units import OrderTool
from .state import S
from .wording import as_words

MOST_TRIED = 10
"""Maximum number of units tried in the search for one that can act, as an example."""
MOST_VERBS = 6
"""Maximum number of actions that a refusal names if no unit can act now."""
MOST_WORDS = 120
"""Maximum number of words at the beginning of a line that are searched for unit names."""
MOST_FORMS = 3
"""Maximum number of example orders in a refusal."""
LONGEST_NAME_END = 2
"""Maximum number of words before an action that may be the end of a unit's name."""
LEAST_LETTERS = 4
"""Minimum letters of a word used to find a phrase to suggest."""
ALIKE = 80.0
"""Minimum similarity (0-100) between an unknown word and a suggested phrase."""


@dataclass(frozen=True)
class OrderAdvice(OrderTool[S]):
    """Advice for the players of one side on writing orders."""

    def unreadable_order_refusal(self, text: str, otherwise: Refused | None = None) -> Refused:
        """Return a refusal that quotes the unknown words of an order, with advice on orders.

        If the text does not begin with a unit and `otherwise` is given, return `otherwise`.
        """
        words = text.split()
        for count in range(min(len(words), MOST_WORDS), 0, -1):
            names, rest = " ".join(words[:count]).rstrip(":,"), " ".join(words[count:])
            try:
                units = self.side.find_listed_units(self.side.words.filler.bare_names(names))
            except Refused:
                continue
            if not units or (otherwise is not None and remove_leading_quantifier(names) == ""):
                continue
            if otherwise is not None and self._has_verb_in_next_words(words[count:]):
                return otherwise
            subject = naming.join_names([self.side.own_names[unit] for unit in units], MOST_FORMS)
            if not rest:
                return Refused(f"{subject}: say what they are to do. {self.advice_for_unit(units[0])}")
            unknown = rest[: naming.MOST_REPEATED]
            advice = f"{self._suggest_phrase(rest)}{self.advice_for_unit(units[0])}"
            return UnknownOrderWords(f"{subject}: “{unknown}” is not understood. {advice}")
        quote = text[: naming.MOST_REPEATED]
        return otherwise or UnknownOrderWords(
            f"“{quote}” is no order: it begins with no unit of yours. {self.advice_for_side()}".strip()
        )

    def _has_verb_in_next_words(self, words: Sequence[str]) -> bool:
        """Whether an action begins at the second or third of `words`, after the possible end of a name."""
        texts = [" ".join(words[start:]) for start in range(1, LONGEST_NAME_END + 1)]
        return any(
            spelling.start_pattern.match(text)
            for text in texts
            for spelling in self.side.words.spellings
            if not spelling.keeps_words
        )

    def unknown_place_refusal(self, words: str, unit: str) -> NoPlace:
        """Return the refusal of a destination, with advice on writing destinations in this game."""
        quote = words.strip()[: naming.MOST_REPEATED]
        advise = self.system.places.advice
        advice = advise(self.side.seen, unit) if advise is not None else ""
        return NoPlace(f"“{quote}” is no destination here. {advice}".strip())

    def missing_units_refusal(self, text: str) -> Refused | None:
        """Return a refusal that asks which units are to obey, or None if the text begins with no action."""
        if not any(phrase.start_pattern.match(text) for phrase in self.side.words.spellings if not phrase.keeps_words):
            return None
        unit = self._first_unit_able_to_act() or next(iter(self.side.own_names), None)
        name = "" if unit is None else f"“{self.side.typeable_name(unit, among_own=True)}: {text}” or "
        return Refused(f"Who is to do that? Begin with units: {name}“all: {text}”.")

    def advice_for_side(self) -> str:
        """Return advice on orders for the first of the side's units that can act now."""
        unit = self._first_unit_able_to_act() or next(iter(self.side.own_names), None)
        return self.advice_for_unit(unit) if unit is not None else ""

    def examples_for_form(self) -> Sequence[str]:
        """Return example orders for an empty form: for a unit that can act now, and for all units."""
        unit = self._first_unit_able_to_act()
        return (*(self.examples_for_unit(unit) if unit is not None else ()), "all: hold")

    def _first_unit_able_to_act(self) -> str | None:
        """Return the first of the side's units that can act now, or None. Only the first MOST_TRIED units are tried."""
        return next((unit for unit in islice(self.side.own_names, MOST_TRIED) if self.examples_for_unit(unit)), None)

    def _suggest_phrase(self, rest: str) -> str:
        """Return a suggestion of the phrase most similar to the first words of `rest`, or an empty string."""
        words = [" ".join(rest.split()[:count]).casefold() for count in (1, 2)]
        phrases = [spelling.words for spelling in self.side.words.spellings if not spelling.has_gap]
        matches = [process.extractOne(phrase, phrases, scorer=fuzz.ratio, score_cutoff=ALIKE) for phrase in words]
        best = max(filter(None, matches), key=lambda match: match[1], default=None)
        likely = (
            best[0]
            if best
            else next(
                (phrase for phrase in phrases if len(words[0]) >= LEAST_LETTERS and words[0] in phrase.split()), None
            )
        )
        return f"Did you mean “{likely}”? " if likely else ""

    def advice_for_unit(self, unit: str) -> str:
        """Return advice on orders for a unit: examples that are possible now, and all actions of the game."""
        name = self.side.typeable_name(unit, among_own=True)
        examples = " or ".join(f"“{example}”" for example in self.examples_for_unit(unit) or [f"{name}: hold"])
        verbs = ", ".join((*map(as_words, kinds_for_orders(self.system)[:MOST_VERBS]), "hold"))
        return f"Write it as {examples}. Actions here: {verbs}."

    def examples_for_unit(self, unit: str) -> Sequence[str]:
        """Return a few orders of different kinds that the unit can do now, if any."""
        if unit not in self.side.seen.units:
            name = self.side.typeable_name(unit, among_own=True)
            can_move = DEFAULT_KIND in self.system.actions
            destinations = self.system.places.destinations(self.side.seen, self.side.viewer, unit) if can_move else ()
            return [f"{name}: {to}" for to in destinations[:1]]
        side, seen = self.side.seen.units[unit].side, self.side.seen
        legal = (
            next(filter(self.system.places.has_no_coordinates, self.system.legal_actions(seen, side, kind, unit)), None)
            for kind in kinds_for_orders(self.system)
        )
        writer = OrderWriter(self.side)
        return [writer.write_action(unit, action) for action in islice(filter(None, legal), MOST_FORMS)]
