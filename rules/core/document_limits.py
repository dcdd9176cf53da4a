"""Limit the nesting and the number of values of a TOML or JSON text before it is parsed.

A parser uses a stack frame for each level, and its time may be quadratic in the number of parts of a key.
"""

import re

from .refusal import Refused

MOST_DEPTH = 20
"""Maximum depth of nested brackets. The deepest export of a game has 10."""
MOST_KEY_PARTS = 8
"""Maximum number of parts of a dotted TOML key, such as `terrain.wood.points`."""
MOST_VALUES = 20_000
"""Maximum number of values in a scenario. The longest shipped scenario has about a thousand."""

_JSON_TOKEN = re.compile(r'"[^"\\]*+(?:\\(?:.|\Z)[^"\\]*+)*+(?:"|\Z)|[\[\]{}:,]', re.DOTALL)
_TOML_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|\n|\Z|\\)'
    r"|'[^'\n]*+(?:'|\n|\Z)"
    r"|\#[^\n]*+"
    r"|[\[\]{}=,.\n]",
    re.DOTALL,
)
"""Matches whole strings and comments, or else single characters.

An unfinished string or comment is matched up to the end of its line or of the text.
"""


def require_within_limits(text: str, most_values: int = MOST_VALUES, *, is_json: bool) -> None:
    """Raise Refused if a text is nested too deeply or has too many values. The parser finds all other faults."""
    depth = values = dots = 0
    for token in (_JSON_TOKEN if is_json else _TOML_TOKEN).finditer(text):
        sign = token[0]
        if sign in "[{":
            depth += 1
            _require_at_most(depth, MOST_DEPTH, "it is nested too deeply: the limit is {most} levels")
        elif sign in "]}":
            depth = max(depth - 1, 0)
        elif sign == ".":
            dots += 1
            _require_at_most(dots + 1, MOST_KEY_PARTS, "a key has too many parts: the limit is {most}")
            continue
        elif sign not in ",=:\n":
            continue
        dots = 0
        values += sign in "[{,=:"
        _require_at_most(values, most_values, "it has too many values: the limit is {most:,}")


def _require_at_most(number: int, most: int, why: str) -> None:
    if number > most:
        raise Refused(why.format(most=most))
