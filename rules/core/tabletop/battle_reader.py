"""Read the file of a battle from TOML or JSON text, or refuse it with every fault and its line.

Shipped battles and battles of players are read in the same way.
"""

import json
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_json

from rules.core import naming
from rules.core.document_limits import require_within_limits
from rules.core.documents import DocumentReader, parse_and_find_duplicates, path_in_words
from rules.core.faults import Fault
from rules.core.line_numbers import find_line_number, line_numbers_by_path
from rules.core.parsing import error_in_words
from rules.core.refusal import Refused

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from .battle_files import BattleFile


B = TypeVar("B", bound="BattleFile[Any, Any]")

MOST_BYTES = 96 * 1024
"""Maximum size of a file in bytes; the longest shipped file has 12,000 bytes."""
MOST_LISTED = 25
"""Maximum number of faults that a refusal lists."""
MOST_CHECKED = 250
"""Maximum number of validation errors that are put into words."""


def read(file_type: type[B], document: bytes) -> B:
    """Return the battle of a file. Raises Refused with every fault, each with its key and line."""
    if len(document) > MOST_BYTES:
        raise Refused(f"The file has {len(document):,} bytes; the limit is {MOST_BYTES:,}.")
    try:
        text = document.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise Refused(f"The file is no text in UTF-8: byte {error.start} is none. Save it as UTF-8.") from None
    data, repeated = parse_text(text)
    if repeated:
        raise make_refusal(repeated, text)
    try:
        battle: B = TypeAdapter(file_type).validate_json(to_json(data, inf_nan_mode="strings"))
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)[:MOST_CHECKED]
        faults = [Fault(path, why) for path, why in make_document_reader(file_type).schema_faults(errors)]
        raise make_refusal(faults, text) from None
    if faults := list(battle.located_faults()):
        raise make_refusal(faults, text)
    return battle


@cache
def make_document_reader(file_type: type[Any]) -> DocumentReader:
    """Return the cached reader of this type of file, which gives its JSON Schema and describes faults."""
    return DocumentReader(file_type, {}, {})


def parse_text(text: str) -> tuple[Mapping[str, Any], list[Fault]]:
    """Return the data of a TOML or JSON text, and a fault for each repeated key of JSON.

    Raises Refused if the text is neither TOML nor JSON.
    """
    is_json = text.lstrip().startswith("{")
    try:
        require_within_limits(text, is_json=is_json)
        if is_json:
            data, repeated = parse_and_find_duplicates(text)
            return data, [Fault(path, f"{path_in_words(path)}: it appears twice") for path in repeated]
        return tomllib.loads(text), []
    except (ValueError, RecursionError, Refused) as error:
        kind = "JSON" if is_json else "TOML"
        has_message = isinstance(error, tomllib.TOMLDecodeError | json.JSONDecodeError | Refused)
        why = str(error) if has_message else "a number in it is too long"
        why = "it is nested too deeply" if isinstance(error, RecursionError) else why
        raise Refused(f"The file is no {kind}: {why}. Correct it there and upload it again.") from None


def describe_unit_fault(error: "ErrorDetails", unit_type: type[BaseModel]) -> str:
    """Return a validation error of a unit in words. For an unknown field, the nearest field names are suggested."""
    if error["type"] != "extra_forbidden":
        why = error_in_words(error).removesuffix(".")
        return why[:1].lower() + why[1:]
    nearest = naming.most_similar_names(str(error["loc"][0]), {field: field for field in unit_type.model_fields})
    hint = f"; the nearest: {', '.join(nearest)}" if nearest else ""
    return f"a unit has nothing of that name{hint}"


def make_refusal(faults: Iterable[Fault], text: str) -> Refused:
    """Return a refusal that counts the faults and lists the first of them with their lines."""
    lines = line_numbers_by_path(text)
    numbered = sorted(
        ((find_line_number(lines, fault.place) or 0, fault.what) for fault in faults), key=lambda pair: pair[0]
    )
    faulty = [f"line {line}: {reason}" if line else reason for line, reason in numbered]
    return make_file_refusal("The battle cannot be taken", faulty)


def make_file_refusal(verdict: str, faults: Sequence[str]) -> Refused:
    """Return a refusal that counts the faults of a file and lists the first of them."""
    lines = [f"- {fault}." for fault in faults[:MOST_LISTED]]
    tail = [f"- and {len(faults) - MOST_LISTED} more."] if len(faults) > MOST_LISTED else []
    head = f"{verdict}: {len(faults)} fault{'s' if len(faults) > 1 else ''}."
    return Refused("\n".join((head, *lines, *tail, "Correct the file and upload it again.")))
