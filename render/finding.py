"""Finding what somebody names on a map."""

from collections.abc import Sequence
from typing import TypeVar

from rapidfuzz import process, utils

T = TypeVar("T")


def find(wanted: str, things: Sequence[tuple[str, str, T]], allowed: str) -> T:
    """The thing with that id or name, or the only one with that in its name; `things` are ids, names and things.

    Raises:
        ValueError: with what is `allowed` and the nearest names, when there is none or more than one.
    """
    key = wanted.casefold()
    for ident, name, thing in things:
        if key in (ident.casefold(), name.casefold()):
            return thing
    within = [(name, thing) for _, name, thing in things if key and key in name.casefold()]
    if len(within) == 1:
        return within[0][1]
    near = process.extract(wanted, [name for _, name, _ in things], processor=utils.default_process, limit=3)
    names = ", ".join(name for name, _ in within[:3]) or ", ".join(name for name, _, _ in near)
    hint = f" (nearest: {names})" if names else ""
    raise ValueError(f"“{wanted[:40]}” is no area of this map. Give {allowed}{hint}.")
