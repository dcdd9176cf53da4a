"""Find units by id, and check names for new units."""

from itertools import count
from typing import Any

from . import naming
from .refusal import MissingField, Refused
from .state import Side, State
from .typed_text import clean_name, has_only_visible_signs, normalize_text

TARGET = "target"
LONGEST_NAME = 60
"""Maximum number of characters of a unit's name."""


def find_unit(state: State, unit: str | None, noun: str = "unit") -> Any:
    """Return the unit with that id. Raises Refused, listing the most similar names, if there is none."""
    if not unit:
        why = f"Name a {noun}."
        raise MissingField(why, None, noun) if noun == TARGET else Refused(why)
    if unit not in state.units:
        near_names = naming.most_similar_names(unit, {other.id: other.name for other in state.units.values()})
        hint = f" The nearest: {naming.join_names(near_names)}." if near_names else ""
        raise Refused(f"There is no {noun} “{unit[:40]}”.{hint}")
    return state.units[unit]


def find_side(state: State, side: str) -> Side:
    """Return the side with that id. Raises Refused, listing the sides' ids, if there is none."""
    sides = {known_side.id: known_side for known_side in state.sides}
    if side not in sides:
        raise Refused(f"There is no side “{side[:40]}”. The sides: {', '.join(sides)}.")
    return sides[side]


def check_unit_name(state: State, name: str, unit_id: str | None = None) -> str:
    """Return the cleaned name of a new unit, or of the unit `unit_id`. Raises Refused if the name is unfit or taken."""
    cleaned = clean_name(name)
    if not cleaned or len(cleaned) > LONGEST_NAME or not has_only_visible_signs(cleaned):
        raise Refused(f"A unit's name has 1 to {LONGEST_NAME} characters, on one line. Choose another.")
    if state.is_reserved(cleaned):
        raise Refused(f"“{cleaned}” is not a name for a unit here. Choose another.")
    form = normalize_text(cleaned)
    for other in state.units.values():
        if other.id == unit_id or form not in (normalize_text(other.name), normalize_text(other.id)):
            continue
        by_name = form == normalize_text(other.name)
        reason = "Another unit is already called" if by_name else f"{other.name} already answers to"
        raise Refused(f"{reason} “{cleaned}”. Choose another name.")
    return cleaned


def name_as_id(name: str) -> str:
    """Return a name in lower case with hyphens between its words: `royal-marines`; empty without letters and digits."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.casefold()).split())


def new_unit_id(state: State, name: str) -> str:
    """Return an unused unit id: the name in lower case, with a number if a unit (even hidden) has that id."""
    stem, all_units = name_as_id(name) or "unit", state.every_unit
    numbered = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(unit_id for unit_id in numbered if unit_id not in all_units)
