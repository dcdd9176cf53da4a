"""Look up an area of a map by the id or name that a user typed."""

from collections.abc import Sequence
from typing import TypeVar

from rules.core import naming

T = TypeVar("T")

MOST = 3
"""Maximum number of similar names listed in the error message."""


def find(wanted: str, things: Sequence[tuple[str, str, T]], allowed: str) -> T:
    """Return the third part of the triple (id, name, thing) in `things` whose id or name matches `wanted`.

    Raises:
        ValueError: If none or several match; the message names what is `allowed` and similar names.
    """
    names = {ident: name for ident, name, _ in things}
    found = naming.find_matches(wanted, names)
    if len(found) == 1:
        return next(thing for ident, _, thing in things if ident == found[0])
    near = [names[key] for key in found] or naming.nearest(wanted, names)
    hint = f" (nearest: {', '.join(near[:MOST])})" if near else ""
    raise ValueError(f"“{wanted[:40]}” is no area of this map. Give {allowed}{hint}.")
