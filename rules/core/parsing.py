"""Parse actions from command arguments, describe invalid arguments, and load words for `with:`."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from . import naming
from .data_files import data_files_ending
from .model import Cite
from .refusal import Refused
from .state import Action, Circumstance
from .typed_text import simplify_signs
from .wording import as_words, number_text

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MUST_BE = {
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "finite_number": "a number",
    "string_too_long": "at most {max_length} characters long",
    "string_too_short": "at least {min_length} characters long",
    "string_pattern_mismatch": "plain words on one line",
    "enum": "one of {expected}",
    "literal_error": "one of {expected}",
}
"""Messages by error type, with limits inserted."""
BEFORE_MEANING = " — "
"""Separator in a completed text between its circumstances and the meaning of the last one."""
MEANING = re.compile(r"\s—\s")
KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no", "string": "words"}
"""Kinds of values in words, by the first word of the error type."""


def parse_action(
    title: str, action_type: type[Action], args: Mapping[str, Any], circumstances: Mapping[str, Circumstance]
) -> Action:
    """Return an action with these arguments, given as words or values. Raises Refused naming a wrong argument.

    `title` names the system, `circumstances` are its words for `with`, which may be a list separated by commas.
    """
    kind = action_type.kind
    values = {name: value for name, value in args.items() if value is not None}
    if isinstance(values.get("with"), str):
        values["with"] = parse_circumstances(action_type.circumstance_names, values["with"], circumstances)
    try:
        action = action_type.model_validate(values)
    except ValidationError as error:
        raise Refused(_refusal_in_words(title, kind, error)) from None
    if action.secret and not action.can_be_secret:
        raise Refused(f"In {title}, {as_words(kind)} is seen by all. Leave “secret” out.")
    return action


def parse_circumstances(
    known_words: Sequence[str], text: str, circumstances: Mapping[str, Circumstance]
) -> tuple[str, ...]:
    """Return the circumstances in `text`, separated by commas. Ignore an explanation that completion appended.

    Raises Refused for a word that is ambiguous or not in `known_words`, and for two words that contradict each other.
    """
    names = {name: name for name in known_words}
    unknown = "{} is no circumstance of this." if names else "{} is no circumstance of this. It takes none here."
    typed_words = (word for word in simplify_signs(MEANING.split(text, maxsplit=1)[0]).split(",") if word.strip())
    chosen = tuple(dict.fromkeys(naming.resolve_name(word, names, unknown) for word in typed_words))
    pair = find_contradiction(circumstances, chosen)
    if pair is not None:
        first, second = pair
        raise Refused(
            f"“{first}” and “{second}” contradict each other. Say one of them.", Cite(rule=circumstances[first].rule)
        )
    return chosen


def load_circumstances(package: str) -> Mapping[str, Circumstance]:
    """Return every circumstance word in a package's data, by name. Raises the errors of `read_circumstances`."""
    return read_circumstances(
        file.read_text(encoding="utf-8") for file in data_files_ending(package, "circumstances.toml")
    )


def read_circumstances(texts: Iterable[str]) -> Mapping[str, Circumstance]:
    """Return the circumstance words in TOML texts, by name. A word in several groups has the exclusions of each group.

    Raises ValidationError for an unknown key, ValueError if a word excludes an unknown word.
    """
    words: dict[str, Circumstance] = {}
    for text in texts:
        for group in tomllib.loads(text).values():
            for name, fields in group.items():
                word = Circumstance.model_validate({"name": name, **fields})
                words[name] = _with_exclusions(word, words[name].excludes if name in words else frozenset())
    for word in tuple(words.values()):
        for other in word.excludes:
            if other not in words:
                raise ValueError(f"“{word.name}” excludes “{other}”, which is no circumstance")
            words[other] = _with_exclusions(words[other], frozenset((word.name,)))
    return words


def load_circumstance_effects(package: str, end: str) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Return the unit fields that each circumstance sets, by group and word, from data files ending in `end`."""
    groups = (
        item
        for file in data_files_ending(package, end)
        for item in tomllib.loads(file.read_text(encoding="utf-8")).items()
    )
    return {group: {word: fields.get("makes", {}) for word, fields in words.items()} for group, words in groups}


def find_contradiction(circumstances: Mapping[str, Circumstance], words: Sequence[str]) -> tuple[str, str] | None:
    """Return the first two of `words` that contradict each other, or None without a contradiction."""
    for first, second in combinations(words, 2):
        if first in circumstances and second in circumstances[first].excludes:
            return first, second
    return None


def _with_exclusions(word: Circumstance, excluded: frozenset[str]) -> Circumstance:
    return word.model_copy(update={"excludes": word.excludes | excluded})


def invalid_field_in_words(error: ValidationError) -> str:
    """Return the error's field and reason: `“range”: It must be at most 1000`."""
    first = error.errors()[0]
    return f"“{first['loc'][0]}”: {error_in_words(first)}"


def _refusal_in_words(title: str, kind: str, error: ValidationError) -> str:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else kind
    kind = as_words(kind)
    if first["type"] == "extra_forbidden":
        return f"In {title}, {kind} takes no “{name}”. Leave it out."
    if first["type"] == "missing":
        return f"In {title}, {kind} needs “{name}”. Give it and try again."
    return f"{kind}, “{name}”: {error_in_words(first)}"


def error_in_words(error: "ErrorDetails") -> str:
    """Return the error's reason in words: `It must be at least 1.`; custom errors keep their text."""
    context = error.get("ctx", {})
    if "error" in context:
        message = str(context["error"]).rstrip(".")
        return f"{message[:1].upper()}{message[1:]}."
    requirement = MUST_BE.get(error["type"]) or KINDS.get(error["type"].partition("_")[0])
    if requirement is None:
        return "That cannot be read here."
    values = {
        name: value if isinstance(value, str) else number_text(Fraction(value)) for name, value in context.items()
    }
    return f"It must be {requirement.format(**values)}."
