"""Look up an area of a map by the id or name that a user typed."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from rules.core import naming
from rules.core.short_names import UnitNames

T = TypeVar("T")

AROUND_WORD = re.compile(r"^(?:around|round|near|at)\s+(?=\S)", re.IGNORECASE)
"""Words that completion writes before a unit's name, such as `around`."""

MOST = 3
"""Maximum number of similar names listed in the error message."""


def find_by_name(
    query: str, things: Sequence[tuple[str, str, T]], allowed: str, short: Mapping[str, str] | None = None
) -> T:
    """Return the object whose id or name matches `query`.

    Each of `things` is an id, a name and an object. `short` maps ids to short names, which match as well. Raises
    ValueError, with `allowed` in its message, unless exactly one object matches.
    """
    names = {ident: name for ident, name, _ in things}
    query = AROUND_WORD.sub("", query)
    matches = naming.find_matches(query, UnitNames(names, lambda: short or {}))
    if len(matches) == 1:
        return next(thing for ident, _, thing in things if ident == matches[0])
    near = [names[key] for key in matches] or naming.most_similar_names(query, names)
    hint = f" (nearest: {', '.join(near[:MOST])})" if near else ""
    raise ValueError(f"“{query[:40]}” is no area of this map. Give {allowed}{hint}.")
