"""Decide what a number before troops means: how many guns or generals, or the strength of one unit."""

import re
from typing import Any

from rules.core.agreement import NounForm
from rules.core.naming import words_of
from rules.core.wording import count_of

from .army_counts import count_patterns, load_count_words
from .troops import NamedTroop

STRENGTH_DIVISOR = 4
"""The number in `9 Zulu impi` is a strength if it is at least the usual strength divided by STRENGTH_DIVISOR."""


def strength_field(troop: NamedTroop[Any]) -> str:
    """Return the name of the field that holds the strength of these troops: figures or stands."""
    fields = type(make_usual_unit(troop)).model_fields
    return next(field for field in load_count_words().strengths if field in fields)


def describe_strength(troop: NamedTroop[Any], number: int) -> str:
    """Return a strength of the troops with its noun: `1 figure`, `4 stands`."""
    return count_of(number, strength_field(troop).removesuffix("s"))


def make_usual_unit(troop: NamedTroop[Any]) -> Any:
    """Create a unit of the troops, with the usual strength of these troops."""
    return troop.make_unit("unit", "One", "none")


def usual_strength(troop: NamedTroop[Any]) -> int:
    """Return the usual strength of a unit of the troops, in figures or stands."""
    return int(getattr(make_usual_unit(troop), strength_field(troop)))


def is_gun_or_general(troop: NamedTroop[Any]) -> bool:
    """Whether the troops are guns or generals. A number before them counts units, not figures."""
    return make_usual_unit(troop).noun is not NounForm.MANY or usual_strength(troop) == 1


def number_means_strength(troop: NamedTroop[Any], words: str, number: int, *, times: bool = False) -> bool | None:
    """Whether a number before the troops is a unit's strength, not a number of units.

    None if both are possible. `words` name the troops. `times` is true if an `x` stands beside the number.
    """
    if is_gun_or_general(troop):
        return None if number > 1 and not times and words_of(words) == words_of(troop.name) else False
    nouns = count_patterns()
    if re.search(rf"\b(?:{nouns.units}|{nouns.troops}s)\b", words, re.IGNORECASE):
        return None
    names_one_unit = re.search(rf"\b(?:{nouns.unit}|{nouns.troops})\b", words, re.IGNORECASE)
    if not names_one_unit and not times:
        return True
    return False if number == 1 else (True if number * STRENGTH_DIVISOR >= usual_strength(troop) else None)
