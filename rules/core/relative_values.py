"""Read a correction relative to the present value: `+2` adds 2, `-1` subtracts 1.

The journal stores the result instead, so a `-1` stored by an old version still means the value -1.
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from . import fields, naming
from .refusal import Refused
from .typed_text import FRACTIONS
from .wording import as_words

RELATIVE = re.compile(r"([+＋]|[-–−－])\s*([0-9]{1,6}(?:[.,/][0-9]{1,4})?[½¼¾⅓⅔]?|[½¼¾⅓⅔])")
"""Matches a number with its sign: `+2`, `-½`."""
SET = re.compile(r"[=＝]\s*(.*)", re.DOTALL)
"""Matches a value after an equals sign. It replaces the present value, even if it has a sign: `=-1`."""
PLUS = "+＋"
NUMBERS = (int, float, Fraction)


def resolve_relative_value(model: BaseModel, field_infos: Mapping[str, FieldInfo], field: str, words: str) -> str:
    """Return the new value of a field as text. The typed `words` are that value, or a change such as `+2` or `-1`.

    `field` is the typed name of one of `field_infos`. Raises Refused if a sign is ambiguous: if the field can be
    negative and is not 0 now.
    """
    names = naming.find_matches(field, {name: as_words(name) for name in field_infos})
    if len(names) != 1 or field_infos[names[0]].annotation not in NUMBERS:
        return words
    name, text = names[0], words.strip()
    if match := SET.fullmatch(text):
        return match[1]
    match = RELATIVE.fullmatch(text)
    if match is None:
        return words
    now = Fraction(getattr(model, name))
    change = _read_unsigned_number(match[2]) * (1 if match[1] in PLUS else -1)
    change_in_words, total = (fields.value_in_words(_as_int_if_whole(value)) for value in (change, now + change))
    if now and _can_be_negative(field_infos[name]):
        raise Refused(
            f"{as_words(name).capitalize()} is {fields.value_in_words(_as_int_if_whole(now))} and may be below 0, so "
            f"“{text}” can mean two things. Write “={change_in_words}” to set it, or “={total}” for the sum."
        )
    return total


def _read_unsigned_number(digits: str) -> Fraction:
    """Parse an unsigned number. Raises Refused for an impossible number such as 1/0."""
    plain = digits.rstrip("½¼¾⅓⅔")
    try:
        return Fraction(plain.replace(",", ".") or 0) + sum(
            (FRACTIONS[sign] for sign in digits[len(plain) :]), Fraction(0)
        )
    except ZeroDivisionError:
        raise Refused(f"“{digits}” is no number.") from None


def _as_int_if_whole(number: Fraction) -> int | Fraction:
    return int(number) if number.denominator == 1 else number


def _can_be_negative(field: FieldInfo) -> bool:
    """Whether the field allows values below 0."""
    least = (getattr(bound, name, None) for bound in field.metadata for name in ("ge", "gt"))
    return not any(bound >= 0 for bound in least if bound is not None)
