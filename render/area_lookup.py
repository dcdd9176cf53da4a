"""Finding what somebody names on a map."""

from collections.abc import Sequence
from typing import TypeVar

from rules.core import naming

T = TypeVar("T")

MOST = 3
"""Names that are given where none, or not one alone, is meant."""


def find(wanted: str, things: Sequence[tuple[str, str, T]], allowed: str) -> T:
    """The one thing meant by an id or name; `things` are ids, names and things.

    Raises:
        ValueError: with what is `allowed` and the nearest names, when there is none or more than one.
    """
    names = {ident: name for ident, name, _ in things}
    found = naming.meant(wanted, names)
    if len(found) == 1:
        return next(thing for ident, _, thing in things if ident == found[0])
    near = [names[key] for key in found] or naming.nearest(wanted, names)
    hint = f" (nearest: {', '.join(near[:MOST])})" if near else ""
    raise ValueError(f"“{wanted[:40]}” is no area of this map. Give {allowed}{hint}.")
