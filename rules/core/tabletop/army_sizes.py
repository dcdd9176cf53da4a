"""Decide the number of units in an army line and their strength. Ambiguous numbers are refused with a question."""

import re
from dataclasses import dataclass
from typing import Any

from rules.core.refusal import Refused

from . import army_strengths
from .army_counts import CREW, LineCounts, load_count_words
from .army_lines import ArmyLineReader
from .army_text import normalize_words
from .troops import NamedTroop

NUMBERED_TROOPS = re.compile(r"[0-9]{1,2} ([A-Z].*)")
"""Matches a number before a word with a capital letter: `12 Hussars`."""


MOST_MULTIPLIER = 9
"""Greatest number beside an `x` that may count units: `3 x Zulu impi`."""


class AmbiguousWords(Refused):
    """Refusal of words that could mean two things."""


@dataclass(frozen=True)
class UnitSizeReader:
    """Decides the number and strength of a line's units, from the line's counts and troops."""

    lines: ArmyLineReader
    troop: NamedTroop[Any]
    counts: LineCounts

    def decide_sizes(self) -> tuple[int, int | None]:
        """Return the number of units, and each unit's strength (None for the usual strength). Raises Refused."""
        self._check_strength_noun()
        units, figures = self._units_and_figures()
        if figures is not None:
            self.lines.check_strength(figures)
        return units, figures

    def _units_and_figures(self) -> tuple[int, int | None]:
        counts, is_piece = self.counts, army_strengths.is_gun_or_general(self.troop)
        if counts.strength is not None and counts.before_troops and is_piece:
            return self._count_guns_or_generals(counts.units or 1, counts.strength)
        if counts.strength is None:
            return self._interpret_bare_number(counts.number) if counts.units is None else (counts.units, None)
        units = counts.units if counts.units is not None else counts.number
        if units is not None and units > 1 and not counts.each:
            raise self._strength_refusal(units, counts.strength)
        return (1 if units is None else units), counts.strength

    def _interpret_bare_number(self, number: int | None) -> tuple[int, int | None]:
        """Interpret a number without a noun as a number of units or as one unit's strength.

        Return the number of units, and their strength. Raises Refused if both meanings are possible.
        """
        if number is None:
            return 1, None
        counts = self.counts
        if counts.times_first and 1 < number <= MOST_MULTIPLIER and not army_strengths.is_gun_or_general(self.troop):
            raise self._number_refusal(number)
        is_strength = army_strengths.number_means_strength(self.troop, counts.words, number, times=counts.times)
        if is_strength is None:
            raise self._number_refusal(number)
        return (1, number) if is_strength else (number, None)

    def _count_guns_or_generals(self, units: int, number: int) -> tuple[int, int | None]:
        """Return the number of guns or generals, and the strength of each, for `1 battery of 2 guns`.

        Raises AmbiguousWords for a crew that is not the gun's usual crew.
        """
        if not self.counts.noun:
            return units * number, None
        if number != army_strengths.usual_strength(self.troop):
            raise self._number_refusal(number)
        return units, number

    def _number_refusal(self, number: int) -> Refused:
        """Return the refusal that asks whether a number counts units or their strength."""
        name, field = self.troop.name, self.lines.strength_field
        strength = army_strengths.describe_strength(self.troop, number)
        is_piece = army_strengths.is_gun_or_general(self.troop)
        units = f"{number} {name}s" if is_piece else f"{self._write_units(number)} each"
        return AmbiguousWords(f"Does {number} count {field} or units? Write “{name}, {strength}” or “{units}”.")

    def _strength_refusal(self, units: int, strength: int) -> Refused:
        """Return the refusal that asks whether a strength is that of each unit or of all units together."""
        strength_each, remainder = divmod(strength, units)
        if remainder:
            return AmbiguousWords(f"Is {strength} the strength of each unit? Write “{self._write_units(units)} each”.")
        return AmbiguousWords(
            f"Is {strength} the strength of each unit, or of all together? Write “{self._write_units(units)} each” or "
            f"“{self._write_units(units, strength_each)} each”."
        )

    def _write_units(self, units: int, strength: int | None = None) -> str:
        figures = strength or self.counts.strength or army_strengths.usual_strength(self.troop)
        return f"{units} {self.troop.name} of {figures} {self.lines.strength_field}"

    def _check_strength_noun(self) -> None:
        """Raise Refused if the noun after the strength does not fit these troops: `4 stands` where figures count."""
        noun, field, name = self.counts.noun, self.lines.strength_field, self.troop.name
        is_crew = noun == CREW and army_strengths.is_gun_or_general(self.troop) and field == "figures"
        if noun and noun != field and not is_crew:
            usual = army_strengths.describe_strength(self.troop, army_strengths.usual_strength(self.troop))
            raise Refused(f"A unit's strength is counted in {field} here. Write “{name}, {usual}”.")


def check_not_regiment_name(text: str, troop: NamedTroop[Any], figures: int | None) -> None:
    """Raise Refused for text such as `12 Hussars`, which may be a regiment's name or a number of figures."""
    match = NUMBERED_TROOPS.fullmatch(normalize_words(text))
    if match is None or match[1].casefold() not in load_count_words().numbered_troops:
        return
    strength = army_strengths.describe_strength(troop, figures or 1)
    raise AmbiguousWords(
        f'Is “{match[0]}” a name or a strength? Write “{troop.name}: "{match[0]}"” or “{troop.name}, {strength}”.'
    )
