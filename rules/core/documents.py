"""Read JSON documents that people write. Refuse a faulty document with the path of each fault."""

import json
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, StringConstraints, ValidationError
from pydantic_core import from_json

from .document_limits import require_within_limits
from .model import Model, Path
from .parsing import error_in_words
from .refusal import Refused
from .typed_text import has_only_visible_signs

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

FaultInWords = tuple[str, str]
"""A document path such as `map.beaches.A`, and a text about the fault."""

MAX_BYTES = 1024 * 1024
MOST_VALUES = 100_000
"""Maximum number of values in a document. A map of Tanga's size has about 5,000."""
MOST_TOLD = 5
"""Maximum number of faults that a refusal names."""
SHAPES = {
    "missing": "it is missing",
    "model_type": "it must be an object, as {…}",
    "dict_type": "it must be an object, as {…}",
    "tuple_type": "it must be a list, as […]",
    "string_too_short": "it must not be empty",
    "timezone_naive": "it must be a date and time without a time zone, such as 1914-11-03T05:00",
}
SIZES = {"too_short": "there must be at least {min_length}", "too_long": "there may be at most {max_length}"}
TWICE = "it appears twice"
MOMENT = "it must be a date and time, such as 1914-11-03T05:00, from 1800 to 2099"

_NAME = r"^[^\x00-\x1f\x7f]+$"
_TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
_PATTERNS = {
    _NAME: "words on one line",
    _TEXT: "plain words",
    _ID: "a word of letters, digits and .-_, as 5-rifles",
}


def require_visible_signs(name: str) -> str:
    """Return `name`. Raises ValueError for characters that are invisible or reverse the direction of writing."""
    if not has_only_visible_signs(name):
        raise ValueError("it must have no signs that are not seen")
    return name


Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=_NAME),
    AfterValidator(require_visible_signs),
]
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1500, pattern=_TEXT)]
Id = Annotated[str, StringConstraints(max_length=24, pattern=_ID)]


class DocumentReader:
    """Reader of JSON documents of one type."""

    def __init__(self, document_type: type[Model], patterns: Mapping[str, str], field_words: Mapping[str, str]) -> None:
        """Create the reader. `patterns` maps the type's regular expressions to descriptions for refusals.

        `field_words` maps field names to descriptions of a valid value.
        """
        self.document_type, self.field_words = document_type, field_words
        self.patterns = {**_PATTERNS, **patterns}
        self.schema: Mapping[str, Any] = document_type.model_json_schema()

    def read(self, document: bytes) -> Any:
        """Return the document as a model. Raises Refused with the paths of the first faults."""
        if len(document) > MAX_BYTES:
            raise Refused(f"The file has {len(document):,} bytes; the limit is {MAX_BYTES:,}.")
        document = document.removeprefix(BOM_UTF8)
        try:
            require_within_limits(document.decode(errors="replace"), MOST_VALUES, is_json=True)
            from_json(document, allow_inf_nan=False)
            content = json.loads(document, object_pairs_hook=_JsonObject)
        except (ValueError, Refused) as error:
            raise Refused(f"The file is no JSON: {error}. Correct it there and upload it again.") from None
        require_no_faults((path_in_words(path), TWICE) for path in _duplicate_paths(content))
        try:
            return self.document_type.model_validate_json(document, strict=True)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_input=False)
            raise _faults_refusal((path_in_words(path), why) for path, why in self._reasons_by_path(errors)) from None

    def schema_faults(self, errors: Sequence["ErrorDetails"]) -> Iterator[tuple[Path, str]]:
        """Yield a path and a sentence for each pydantic error. The sentence begins with the path in words."""
        for path, why in self._reasons_by_path(errors):
            yield path, f"{path_in_words(path)}: {why}"

    def _reasons_by_path(self, errors: Sequence["ErrorDetails"]) -> Iterator[tuple[Path, str]]:
        """Yield each pydantic error's path and reason in words, but no errors that a nested error causes."""
        places = [error["loc"] for error in errors]
        for error in errors:
            loc = error["loc"]
            if not any(len(other) > len(loc) and other[: len(loc)] == loc for other in places):
                yield tuple(part for part in loc if part != "[key]"), self._fault_in_words(error)

    def _fault_in_words(self, error: "ErrorDetails") -> str:
        kind, context = error["type"], error.get("ctx", {})
        if kind == "extra_forbidden":
            return f"there is no such field. The fields are: {', '.join(self._known_fields(error['loc'][:-1]))}"
        if kind in SHAPES:
            return SHAPES[kind]
        if kind in SIZES:
            return SIZES[kind].format(**context)
        if kind == "string_pattern_mismatch" and context["pattern"] in self.patterns:
            return f"it must be {self.patterns[context['pattern']]}"
        if kind.startswith("datetime"):
            return MOMENT
        names = (part for part in error["loc"] if isinstance(part, str))
        field = next((self.field_words[name] for name in names if name in self.field_words), "")
        reason = error_in_words(error).removesuffix(".")
        return field or reason[:1].lower() + reason[1:]

    def _known_fields(self, loc: Sequence[str | int]) -> Sequence[str]:
        """Return the field names that the schema allows at the path `loc`."""
        schema = self.schema
        for part in loc:
            inside = {**schema.get("properties", {})}
            schema = inside.get(str(part)) or schema.get("items") or _schema_of_values(schema)
            schema = next((variant for variant in schema.get("anyOf", ()) if "$ref" in variant), schema)
            schema = self.schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        return tuple(schema.get("properties", ()))


def require_no_faults(faults: Iterator[FaultInWords]) -> None:
    """Raise Refused listing the first faults, unless `faults` is empty."""
    first = next(faults, None)
    if first is not None:
        raise _faults_refusal(chain((first,), faults))


def _faults_refusal(faults: Iterable[FaultInWords]) -> Refused:
    sentences = [f"{place or 'the file'}: {why}." for place, why in islice(faults, MOST_TOLD)]
    hint = " There may be more." if len(sentences) == MOST_TOLD else ""
    return Refused(f"The scenario cannot be taken. {' '.join(sentences)}{hint} Correct it and upload it again.")


class _JsonObject(dict[str, Any]):
    """A JSON object and its duplicate names."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.repeated = [name for name, times in Counter(name for name, _ in pairs).items() if times > 1]


def parse_and_find_duplicates(text: str) -> tuple[Any, list[Path]]:
    """Return the parsed JSON, and the paths of names that an object repeats. Raises ValueError, RecursionError."""
    content = json.loads(text, object_pairs_hook=_JsonObject)
    return content, list(_duplicate_paths(content))


def _duplicate_paths(value: Any, place: Path = ()) -> Iterator[Path]:
    """Yield the paths of names that occur twice in an object. Recurses once per level of nesting."""
    if isinstance(value, _JsonObject):
        yield from ((*place, name) for name in value.repeated)
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from _duplicate_paths(part, (*place, key))


def _schema_of_values(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of the values of a mapping whose keys are arbitrary."""
    value_schema: Mapping[str, Any] = schema.get("additionalProperties") or next(
        iter(schema.get("patternProperties", {}).values())
    )
    return value_schema


def path_in_words(loc: Path) -> str:
    """Return a path in words: `map.beaches.A`, `formations[2].units[0].cf`."""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part[:40]}" for part in loc)
    return "".join(sign if sign.isprintable() else "?" for sign in path).removeprefix(".")
