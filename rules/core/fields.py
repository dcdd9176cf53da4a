"""Read and write fields of units and options as words, for the umpire's corrections and their autocompletion."""

import math
import re
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Protocol, Self, TypeVar, Union, get_args, get_origin, runtime_checkable

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from rules.core.hexboard.hexes import Hex

from . import naming
from .model import Cite, Mark
from .parsing import error_in_words
from .typed_text import read_number, simplify_signs
from .wording import as_words, number_text

M = TypeVar("M", bound=BaseModel)

PLAIN = (bool, int, float, str, Fraction, Hex)
NONE = "none"
AS_IT_IS = " (as it is)"
"""Text that completion appends to the present value."""
YES_NO = {"yes": True, "no": False}
PLAIN_FRACTION = re.compile(r"[0-9]{1,6}(?:[.][0-9]{1,4}|/[0-9]{1,4})?")
"""Matches a short number without exponent: with an exponent, a few characters could denote millions of digits."""


@runtime_checkable
class PlaceInWords(Protocol):
    """A place type with conversion to and from words."""

    def in_words(self) -> str:
        """Return the place in words."""

    @classmethod
    def from_words(cls, words: str) -> Self:
        """Return the place that `words` mean. Raises ValueError."""


def unit_type(state_type: type[BaseModel]) -> type[BaseModel]:
    """Return the type of a system's units, taken from the state's field `units`."""
    units_type = get_args(state_type.model_fields["units"].annotation)[1]
    assert isinstance(units_type, type)
    return units_type


def is_hidden_field(field: FieldInfo) -> bool:
    """Whether only the umpire may see the field: `json_schema_extra={"hidden": True}`."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and bool(extra.get("hidden"))


def cite_of(field: FieldInfo, default: Cite) -> Cite:
    """Return the citation in the field's `json_schema_extra` (rule and mark), or `default`."""
    extra = field.json_schema_extra
    if not isinstance(extra, dict) or "rule" not in extra:
        return default
    return Cite(rule=str(extra["rule"]), mark=Mark(str(extra.get("mark", Mark.TEXT))))


def settable_fields(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return the fields that can be given in words: plain values, enums, and models of numbers such as places."""
    return {name: field for name, field in model.model_fields.items() if _is_settable(field.annotation)}


def editable_fields(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return a unit's fields, except `id`, that can be given in words and are not hidden."""
    return {
        name: field for name, field in settable_fields(model).items() if name != "id" and not is_hidden_field(field)
    }


def secret_fields(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return a unit's hidden fields that can be given in words."""
    return {name: field for name, field in settable_fields(model).items() if is_hidden_field(field)}


def _is_settable(annotation: Any) -> bool:
    kind = _without_none(annotation)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return all(_without_none(field.annotation) is float for field in kind.model_fields.values())
    return isinstance(kind, type) and (kind in PLAIN or issubclass(kind, Enum))


def _without_none(annotation: Any) -> Any:
    """Return the type without `| None`."""
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else annotation
    return annotation


def _may_be_none(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType) and NoneType in get_args(annotation)


def allowed_values(field: FieldInfo) -> tuple[str, ...]:
    """Return the values of an enum or yes-no field in words, and `none` if the field may be empty."""
    kind = _without_none(field.annotation)
    none = (NONE,) if _may_be_none(field.annotation) else ()
    if kind is bool:
        return (*YES_NO, *none)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return (*(str(member.value) for member in kind), *none)
    return none


def is_place_field(field: FieldInfo) -> bool:
    """Whether the field holds a map place."""
    kind = _without_none(field.annotation)
    return isinstance(kind, type) and (kind is Hex or issubclass(kind, PlaceInWords))


def value_in_words(value: Any) -> str:
    """Return a field's value in words, as displayed and typed."""
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, PlaceInWords):
        return value.in_words()
    if isinstance(value, BaseModel):
        return ", ".join(value_in_words(part) for _, part in value)
    return str(value)


def read_value(field: FieldInfo, words: str) -> Any:
    """Return the value that `words` mean for `field`, not yet validated. Raises ValueError naming allowed values."""
    if simplify_signs(words).endswith(AS_IT_IS):
        words = words[: -len(AS_IT_IS)]
    text = simplify_signs(words).strip()
    kind = _without_none(field.annotation)
    if text.casefold() in ("", NONE) and _may_be_none(field.annotation):
        return None
    if kind is bool and text.casefold() in YES_NO:
        return YES_NO[text.casefold()]
    if isinstance(kind, type) and issubclass(kind, Enum):
        members = {as_words(member.name): member for member in kind}
        matches = naming.find_matches(text, {name: str(member.value) for name, member in members.items()})
        if len(matches) == 1:
            return members[matches[0]]
        raise ValueError(f"“{text[:40]}” is none of: {', '.join(allowed_values(field))}.")
    if kind is Fraction:
        return _parse_fraction(text)
    if kind is float:
        return _parse_float(text)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        try:
            return _parse_numbers(kind, text)
        except ValueError:
            if not issubclass(kind, PlaceInWords):
                raise
            return kind.from_words(text)
    return words.strip() if kind is str else text


def _parse_numbers(kind: type[BaseModel], text: str) -> dict[str, float]:
    """Parse comma-separated numbers; trailing fields with defaults are optional."""
    parts = text.split(",")
    needed = sum(field.is_required() for field in kind.model_fields.values())
    if not needed <= len(parts) <= len(kind.model_fields):
        raise ValueError(f"Write it as numbers by comma: {', '.join(kind.model_fields)}.")
    return dict(zip(kind.model_fields, map(_parse_float, parts), strict=False))


def _parse_float(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = _parse_length(text)
    if not math.isfinite(number):
        raise ValueError(f"“{text.strip()[:40]}” is no number.")
    return number


def _parse_length(text: str) -> float:
    """Return the number in a text such as `-4½`; NaN for other text."""
    size = text.removeprefix("-")
    try:
        return float(read_number(size)) * (1 if size == text else -1)
    except ValueError:
        return math.nan


def _parse_fraction(text: str) -> Fraction:
    size = text.removeprefix("-")
    try:
        number = Fraction(size) if PLAIN_FRACTION.fullmatch(size) else read_number(size)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"“{text[:40]}” is no number. Write it as 4, 4½, 4.5 or 9/2.") from None
    return number if size == text else -number


def with_field_from_words(model: M, name: str, words: str) -> M:
    """Return the model with the field `name` read from `words`. Raises ValueError naming the allowed values."""
    return with_field_value(model, name, read_value(type(model).model_fields[name], words))


def with_field_value(model: M, name: str, value: object) -> M:
    """Return the model with `value` in the field `name`, validated. Raises ValueError naming the allowed values."""
    try:
        return type(model).model_validate({**dict(model), name: value})
    except ValidationError as error:
        raise ValueError(error_in_words(error.errors()[0])) from None
