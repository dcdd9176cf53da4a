"""What is wrong with a value that someone gave, in a sentence."""

from fractions import Fraction
from typing import TYPE_CHECKING

from .wording import number

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
"""By the type of error, with what is known of it."""
KINDS = {"int": "a whole number", "float": "a number", "bool": "yes or no", "string": "words"}
"""By the first word of the type, where a value is of another kind."""


def why_invalid(error: "ErrorDetails") -> str:
    """`It must be at least 1.`; what a check of our own said, as it said it."""
    context = error.get("ctx", {})
    if "error" in context:
        said = str(context["error"]).rstrip(".")
        return f"{said[:1].upper()}{said[1:]}."
    wanted = MUST_BE.get(error["type"]) or KINDS.get(error["type"].partition("_")[0])
    if wanted is None:
        return "That cannot be read here."
    known = {name: value if isinstance(value, str) else number(Fraction(value)) for name, value in context.items()}
    return f"It must be {wanted.format(**known)}."
