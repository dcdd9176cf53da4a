"""Advice on writing orders, with examples from the game: what was understood of a line, and what may be written."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from . import naming
from .order_writer import OrderWriter
from .orders import DEFAULT_KIND, ordered_kinds
from .refusal import Refused
from .ruleset import Ruleset
from .side_units import SideUnits
from .state import State
from .wording import as_words

S = TypeVar("S", bound=State)

MOST_TRIED = 10
"""Maximum number of units of which one is looked for that can do something, as an example."""
MOST_VERBS = 6
"""Maximum number of actions that a refusal names where nothing can be done now."""
MOST_FORMS = 3
"""Maximum number of example orders in a refusal."""
ALIKE = 75.0
"""Minimum similarity (0-100) of an unknown word and a phrase that the refusal suggests."""


@dataclass(frozen=True)
class OrderAdvice(Generic[S]):
    """Advice for one side."""

    side: SideUnits[S]

    @property
    def system(self) -> Ruleset[S]:
        """Return the rule system of the orders."""
        return self.side.system

    def not_understood(self, text: str) -> Refused:
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
            unknown = rest[: naming.MOST_REPEATED]
            return Refused(f"{who}{more}: “{unknown}” is not understood. {self._alike(rest)}{self.forms(units[0])}")
        return Refused(
            f"“{text[: naming.MOST_REPEATED]}” is no order: it begins with no unit of yours. {self.for_side()}".strip()
        )

    def for_side(self) -> str:
        """Return advice on how to order the first of the side's units that can do something now."""
        unit = self._first_able() or next(iter(self.side.own), None)
        return self.forms(unit) if unit is not None else ""

    def for_form(self) -> Sequence[str]:
        """Return example orders for an empty form: of the first unit that can do something now, and for all units."""
        unit = self._first_able()
        return (*(self.examples(unit) if unit is not None else ()), "all: hold")

    def _first_able(self) -> str | None:
        """Return the first of the side's units that can do something now, or None; only a few are tried."""
        return next((unit for unit in islice(self.side.own, MOST_TRIED) if self.examples(unit)), None)

    def _alike(self, rest: str) -> str:
        """Return a suggestion of the phrase most like the first words of the rest; empty if none is alike."""
        spelled = (words for one in self.side.words.spellings for each in one.meanings for words in each.words)
        known = {words: words for words in spelled}
        near = naming.nearest(" ".join(rest.split()[:2]), known, ALIKE)
        return f"Did you mean “{near[0]}”? " if near else ""

    def forms(self, unit: str) -> str:
        """Return advice on how to order a unit, with examples of what it may do now in this game."""
        if found := self.examples(unit):
            return f"Write it as {' or '.join(f'“{one}”' for one in found)}."
        name = self.side.written_name(unit, among_own=True)
        verbs = ", ".join(map(as_words, ordered_kinds(self.system)[:MOST_VERBS]))
        return f"Write the unit and what it is to do, as “{name}: hold”. It may: {verbs}."

    def examples(self, unit: str) -> Sequence[str]:
        """Return a few orders that the unit may do now, of different kinds; none if it can do nothing."""
        if unit not in self.side.seen.units:
            name = self.side.written_name(unit, among_own=True)
            return [f"{name}: {to}" for to in self._usual_destinations(unit)[:1]]
        side, seen = self.side.seen.units[unit].side, self.side.seen
        legal = (next(iter(self.system.legal(seen, side, kind, unit)), None) for kind in ordered_kinds(self.system))
        writer = OrderWriter(self.side)
        return [writer.write_action(unit, action) for action in islice(filter(None, legal), MOST_FORMS)]

    def _usual_destinations(self, unit: str) -> Sequence[str]:
        return (
            self.system.places.destinations(self.side.seen, self.side.viewer, unit)
            if DEFAULT_KIND in self.system.actions
            else ()
        )
